"""What a page says, read from what the browser is sent: words as a reader sees them."""

import html
import re

from streamlit.testing.v1 import AppTest

#: What Streamlit reads as Markdown, as far as AppTest knows it.
MARKDOWN = ("error", "info", "warning", "markdown", "caption", "title", "header", "subheader")


def shown(source: str) -> str:
    """The words of a Markdown source in which every sign is escaped."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", source.replace(":color[]{}", ""))


def bodies(app: AppTest) -> list[str]:
    """The HTML elements of the page, as they are sent: each is one of ours and holds but words."""
    found = [one.proto.body for one in app.get("html")]
    found = [one for one in found if not one.startswith("<style") and one != "<span></span>"]
    ours = r'<(h[123]|p) class="atlas-[a-z]+">(<strong>[^<>]*</strong>)?[^<>]*</\1>'
    assert [one for one in found if not re.fullmatch(ours, one)] == []
    return found


def plain(body: str) -> str:
    """The words of an HTML element."""
    return html.unescape(re.sub(r"<[^>]*>", "", body))


def headings(app: AppTest, level: int) -> list[str]:
    """The headings of a level, 1 for the title of the page."""
    return [plain(body) for body in bodies(app) if body.startswith(f"<h{level} ")]


def markdown(app: AppTest) -> list[str]:
    """Every text that the browser reads as Markdown, as it is sent; links too."""
    written = [str(one.value) for kind in MARKDOWN for one in app.get(kind)]
    return written + [one.proto.label for one in app.get("page_link")]


def said(app: AppTest) -> str:
    """Everything that the page says in words."""
    marked = [shown(str(one.value)) for kind in MARKDOWN for one in app.get(kind)]
    return "\n".join((*marked, *map(plain, bodies(app)), *(one.value for one in app.text)))


def links(app: AppTest) -> list[str]:
    """What the links to pages are called."""
    return [shown(one.proto.label) for one in app.get("page_link")]


def metrics(app: AppTest) -> dict[str, str]:
    """The headline figures by their label."""
    return {shown(one.label): shown(one.value) for one in app.metric}

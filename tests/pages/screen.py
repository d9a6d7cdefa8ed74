"""What a page says, read from what the browser is sent: words as a reader sees them."""

import html
import json
import re
from itertools import chain
from typing import Any, NamedTuple

from streamlit.testing.v1 import AppTest

#: What Streamlit reads as Markdown, as far as AppTest knows it.
MARKDOWN = ("error", "info", "warning", "markdown", "caption", "title", "header", "subheader")


def components(app: AppTest, name: str) -> list[Any]:
    """The components of a name, in their order, as they are sent."""
    every = (one.proto for one in app.get("bidi_component"))
    return [one for one in every if one.component_name == name]


def sent_to(app: AppTest, name: str) -> list[dict[str, Any]]:
    """What the components of a name are sent, in their order."""
    return [json.loads(one.json) for one in components(app, name)]


def matrix(app: AppTest) -> dict[str, Any]:
    """What the coloured table of a page is sent."""
    (found,) = sent_to(app, "atlas_matrix")
    return found


def tell(app: AppTest, component: Any, event: str, value: object) -> AppTest:
    """The page after the browser said an event of a component."""
    states = app._tree.get_widget_states()
    state = states.widgets.add()
    state.id = f"$$STREAMLIT_INTERNAL_KEY_{component.id}__events"
    state.json_trigger_value = json.dumps([{"event": event, "value": value}])
    return app._run(states)


def shown(source: str) -> str:
    """The words of a Markdown source in which every sign is escaped."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", source.replace(":color[]{}", ""))


#: The elements that hold other elements, by what they begin with.
TABLE, FIGURES, FOLDED, BADGES, BAR = (
    f'<div class="atlas-{kind}' for kind in ("table", "figures", "folded", "badges", "proceeds")
)
#: What is read seldom and opens on it; links to the parts of a page.
CLOSED, PARTS = '<details class="atlas-closed', '<nav class="atlas-parts'
#: A whole by severity as a bar, and what its colours are.
SEVERITIES = '<div class="atlas-severities'
#: The capital stack as a bar, and what the colours of a map are.
STACK, LEGEND = '<div class="atlas-stack', '<ul class="atlas-legend'
#: Of a loan beside a list: why, and its facts.
BESIDE = ('<p class="atlas-why', '<div class="atlas-beside')
#: The table of what a licence does not cover.
PREVIEW = '<div class="atlas-preview'


def _sent(app: AppTest) -> list[str]:
    """The HTML elements of the page, as they are sent: each is our own and holds only words."""
    found = [one.proto.body for one in app.get("html")]
    found = [one for one in found if not one.startswith("<style") and one != "<span></span>"]
    # Whatever is no tag of these is escaped.
    tags = (
        r"</?(h[1-4]|p|strong|div|table|caption|thead|tbody|tr|th|td|span|details|summary|nav|a"
        r"|ul|li)"
    )
    # A style says nothing but parts of a bar and colours; a link leads to a heading of the page.
    part = r"--[a-z]+: (\d+%|#[0-9a-f]{6})"
    attribute = (
        r' (class|scope|role|tabindex|aria-label|aria-hidden|id|open|title)="[^"<>]*"'
        rf'| style="{part}(; {part})?"| href="#[a-z]+"'
    )
    ours = rf"(({tags}({attribute})*>)|[^<>])*"
    assert [one for one in found if not re.fullmatch(ours, one)] == []
    return found


def bodies(app: AppTest) -> list[str]:
    """The elements of the page that are words alone: headings, lead lines, captions."""
    held = (TABLE, FIGURES, FOLDED, BADGES, BAR, CLOSED, PARTS, SEVERITIES, STACK, LEGEND, PREVIEW)
    found = [one for one in _sent(app) if not one.startswith((*held, *BESIDE))]
    # What a loan's page says first begins with a chip.
    begins = r'(<strong>[^<>]*</strong>|<span class="grade [a-z]+">[^<>]*</span>)?'
    ours = rf'<(h[123]|p) class="atlas-[a-z]+"( id="[a-z]+")?>{begins}[^<>]*</\1>'
    assert [one for one in found if not re.fullmatch(ours, one)] == []
    return found


def tables(app: AppTest) -> dict[str, list[dict[str, str]]]:
    """The tables of the page by what they are called, row by row; columns of one without heads are
    Fact and Value.
    """
    found = {}
    drawn = (re.findall(rf"{TABLE}.*?</div>", body) for body in _sent(app))
    for body in chain.from_iterable(drawn):
        (name,) = _inner("caption", body)
        heads = [plain(one) for one in _inner("th", "".join(_inner("thead", body)))]
        (rows,) = _inner("tbody", body)
        assert name not in found, f"two tables are called {name}"
        found[plain(name)] = [
            dict(zip(heads or ("Fact", "Value"), map(plain, _inner("t[hd]", row)), strict=True))
            for row in _inner("tr", rows)
        ]
    return found


def table(app: AppTest, head: str) -> list[dict[str, str]] | None:
    """The first table that has a column of that name; None where there is none."""
    return next((rows for rows in tables(app).values() if head in rows[0]), None)


def facts(app: AppTest, name: str) -> dict[str, str]:
    """A table of facts."""
    return {row["Fact"]: row["Value"] for row in tables(app)[name]}


class Headline(NamedTuple):
    """A headline figure: its value, the line below it, its help."""

    value: str
    of_what: str
    help: str | None


def headlines(app: AppTest) -> dict[str, Headline]:
    """The headline figures by their label."""
    found = {}
    for body in _sent(app):
        if not body.startswith(FIGURES):
            continue
        for one in body.split('<div class="atlas-figure">')[1:]:
            label, value, of_what = _inner("p", one)
            helped = re.search(r'aria-label="([^"]*)"', label)
            found[plain(_inner("span", label)[0])] = Headline(
                plain(value), plain(of_what), html.unescape(helped[1]) if helped else None
            )
    return found


def legend(app: AppTest) -> list[tuple[str, str, str]]:
    """What the colours of the page's map mean: the kind of each swatch, its colour, its words."""
    (body,) = (one for one in _sent(app) if one.startswith(LEGEND))
    row = r'<li><span class="([a-z ]+)" style="--fill: (#[0-9a-f]{6})"></span>'
    found = re.findall(rf"{row}<span>([^<]*)</span></li>", body)
    assert len(found) == body.count("<li>")
    return [(kind, colour, html.unescape(words)) for kind, colour, words in found]


def badges(app: AppTest) -> dict[str, str]:
    """What each badge of the page says, and its help."""
    said = r'<span class="badge [a-z]+" tabindex="0">([^<]*)<span class="tip">([^<]*)</span></span>'
    return {
        html.unescape(body): html.unescape(tip)
        for one in _sent(app)
        if one.startswith(BADGES)
        for body, tip in re.findall(said, one)
    }


def _inner(tag: str, body: str) -> list[str]:
    """What stands in each element of a kind that holds none of its own kind."""
    return [one[1] for one in re.findall(rf"<({tag})(?: [^>]*)?>(.*?)</\1>", body)]


def plain(body: str) -> str:
    """The words of an HTML element."""
    return html.unescape(re.sub(r"<[^>]*>", "", body))


def headings(app: AppTest, level: int) -> list[str]:
    """The headings of a level, 1 for the title of the page."""
    sent = [*bodies(app), *(one for one in _sent(app) if one.startswith(CLOSED))]
    return [plain(one) for body in sent for one in _inner(f"h{level}", body)]


def markdown(app: AppTest) -> list[str]:
    """Every text that the browser reads as Markdown, as it is sent; links too."""
    written = [str(one.value) for kind in MARKDOWN for one in app.get(kind)]
    return written + [one.proto.label for one in app.get("page_link")]


def said(app: AppTest) -> str:
    """Everything that the page says in words."""
    marked = [shown(str(one.value)) for kind in MARKDOWN for one in app.get(kind)]
    folded = [
        plain(part)
        for body in _sent(app)
        if body.startswith((FOLDED, CLOSED))
        for kind in ("summary", "p")
        for part in _inner(kind, body)
    ]
    texts = (one.value for one in app.text)
    return "\n".join((*marked, *badges(app), *map(plain, bodies(app)), *folded, *texts))


def links(app: AppTest) -> list[str]:
    """What the links to pages are called."""
    return [shown(one.proto.label) for one in app.get("page_link")]


def metrics(app: AppTest) -> dict[str, str]:
    """The values of the headline figures by their label."""
    return {label: one.value for label, one in headlines(app).items()}


def expanders(app: AppTest) -> list[str]:
    """What the lines that open on more are called."""
    return [shown(one.label) for one in app.expander]

"""The one door for words: what is written here is shown as written, whoever wrote it.

Streamlit reads headings, labels, notices and tooltips as Markdown, and names and addresses come
from outside: as Markdown they would be links, pictures, titles or formulas. Nothing here reads its
words as markup. Headings, lead lines and captions are HTML with classes of atlas.css, and so is
what `element` makes; sentences are plain text; where Streamlit takes nothing but Markdown, `label`
escapes it.
"""

import html
from collections.abc import Iterable, Sequence
from typing import Final, Literal, overload

import streamlit as st

from components.platform.markdown import shown_as_written

_IN_MARKUP: Final = {ord(character): f"&#{ord(character)};" for character in "\"'{}"}


def line(text: str) -> str:
    """Outside text on one line: white space folded, what cannot be printed marked. For what shows
    text as it is, as the options of `st.selectbox` and `st.multiselect`.
    """
    folded = " ".join(text.split())
    if folded.isprintable():
        return folded
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in folded)


@overload
def label(text: str) -> str: ...
@overload
def label(text: None) -> None: ...
def label(text: str | None) -> str | None:
    """Markdown that shows a text as it is, on one line: for labels, pills and tooltips."""
    if text is None:
        return None
    return shown_as_written(line(text))


def escaped(text: str) -> str:
    """HTML that shows a text as it is, on one line: for tooltips of charts, which read HTML.

    Quotes and braces too: ECharts and Plotly take braces for placeholders of their own.
    """
    return html.escape(line(text), quote=False).translate(_IN_MARKUP)


class Markup(str):
    """HTML that `element` made: words in it are escaped."""

    __slots__ = ()


def element(tag: str, *inner: str, **attributes: str) -> Markup:
    """An HTML element around words, shown as they are, and elements; `class_` is its class."""
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for name, value in attributes.items()
    )
    body = "".join(one if isinstance(one, Markup) else escaped(one) for one in inner)
    return Markup(f"<{tag}{given}>{body}</{tag}>")


def shares(**given: float) -> str:
    """A style with parts of a whole, 0 to 1, that atlas.css draws bars by: `part` is its --part."""
    return "; ".join(f"--{name}: {round(100 * one)}%" for name, one in given.items())


def cut(words: str, longest: int) -> str:
    """At most so many characters of a text, and a sign that it goes on."""
    return words if len(words) <= longest else f"{words[:longest]}…"


def show(made: Markup, *, width: Literal["stretch", "content"] = "stretch") -> None:
    """Draws an element; its classes are those of atlas.css."""
    st.html(made, width=width)


def title(body: str) -> None:
    """The heading of a page."""
    show(element("h1", body, class_="atlas-title"))


def heading(body: str, *, level: int = 3, part: str = "") -> None:
    """The heading of a part of a page. `level` follows the heading above it: 2 or 3; `part` is the
    name that `parts` leads to it by.
    """
    show(_heading(body, level, part))


def _heading(body: str, level: int, part: str) -> Markup:
    named = {"id": part} if part else {}
    return element(f"h{level}", body, class_="atlas-heading", **named)


def parts(called: Sequence[tuple[str, str]]) -> None:
    """Links to the parts of a long page: the name of each part, and what it is called."""
    links = (element("a", words, href=f"#{name}") for name, words in called)
    show(element("nav", *links, class_="atlas-parts", aria_label="Parts of this page"))


def lead(strong: str, rest: str = "", *, width: Literal["stretch", "content"] = "stretch") -> None:
    """A line of its own over what it sums up, its first part in bold."""
    after = (Markup(" "), rest) if rest else ()
    show(element("p", element("strong", strong), *after, class_="atlas-lead"), width=width)


def caption(body: str, *, width: Literal["stretch", "content"] = "stretch") -> None:
    """A remark in small letters."""
    show(element("p", body, class_="atlas-caption"), width=width)


def folded(parts: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Headings, each of which opens on its sentences."""
    show(
        element(
            "div",
            *(
                element("details", element("summary", head), *(element("p", one) for one in said))
                for head, said in parts
            ),
            class_="atlas-folded",
        )
    )


def closed(head: str, *inner: Markup, level: int = 3, part: str = "", open_: bool = False) -> None:
    """What is read seldom: a heading that opens on it. Ctrl+F finds it all the same.
    `part` as in `heading`.
    """
    summary = element("summary", _heading(head, level, part))
    given = {"open": ""} if open_ else {}
    show(element("details", summary, *inner, class_="atlas-closed", **given))


def sentence(body: str, *, help_text: str | None = None) -> None:
    """Sentences; a line break in them stays one."""
    st.text("\n".join(map(line, body.splitlines())), help=label(help_text))


def notice(kind: Literal["info", "warning", "error"], body: str, icon: str) -> None:
    """A coloured box that says what is the matter; `icon` is the name of a Material symbol."""
    draw = {"info": st.info, "warning": st.warning, "error": st.error}[kind]
    draw(label(body), icon=f":material/{icon}:")


def code(body: str, language: str | None, *, height: Literal["content"] | int = "content") -> None:
    """Text to be copied, with a button that does it. Lines wrap: none is cut in a narrow window."""
    st.code(body, language=language, wrap_lines=True, height=height)

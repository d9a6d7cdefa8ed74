"""The one door for words: what is written here is shown as written, whoever wrote it.

Streamlit reads headings, labels, notices, badges and tooltips as Markdown, and names and addresses
come from outside: as Markdown they would be links, pictures, titles or formulas. Nothing here reads
its words as markup. Headings, lead lines and captions are HTML with classes of atlas.css, sentences
are plain text; where Streamlit takes nothing but Markdown, `label` escapes it.
"""

import html
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, overload

import streamlit as st

_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-`{-~]")
#: Where Streamlit reads text once more after escapes are gone: web and e-mail
#: addresses, icons and emoji between colons, arrows and comparisons made of two characters.
_READ_AGAIN: Final = re.compile(
    r"(?<=w)(?=ww\.)|(?<=:)(?=//)|(?<=@)(?=[-\w])|(?<=:)(?=[-+\w]+:)"
    r"|(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)",
    re.IGNORECASE,
)
#: Drawn as a span without content or style: text on its two sides is not read as one, and a
#: reader neither sees nor copies anything between.
_APART: Final = ":color[]{}"
#: Stands for it until punctuation is escaped; `line` lets no such character through.
_MARK: Final = "\0"
_IN_MARKUP: Final = {ord(character): f"&#{ord(character)};" for character in "\"'{}"}


def line(text: str) -> str:
    """Outside text on one line: white space folded, what cannot be printed marked."""
    folded = " ".join(text.split())
    if folded.isprintable():
        return folded
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in folded)


@overload
def label(text: str) -> str: ...
@overload
def label(text: None) -> None: ...
def label(text: str | None) -> str | None:
    """Markdown that shows a text as it is, on one line: for labels, options and tooltips."""
    if text is None:
        return None
    apart = _READ_AGAIN.sub(_MARK, line(text))
    return _PUNCTUATION.sub(r"\\\g<0>", apart).replace(_MARK, _APART)


def escaped(text: str) -> str:
    """HTML that shows a text as it is, on one line: for tooltips of charts, which read HTML.

    Quotes and braces too: ECharts and Plotly take braces for placeholders of their own.
    """
    return html.escape(line(text), quote=False).translate(_IN_MARKUP)


def title(body: str) -> None:
    """The heading of a page."""
    _html("h1", "title", escaped(body))


def heading(body: str, *, level: int = 3) -> None:
    """The heading of a part of a page. `level` follows the heading above it: 2 or 3."""
    _html(f"h{level}", "heading", escaped(body))


def lead(strong: str, rest: str = "") -> None:
    """A line of its own over what it sums up, its first part in bold."""
    parts = (f"<strong>{escaped(strong)}</strong>", escaped(rest))
    _html("p", "lead", " ".join(part for part in parts if part))


def caption(body: str, *, width: Literal["stretch", "content"] = "stretch") -> None:
    """A remark in small letters."""
    _html("p", "caption", escaped(body), width=width)


def _html(
    tag: str, kind: str, inner: str, *, width: Literal["stretch", "content"] = "stretch"
) -> None:
    st.html(f'<{tag} class="atlas-{kind}">{inner}</{tag}>', width=width)


def sentence(body: str, *, help_text: str | None = None) -> None:
    """Sentences; a line break in them stays one."""
    st.text("\n".join(map(line, body.splitlines())), help=label(help_text))


def sheet(
    rows: Sequence[Mapping[str, str]], key: str, alt: str, *, prose: Sequence[str] = ()
) -> None:
    """A small table whole, found and printed like text: its first column names each row.

    `prose` names the further columns that hold no figures; figures are set to the right.
    """
    import pandas as pd
    from pandas.io.formats.style import Styler

    if not rows:
        return
    first, *others = rows[0]
    frame = pd.DataFrame(
        [[label(row[name]) for name in others] for row in rows],
        index=pd.Index([label(row[first]) for row in rows], name=label(first)),
        columns=[label(name) for name in others],
    )
    # Streamlit writes the alignment of a cell into the cell: only an "important" one passes it.
    right = [at for at, name in enumerate(others) if name not in prose]
    cells = ", ".join(f"th.col{at}, td.col{at}" for at in right)
    styled = Styler(frame, uuid=key, cell_ids=False)
    if right:
        styled.set_table_styles([{"selector": cells, "props": "text-align: right !important"}])
    st.table(styled, border="horizontal", alt=alt)


def notice(kind: Literal["info", "warning", "error"], body: str, icon: str) -> None:
    """A coloured box that says what is the matter; `icon` is the name of a Material symbol."""
    draw = {"info": st.info, "warning": st.warning, "error": st.error}[kind]
    draw(label(body), icon=f":material/{icon}:")


def badge(
    body: str,
    colour: Literal["blue", "green", "orange", "violet", "gray"],
    *,
    icon: str | None = None,
    help_text: str | None = None,
) -> None:
    """A word or two on a coloured ground; `icon` is the name of a Material symbol."""
    # st.badge escapes brackets once more, so that escaped ones would show their backslashes.
    sign = f":material/{icon}: " if icon else ""
    st.markdown(f":{colour}-badge[{sign}{label(body)}]", width="content", help=label(help_text))

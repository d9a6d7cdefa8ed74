"""The ownership diagram as DOT, by the BOVS conventions: arrows from owner to owned, downwards;
nodes of one size; who is not named is an outlined "?"; one level of detail. Pure.

Nodes and labels bring their own ground, so that they read on a light and on a dark page.
"""

import textwrap
from collections.abc import Collection
from typing import Final

from components.kit.formatting import MISSING, percent, score, words
from components.kit.text import line
from components.ownership.chains import LOAN, Holdings, Link
from services.names.normalise import folded

ORGANISATION: Final = "organisation"
PERSON: Final = "person"
NOT_STATED: Final = "not stated"
#: Kinds that are organisations by what they are; of the others only the name's form tells.
_BY_KIND: Final = {
    **dict.fromkeys(("operating entity", "lender", "fund", "trust"), ORGANISATION),
    **dict.fromkeys(("originator", "servicer"), ORGANISATION),
    **dict.fromkeys(("person", "individual", "natural person"), PERSON),
}
_FORMS: Final = frozenset(
    (
        *("llc", "lp", "llp", "lllp", "inc", "incorporated", "corp", "corporation", "company"),
        *("ltd", "limited", "plc", "gmbh", "dst", "reit", "partnership", "trust", "fund"),
        "foundation",
    )
)
_SHAPES: Final = {
    ORGANISATION: 'shape=box style=filled fillcolor="#dce8f5" color="#5d86b5"',
    NOT_STATED: 'shape=box style="filled,rounded" fillcolor="#f4e6c3" color="#a8843c"',
    PERSON: 'shape=ellipse style=filled fillcolor="#f4e6c3" color="#a8843c"',
}
_LOAN_SHAPE: Final = 'shape=note style=filled fillcolor="#e4e8ec" color="#7a8794"'
_UNKNOWN: Final = 'shape=box style=rounded color="#7a8794" fontcolor="#7a8794"'
_LINE: Final = 'color="#7a8794"'
_WEAK_LINE: Final = 'color="#d55e00" penwidth=3.5'
_DOWN: Final = "rankdir=TB nodesep=0.25 ranksep=0.22"
_ACROSS: Final = "rankdir=LR nodesep=0.06 ranksep=1.2"
_FONT: Final = 'fontname="Helvetica,Arial,sans-serif"'
_NAME_WIDTH: Final = 28


def form_of(name: str, kind: str | None) -> str:
    """Organisation, person, or not stated: nobody is guessed to be a person."""
    if by_kind := _BY_KIND.get((kind or "").casefold()):
        return by_kind
    said = folded(name)
    return ORGANISATION if said and (said[-1] in _FORMS or "trust" in said) else NOT_STATED


def dot(
    holdings: Holdings, *, weakest: Collection[Link], loan_number: str = "", across: bool = False
) -> str:
    """DOT source of a diagram; `weakest` are the links to stand out, `loan_number` names the loan
    when it starts at one. Of many parties owners stand to the left of what they own: `across`.
    """
    ids = {name: f"n{at}" for at, name in enumerate([LOAN, *holdings.kinds])}
    lines = [
        "digraph ownership {",
        f'graph [bgcolor=transparent {_ACROSS if across else _DOWN} pad=0.05 tooltip=" "]',
        f'node [{_FONT} fontsize=10.5 fontcolor="#18232f" width=2.2 height=0.56 fixedsize=true]',
        f"edge [{_FONT} fontsize=9 arrowsize=0.8]",
    ]
    if holdings.start == LOAN:
        lines.append(f"n0 [{_LOAN_SHAPE} label={_label(loan_number, 'loan')} {_tip(loan_number)}]")
        lines.append("{rank=sink n0}")
    for name, kind in holdings.kinds.items():
        shape = _SHAPES[form_of(name, kind)] + (" penwidth=3" if name == holdings.start else "")
        lines.append(f"{ids[name]} [{shape} label={_label(name, words(kind))} {_tip(name)}]")
    for name in holdings.open_ends:
        unknown = f"u{ids[name]}"
        tip = _tip(f"No owner of {name} is named")
        lines.append(f"{unknown} [{_UNKNOWN} label={_label('?', 'owner not named')} {tip}]")
        lines.append(f"{unknown} -> {ids[name]} [{_LINE}]")
    lines += [
        f"{ids[link.owner]} -> {ids[link.owned]} [{_edge(link, weak=link in weakest)}]"
        for link in holdings.links
    ]
    return "\n".join([*lines, "}"])


def held(link: Link) -> str:
    """What a link says, in active voice: Owns 57%; Borrows."""
    if link.owned == LOAN:
        return "Borrows"
    return "Owns" if link.share is None else f"Owns {percent(100 * link.share, 0)}"


def _edge(link: Link, *, weak: bool) -> str:
    sure = f"{'weakest link' if weak else 'confidence'} {score(link.confidence)}"
    ground = "#ffd9bd" if weak else "#eef2f6"
    label = (
        f'<<table border="0" cellborder="0" cellpadding="2" bgcolor="{ground}"><tr><td>'
        f'<font color="#18232f">{held(link)}, {sure}</font></td></tr></table>>'
    )
    tip = _tip(f"{link.owner} {held(link).lower()} {link.owned or 'the loan'}, {sure}")
    return f"{_WEAK_LINE if weak else _LINE} label={label} {tip}"


def _label(name: str, below: str) -> str:
    # Plain text: lines of an HTML-like label are placed by a font that the browser may not have.
    parts = textwrap.wrap(line(name), _NAME_WIDTH, max_lines=2, placeholder=" …") or [MISSING]
    text = "\\n".join(_escaped(part) for part in (*parts, below))
    return f'"{text}"'


def _tip(text: str) -> str:
    return f'tooltip="{_escaped(text)}"'


def _escaped(text: str) -> str:
    """Within quotes of DOT: entities, escapes and quotes stay text."""
    return line(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')

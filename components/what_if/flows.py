"""Who moves from which worst severity to which: a Sankey, and the same as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.frame import states
from components.frame.ledger import Column, ledger
from components.frame.routes import WHAT_IF
from components.kit import severity, text, theme
from components.kit.formatting import MISSING, count, money
from components.kit.severity import label
from components.what_if.view import Number, WhatIfView
from services.contract.scenario import Move, WhatIf
from services.contract.vocabulary import NO_SIGNAL, SEVERITIES

if TYPE_CHECKING:  # plotly is imported when a flow is drawn
    import plotly.graph_objects as go

#: Worst first, as they stand from top to bottom.
_ORDER: Final = (*reversed(SEVERITIES[1:]), NO_SIGNAL)
_STAY: Final = "rgba(125,136,148,0.18)"
#: Between two nodes, of the inner height; pixels of the drawing and of what lies within its edges.
_ROOM: Final = 0.04
_HEIGHT: Final = 360
_INNER: Final = 340
#: Words on light and on dark.
_INK: Final = ("#18232f", "#e4ebf2")
_CONFIG: Final[dict[str, Any]] = {"displaylogo": False, "displayModeBar": False}


def flows(found: WhatIf, view: WhatIfView, number: Number) -> None:
    """The Sankey of a scenario; the table below holds the same figures."""
    if not found.loans:
        return
    st.plotly_chart(
        sankey(found.moves, view.measure, dark=theme.dark()),
        key=f"flows-{number}",
        config=_CONFIG,
        alt=f"Flows of {view.measure} from the worst severity now, left, to that in scenario "
        f"{number}, right; the moves stand in the table beside them",
    )


def sankey(moves: Sequence[Move], measure: str, *, dark: bool = False) -> "go.Figure":
    """Worst severity now on the left, in the scenario on the right; who stays is pale."""
    import plotly.graph_objects as go

    drawn = [one for one in moves if _width(one, measure)]
    nodes = [*_nodes(drawn, "before", measure), *_nodes(drawn, "after", measure)]
    at = {(node.side, node.word): place for place, node in enumerate(nodes)}
    figure = go.Figure(
        go.Sankey(
            arrangement="fixed",
            textfont={"color": _INK[dark], "size": 12},
            node={
                "label": [node.label for node in nodes],
                "color": [_fill(n.word, dark=dark) for n in nodes],
                "customdata": [node.hover for node in nodes],
                "hovertemplate": "%{customdata}<extra></extra>",
                "x": [0.001 if node.side == "before" else 0.999 for node in nodes],
                "y": [node.y for node in nodes],
                "pad": _ROOM * _INNER,
                "thickness": 14,
                "line": {"color": "#7d8894", "width": 0.6},
            },
            link={
                "source": [at["before", one.before] for one in drawn],
                "target": [at["after", one.after] for one in drawn],
                "value": [_width(one, measure) for one in drawn],
                "color": [_colour(one, dark=dark) for one in drawn],
                "customdata": [_said(one) for one in drawn],
                "hovertemplate": "%{customdata}<extra></extra>",
            },
        )
    )
    edge = (_HEIGHT - _INNER) / 2
    figure.update_layout(height=_HEIGHT, margin={"l": 4, "r": 4, "t": edge, "b": edge})
    return figure


@dataclass(frozen=True, slots=True)
class _Node:
    """The loans of one worst severity on one side."""

    side: str
    word: str
    label: str
    hover: str
    #: Its middle, 0 at the top to 1.
    y: float


def _width(move: Move, measure: str) -> int:
    return move.book_value if measure == "dollars" else move.loans


def _nodes(moves: Sequence[Move], side: str, measure: str) -> list[_Node]:
    """The worst at the top."""
    whole = sum(_width(one, measure) for one in moves) or 1
    # All flows are drawn to one scale: that of the side with more nodes.
    most = max(len({one.before for one in moves}), len({one.after for one in moves}))
    nodes, top = [], 0.0
    for word in _ORDER:
        of_it = [one for one in moves if getattr(one, side) == word]
        if not of_it:
            continue
        size = sum(_width(one, measure) for one in of_it) / whole * (1 - _ROOM * (most - 1))
        worth, loans = sum(one.book_value for one in of_it), sum(one.loans for one in of_it)
        said = money(worth) if measure == "dollars" else count(loans)
        nodes.append(
            _Node(
                side,
                word,
                text.escaped(f"{label(word)} {said}"),
                text.escaped(f"{label(word)}: {money(worth)} in {count(loans)} loans"),
                min(max(top + size / 2, 0.001), 0.999),
            )
        )
        top += size + _ROOM
    return nodes


def _fill(word: str, *, dark: bool) -> str:
    return severity.colour(word, dark=dark)


def _colour(move: Move, *, dark: bool) -> str:
    """That of the severity moved to; pale for who stays."""
    if move.before == move.after:
        return _STAY
    colour = _fill(move.after, dark=dark)
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.6)"


def _said(move: Move) -> str:
    ends = f"{label(move.before)} to {label(move.after)}"
    said = f"stay at {label(move.before)}" if move.before == move.after else ends
    return text.escaped(f"{said}: {money(move.book_value)} in {count(move.loans)} loans")


def table(found: WhatIf, view: WhatIfView, number: Number) -> None:
    """The moves, worst in the scenario first; each leads to its loans."""
    rank = {word: at for at, word in enumerate(_ORDER)}
    moved = [one for one in found.moves if one.before != one.after]
    moved.sort(key=lambda one: (rank[one.after], -rank[one.before]))
    if not moved:
        states.nothing("No loan moves to another worst severity.")
        return
    address = view.at(1).params() | {"of": number}
    ledger(
        _COLUMNS,
        moved,
        opens=lambda one: (WHAT_IF, address | {"move": f"{one.before},{one.after}"}),
        key=f"moves-{number}",
        caption=f"Moves in scenario {number}",
        height=420,
    )


def _change(move: Move) -> str:
    more = move.short_after - move.short_before
    return f"+{money(more)}" if more > 0 else money(more) if more else MISSING


_COLUMNS: Final[tuple[Column[Move], ...]] = (
    Column(
        "move",
        "Worst signal",
        lambda one: f"{label(one.before)} → {label(one.after)}",
    ),
    Column("loans", "Loans", lambda one: count(one.loans), figure=True),
    Column("book_value", "Book value", lambda one: money(one.book_value), figure=True, short=True),
    Column(
        "short",
        "Change in dollars short",
        _change,
        figure=True,
        help="Of what new proceeds lack at maturity, in the scenario against now.",
    ),
)

"""Who moves from which worst severity to which, as flows; moves.py has them as a table."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from components.frame import links
from components.frame.linked_drawings import drawing
from components.frame.routes import WHAT_IF
from components.kit import severity, theme
from components.kit.formatting import count, money
from components.kit.severity import label
from components.what_if.view import Number, WhatIfView
from services.contract.scenario import Move, WhatIf
from services.contract.vocabulary import GRADED, NO_SIGNAL

#: Worst first, as they stand from top to bottom.
_ORDER: Final = (*reversed(GRADED), NO_SIGNAL)
#: Between two nodes, of the height.
_ROOM: Final = 0.04
_HEIGHT: Final = 360
_STAY: Final = "#7d8894"
_draw: Final = drawing("flows")


def flows(found: WhatIf, view: WhatIfView, number: Number) -> None:
    """The flows of a scenario, each a link to its loans; the table has the same figures."""
    if not found.loans:
        return
    key = f"flows-{number}"
    data = sent(found.moves, view, number, dark=theme.dark())
    leads = {one["href"] for one in data["flows"] if one["href"]}
    _draw(key=key, data=data, on_opened_change=links.following(key, leads))


def sent(moves: Sequence[Move], view: WhatIfView, number: Number, *, dark: bool) -> dict[str, Any]:
    """What the browser is sent: worst severity now on the left, in the scenario on the right, in
    parts of the height; who stays leads nowhere.
    """
    drawn = [one for one in moves if _width(one, view.measure)]
    scale = _scale(drawn, view.measure)
    nodes = {
        side: _nodes(drawn, side, view.measure, scale, dark=dark) for side in ("before", "after")
    }
    filled = {(side, word): node["top"] for side in nodes for word, node in nodes[side].items()}
    flows = []
    for one in sorted(drawn, key=lambda one: (place_of(one.before), place_of(one.after))):
        size = _width(one, view.measure) * scale
        moves_on = one.before != one.after
        flows.append(
            {
                "from": filled["before", one.before],
                "to": filled["after", one.after],
                "size": size,
                "colour": severity.colour(one.after, dark=dark) if moves_on else _STAY,
                "said": _said(one),
                "href": links.address(WHAT_IF, loans_of(view, number, one)) if moves_on else None,
            }
        )
        filled["before", one.before] += size
        filled["after", one.after] += size
    return {
        "caption": f"Flows of {view.measure} from the worst severity now, left, to that in "
        f"scenario {number}, right; the moves stand in the table beside them",
        "height": _HEIGHT,
        "nodes": [node for side in nodes.values() for node in side.values()],
        "flows": flows,
    }


def _width(move: Move, measure: str) -> int:
    return move.book_value if measure == "dollars" else move.loans


def place_of(word: str) -> int:
    """Of a severity, the worst first."""
    return _ORDER.index(word)


def _scale(moves: Sequence[Move], measure: str) -> float:
    """Part of the height that a dollar or a loan takes: one for both sides, so that the one with
    more nodes has room.
    """
    whole = sum(_width(one, measure) for one in moves) or 1
    most = max(len({one.before for one in moves}), len({one.after for one in moves}), 1)
    return (1 - _ROOM * (most - 1)) / whole


def _nodes(
    moves: Sequence[Move],
    side: Literal["before", "after"],
    measure: str,
    scale: float,
    *,
    dark: bool,
) -> dict[str, dict[str, Any]]:
    """The loans of each worst severity on one side, the worst at the top."""
    nodes, top = {}, 0.0
    for word in _ORDER:
        of_it = [one for one in moves if getattr(one, side) == word]
        if not of_it:
            continue
        size = scale * sum(_width(one, measure) for one in of_it)
        worth, loans = sum(one.book_value for one in of_it), sum(one.loans for one in of_it)
        nodes[word] = {
            "side": side,
            "top": top,
            "size": size,
            "label": f"{label(word)} {money(worth) if measure == 'dollars' else count(loans)}",
            "colour": severity.colour(word, dark=dark),
        }
        top += size + _ROOM
    return nodes


def _said(move: Move) -> list[str]:
    return [
        f"{label(move.before)} to {label(move.after)}",
        f"{money(move.book_value)} in {count(move.loans)} loans",
    ]


def loans_of(view: WhatIfView, number: Number, move: Move) -> dict[str, str]:
    """The address of the loans of a move."""
    return {**view.at(1).params(), "of": number, "move": f"{move.before},{move.after}"}

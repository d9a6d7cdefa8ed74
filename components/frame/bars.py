"""Bars that lead somewhere: stacked, with a line of marks over them, each bar a link."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from components.frame import links, states
from components.frame.linked_drawings import drawing
from components.frame.routes import Route
from components.kit import axis, text
from components.kit.formatting import axis_money

_draw: Final = drawing("bars")


@dataclass(frozen=True, slots=True)
class Look:
    """How a part of bars is filled, and what the legend calls it; empty leaves it out."""

    colour: str
    label: str = ""
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, in US dollars or another unit that adds up."""

    label: str
    #: Name of a look -> dollars, from the bottom up.
    parts: Mapping[str, int]
    #: What is said of it under its label, a line each.
    said: Sequence[str]
    #: The page that it leads to, and its parameters.
    opens: tuple[Route, Mapping[str, str]]
    #: Where the line has its mark, in dollars; None for none.
    mark: int | None = None


def bars(
    found: Sequence[Bar],
    looks: Mapping[str, Look],
    *,
    line: Look | None = None,
    key: str,
    caption: str,
    height: int,
    write: Callable[[float], str] = axis_money,
) -> None:
    """Draws bars side by side, those of one look in one colour; `line` joins their marks.

    `height` is in pixels, `caption` what the drawing is called where it is not seen; `write` is how
    the axis writes an amount. Where no bar has dollars, a sentence stands in place of the drawing.
    """
    data = sent(found, looks, line, caption, height, write)
    if not data["top"]:
        states.nothing("No loan on this page has a balance to draw.")
        return
    leads = {one["href"] for one in data["bars"]}
    _draw(key=key, data=data, on_opened_change=links.following(key, leads))


def sent(
    found: Sequence[Bar],
    looks: Mapping[str, Look],
    line: Look | None,
    caption: str,
    height: int,
    write: Callable[[float], str] = axis_money,
) -> dict[str, Any]:
    """What the browser is sent."""
    tops = [max(sum(one.parts.values()), one.mark or 0) for one in found]
    top = max(tops, default=0)
    named = [(one, False) for one in looks.values() if one.label]
    marked = [(line, True)] if line and any(one.mark is not None for one in found) else []
    return {
        "caption": text.line(caption),
        "height": height,
        "top": top,
        "lines": [{"value": at, "text": write(at)} for at in axis.lines(top)],
        "looks": {name: _look(one) for name, one in looks.items()},
        "legend": [{**_look(one), "line": is_line} for one, is_line in (*named, *marked)],
        "bars": [
            {
                "label": text.line(one.label),
                "href": links.address(*one.opens),
                "said": [text.line(said) for said in (one.label, *one.said)],
                "parts": [
                    {"look": name, "value": value} for name, value in one.parts.items() if value
                ],
                "mark": one.mark,
            }
            for one in found
        ],
    }


def _look(one: Look) -> dict[str, Any]:
    return {"colour": one.colour, "label": text.line(one.label), "hatched": one.hatched}

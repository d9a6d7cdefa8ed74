"""The figures that loans are laid out by: what they are called, and how one is written."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from components.kit.formatting import MISSING, basis_points, fixed, money, multiple, percent
from services.contract.distributions import FIGURES, FigureName

_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "dollars": money,
    "percent": percent,
    "fraction": lambda part: percent(100 * part, 1),
    "times": multiple,
    "basis points": basis_points,
    "exact months": lambda value: f"{fixed(value, 1)} months",
}


def label(name: FigureName) -> str:
    """What a figure is called."""
    return "Months to maturity" if name == "months_to_maturity" else FIGURES[name].label


def written(name: FigureName, value: float | None) -> str:
    """A figure as an analyst writes it."""
    return MISSING if value is None else _WRITERS[FIGURES[name].kind](value)

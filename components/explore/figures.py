"""The figures that loans are laid out by: what they are called, and how one is written."""

from collections.abc import Callable, Mapping
from typing import Final

from components.kit.fields import WRITERS
from components.kit.formatting import MISSING, count, fixed, money
from services.contract.distributions import FIGURES, FigureName
from services.contract.facts import Kind

#: Percentiles of a loan at the end of its peers, and how they are written.
_ENDS: Final[Mapping[float, str]] = {0.0: "lowest", 100.0: "highest"}
_WRITERS: Final[Mapping[Kind, Callable[..., str]]] = {
    **WRITERS,
    "dollars": money,
    "exact months": lambda value: f"{fixed(value, 1)} months",
}


def label(name: FigureName) -> str:
    """What a figure is called."""
    return "Months to maturity" if name == "months_to_maturity" else FIGURES[name].label


def written(name: FigureName, value: float | None) -> str:
    """A figure as an analyst writes it."""
    return MISSING if value is None else _WRITERS[FIGURES[name].kind](value)


def standing(percentile: float, loans: int) -> str:
    """Where a loan lies among so many with the figure: P82 of 214, lowest of 37, highest of 37."""
    return f"{_ENDS.get(percentile) or f'P{fixed(percentile)}'} of {count(loans)}"

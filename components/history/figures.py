"""The figures that a history draws: what each is called, how it is counted and written."""

from typing import Final

from components.kit import fields
from components.kit.formatting import money
from services.contract.events import KIND
from services.contract.facts import FACT, Fact, Kind

#: Of a loan, in their order: columns of a row.
FIGURES: Final = ("balance", "dscr", "noi", "occupancy", "ltv")
#: Those that are of a period of income.
OF_INCOME: Final = frozenset({"dscr", "noi"})
#: Levels that a DSCR is held against, as events have them.
LIMITS: Final = tuple(KIND[name].limit or 0.0 for name in ("dscr_below_100", "dscr_below_125"))
#: Facts under the names of a row's columns, for units of files.
FACTS: Final = {
    **FACT,
    "balance": Fact("balance", "dollars", "Balance"),
    "dollars": Fact("dollars", "dollars", "At stake"),
}


def label(name: str) -> str:
    """What a figure is called."""
    return FACTS[name].label


def kind(name: str) -> Kind:
    """How it is counted."""
    return FACTS[name].kind


def written(name: str, value: float | None) -> str:
    """As an analyst writes it: every digit of dollars."""
    return fields.written("book_value" if name == "balance" else name, value)


def short(name: str, value: float) -> str:
    """The same with few letters: $3.2M."""
    return money(value) if kind(name) == "dollars" else written(name, value)

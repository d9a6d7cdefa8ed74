"""Facts of a loan on screen: each under its label, written as its unit asks."""

import math
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from components.kit.formatting import (
    MISSING,
    area,
    basis_points,
    day,
    dollars,
    fixed,
    fraction,
    multiple,
    percent,
    words,
)
from services.contract.facts import FACT, Card, Fact, Kind, on_card
from services.contract.rounding import number_of
from services.contract.vocabulary import SERIES

#: Months under which a time is given in days.
_MONTHS_TO_TELL: Final = 2
_DAYS_A_MONTH: Final = 365.25 / 12


def _date(value: str | date) -> str:
    try:
        return day(value if isinstance(value, date) else date.fromisoformat(value))
    except ValueError:
        return str(value)


def _months(value: float) -> str:
    return number_of(int(value), "month") if value == int(value) else f"{fixed(value, 1)} months"


def _time(value: float) -> str:
    """Time to a day in whole months, as everywhere; in days under two months."""
    if abs(value) < _MONTHS_TO_TELL:
        days = round(value * _DAYS_A_MONTH)
        return f"{fixed(days)} {'day' if abs(days) == 1 else 'days'}"
    return f"{fixed(math.trunc(value))} months"


def _yes(value: bool) -> str:
    return "yes" if value else "no"


#: How the values of a kind are written; of the other kinds as they came.
WRITERS: Final[Mapping[Kind, Callable[..., str]]] = {
    "dollars": dollars,
    "percent": percent,
    "fraction": fraction,
    "times": multiple,
    "basis points": basis_points,
    "months": _months,
    "exact months": _time,
    "area": area,
    "date": _date,
    "property type": words,
    "series": lambda series: SERIES.get(series, str(series)),
    "flag": _yes,
}
#: Shown in panels of their own.
_ELSEWHERE: Final = frozenset({"loan_number", "debt_layers", "properties", "leases", "as_of",
                               "source", "provenance"})  # fmt: skip
_OF_WATCHLIST: Final = frozenset({"watchlist_comment", "watchlist_as_of", "untested_triggers"})


def label(name: str) -> str:
    """What a fact is called; of a name that is no fact, the name itself as words."""
    return FACT[name].label if name in FACT else words(name)


def written(name: str, value: object) -> str:
    """A fact's value as an analyst writes it."""
    if value is None:
        return MISSING
    fact = FACT[name]
    if fact.codes:
        return f"{value}: {fact.codes.get(str(value), 'unranked')}"
    if fact.zero and value == 0:
        return fact.zero
    write = WRITERS.get(fact.kind, str)
    if fact.below_zero and isinstance(value, int | float) and value < 0:
        return f"{write(-value)} {fact.below_zero}"
    return write(value) if fact.digits is None else write(value, fact.digits)


def bound(name: str, values: Mapping[str, object]) -> str:
    """What stands before a fact of a loan with more debt than is known: "≥ ", "≤ " or nothing."""
    value = values.get(name)
    if not values.get("debt_at_least") or not isinstance(value, int | float):
        return ""
    sign = FACT[name].bound
    if sign == "≤" and value < 0:
        return ""  # of a loss a lower bound of the debt tells nothing
    return f"{sign} " if sign else ""


def rows(values: Mapping[str, object], card: Card) -> list[tuple[str, str]]:
    """(label, value) of the facts of a card that have a value, top to bottom."""
    return [
        (fact.label, bound(fact.name, values) + written(fact.name, values[fact.name]))
        for fact in on_card(card)
        if values.get(fact.name) is not None
    ]


def further(values: Mapping[str, object]) -> list[tuple[str, str]]:
    """(name, value) of what has no place of its own, as it came (D17)."""
    names = list(values)
    return [
        # A value may be the name of another field.
        (_as_words(name), _as_words(value) if value in names else _plain(value))
        for name, value in values.items()
        if not _has_a_place(FACT.get(name))
        and name not in _ELSEWHERE | _OF_WATCHLIST
        and value is not None
    ]


def _as_words(name: object) -> str:
    return str(name).replace("_", " ")


def _has_a_place(fact: Fact | None) -> bool:
    return fact is not None and fact.card is not None


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return _yes(value)
    if isinstance(value, list | tuple):
        return "; ".join(_plain(one) for one in value)
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_plain(one)}" for name, one in value.items())
    grouped = isinstance(value, int | float) and abs(value) >= 10_000  # noqa: PLR2004
    return f"{value:,}" if grouped else str(value)

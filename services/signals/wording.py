"""The words that rules' sentences are made of: one function a word, from one loan's facts."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from services.contract.schedule_al import PAYMENT_STATUSES, WORKOUTS
from services.rates.reference import SERIES, Quote, tenor_of
from services.rates.spreads import KNOWN_TYPES, sizing_of
from services.signals.figures import count_of_months, day, dollars, figure, trimmed
from services.signals.limits import (
    GRADED,
    PAYMENT_RANKS,
    SEVERE_LTV_OVER,
    SEVERE_TYPES,
    URGENCY_FULL_MONTHS,
    URGENCY_ONE_STEP_MONTHS,
    WORKOUT_RANKS,
)
from services.signals.rules import Rule

_PASSING: Final = {">": "over", ">=": "at or over", "<": "under", "<=": "at or under"}


@dataclass(frozen=True, slots=True)
class Reading:
    """One fired component of one loan, with what its sentence is made of."""

    rule: Rule
    severity: str
    #: What the rule measured and the limit it passed, in the rule's unit; None for codes.
    value: float | None
    limit: float | None
    #: The loan's columns by LOANS names, and its features by theirs.
    facts: Mapping[str, object]
    as_of: date
    rates_used: Mapping[str, Quote]

    def number(self, name: str) -> float:
        """A fact that the rule cannot have fired without. Raises ValueError where it is missing."""
        number = self.maybe(name)
        if number is None:
            raise ValueError(f"the description of {self.rule.id} needs the loan's {name}")
        return number

    def maybe(self, name: str) -> float | None:
        """A numeric fact, None where it is missing (None, NaN or no number)."""
        given = self.facts.get(name)
        return float(given) if isinstance(given, int | float) and not math.isnan(given) else None

    def word(self, name: str) -> str:
        """A fact in words, blank where it is missing."""
        given = self.facts.get(name)
        return "" if given is None else str(given).strip()

    def measured(self) -> float:
        """The component's value. Raises ValueError where it has none."""
        if self.value is None:
            raise ValueError(f"the description of {self.rule.id} needs the component's value")
        return self.value

    def base_severity(self) -> str:
        """Severity before urgency: the worst whose limit the value passes."""
        ladder, value = self.rule.ladder, self.measured()
        return [word for word in GRADED if ladder.limits[word].holds(value)][-1]


class Words(Mapping[str, str]):
    """The words of one reading by name, each made when a sentence asks for it."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def __getitem__(self, name: str) -> str:
        return WORDS[name](self._reading)

    def __iter__(self) -> Iterator[str]:
        return iter(WORDS)

    def __len__(self) -> int:
        return len(WORDS)


def _value(r: Reading) -> str:
    limits = [limit.figure for limit in r.rule.ladder.limits.values()]
    return figure(
        r.measured(), r.rule.ladder.unit, [*limits, *([] if r.limit is None else [r.limit])]
    )


def _limit(r: Reading) -> str:
    if r.limit is None:
        raise ValueError(f"the description of {r.rule.id} needs the component's limit")
    return figure(r.limit, r.rule.ladder.unit)


def _passing(r: Reading) -> str:
    return _PASSING[r.rule.ladder.limits[r.severity].sign]


def _base_passing(r: Reading) -> str:
    return _PASSING[r.rule.ladder.limits[r.base_severity()].sign]


def _reference(r: Reading) -> str:
    """The Treasury that the refi rate rests on, and its date."""
    series = r.word("reference_series")
    if series not in r.rates_used:
        raise ValueError(f"the description of {r.rule.id} needs a quote of {series or 'DGS'}")
    quote = r.rates_used[series]
    return f"{SERIES[series]} {figure(quote.percent, 'percent')} on {day(quote.date)}"


def _spread(r: Reading) -> str:
    kind = r.word("property_type")
    default = "" if kind.lower() in KNOWN_TYPES else ", the default"
    return f"{trimmed(sizing_of(kind).spread_bp, 1)} bp for {kind}{default}"


def _tenor(r: Reading) -> str:
    """Why the reference is the 10-year, where the loan's own tenor would not have made it so."""
    months = r.maybe("original_term_months")
    if months is None or months <= 0:
        return "; 10-year, as the original term is not known"
    own = tenor_of(months)
    if own == r.word("reference_series"):
        return ""
    return f"; 10-year, as there is no {SERIES[own]} of that date"


def _urgency(r: Reading) -> str:
    months = r.maybe("months_to_maturity")
    if months is None:
        return "; no maturity date: urgency not applied"
    if months < 0:
        return f"; matured {count_of_months(-months)} ago, so it counts in full"
    matures = f"; matures in {_counted(months)}"
    if months <= URGENCY_FULL_MONTHS:
        return f"{matures}, so it counts in full"
    steps = "one step" if months <= URGENCY_ONE_STEP_MONTHS else "two steps"
    return f"{matures}, so {steps} lower: {r.severity}"


def _counted(months: float) -> str:
    return count_of_months(months, [URGENCY_FULL_MONTHS, URGENCY_ONE_STEP_MONTHS])


def _maturing(r: Reading) -> str:
    months = r.number("months_to_maturity")
    maturity = r.facts.get("maturity_date")
    on = f" on {day(maturity)}" if isinstance(maturity, date) else ""
    opening = "M" if r.rule.because.startswith("{maturing}") else "m"
    if months < 0:
        return f"{opening}atured{on}, {count_of_months(-months)} ago"
    limits = [limit.figure for limit in r.rule.ladder.limits.values()]
    own = limits if r.rule.ladder.unit == "months" else [URGENCY_FULL_MONTHS]
    return f"{opening}atures{on}, in {count_of_months(months, own)}"


def _due(r: Reading) -> str:
    if r.number("months_to_maturity") < 0:
        owed = dollars(r.number("book_value"))
        return f", with a book value of {owed}: past maturity with a balance is {r.severity}"
    limit = trimmed(r.limit or 0, 1)
    return f", {_passing(r)} the {limit}-month limit for {r.severity}"


def _debt(r: Reading) -> str:
    debt = dollars(r.number("whole_loan_debt"))
    if r.facts.get("whole_loan_basis") == "derived":
        return f"whole-loan debt {debt}, derived from the reported DSCR"
    return f"book value {debt}"


def _escalated(r: Reading) -> str:
    """Why RP-4 is severe and not elevated."""
    if r.severity != "severe":
        return ""
    kind, ltv = r.word("property_type"), r.maybe("ltv")
    if kind in SEVERE_TYPES or ltv is None:
        return f" ({kind})"
    return f" (LTV {figure(ltv, 'fraction', [SEVERE_LTV_OVER])})"


def _basis(r: Reading) -> str:
    basis = r.word("income_basis")
    return f" ({basis})" if basis else ""


def _of_type(r: Reading) -> str:
    kind = r.word("property_type")
    return f" of {kind}" if r.severity in r.rule.ladder.by_type.get(kind, {}) else ""


def _status(r: Reading) -> str:
    """The codes that grade the loan: payment status, workout, or both."""
    payment, workout = r.word("payment_status").upper(), r.word("workout")
    ranks = PAYMENT_RANKS.get(payment, -1), WORKOUT_RANKS.get(workout, -1)
    said = []
    if ranks[0] == max(ranks):
        said.append(f"Payment status {payment} ({PAYMENT_STATUSES[payment]})")
    if ranks[1] == max(ranks):
        said.append(f"{'w' if said else 'W'}orkout {workout} ({WORKOUTS[workout]})")
    return " with ".join(said)


#: Name in a rule's sentence -> the words.
WORDS: Final[dict[str, Callable[[Reading], str]]] = {
    "appraised": lambda r: dollars(r.number("value")),
    "basis": _basis,
    "coupon": lambda r: figure(r.number("interest_rate"), "percent"),
    "debt": _debt,
    "dscr": lambda r: figure(r.number("dscr"), "x"),
    "due": _due,
    "escalated": _escalated,
    "graded": Reading.base_severity,
    "limit": _limit,
    "maturing": _maturing,
    "minimum": lambda r: figure(sizing_of(r.word("property_type")).min_debt_yield_pct, "percent"),
    "noi": lambda r: dollars(r.number("noi")),
    "of_type": _of_type,
    "base_passing": _base_passing,
    "passing": _passing,
    "property_type": lambda r: r.word("property_type"),
    "reference": _reference,
    "refi_rate": lambda r: figure(r.number("refi_rate"), "percent"),
    "severity": lambda r: r.severity,
    "spread": _spread,
    "status": _status,
    "tenor": _tenor,
    "urgency": _urgency,
    "value": _value,
}

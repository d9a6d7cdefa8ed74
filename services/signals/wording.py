"""The words that rules' sentences are made of, each a function of one loan's facts.

A word's arguments are named as what it reads: a column of LOANS or of the features,
`overdue_balance`, and of the component `severity`, `measure` and `limit`. First, where it needs
them, come the `rule` and the `quotes` that refi rates rest on. A number or date that may be missing
has a default of None; any other has to be there. Text is blank where it is missing.
"""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
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


@cache
def _limits(rule: Rule) -> tuple[float, ...]:
    return tuple(limit.figure for limit in rule.ladder.limits.values())


def _value(rule: Rule, measure: float, limit: float | None = None) -> str:
    """The measure, with as many decimals as tell it from every limit of the rule."""
    limits = _limits(rule) if limit is None else (*_limits(rule), limit)
    return figure(measure, rule.ladder.unit, limits)


def _limit(rule: Rule, limit: float) -> str:
    return figure(limit, rule.ladder.unit)


def _passing(rule: Rule, severity: str) -> str:
    return _PASSING[rule.ladder.limits[severity].sign]


def _graded(rule: Rule, measure: float) -> str:
    """Severity before urgency: the worst whose limit the measure passes."""
    return [word for word in GRADED if rule.ladder.limits[word].holds(measure)][-1]


def _base_passing(rule: Rule, measure: float) -> str:
    return _passing(rule, _graded(rule, measure))


def _reference(rule: Rule, quotes: Mapping[str, Quote], reference_series: str) -> str:
    """The Treasury that the refi rate rests on, and its date."""
    if reference_series not in quotes:
        raise ValueError(f"the sentence of {rule.id} needs the loan's reference_series")
    quote = quotes[reference_series]
    return f"{SERIES[quote.series]} {figure(quote.percent, 'percent')} on {day(quote.date)}"


def _spread(property_type: str) -> str:
    default = "" if property_type.lower() in KNOWN_TYPES else ", the default"
    return f"{trimmed(sizing_of(property_type).spread_bp, 1)} bp for {property_type}{default}"


def _tenor(reference_series: str, original_term_months: float | None = None) -> str:
    """Why the reference is the 10-year, where the loan's own tenor would not have made it so."""
    if original_term_months is None or original_term_months <= 0:
        return "; 10-year, as the original term is not known"
    own = tenor_of(original_term_months)
    if own == reference_series:
        return ""
    return f"; 10-year, as there is no {SERIES[own]} of that date"


def _urgency(severity: str, months_to_maturity: float | None = None) -> str:
    months = months_to_maturity
    if months is None:
        return "; no maturity date: urgency not applied"
    if months < 0:
        return f"; matured {count_of_months(-months)} ago, so it counts in full"
    counted = count_of_months(months, (URGENCY_FULL_MONTHS, URGENCY_ONE_STEP_MONTHS))
    if months <= URGENCY_FULL_MONTHS:
        return f"; matures in {counted}, so it counts in full"
    steps = "one step" if months <= URGENCY_ONE_STEP_MONTHS else "two steps"
    return f"; matures in {counted}, so {steps} lower: {severity}"


def _maturing(rule: Rule, months_to_maturity: float, maturity_date: date | None = None) -> str:
    on = f" on {day(maturity_date)}" if maturity_date else ""
    opening = "M" if rule.because.startswith("{maturing}") else "m"
    if months_to_maturity < 0:
        return f"{opening}atured{on}, {count_of_months(-months_to_maturity)} ago"
    limits = _limits(rule) if rule.ladder.unit == "months" else (URGENCY_FULL_MONTHS,)
    return f"{opening}atures{on}, in {count_of_months(months_to_maturity, limits)}"


def _due(rule: Rule, severity: str, limit: float, overdue_balance: float) -> str:
    if overdue_balance:
        owed = dollars(overdue_balance)
        return f", with a book value of {owed}: past maturity with a balance is {severity}"
    passing = _passing(rule, severity)
    return f", {passing} the {trimmed(limit, 1)}-month limit for {severity}"


def _debt(whole_loan_debt: float, whole_loan_basis: str) -> str:
    debt = dollars(whole_loan_debt)
    if whole_loan_basis == "derived":
        return f"whole-loan debt {debt}, derived from the reported DSCR"
    return f"book value {debt}"


def _escalated(severity: str, property_type: str, ltv: float | None = None) -> str:
    """Why RP-4 is severe and not elevated."""
    if severity != "severe":
        return ""
    if property_type in SEVERE_TYPES or ltv is None:
        return f" ({property_type})"
    return f" (LTV {figure(ltv, 'fraction', (SEVERE_LTV_OVER,))})"


def _of_type(rule: Rule, severity: str, property_type: str) -> str:
    return f" of {property_type}" if severity in rule.ladder.by_type.get(property_type, {}) else ""


def _status(payment_status: str, workout: str) -> str:
    """The codes that grade the loan: payment status, workout, or both."""
    payment = payment_status.upper()
    ranks = PAYMENT_RANKS.get(payment, -1), WORKOUT_RANKS.get(workout, -1)
    said = []
    if ranks[0] == max(ranks):
        said.append(f"Payment status {payment} ({PAYMENT_STATUSES[payment]})")
    if ranks[1] == max(ranks):
        said.append(f"{'w' if said else 'W'}orkout {workout} ({WORKOUTS[workout]})")
    return " with ".join(said)


def _basis(income_basis: str) -> str:
    return f" ({income_basis})" if income_basis else ""


def _appraised(value: float) -> str:
    return dollars(value)


def _noi(noi: float) -> str:
    return dollars(noi)


def _coupon(interest_rate: float) -> str:
    return figure(interest_rate, "percent")


def _refi_rate(refi_rate: float) -> str:
    return figure(refi_rate, "percent")


def _dscr(dscr: float) -> str:
    return figure(dscr, "x")


def _severity(severity: str) -> str:
    return severity


def _property_type(property_type: str) -> str:
    return property_type


def _minimum(property_type: str) -> str:
    return figure(sizing_of(property_type).min_debt_yield_pct, "percent")


#: Name in a rule's sentence -> the word.
WORDS: Final[dict[str, Callable[..., str]]] = {
    "appraised": _appraised,
    "base_passing": _base_passing,
    "basis": _basis,
    "coupon": _coupon,
    "debt": _debt,
    "dscr": _dscr,
    "due": _due,
    "escalated": _escalated,
    "graded": _graded,
    "limit": _limit,
    "maturing": _maturing,
    "minimum": _minimum,
    "noi": _noi,
    "of_type": _of_type,
    "passing": _passing,
    "property_type": _property_type,
    "reference": _reference,
    "refi_rate": _refi_rate,
    "severity": _severity,
    "spread": _spread,
    "status": _status,
    "tenor": _tenor,
    "urgency": _urgency,
    "value": _value,
}

"""The words that rules' sentences are made of, each a function of one loan's facts.

A word's arguments are named as what it reads: a column of LOANS or of the features, and of the
component `severity`, `measure` and `limit`, and the loan's `as_of`. First, where it needs them,
come the `rule`, the `limits`, the `sizings` and, by as-of date and series, the `quotes`. A number
or date that may be missing has a default of None; any other has to be there. Text is blank where
it is missing.
"""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Final

from services.contract.facts import FACT
from services.contract.schedule_al import MODIFICATIONS, PAYMENT_STATUSES, WORKOUTS
from services.contract.vocabulary import GRADED, SERIES, SEVERE_OR_WORSE
from services.rates.reference import Quote, tenor_of
from services.rates.spreads import Sizings
from services.signals.figures import count_of_months, day, distance, dollars, figure, trimmed
from services.signals.income_wording import basis, bound, fallen, period, short_period
from services.signals.limits import Limits
from services.signals.rule import Rule
from services.signals.servicing import CHANGES

_PROFORMA_DSCR: Final = FACT["proforma_dscr"].in_a_sentence
_PASSING: Final = {">": "over", ">=": "at or over", "<": "under", "<=": "at or under"}
#: Months after which an appraisal is marked.
_STALE_MONTHS: Final = 24


@cache
def _figures_of(rule: Rule) -> tuple[float, ...]:
    return tuple(limit.figure for limit in rule.ladder.limits.values())


def _value(rule: Rule, measure: float, limit: float | None = None) -> str:
    """The measure, with as many decimals as tell it from every limit of the rule."""
    limits = _figures_of(rule) if limit is None else (*_figures_of(rule), limit)
    return figure(measure, rule.ladder.unit, limits)


def _limit(rule: Rule, limit: float) -> str:
    return figure(limit, rule.ladder.unit)


def _passing(rule: Rule, severity: str) -> str:
    return _PASSING[rule.ladder.limits[severity].sign]


def _graded(rule: Rule, measure: float) -> str:
    """Severity before urgency and evidence: the worst whose limit the measure passes."""
    return [w for w in GRADED if w in rule.ladder.limits and rule.ladder.limits[w].holds(measure)][
        -1
    ]


def _base_passing(rule: Rule, measure: float) -> str:
    return _passing(rule, _graded(rule, measure))


def _reference(
    rule: Rule, quotes: Mapping[tuple[date, str], Quote], as_of: date, reference_series: str
) -> str:
    """The Treasury that the refi rate rests on, and its date."""
    quote = quotes.get((as_of, reference_series))
    if quote is None:
        raise ValueError(f"the sentence of {rule.id} needs the loan's reference_series")
    return f"{SERIES[quote.series]} {figure(quote.percent, 'percent')} on {day(quote.date)}"


def _spread(sizings: Sizings, as_of: date, property_type: str) -> str:
    default = "" if property_type.lower() in sizings.by_type else ", the default"
    spread = trimmed(sizings.on(as_of).of(property_type).spread_bp, 1)
    aged = _aged(sizings, as_of)
    return f"{spread} bp for {property_type}{default}{', ' if aged else ''}{aged}"


def _aged(sizings: Sizings, as_of: date) -> str:
    """The date of spreads that do not fit the as-of date."""
    used = sizings.on(as_of).used
    if used is None or used.fits:
        return ""
    return f"spreads of {day(used.day)}, {used.months_off} months off"


def _tenor(reference_series: str, original_term_months: float | None = None) -> str:
    """Why the reference is the 10-year, where the loan's own tenor would not have made it so."""
    if original_term_months is None or original_term_months <= 0:
        return "; 10-year, as the original term is not known"
    own = tenor_of(original_term_months)
    if own == reference_series:
        return ""
    return f"; 10-year, as there is no {SERIES[own]} of that date"


def _fallback(
    sizings: Sizings, as_of: date, reference_series: str, original_term_months: float | None = None
) -> str:
    """The same in brackets, and the date of spreads that do not fit."""
    tenor = _tenor(reference_series, original_term_months).removeprefix("; ")
    said = "; ".join(words for words in (tenor, _aged(sizings, as_of)) if words)
    return f" ({said})" if said else ""


def _urgency(limits: Limits, months_to_maturity: float, days_to_maturity: float) -> str:
    full, one = (
        limits.number("RP-1", "urgency", name) for name in ("full_to_months", "one_step_to_months")
    )
    due = f"; due {distance(months_to_maturity, days_to_maturity, (full, one))}"
    if months_to_maturity <= full:
        return f"{due}, so it counts in full"
    return f"{due}, so {'one step' if months_to_maturity <= one else 'two steps'} lower"


def _evidence(
    limits: Limits,
    sizings: Sizings,
    severity: str,
    income_known: float,
    held: float,
    property_type: str,
    proforma_dscr: float | None = None,
    dscr: float | None = None,
    debt_at_least: float = 0,
) -> str:
    minimum = sizings.of(property_type).min_dscr
    asked = f"the {figure(minimum, 'x')} that lenders ask of {property_type}"
    graded = f": {severity}"
    if held and dscr is not None:
        met = asked if proforma_dscr is None else "it"
        covers = figure(dscr, "x", (minimum,))
        graded = f"; DSCR in place, {covers}, meets {met}: no worse than {severity}"
    if proforma_dscr is None:
        return f"; {_PROFORMA_DSCR if income_known else 'income'} is unknown{graded}"
    under = limits.number("RP-1", "evidence", "step_up_under")
    ratio = f"{_at_most(debt_at_least)}{figure(proforma_dscr, 'x', (minimum, under))}"
    said = f"; {_PROFORMA_DSCR} {ratio}"
    if proforma_dscr >= minimum:
        steps = trimmed(limits.number("RP-1", "evidence", "steps_at_minimum"), 1)
        return f"{said} meets {asked}, so {steps} steps lower{graded}"
    higher = ", so one step higher" if proforma_dscr < under else ""
    return f"{said} is short of {asked}{higher}{graded}"


def _maturing(
    rule: Rule,
    months_to_maturity: float,
    days_to_maturity: float,
    effective_maturity: date,
    ard_date: date | None = None,
) -> str:
    """When the loan is due, and how far off that is."""
    matures = "Matured" if months_to_maturity < 0 else "Matures"
    due = "Anticipated repayment" if effective_maturity == ard_date else matures
    off = distance(months_to_maturity, days_to_maturity, _figures_of(rule))
    return f"{due} on {day(effective_maturity)}, {off}"


def _time_left(months_to_maturity: float, days_to_maturity: float) -> str:
    return f"due {distance(months_to_maturity, days_to_maturity)}"


def _of_no_way_out(
    limits: Limits,
    sizings: Sizings,
    severity: str,
    property_type: str,
    months_to_maturity: float | None = None,
    days_to_maturity: float | None = None,
    debt_yield: float | None = None,
    debt_at_least: float = 0,
) -> str:
    """Why a DSCR under 1.00x is critical: too little time, else too little debt yield."""
    if severity != GRADED[-1]:
        return ""
    window = limits.number("CV-1", "critical_only", "months_to_maturity")
    months, days = months_to_maturity, days_to_maturity
    if months is not None and days is not None and months <= window:
        return f", with the loan due {distance(months, days, (window,))}"
    if debt_yield is None:
        return ""
    minimum = _minimum(sizings, property_type)
    found = f"{_at_most(debt_at_least)}{figure(debt_yield, 'percent')}"
    return f", with a debt yield of {found} (minimum {minimum})"


def _emptied(
    rule: Rule,
    limits: Limits,
    severity: str,
    measure: float,
    underwritten_occupancy: float,
    limit: float | None = None,
) -> str:
    """Points under underwriting, or the level that occupancy has fallen under."""
    before = figure(underwritten_occupancy, "fraction")
    if limit is None:
        level = figure(limits.number("OC-1", "levels", severity), "fraction")
        return f"under the {level} level for {severity} ({before} when underwritten)"
    points, least = _value(rule, measure), trimmed(limit * 100, 1)
    passing = _passing(rule, severity)
    return (
        f"{points} under the underwritten {before}, {passing} the {least}-point limit "
        f"for {severity}"
    )


def _gap_limit(
    rule: Rule, limits: Limits, severity: str, limit: float, months_to_maturity: float
) -> str:
    """The refinance gap's limit with the window in which it holds for this severity."""
    if severity not in SEVERE_OR_WORSE:
        return f"{_limit(rule, limit)} limit for {severity}"
    if severity == "critical" and months_to_maturity < 0:
        return f"{_limit(rule, limit)} limit for {severity} past maturity"
    if severity == "critical":
        limit = limits.number("RG-1", "window", "critical_gap")
    window = count_of_months(limits.number("RG-1", "window", severity))
    return f"{_limit(rule, limit)} limit for {severity} inside {window}"


def _due(rule: Rule, severity: str, limit: float, overdue_balance: float) -> str:
    if overdue_balance:
        owed = dollars(overdue_balance)
        return f", with a book value of {owed}: past maturity with a balance is {severity}"
    return f", {_passing(rule, severity)} the {trimmed(limit, 1)}-month limit for {severity}"


def _debt(whole_loan_debt: float, whole_loan_basis: str) -> str:
    debt = dollars(whole_loan_debt)
    if whole_loan_basis:
        return f"whole-loan debt {debt}, {whole_loan_basis}"
    return f"book value {debt}"


def _debt_due(
    whole_loan_debt: float, whole_loan_basis: str, debt_due: float, advanced: float
) -> str:
    """The same, or the exposure, with what stands behind it."""
    said, behind = _debt(whole_loan_debt, whole_loan_basis), debt_due - whole_loan_debt
    if advanced:
        said, behind = f"exposure {dollars(whole_loan_debt + advanced)}", behind - round(advanced)
        said += f" of the whole loan, {whole_loan_basis}" if whole_loan_basis else ""
    comma = "," if whole_loan_basis else ""
    return f"{said}{comma} and mezzanine debt {dollars(behind)}" if behind > 0 else said


def _of_type(rule: Rule, severity: str, property_type: str) -> str:
    own = severity in rule.ladder.by_type.get(property_type.lower(), {})
    return f" ({property_type})" if own else ""


def _status(
    limits: Limits,
    payment_status: str,
    workout: str,
    modification: str,
    special_servicing: float,
    modified_recently: float,
    modified_on: date | None = None,
    special_servicing_since: date | None = None,
) -> str:
    """What grades the loan: payment status, workout, modification, special servicing."""
    payment = payment_status.upper()
    since = f" since {day(special_servicing_since)}" if special_servicing_since else ""
    of_day = f"of {day(modified_on)}" if modified_on else "without a date"
    said = {
        f"payment status {payment} ({PAYMENT_STATUSES.get(payment, 'not ranked')})": (
            limits.payment_ranks.get(payment, -1)
        ),
        f"workout {workout} ({WORKOUTS.get(workout, 'not ranked')})": limits.workout_ranks.get(
            workout, -1
        ),
        f"modification ({MODIFICATIONS.get(modification, 'other')}) {of_day}": (
            limits.modification_ranks["recent" if modified_recently else "before"]
            if modification in CHANGES
            else -1
        ),
        f"special servicing{since}": limits.special_servicing_rank if special_servicing else -1,
    }
    worst = [words for words, rank in said.items() if rank == max(said.values())]
    listed = " and ".join([", ".join(worst[:-1]), worst[-1]] if worst[1:] else worst)
    return f"{listed[0].upper()}{listed[1:]} {'are' if worst[1:] else 'is'} graded"


def _appraised_on(appraisal_age_months: float | None = None, value_date: date | None = None) -> str:
    if value_date is None:
        return ""
    stale = ", stale" if (appraisal_age_months or 0) > _STALE_MONTHS else ""
    return f" of {day(value_date)}{stale}"


def _at_least(debt_at_least: float) -> str:
    return "at least " if debt_at_least else ""


def _at_most(debt_at_least: float) -> str:
    return "at most " if debt_at_least else ""


def _minimum(sizings: Sizings, property_type: str) -> str:
    return figure(sizings.of(property_type).min_debt_yield_pct, "percent")


def _appraised(value: float) -> str:
    return dollars(value)


def _noi(noi: float) -> str:
    return dollars(noi)


def _underwritten_noi(underwritten_noi: float) -> str:
    return dollars(underwritten_noi)


def _proceeds(max_proceeds: float) -> str:
    return dollars(max_proceeds)


def _short(
    dollars_short: float, own_dollars_short: float, whole_loan_basis: str, debt_at_least: float
) -> str:
    """Of the record: of its share where it is a note of a larger loan, or has debt behind it."""
    short = f"{_at_least(debt_at_least)}{dollars(dollars_short)} short"
    if whole_loan_basis:
        nothing = dollars_short == 0 and not debt_at_least
        return "none of it on this note" if nothing else f"{short} on this note"
    own = dollars_short != own_dollars_short
    return f"{short}, {dollars(own_dollars_short)} of it on the loan itself" if own else short


#: Name in a rule's sentence -> the word.
WORDS: Final[dict[str, Callable[..., str]]] = {
    "appraised": _appraised,
    "appraised_on": _appraised_on,
    "at_least": _at_least,
    "at_most": _at_most,
    "base_passing": _base_passing,
    "basis": basis,
    "bound": bound,
    "coupon": lambda interest_rate: figure(interest_rate, "percent"),
    "debt": _debt,
    "debt_due": _debt_due,
    "due": _due,
    "emptied": _emptied,
    "evidence": _evidence,
    "fallback": _fallback,
    "fallen": fallen,
    "gap_limit": _gap_limit,
    "graded": _graded,
    "limit": _limit,
    "maturing": _maturing,
    "minimum": _minimum,
    "head": lambda family_head: family_head,
    "held": short_period,
    "noi": _noi,
    "no_way_out": _of_no_way_out,
    "occupancy": lambda occupancy: figure(occupancy, "fraction"),
    "of_type": _of_type,
    "owner": lambda sibling_owner: sibling_owner,
    "passing": _passing,
    "period": period,
    "proceeds": _proceeds,
    "property_type": lambda property_type: property_type,
    "reference": _reference,
    "refi_rate": lambda refi_rate: figure(refi_rate, "percent"),
    "severity": lambda severity: severity,
    "short": _short,
    "siblings": lambda sibling_names: sibling_names,
    "spread": _spread,
    "status": _status,
    "tenor": _tenor,
    "time_left": _time_left,
    "underwritten_noi": _underwritten_noi,
    "urgency": _urgency,
    "value": _value,
}

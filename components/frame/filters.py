"""Every filter of the pages, once: its parameter, its field, how it reads, what it can hold.

A page names the filters that it has; address, fields and sentence follow from them. A value that
is sound but that no field can hold is refused rather than dropped: a dropped filter would show
everything.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from components.frame import fields
from components.frame.fields import YES_NO, Day, Field, Letters, Number, One, Several
from components.kit import severity
from components.kit.formatting import basis_points, day, dollars, multiple, percent, words
from services.contract.disposition import DISPOSITIONS
from services.contract.facts import FACT
from services.contract.loan_filter import MOST_MONTHS
from services.contract.queries import Query
from services.contract.schedule_al import PAYMENT_STATUSES, PROPERTY_TYPES
from services.contract.scope import Scope
from services.contract.vocabulary import (
    GRADED,
    IS_DEFEASED,
    NO_SIGNAL,
    NOTHING_OWED,
    SEVERITIES,
    SIGNAL_TYPES,
    STATES,
    TIERS,
)
from services.contract.watch_triggers import BASIS, TRIGGERS, named

MOST_DOLLARS: Final = 10**12
#: Letters of an exact name, as its parameter takes them.
_EXACT: Final = 1_000


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter of a page."""

    #: Field of the query, parameter of the address and key of the session's state.
    name: str
    #: What it is filled in with.
    field: Field[Any]
    #: How a value reads in the sentence over the result.
    clause: Callable[[Any], str]
    #: Whether the clause stands before the noun: "critical signals".
    leads: bool = False
    #: What it is added by where it is not always in sight; the two ends of a range share it.
    added_as: str = ""


def offered(*names: str) -> tuple[Filter, ...]:
    """Some of the filters that can be added to a bar, by name."""
    known = {one.name: one for one in (*FURTHER, replace(LENDER, added_as="Lender"))}
    return tuple(known[name] for name in names)


def check(filters: Iterable[Filter], query: Query) -> None:
    """Raises InvalidRequest for a value that is sound but that no field of the page can hold."""
    fields.check({one.name: one.field for one in filters}, query)


def sentence(noun: str, filters: Iterable[Filter], query: Query, *, between: str = " ") -> str:
    """What is shown, in words: Critical signals in Texas. Without any filter, "All" of the noun."""
    active = [(one, value) for one in filters if (value := getattr(query, one.name)) is not None]
    within: Scope | None = getattr(query, "scope", None)
    if not active:
        return f"{noun[0].upper()}{noun[1:]} within {within.name}" if within else f"All {noun}"
    before = [one.clause(value) for one, value in active if one.leads]
    after = between.join(one.clause(value) for one, value in active if not one.leads)
    said = " ".join(part for part in (*before, noun, after) if part)
    said = f"{said}, within {within.name}" if within else said
    return said[0].upper() + said[1:]


def _listed(words_of: Iterable[str], write: Callable[[str], str] = str) -> str:
    return " or ".join(write(word) for word in words_of)


def several(
    name: str,
    label: str,
    every: str,
    options: Iterable[str],
    write: Callable[[str], str],
    clause: Callable[[str], str],
    *,
    help_text: str = "",
    leads: bool = False,
    added_as: str = "",
    said: Callable[[str], str] = str,
    exact: bool = True,
) -> Filter:
    """Some of a list of words. `said` is how one reads in the sentence."""
    field = Several(
        label=label, empty=every, options=tuple(options), write=write, help=help_text, exact=exact
    )
    return Filter(name, field, lambda chosen: clause(_listed(chosen, said)), leads, added_as)


def _yes_no(name: str, label: str, yes: str, no: str, help_text: str) -> Filter:
    """Whether something is so of the loan."""
    field = One(label=label, empty="Any", help=help_text, words=YES_NO, write=str.capitalize)
    return Filter(name, field, lambda value: yes if value else no, added_as=label)


def _range(
    name: str,
    label: str,
    write: Callable[[float], str],
    noun: str,
    *,
    low: float,
    high: float,
    step: float,
    unit: str,
) -> tuple[Filter, Filter]:
    """The two ends of a figure."""

    def end(parameter: str, word: str, bound: str) -> Filter:
        field = Number(label=f"{label} {word}", empty=unit, low=low, high=high, step=step)
        return Filter(
            parameter, field, lambda value: f"with {noun} of {bound} {write(value)}", added_as=label
        )

    return end(f"min_{name}", "from", "at least"), end(f"max_{name}", "to", "at most")


def _dollars(name: str, label: str, clause: str, added_as: str = "") -> Filter:
    """An amount in whole dollars."""
    field = Number(
        label=label, empty="USD: 2.5m", low=0, high=MOST_DOLLARS, step=1_000_000, whole=True
    )
    return Filter(name, field, lambda value: f"{clause} {dollars(value)}", added_as=added_as)


def _months(name: str, label: str, clause: str, help_text: str) -> Filter:
    """A number of months."""

    def said(value: int) -> str:
        return f"{clause} {'a month' if value == 1 else f'{value} months'} of the as-of date"

    field = Number(
        label=label, empty="months", low=1, high=MOST_MONTHS, step=6, whole=True, help=help_text
    )
    return Filter(name, field, said, added_as=label)


def of_day(name: str, label: str, clause: str, added_as: str = "") -> Filter:
    """A day; `clause` is how it reads in the sentence, before the day."""
    return Filter(name, Day(label=label), lambda value: f"{clause} {day(value)}", added_as=added_as)


def _text(
    name: str,
    label: str,
    empty: str,
    clause: str,
    help_text: str,
    added_as: str = "",
    *,
    longest: int = 200,
) -> Filter:
    """A name as the reader knows it."""
    field = Letters(label=label, empty=empty, help=help_text, longest=longest)
    return Filter(name, field, lambda value: f"{clause} “{value}”", added_as=added_as)


STATES_OF_LOANS: Final = several(
    "state",
    "State",
    "All states",
    tuple(STATES),
    lambda code: f"{code} {STATES[code]}",
    lambda listed: f"in {listed}",
    said=lambda code: STATES[code],
)
PROPERTY_TYPES_OF_LOANS: Final = several(
    "property_type",
    "Property type",
    "All types",
    tuple(PROPERTY_TYPES.values()),
    words,
    str,
    help_text="Of the loan's most valuable property.",
    leads=True,
)


#: How a sentence names loans without a signal.
_WITHOUT: Final = {
    NO_SIGNAL: "without a signal",
    IS_DEFEASED: "defeased",
    NOTHING_OWED: "owing nothing",
}


def _at_worst(values: tuple[str, ...]) -> str:
    """With a critical or severe signal at worst or without a signal or defeased."""
    named = " or ".join(word for word in values if word not in _WITHOUT)
    with_one = [f"with a {named} signal at worst"] if named else []
    return " or ".join([*with_one, *(said for word, said in _WITHOUT.items() if word in values)])


WORST_SEVERITY: Final = replace(
    several(
        "severity",
        "Worst signal",
        "Any or none",
        (*GRADED, *_WITHOUT),
        severity.label,
        str,
    ),
    clause=_at_worst,
)
LENDER: Final = _text(
    "lender",
    "Lender",
    "Any debt layer",
    "lent by or serviced by",
    "Lender or servicer of any debt layer; accents, case and LLC do not count.",
)
MIN_BALANCE: Final = _dollars("min_balance", "Book value from", "of at least")
MAX_BALANCE: Final = _dollars("max_balance", "Book value to", "of at most")
MATURITY_AFTER: Final = of_day(
    "maturity_after", "Legal maturity after", "with a legal maturity after"
)
MATURES_WITHIN: Final = _months(
    "matures_within",
    "Matures within",
    "maturing within",
    "Months from the as-of date on, by effective maturity, of loans that must be refinanced. A "
    "saved search moves with the data; a date stays.",
)
LEASES_WITHIN: Final = _months(
    "leases_within",
    "Leases expiring within",
    "with a lease that expires within",
    "Months from the as-of date on. Filings name the three largest tenants of each property; loans "
    "that owe nothing have no leases.",
)
TENANT: Final = _text(
    "tenant",
    "Tenant",
    'Words, or "the whole name"',
    "let to",
    "Every word has to occur in the tenant's name; in quotes, the whole name. Accents and case do "
    "not count.",
    "Tenant",
)
MATURITY_BEFORE: Final = of_day(
    "maturity_before", "Legal maturity before", "with a legal maturity before"
)
#: What can be added to the bar of the Loans page.
FURTHER: Final = (
    MATURES_WITHIN,
    of_day("due_after", "Matures after", "maturing after", "Matures after"),
    of_day("due_before", "Matures before", "maturing before", "Matures before"),
    LEASES_WITHIN,
    TENANT,
    several("rate_pressure", "Rate pressure", "Any", SEVERITIES, severity.label,
            lambda listed: f"under {listed} rate pressure", added_as="Rate pressure",
            help_text="How far today's refinancing rate is above the coupon, less urgent far "
            "from maturity."),
    several("rule", "Rule that fired", "Any", (), str, lambda listed: f"on which {listed} fired",
            added_as="Rule that fired", help_text="Rules are listed on the Sources page."),
    several("trigger", "Watchlist trigger", "Any", tuple(TRIGGERS), named,
            lambda listed: f"on which watchlist trigger {listed} holds",
            added_as="Watchlist trigger", help_text=BASIS),
    several("untested_trigger", "Trigger not testable", "Any", tuple(TRIGGERS), named,
            lambda listed: f"on which watchlist trigger {listed} cannot be tested",
            added_as="Trigger not testable", help_text="What is filed cannot tell whether it "
            "holds."),
    _dollars("min_short", "Short at refinance from", "short at refinance by at least",
             added_as="Dollars short"),
    *_range("gap", "Gap to the refi rate", basis_points, "a gap to the refi rate",
            low=-10_000, high=10_000, step=25.0, unit="bp"),
    *_range("dscr", "DSCR", multiple, "a DSCR", low=-1_000, high=1_000, step=0.05, unit="x"),
    *_range("ltv", "LTV", percent, "an LTV", low=0, high=10_000, step=5.0, unit="%"),
    *_range("debt_yield", "Debt yield", percent, "a debt yield",
            low=-1_000, high=1_000, step=0.5, unit="%"),
    *_range("coupon", "Coupon", percent, "a coupon", low=0, high=100, step=0.25, unit="%"),
    *_range("occupancy", "Occupancy", percent, "an occupancy", low=0, high=100, step=5.0, unit="%"),
    *_range("noi_room", "Room for NOI", percent, "a room for NOI to fall",
            low=-10_000, high=100, step=5.0, unit="%"),
    *_range("markup", "UW mark-up", percent, "an underwriting mark-up",
            low=-100, high=10_000, step=5.0, unit="%"),
    *_range("over_implied", FACT["filed_over_implied"].label, multiple,
            "debt service filed over implied", low=0, high=1_000, step=0.05, unit="x"),
    several("city", "City", "All cities", (), str.title,
            lambda listed: f"in the city of {listed}", added_as="City", said=str.title,
            exact=False),
    several("payment_status", "Payment status", "Any", tuple(PAYMENT_STATUSES),
            lambda code: f"{code}: {PAYMENT_STATUSES[code]}",
            lambda listed: f"with payment status {listed}", added_as="Payment status"),
    several("disposition", "Disposition", "Any", DISPOSITIONS, words,
            lambda listed: f"that are {listed}", added_as="Disposition",
            help_text="How the loan stands or ended: outstanding, defeased, paid off, "
            "liquidated, ..."),
    _yes_no("special_servicing", "Special servicing", "in special servicing",
            "not known to be in special servicing", "Transferred and not returned."),
    _yes_no("defeased", "Defeased", "defeased in full", "not known to be defeased in full",
            "Treasuries pay a defeased loan."),
    several("confidence_tier", "Ownership chain", "Any", TIERS, words,
            lambda listed: f"on a {listed} ownership chain", added_as="Ownership chain"),
    _text("party", "Borrower, sponsor or owner", "Words of a name", "of a party named",
          "Every word has to occur in the name; accents and case do not count.",
          added_as="Borrower, sponsor or owner"),
    _text("sponsor", "Sponsor", "Its exact name", "of the sponsor", "The loan's sponsor by "
          "its exact name; of several the one with the largest book.", added_as="Sponsor",
          longest=_EXACT),
    _text("family", "Family", "Its head's exact name", "in the family of", "All loans under this "
          "sponsor or owner, over links of 0.70 or better.", added_as="Family", longest=_EXACT),
    _text("lender_of_loan", "Lender of the loan", "Its exact name", "lent by",
          "The loan's own lender by its exact name; not of its other debt layers.",
          added_as="Lender of the loan", longest=_EXACT),
    _text("whole_loan", "Notes of a loan", "Its exact number", "that are notes of",
          "The records of one loan, by the number of the one that stands for it.",
          added_as="Notes of a loan", longest=_EXACT),
    _text("find", "Loan or property", "Part of a number or name", "with a number or name like",
          "A part of the loan number or of the property's name.", added_as="Loan or property"),
    of_day("originated_after", "Originated after", "originated after", "Origination"),
    of_day("originated_before", "Originated before", "originated before", "Origination"),
)  # fmt: skip
SIGNAL_TYPES_OF_SIGNALS: Final = several(
    "signal_type",
    "Signal type",
    "All types",
    SIGNAL_TYPES,
    words,
    lambda listed: listed.replace("_", " "),
    leads=True,
)
#: Signals start at moderate (D24).
SEVERITIES_OF_SIGNALS: Final = several(
    "severity",
    "Severity",
    "All severities",
    GRADED,
    severity.label,
    str,
    leads=True,
)
ON_PROPERTY_TYPES: Final = replace(
    PROPERTY_TYPES_OF_LOANS,
    clause=lambda listed: f"on {' or '.join(listed)} loans",
    leads=False,
)
NAME: Final = Filter(
    "name",
    Letters(
        label="Name",
        empty="Any name; empty lists all",
        help="Typing errors, word order, accents, case and LLC do not count. A search weighs the "
        "few hundred likeliest names; a longer name finds more precisely.",
        wide=True,
    ),
    lambda value: f"named like “{value}”",
)
RESOLUTION_CONFIDENCE: Final = Filter(
    "confidence_min",
    fields.confidence(
        "Resolution confidence from", "How sure the source is that the records are of one party."
    ),
    lambda value: f"with a resolution confidence of at least {value:g}",
)

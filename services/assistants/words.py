"""What the parameters of tools mean: the words of the endpoints, and of what only tools ask."""

from collections.abc import Mapping
from typing import Final

from services.contract.connections import ConnectionQuery
from services.contract.disposition import DISPOSITIONS
from services.contract.facts import FACT, FACTS
from services.contract.history import ChangeQuery, HistoryQuery
from services.contract.loan_filter import LoanFilter
from services.contract.parameter_words import PARAMETER_TEXT
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Question, SignalQuery
from services.contract.scenario import ScenarioFilter
from services.contract.signal_filter import SignalFilter
from services.contract.watch_triggers import TRIGGERS, named

from .questions import Concentrated, LoanOverTime, LoanSearch, OneLoan, SignalsOfLoan


def _of(query: type[Question]) -> dict[str, str]:
    return {name: words for name, (words, _) in PARAMETER_TEXT[query].items()}


def _bounds(name: str, what: str) -> dict[str, str]:
    return {f"min_{name}": f"Least {what}, inclusive.", f"max_{name}": f"Most {what}, inclusive."}


_PARTY: Final = "needs a tier that opens parties too"
_ONE: Final = {"loan_number": "The loan's exact number."}
_ORDER: Final = "A column, with - before it for the largest first; nulls come last."
_TRIGGERS: Final = "; ".join(map(named, TRIGGERS))
_LOANS: Final[Mapping[str, str]] = {
    **_of(LoanQuery),
    "city": "Cities, in any case.",
    "property_type": "Property types, in any case, such as office.",
    "party": f"Words of the borrower's, sponsor's or owner's name; {_PARTY}.",
    "sponsor": f"The sponsor, by its exact name; {_PARTY}.",
    "lender_of_loan": "The loan's own lender, by its exact normalized name.",
    "whole_loan": "The notes of one loan, by the number that stands for it.",
    "family": f"The sponsor or owner at the head of a family, by its exact name; {_PARTY}.",
    "find": "A part of the loan number or of the property's name.",
    "due_after": "Effective maturity after this day, of loans that must be refinanced.",
    "due_before": "Effective maturity before this day, of loans that must be refinanced.",
    "matures_within": "Months from the as-of date within which it must be refinanced.",
    "tenant": "Words of a tenant's name, in quotes the whole name.",
    "leases_within": "Months from the as-of date within which a lease of a large tenant ends.",
    "originated_after": "Originated after this day.",
    "originated_before": "Originated before this day.",
    "severity": "Worst signal: moderate, elevated, severe, critical; without one none, defeased or"
    " nothing owed.",
    "rule": "Ids of rules that fired on the loan.",
    "trigger": f"Watchlist triggers that hold, CREFC's codes: {_TRIGGERS}.",
    "untested_trigger": "Watchlist triggers that what is filed cannot tell, by the same codes.",
    "confidence_tier": "Tier of the ownership chain: inferred, probable, confirmed.",
    "payment_status": f"Codes: {FACT['payment_status'].codes}.",
    "special_servicing": "Whether it is in special servicing.",
    "disposition": f"How it stands or ended: {', '.join(DISPOSITIONS)}.",
    "defeased": "Whether it is defeased in full.",
    **_bounds("coupon", "coupon, percent"),
    **_bounds("gap", "gap between refi rate and coupon, basis points"),
    **_bounds("dscr", "DSCR, as a ratio: 1.25"),
    **_bounds("ltv", "LTV, percent"),
    **_bounds("debt_yield", "debt yield, percent"),
    **_bounds("occupancy", "occupancy, percent"),
    **_bounds("noi_room", "room for NOI to fall before DSCR is 1.00x, percent of NOI"),
    **_bounds("markup", "underwritten over trailing NOI, percent"),
    **_bounds("over_implied", "debt service filed over that implied by the debt known, times"),
    "min_short": "Least dollars short at refinance, whole US dollars.",
    "numbers": "These loan numbers and no others.",
    "order": _ORDER,
}
_OVER_TIME: Final = _of(HistoryQuery)
_CHANGES: Final = _of(ChangeQuery)
#: Question -> parameter -> words.
WORDS: Final[Mapping[type[Question], Mapping[str, str]]] = {
    LoanFilter: _LOANS,
    LoanSearch: {**_LOANS, "columns": "What to say of each loan: names of columns."},
    OneLoan: _ONE,
    LoanOverTime: {**_OVER_TIME, **_ONE, "most": "Dates at most, the newest ones."},
    SignalFilter: {
        **_LOANS,
        **_of(SignalQuery),
        "rule": "Ids of rules that fired within the signal.",
        "order": "severity, signal_type, or a column of the loan; - before it reverses.",
    },
    SignalsOfLoan: {**_ONE, "signal_type": "One type alone, such as rate_pressure."},
    EntityQuery: _of(EntityQuery),
    PathQuery: _of(PathQuery),
    ConnectionQuery: {
        **{f"{end}_loan": f"The loan at the {end} end." for end in ("from", "to")},
        **{f"{end}_entity": f"The party at the {end} end, exactly." for end in ("from", "to")},
        "per_page": "Connections at most, the best ones.",
    },
    Concentrated: {
        **_LOANS,
        "by": f"What the loans are grouped by; sponsor {_PARTY}.",
        "groups": "Groups at most, the largest ones.",
    },
    ScenarioFilter: {
        **_LOANS,
        "rates": "Shift of all reference rates and of the index of floating loans, basis points.",
        **{f"rate_{years}": f"Shift of the {years}-year Treasury alone." for years in (5, 7, 10)},
        "rate_short": "Shift of the index of floating loans alone.",
        "noi": "Change of NOI, percent.",
        "cap": "Rise of cap rates, basis points.",
    },
    ChangeQuery: _CHANGES,
}


def glossary() -> list[dict[str, str | dict[str, str]]]:
    """Every fact of a loan: its name, label, unit, who states it, and what its codes mean."""
    return [
        {
            "name": fact.name,
            "label": fact.label,
            "unit": fact.kind,
            "stated_by": fact.origin,
            **({"codes": dict(fact.codes)} if fact.codes else {}),
            **({"missing_where": fact.missing} if fact.missing else {}),
        }
        for fact in FACTS
    ]

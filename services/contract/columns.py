"""What a result of loans can show, and be ordered by: facts, and what only a snapshot knows.

A snapshot knows them of all its loans together: the worst signal, who borrows and who stands
behind, and a loan's place among those of its type. They are no facts of the loan's own record,
for the specification opens signals and parties to other licence tiers than loans.
"""

from collections.abc import Mapping
from typing import Final

from .facts import FACT, FACTS, Fact, by_name

#: Columns that are no facts.
FURTHER: Final = (
    #: Of what was found on the loan itself; contagion from its siblings is a lead apart (D279).
    Fact("worst_severity", "severity", "Worst signal"),
    Fact("contagion", "severity", "Contagion"),
    Fact("borrower", "text", "Borrower"),
    #: Of the sponsors above it, and of the owners, the one with the largest book, over links of
    #: 0.70 or better; ties by name.
    Fact("sponsor", "text", "Sponsor"),
    Fact("owner", "text", "Owner"),
    #: Share of the loans of its type that are less urgent: 100 is the worst.
    Fact("rank_in_type", "percentile", "Rank within type"),
)
_SHOWN: Final = (
    "loan_number", "property_name", "property_type", "property_city", "property_state",
    "lender_normalized", "book_value", "original_amount", "interest_rate", "origination_date",
    "effective_maturity", "maturity_date", "exemption", "rate_pressure", "confidence_tier",
    "rate_gap_bp", "refi_rate", "spreads_of", "spreads_months_off", "proforma_dscr", "dscr", "ltv",
    "debt_yield", "noi_room", "noi", "ncf", "value", "occupancy",
    "payment_status", "computed_triggers", "untested_triggers", "watchlist_triggers",
    "watchlist_since", "workout", "special_servicing_since", "defeasance", "structure",
    "disposition", "disposition_date", "realized_loss", "loss_of_owed", "loss_of_original",
    "owed_before", "principal_received", "ending_as_of", "last_value", "last_value_date",
    "paid_through", "months_unpaid", "exposure", "computed_reduction", "expected_loss",
    "payment_advances", "tax_advances", "other_advances",
    "whole_loan", "whole_loan_debt", "debt_due",
    "balance_at_maturity", "max_proceeds", "refinance_gap", "dollars_short", "own_dollars_short",
    "binding_constraint", "payment_shock", "sponsor_share", "underwritten_dscr",
    "underwritten_noi", "underwritten_markup", "underwritten_occupancy",
    "filed_debt_service", "filed_over_implied", "as_of",
)  # fmt: skip
#: Every column of a result, by name, in the order in which a reader chooses among them.
COLUMN: Final[Mapping[str, Fact]] = {
    **{name: FACT[name] for name in _SHOWN},
    **by_name(*FURTHER),
}
#: What an assistant is told of each loan of a list, unless it asks for other columns.
BRIEF: Final = (
    "property_name", "property_type", "property_city", "property_state", "lender_normalized",
    "book_value", "interest_rate", "maturity_date", "effective_maturity", "rate_pressure",
    "worst_severity", "dscr", "ltv", "debt_yield", "dollars_short",
)  # fmt: skip
#: Columns of text that a result is not ordered by: too many values, and nobody asks.
_UNORDERED: Final = frozenset({"property_name"})
#: What a result can be ordered by; with "-" before it the largest, latest or worst first.
ORDERS: Final = tuple(name for name in COLUMN if name not in _UNORDERED)
#: Columns of `Screens.loan_batches`, raw values: integers, percent figures, ISO dates.
LOAN_EXPORT = tuple(dict.fromkeys((*(fact.name for fact in FACTS if fact.exported), *COLUMN)))
#: Columns of `Screens.signal_batches`. `rules` are the rules that fired, with their severities.
SIGNAL_EXPORT = (
    "loan_number",
    "signal_type",
    "severity",
    "rules",
    "property_state",
    "property_city",
    "property_type",
    "book_value",
    "interest_rate",
    "refi_rate",
    "maturity_date",
    "lender_normalized",
    "description",
    "as_of",
    "source",
    "provenance",
)

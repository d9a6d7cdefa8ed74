"""Signals by the specification's conditions and by those that only a snapshot can apply (D33)."""

from typing import Annotated, ClassVar, Final

from pydantic import AfterValidator, Field

from .columns import ORDERS
from .loan_filter import LoanFilter
from .queries import (
    Day,
    Exact,
    Lower,
    Query,
    Several,
    SignalQuery,
    State,
    Word,
    as_specified,
    only_specified,
)
from .scope import Scoped

#: What a list of signals can be ordered by: what it says of itself, and any column of its loan.
SIGNAL_ORDERS: Final = ("severity", "signal_type", *ORDERS)


def _order(value: str) -> str:
    if value.removeprefix("-") not in SIGNAL_ORDERS:
        raise ValueError("must be the name of a column, with - before it for the largest first")
    return value


SignalOrder = Annotated[str, Field(max_length=60), AfterValidator(_order)]


class SignalFilter(Query):
    """Which signals, in which order. Null in a condition's column never matches."""

    signal_type: Several[Lower] | None = None
    severity: Several[Lower] | None = None
    #: That fired within the signal.
    rule: Several[Word] | None = None
    # Of the loan, as LoanFilter has them.
    state: Several[State] | None = None
    city: Several[Lower] | None = None
    property_type: Several[Lower] | None = None
    lender: Word | None = None
    sponsor: Exact | None = None
    confidence_tier: Several[Lower] | None = None
    maturity_after: Day | None = None
    maturity_before: Day | None = None
    scope: Scoped | None = None
    #: Of the signal, or a column of its loan; by loan_number, then type without it. Nulls last.
    order: SignalOrder | None = None

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "order"})

    @property
    def within_specification(self) -> SignalQuery | None:
        """The same question to the API; None when it has what the API lacks."""
        return None if self.order else only_specified(self, SignalQuery)

    def specified(self) -> SignalQuery:
        """Its part that the specification knows."""
        return as_specified(self, SignalQuery)

    def of_loans(self) -> LoanFilter:
        """Its conditions on loans."""
        return loans_of(self)

    def without(self, *names: str) -> "SignalFilter":
        """The same without some of its conditions."""
        return self.model_copy(update=dict.fromkeys(names))


#: Conditions on the signal itself; all others are on its loan.
OF_SIGNAL: Final = frozenset({"signal_type", "severity", "rule"})
#: Fields whose values have counts in a result.
SIGNALS_COUNTED: Final = (
    "signal_type", "severity", "rule", "state", "city", "property_type", "confidence_tier",
)  # fmt: skip


def loans_of(query: SignalQuery | SignalFilter) -> LoanFilter:
    """The conditions of a question about signals that are on their loans."""
    found = {name: one for name, one in query.filters().items() if name not in OF_SIGNAL}
    if isinstance(query, SignalFilter):  # which has them as LoanFilter has: validated already
        return LoanFilter.model_construct(**found)
    return LoanFilter(**found)

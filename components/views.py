"""What the pages' addresses hold beyond the specification: how a result is looked at."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services.contract.queries import LoanQuery, Lower, SignalQuery

Look = Literal["states", "cities"]


class LoanView(LoanQuery):
    """The Loans page: a loan query, as a table or with a map of its cities."""

    map: Literal["cities"] | None = None

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "map"})

    def query(self) -> LoanQuery:
        """The specification's part."""
        return LoanQuery(**{name: getattr(self, name) for name in LoanQuery.model_fields})


class SignalView(SignalQuery):
    """The Signals page: a signal query, which figure the map shows, and where it was drilled."""

    measure: Literal["dollars", "share", "count"] = "dollars"
    map: Look = "states"
    property_type: Annotated[Lower | None, Field(description="of the loan")] = None

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "map", "measure"})

    def query(self) -> SignalQuery:
        """The specification's part."""
        return SignalQuery(**{name: getattr(self, name) for name in SignalQuery.model_fields})

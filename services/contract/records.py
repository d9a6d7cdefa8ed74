"""What the six endpoints answer with, in canonical form (D1): Variant A names, lower-case words.

Records are frozen. What the wire holds beyond the specification stays in `extra` (D19); null
means that the source does not say, never zero (D18).
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from .vocabulary import CONTAGION, rank

T = TypeVar("T")


class Record(BaseModel):
    """Base of all records: immutable, and closed (a misspelt field is an error)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Loan(Record):
    """A loan as lists hold it (spec 2.2)."""

    loan_number: str
    #: US dollars, whole (D16): a carrying amount, not unpaid principal.
    book_value: int | None = None
    #: Coupon, a percent figure: 6.055 is 6.055 %.
    interest_rate: float | None = None
    property_type: str | None = None
    property_city: str | None = None
    #: Two letters; codes outside the United States occur (D10).
    property_state: str | None = None
    lender_normalized: str | None = None
    maturity_date: date | None = None
    #: Severity word of rate pressure (D25); None when not testable.
    rate_pressure: str | None = None
    #: Tier of the ownership chain's weakest link (D29); None when no chain is resolved.
    confidence_tier: str | None = None
    extra: Mapping[str, Any] = Field(default_factory=dict)


class LoanDetail(Loan):
    """One loan whole (spec 2.2): `extended` holds every field beyond the specification (D17)."""

    origination_date: date | None = None
    extended: Mapping[str, Any] = Field(default_factory=dict)

    @property
    def as_of(self) -> date | None:
        """The date of the source that states it; None where nobody says."""
        try:
            return date.fromisoformat(str(self.extended.get("as_of")))
        except ValueError:
            return None


class Entity(Record):
    """A resolved party (spec 2.3)."""

    entity_name: str
    #: Resolution confidence, 0 to 1.
    confidence: float | None = Field(default=None, ge=0, le=1)
    confidence_tier: str | None = None
    #: Distinct loans it stands behind or lends to (D32).
    related_loan_count: int | None = None
    extra: Mapping[str, Any] = Field(default_factory=dict)


class ChainElement(Record):
    """One party of an ownership chain (spec 2.4)."""

    entity_name: str
    role: str | None = None
    #: Confidence of the link that leads to this party from below, 0 to 1.
    confidence: float | None = Field(default=None, ge=0, le=1)
    #: May hold `level` (0 is the borrower), `share` (fraction owned) and `of` (owned party), D31.
    extra: Mapping[str, Any] = Field(default_factory=dict)


class OwnershipChain(Record):
    """Borrower up to ultimate beneficial owner (spec 2.4). Empty: none resolved (D11)."""

    loan_number: str
    chain: tuple[ChainElement, ...] = ()
    confidence_tier: str | None = None
    extra: Mapping[str, Any] = Field(default_factory=dict)


class Edge(Record):
    """A relation between two nodes, in the direction it is stored (spec 2.5)."""

    source: str  # `from` on the wire, a word that Python keeps for itself
    target: str  # `to`
    relation: str | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    #: May hold `from_kind` and `to_kind`: "loan", or the kind of the party (D50).
    extra: Mapping[str, Any] = Field(default_factory=dict)


class GraphPath(Record):
    """A path from the root, edge by edge."""

    edges: tuple[Edge, ...]


class Hub(Record):
    """A node that ended paths because too many edges meet in it (D12)."""

    name: str
    edges: int


class GraphResult(Record):
    """What a walk of the capital graph found (spec 2.5, D12)."""

    root: str
    depth_reached: int | None = None
    paths: tuple[GraphPath, ...] = ()
    #: Why the walk ended early: "depth", "budget" or null.
    stopped_by: str | None = None
    #: Edges that the next level would read, when the budget ended the walk.
    next_level_edges: int | None = None
    hubs: tuple[Hub, ...] = ()
    extra: Mapping[str, Any] = Field(default_factory=dict)


class SignalComponent(Record):
    """One rule that fired within a signal, as it stood when the loan was scored (D24)."""

    rule: str
    severity: str
    #: The measure and the limit that it passed, in the rule's own unit.
    value: float | None = None
    limit: float | None = None
    #: The rule's name, and the versions of the rule and of the limits; None where not told.
    title: str | None = None
    rule_version: int | None = Field(default=None, ge=0, lt=2**15)
    limits_version: int | None = Field(default=None, ge=0, lt=2**15)

    @property
    def of_itself(self) -> str | None:
        """Its severity where it is about the loan itself; None of contagion (D279)."""
        return None if self.rule == CONTAGION else self.severity


class Signal(Record):
    """A scored condition of one loan (spec 2.6). At most one per loan and type (D24)."""

    signal_type: str
    severity: str | None = None
    loan_number: str
    property_state: str | None = None
    property_city: str | None = None
    property_type: str | None = None
    book_value: int | None = None
    maturity_date: date | None = None
    lender_normalized: str | None = None
    description: str | None = None
    components: tuple[SignalComponent, ...] = ()
    extra: Mapping[str, Any] = Field(default_factory=dict)

    @property
    def of_itself(self) -> str | None:
        """The worst of its rules about the loan itself, None where contagion alone fired (D279);
        of a signal that names no rule its severity.
        """
        found = [part.of_itself for part in self.components]
        return max(filter(None, found), key=rank, default=None) if found else self.severity


class Page(BaseModel, Generic[T]):
    """A slice of a result whose order is total (D3); `total` counts all of it."""

    model_config = ConfigDict(frozen=True)

    items: tuple[T, ...]
    page: int
    per_page: int
    total: int

    @property
    def is_last(self) -> bool:
        """Whether a client stops here (spec 4.7 rule 4)."""
        return self.page * self.per_page >= self.total

    @property
    def pages(self) -> int:
        """How many pages there are; 1 for an empty result."""
        return max(1, -(-self.total // self.per_page))

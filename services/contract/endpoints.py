"""The six endpoints, each written once (spec 4): question, answer, who may ask, words.

The client addresses its requests by this table, the service makes its routes and its OpenAPI
document of it, and the dashboard names a locked panel by it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, cast

from .access import LICENCE_TIERS, TIERS, LicenceTier, Read
from .queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery
from .records import (
    Entity,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Record,
    Signal,
)
from .source import CreditSource

Q = TypeVar("Q")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[Q, A]):
    """One endpoint. Its question is a query, or the loan number that its path names."""

    #: The method of CreditSource that answers it.
    method: Callable[[CreditSource, Q], A]
    #: Operation id of the OpenAPI document.
    name: str
    #: From /v1 on; `{loan_number}` stands for a percent-encoded loan number.
    path: str
    #: None where the path names a loan and there are no parameters.
    query: type[Query] | None
    #: What is under `data`, or what each item there is.
    record: type[Record]
    #: Under which heading of the OpenAPI document it stands.
    section: str
    title: str
    description: str
    #: What an answer of 200 holds.
    success: str
    #: Columns of the preview where a licence does not cover it; empty where there is none.
    preview: tuple[str, ...] = ()

    @property
    def read(self) -> Read:
        """The name of its method."""
        return cast(Read, self.method.__name__)

    @property
    def tiers(self) -> tuple[LicenceTier, ...]:
        """Licence tiers that open it."""
        return TIERS[self.read]

    @property
    def tier_names(self) -> tuple[str, ...]:
        """The licence tiers that open it, as people write them."""
        return tuple(LICENCE_TIERS[tier] for tier in self.tiers)

    def ask(self, source: CreditSource, question: Q) -> A:
        """What a source answers. Raises what the method raises."""
        answer: Callable[[Q], A] = getattr(source, self.read)
        return answer(question)


LOANS: Final = Endpoint(
    CreditSource.loans,
    name="search_loans",
    path="/v1/loans",
    query=LoanQuery,
    record=Loan,
    section="Loans",
    title="Search loans",
    description="Loans that match every filter given, by loan number.",
    success="A page of loans",
    preview=("Loan", "Property", "City", "Book value", "Coupon", "Matures"),
)
LOAN: Final = Endpoint(
    CreditSource.loan,
    name="get_loan",
    path="/v1/loans/{loan_number}",
    query=None,
    record=LoanDetail,
    section="Loans",
    title="Get one loan",
    description="One loan, with its origination date and every further field of its source.",
    success="The loan",
)
ENTITIES: Final = Endpoint(
    CreditSource.entities,
    name="search_entities",
    path="/v1/entities",
    query=EntityQuery,
    record=Entity,
    section="Entities",
    title="Search entities",
    description=(
        "Resolved borrowers, sponsors, owners and capital sources. By match with `name`, the exact "
        "name first; by name when no name is asked for."
    ),
    success="A page of entities",
    preview=("Name", "Match", "Confidence", "Related loans"),
)
OWNERSHIP: Final = Endpoint(
    CreditSource.ownership,
    name="get_ownership",
    path="/v1/entities/{loan_number}/ownership",
    query=None,
    record=OwnershipChain,
    section="Entities",
    title="Get the ownership chain of a loan",
    description=(
        "From the borrower up to the ultimate beneficial owner, level by level, joint owners side "
        "by side. The chain is empty when none is resolved."
    ),
    success="The ownership chain",
    preview=("Party", "Role", "Share", "Confidence"),
)
PATHS: Final = Endpoint(
    CreditSource.paths,
    name="find_paths",
    path="/v1/graph/paths",
    query=PathQuery,
    record=GraphResult,
    section="Capital graph",
    title="Find paths of the capital graph",
    description=(
        "Paths from one root, a loan or an entity: give exactly one of the two. Shorter paths come "
        "first. `pagination.total` counts paths."
    ),
    success="The walk, and a page of its paths",
    preview=("From", "Relation", "To", "Confidence"),
)
SIGNALS: Final = Endpoint(
    CreditSource.signals,
    name="search_signals",
    path="/v1/signals",
    query=SignalQuery,
    record=Signal,
    section="Signals",
    title="Search signals",
    description=(
        "Scored conditions of loans that match every filter given, by loan number and signal type; "
        "a loan has at most one signal of a type."
    ),
    success="A page of signals",
    preview=("Severity", "Signal", "Loan", "Because"),
)
ENDPOINTS: Final[tuple[Endpoint[Any, Any], ...]] = (
    LOANS,
    LOAN,
    ENTITIES,
    OWNERSHIP,
    PATHS,
    SIGNALS,
)
_BY_READ: Final[dict[Read, Endpoint[Any, Any]]] = {one.read: one for one in ENDPOINTS}
_BY_QUERY: Final = {one.query: one for one in ENDPOINTS if one.query is not None}


def endpoint_of(read: Read) -> Endpoint[Any, Any]:
    """The endpoint that a method of CreditSource stands for, by the method's name."""
    return _BY_READ[read]


def for_query(kind: type[Query]) -> Endpoint[Any, Any]:
    """The endpoint that a query of `kind` asks. Raises KeyError for a query of no endpoint."""
    return _BY_QUERY[kind]

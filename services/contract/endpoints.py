"""The six endpoints (spec 4) and our two extensions, each once: question, answer, who, words.

The client addresses its requests by this table, the service makes its routes and its OpenAPI
document of it, and the dashboard names a locked panel by it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeVar

from .access import LICENCE_TIERS, LICENCES, TIERS, LicenceTier, licences_of, tiers_of
from .errors import NotOffered
from .history import ChangeQuery, Changes, Histories, HistoryQuery, LoanHistory
from .queries import EntityQuery, LoanQuery, PathQuery, Query, Question, SignalQuery
from .records import Entity, GraphResult, Loan, LoanDetail, OwnershipChain, Record, Signal
from .source import CreditSource

Q = ParamSpec("Q")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[Q, A]):
    """One endpoint. Its question is the loan number that its path names, a query, or both."""

    #: The method of CreditSource, or of Histories, that answers it.
    method: Callable[Concatenate[Any, Q], A]
    #: Operation id of the OpenAPI document.
    name: str
    #: From /v1 on; `{loan_number}` stands for a percent-encoded loan number.
    path: str
    #: None where there are no parameters.
    query: type[Question] | None
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
    def read(self) -> str:
        """The name of its method."""
        return self.method.__name__

    @property
    def of_loan(self) -> bool:
        """Whether its path names a loan."""
        return "{loan_number}" in self.path

    @property
    def paged(self) -> bool:
        """Whether it is answered page by page."""
        return self.query is not None and issubclass(self.query, Query)

    @property
    def tiers(self) -> tuple[LicenceTier, ...]:
        """Licence tiers that open it."""
        licence = LICENCES[self.method]
        return () if licence is None else TIERS[licence]

    @property
    def tier_names(self) -> tuple[str, ...]:
        """The licence tiers that open it, as people write them."""
        return named(self.tiers)

    def tiers_for(self, question: tuple[Any, ...]) -> tuple[LicenceTier, ...]:
        """Licence tiers that open one question to it: fewer where it names parties (D141)."""
        return tiers_of(licences_of(self.method, question))

    def ask(self, source: object, *question: Q.args, **options: Q.kwargs) -> A:
        """What a source answers. Raises what the method raises."""
        if self in EXTENSIONS and not hasattr(source, self.read):
            raise NotOffered(f"This service does not answer {self.path}, which is an extension")
        answer: Callable[Q, A] = getattr(source, self.read)
        return answer(*question, **options)


def named(tiers: tuple[LicenceTier, ...]) -> tuple[str, ...]:
    """Licence tiers as people write them."""
    return tuple(LICENCE_TIERS[tier] for tier in tiers)


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
#: Beyond the specification (D187): another service need not have them.
HISTORY: Final = Endpoint(
    Histories.history,
    name="get_loan_history",
    path="/v1/loans/{loan_number}/history",
    query=HistoryQuery,
    record=LoanHistory,
    section="Over time",
    title="Get the history of one loan",
    description=(
        "Extension of Credit Atlas, not in the specification. One loan as each filing that is kept "
        "said, by date, and what happened from one to the next. It comes whole, or from `since` to "
        "`until`, both included."
    ),
    success="The history",
)
CHANGES: Final = Endpoint(
    Histories.changes,
    name="find_changes",
    path="/v1/changes",
    query=ChangeQuery,
    record=Changes,
    section="Over time",
    title="Find what changed between two dates",
    description=(
        "Extension of Credit Atlas, not in the specification. Totals of all loans that meet the "
        "conditions, their moves from one worst severity to another, and page by page the loans to "
        "which something happened, the most important first. `pagination.total` counts these loans."
    ),
    success="Totals, moves, and a page of the loans that changed",
)
EXTENSIONS: Final[tuple[Endpoint[Any, Any], ...]] = (HISTORY, CHANGES)
_BY_QUERY: Final = {one.query: one for one in (*ENDPOINTS, *EXTENSIONS) if one.query is not None}


def for_query(kind: type[Question]) -> Endpoint[Any, Any]:
    """The endpoint that a query of `kind` asks. Raises KeyError for a query of no endpoint."""
    return _BY_QUERY[kind]

"""The six endpoints as data: path, who may read, what is asked, how it is read (spec 4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery
from services.contract.records import (
    Entity,
    GraphPath,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Page,
    Record,
    Signal,
)
from services.contract.source import CreditSource
from services.contract.wire import Variant, encode

from .answers import Body, dumps
from .keys import Tier


class EncodedReads(Protocol):
    """A source that holds whole loans as the wire has them is read without encoding them again."""

    def encoded_loan(self, loan_number: str, variant: Variant) -> bytes | None:
        """What `loan` answers, as JSON and without waiting; None where only `loan` can tell."""
        ...


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One read. `query` is None where the path names a loan and there are no parameters.

    `ready` answers without waiting, where the source can; else it gives None, and `read` answers.
    """

    name: str
    path: str
    tiers: frozenset[Tier]
    record: type[Record]
    query: type[Query] | None
    read: Callable[[CreditSource, Any, Variant], Body]
    ready: Callable[[CreditSource, Any, Variant], Body | None] | None = None


def _listed(page: Page[Any], variant: Variant) -> Body:
    return Body.of(dumps([encode(one, variant) for one in page.items]), page)


def _loans(source: CreditSource, query: LoanQuery, variant: Variant) -> Body:
    return _listed(source.loans(query), variant)


def _loan(source: CreditSource, loan_number: str, variant: Variant) -> Body:
    return Body.of(dumps(encode(source.loan(loan_number), variant)))


def _ready_loan(source: CreditSource, loan_number: str, variant: Variant) -> Body | None:
    encoded: Callable[[str, Variant], bytes | None] | None = getattr(source, "encoded_loan", None)
    found = encoded(loan_number, variant) if encoded else None
    return Body.of(found) if found else None


def _entities(source: CreditSource, query: EntityQuery, variant: Variant) -> Body:
    return _listed(source.entities(query), variant)


def _ownership(source: CreditSource, loan_number: str, variant: Variant) -> Body:
    return Body.of(dumps(encode(source.ownership(loan_number), variant)))


def _paths(source: CreditSource, query: PathQuery, variant: Variant) -> Body:
    result, page = source.paths(query)
    shown: Page[GraphPath] = page
    return Body.of(dumps(encode(result.model_copy(update={"paths": shown.items}), variant)), shown)


def _signals(source: CreditSource, query: SignalQuery, variant: Variant) -> Body:
    return _listed(source.signals(query), variant)


_BASE: Final[frozenset[Tier]] = frozenset({"base", "complete"})
_RESOLUTION: Final[frozenset[Tier]] = frozenset({"resolution", "complete"})
_GRAPH: Final[frozenset[Tier]] = frozenset({"capital_graph", "complete"})

#: Tiers by spec 8.4; the detail of a loan belongs to the tier of its list.
ENDPOINTS: Final = (
    Endpoint("search_loans", "/v1/loans", _BASE, Loan, LoanQuery, _loans),
    Endpoint("get_loan", "/v1/loans/{loan_number}", _BASE, LoanDetail, None, _loan, _ready_loan),
    Endpoint("search_entities", "/v1/entities", _RESOLUTION, Entity, EntityQuery, _entities),
    Endpoint(
        "get_ownership",
        "/v1/entities/{loan_number}/ownership",
        _RESOLUTION,
        OwnershipChain,
        None,
        _ownership,
    ),
    Endpoint("find_paths", "/v1/graph/paths", _GRAPH, GraphResult, PathQuery, _paths),
    Endpoint("search_signals", "/v1/signals", _BASE, Signal, SignalQuery, _signals),
)

"""A snapshot as `CreditSource` and `Analytics`: the store's side of the waist."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from services.contract.aggregates import (
    MaturityBucket,
    RuleCoverage,
    Snapshot,
    StressedLoan,
    Totals,
)
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery
from services.contract.records import (
    Entity,
    GraphPath,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Page,
    Signal,
)

from . import analytics, entities, loans, ownership, paths, signals
from .reader import Reader
from .snapshot import current_id, folder_of

if TYPE_CHECKING:
    import pyarrow as pa


class StoreSource:
    """Answers all reads from one open snapshot. Orders by D3, errors by the contract."""

    def __init__(
        self, reader: Reader, *, hub_edges: int = 1_000, budget_edges: int = 50_000
    ) -> None:
        self._reader = reader
        self._hub_edges = hub_edges
        self._budget_edges = budget_edges

    def loans(self, query: LoanQuery) -> Page[Loan]:
        """See CreditSource."""
        return loans.loans(self._reader, query)

    def loan(self, loan_number: str) -> LoanDetail:
        """See CreditSource."""
        return loans.loan(self._reader, loan_number)

    def entities(self, query: EntityQuery) -> Page[Entity]:
        """See CreditSource."""
        return entities.entities(self._reader, query)

    def ownership(self, loan_number: str) -> OwnershipChain:
        """See CreditSource."""
        return ownership.ownership(self._reader, loan_number)

    def paths(self, query: PathQuery) -> tuple[GraphResult, Page[GraphPath]]:
        """See CreditSource."""
        return paths.paths(
            self._reader, query, hub_edges=self._hub_edges, budget_edges=self._budget_edges
        )

    def signals(self, query: SignalQuery) -> Page[Signal]:
        """See CreditSource."""
        return signals.signals(self._reader, query)

    def snapshot(self) -> Snapshot:
        """See Analytics."""
        return self._reader.snapshot

    def totals(self) -> Totals:
        """See Analytics."""
        return analytics.totals(self._reader)

    def maturity_wall(self) -> list[MaturityBucket]:
        """See Analytics."""
        return analytics.maturity_wall(self._reader)

    def largest_stressed(self, limit: int) -> list[StressedLoan]:
        """See Analytics."""
        return analytics.largest_stressed(self._reader, limit)

    def rule_coverage(self) -> list[RuleCoverage]:
        """See Analytics."""
        return list(self._reader.snapshot.rule_coverage)

    def signals_of(self, loan_number: str) -> list[Signal]:
        """See Analytics."""
        return signals.signals_of(self._reader, loan_number)

    def loans_of(self, entity_name: str, query: Query) -> Page[Loan]:
        """See Analytics."""
        return entities.loans_of(self._reader, entity_name, query)

    def loan_table(self, query: LoanQuery) -> "pa.Table":
        """See Analytics."""
        return loans.loan_table(self._reader, query)

    def near_loans(self, loan_number: str, limit: int) -> Sequence[str]:
        """See Analytics."""
        return loans.near_loans(self._reader, loan_number, limit)


class Store:
    """A folder of snapshots. Hands out the current one on a lease.

    After an import new leases get the new snapshot; the old one closes when its last lease ends.
    """

    def __init__(self, folder: Path, *, hub_edges: int = 1_000, budget_edges: int = 50_000) -> None:
        self.folder = folder
        self._sources: Callable[[Reader], StoreSource] = lambda reader: StoreSource(
            reader, hub_edges=hub_edges, budget_edges=budget_edges
        )
        self._guard = Lock()
        self._current: tuple[str, Reader] | None = None
        self._leases: dict[Reader, int] = {}

    @contextmanager
    def lease(self) -> Iterator[StoreSource]:
        """The current snapshot, open until the block ends. Raises StoreMissing, StoreDamaged."""
        reader = self._lend()
        try:
            yield self._sources(reader)
        finally:
            self._give_back(reader)

    def close(self) -> None:
        """Closes the current snapshot once no lease holds it."""
        with self._guard:
            self._retire()

    def _lend(self) -> Reader:
        with self._guard:
            newest = current_id(self.folder)
            if self._current is None or self._current[0] != newest:
                reader = Reader(folder_of(self.folder, newest))
                self._retire()
                self._current = (newest, reader)
                self._leases[reader] = 0
            reader = self._current[1]
            self._leases[reader] += 1
            return reader

    def _give_back(self, reader: Reader) -> None:
        with self._guard:
            self._leases[reader] -= 1
            current = self._current is not None and self._current[1] is reader
            if not current and self._leases[reader] == 0:
                del self._leases[reader]
                reader.close()

    def _retire(self) -> None:
        if self._current is None:
            return
        reader = self._current[1]
        self._current = None
        if self._leases[reader] == 0:
            del self._leases[reader]
            reader.close()

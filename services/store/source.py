"""A snapshot as `CreditSource` and `Analytics`: the store's side of the waist."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from services.contract.aggregates import (
    CityShare,
    EntityDossier,
    FillRate,
    MatrixCell,
    MaturityBucket,
    Reject,
    StateSignals,
    StressedLoan,
    Totals,
)
from services.contract.loaded import RuleCard, RuleCoverage, Snapshot
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
from services.contract.wire import Variant

from . import coverage, entities, heat, loans, ownership, parties, paths, signals
from .reader import Reader
from .standing import largest_stressed, standing

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

    def encoded_loan(self, loan_number: str, variant: Variant) -> bytes | None:
        """What `loan` answers as JSON, without waiting; None where it takes `loan` to tell."""
        return loans.encoded_loan(self._reader, loan_number, variant)

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
        return standing(self._reader).totals

    def maturity_wall(self) -> list[MaturityBucket]:
        """See Analytics."""
        return list(standing(self._reader).maturity_wall)

    def largest_stressed(self, limit: int) -> list[StressedLoan]:
        """See Analytics."""
        return largest_stressed(self._reader, limit)

    def rule_coverage(self) -> list[RuleCoverage]:
        """See Analytics."""
        return list(self._reader.snapshot.rule_coverage)

    def rules(self) -> list[RuleCard]:
        """See Analytics."""
        return list(self._reader.snapshot.rules)

    def signals_of(self, loan_number: str) -> list[Signal]:
        """See Analytics."""
        return signals.signals_of(self._reader, loan_number)

    def loans_of(self, entity_name: str, query: Query) -> Page[Loan]:
        """See Analytics."""
        return entities.loans_of(self._reader, entity_name, query)

    def loan_table(self, query: LoanQuery) -> "pa.Table":
        """See Analytics."""
        return loans.loan_table(self._reader, query)

    def signal_states(
        self, query: SignalQuery, property_type: str | None = None
    ) -> list[StateSignals]:
        """See Analytics."""
        return heat.signal_states(self._reader, query, property_type)

    def signal_matrix(
        self, query: SignalQuery, by: str, property_type: str | None = None
    ) -> list[MatrixCell]:
        """See Analytics."""
        return heat.signal_matrix(self._reader, query, by, property_type)

    def signal_loans(self, query: SignalQuery, property_type: str | None) -> Page[Signal]:
        """See Analytics."""
        return heat.signal_loans(self._reader, query, property_type)

    def signal_table(self, query: SignalQuery, property_type: str | None) -> "pa.Table":
        """See Analytics."""
        return heat.signal_table(self._reader, query, property_type)

    def loan_cities(self, query: LoanQuery) -> list[CityShare]:
        """See Analytics."""
        return heat.loan_cities(self._reader, query)

    def signal_cities(
        self, query: SignalQuery, property_type: str | None = None
    ) -> list[CityShare]:
        """See Analytics."""
        return heat.signal_cities(self._reader, query, property_type)

    def entity(self, entity_name: str) -> EntityDossier:
        """See Analytics."""
        return parties.entity(self._reader, entity_name)

    def signals_of_entity(self, entity_name: str, query: Query) -> Page[Signal]:
        """See Analytics."""
        return parties.signals_of_entity(self._reader, entity_name, query)

    def near_entities(self, entity_name: str, limit: int) -> Sequence[str]:
        """See Analytics."""
        return parties.near_entities(self._reader, entity_name, limit)

    def fill_rates(self) -> list[FillRate]:
        """See Analytics."""
        return list(standing(self._reader).fill_rates)

    def unranked_words(self) -> dict[str, dict[str, int]]:
        """See Analytics."""
        return {
            field: dict(words) for field, words in standing(self._reader).unranked_words.items()
        }

    def rejects(self) -> list[Reject]:
        """See Analytics."""
        return coverage.rejects(self._reader)

    def near_loans(self, loan_number: str, limit: int) -> Sequence[str]:
        """See Analytics."""
        return loans.near_loans(self._reader, loan_number, limit)

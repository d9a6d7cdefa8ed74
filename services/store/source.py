"""A snapshot as `CreditSource` and `Analytics`: the store's side of the waist."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from services.contract.aggregates import (
    CityShare,
    EntityDossier,
    FigureClass,
    FillRate,
    FoundLoan,
    FoundSignal,
    FoundTotals,
    Match,
    MatrixCell,
    MaturityBucket,
    Ranking,
    Reject,
    SignalTotals,
    Slice,
    StateSignals,
    Totals,
    WatchedLoan,
    WorstSeverity,
)
from services.contract.cells import Place, Resolution
from services.contract.connections import (
    Branch,
    BranchQuery,
    ConnectionQuery,
    ConnectionResult,
)
from services.contract.distributions import (
    Area,
    Distribution,
    FigureName,
    Plot,
    Scatter,
    SeverityCell,
    SplitBy,
    Standing,
    Within,
)
from services.contract.errors import NotRescored
from services.contract.exposure import Exposure, PartyLoan, Role
from services.contract.families import Family, FamilyDossier, FamilyFilter
from services.contract.loaded import RuleCard, RuleCoverage, Snapshot
from services.contract.loan_figures import LenderTerms, LoanFigures, Sized, SizingInputs
from services.contract.loan_filter import LoanFilter
from services.contract.properties import (
    FoundProperty,
    PropertyCells,
    PropertyFilter,
    PropertyTotals,
)
from services.contract.queries import (
    EntityQuery,
    LoanQuery,
    PathQuery,
    Query,
    SignalQuery,
)
from services.contract.records import (
    Edge,
    Entity,
    GraphPath,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Page,
    Signal,
)
from services.contract.rescoring import Rescorer
from services.contract.scenario import MovedFilter, MovedLoan, Scenario, WhatIf
from services.contract.signal_filter import SignalFilter
from services.contract.source import GroupBy, MatrixColumn
from services.contract.wire import Variant

from . import (
    connections,
    coverage,
    distributions,
    entities,
    exposure,
    families,
    family,
    heat,
    loan_table,
    loans,
    ownership,
    parties,
    paths,
    properties,
    scatter,
    scenarios,
    screens,
    search,
    signals,
)
from .faults import explained
from .reader import Reader

if TYPE_CHECKING:
    import pyarrow as pa


@explained
class StoreSource:
    """Answers all reads from one open snapshot. Orders by D3, errors by the contract."""

    def __init__(
        self,
        reader: Reader,
        *,
        hub_edges: int = 1_000,
        budget_edges: int = 50_000,
        rescorer: Rescorer | None = None,
    ) -> None:
        self.reader = reader
        self._rescorer = rescorer
        self._hub_edges = hub_edges
        self._budget_edges = budget_edges

    @property
    def _rules(self) -> Rescorer:
        """Raises NotRescored."""
        if self._rescorer is None:
            raise NotRescored("No rules are at hand to compute anything of these loans")
        return self._rescorer

    def loans(self, query: LoanQuery) -> Page[Loan]:
        """See CreditSource."""
        return loans.loans(self.reader, query)

    def loan(self, loan_number: str) -> LoanDetail:
        """See CreditSource."""
        return loans.loan(self.reader, loan_number)

    def encoded_loan(self, loan_number: str, variant: Variant) -> bytes | None:
        """What `loan` answers as JSON, without waiting; None where it takes `loan` to tell."""
        return loans.encoded_loan(self.reader, loan_number, variant)

    def entities(self, query: EntityQuery) -> Page[Entity]:
        """See CreditSource."""
        return entities.entities(self.reader, query)

    def ownership(self, loan_number: str) -> OwnershipChain:
        """See CreditSource."""
        return ownership.ownership(self.reader, loan_number)

    def paths(self, query: PathQuery) -> tuple[GraphResult, Page[GraphPath]]:
        """See CreditSource."""
        return paths.paths(
            self.reader, query, hub_edges=self._hub_edges, budget_edges=self._budget_edges
        )

    def signals(self, query: SignalQuery) -> Page[Signal]:
        """See CreditSource."""
        return signals.signals(self.reader, query)

    def snapshot(self) -> Snapshot:
        """See Inventory."""
        return self.reader.snapshot

    def totals(self) -> Totals:
        """See Portfolio."""
        return self.reader.overview.totals

    def maturity_wall(self) -> list[MaturityBucket]:
        """See Portfolio."""
        return list(self.reader.overview.maturity_wall)

    def worst_severities(self) -> list[WorstSeverity]:
        """See Portfolio."""
        return list(self.reader.overview.worst_severities)

    def rule_coverage(self) -> list[RuleCoverage]:
        """See Inventory."""
        return list(self.reader.snapshot.rule_coverage)

    def rules(self) -> list[RuleCard]:
        """See Inventory."""
        return list(self.reader.snapshot.rules)

    def signals_of(self, loan_number: str) -> list[Signal]:
        """See Dossiers."""
        return signals.signals_of(self.reader, loan_number)

    def figures(self, loan: LoanDetail) -> LoanFigures:
        """See Dossiers."""
        snapshot = self.reader.snapshot
        return self._rules.figures(loan, snapshot.as_of, snapshot.rates, self.reader.tables)

    def sized(self, inputs: SizingInputs) -> Sized:
        """See Dossiers."""
        return self._rules.sized(inputs)

    def terms(self, property_type: str) -> LenderTerms:
        """See Figures."""
        return self._rules.terms(property_type, self.reader.tables)

    def loans_watched(self, query: LoanFilter, columns: tuple[str, ...]) -> list[WatchedLoan]:
        """See Dossiers."""
        return signals.loans_watched(self.reader, query, columns)

    def exposure(self, entity_name: str) -> Exposure:
        """See Dossiers."""
        return exposure.exposure(self.reader, entity_name)

    def loans_of(self, entity_name: str, query: Query, role: Role | None = None) -> Page[PartyLoan]:
        """See Dossiers."""
        return exposure.loans_of(self.reader, entity_name, query, role)

    def loans_found(self, query: LoanFilter, columns: tuple[str, ...]) -> Page[FoundLoan]:
        """See Screens."""
        return screens.loans_found(self.reader, query, columns)

    def loan_totals(self, query: LoanFilter) -> FoundTotals:
        """See Screens."""
        return screens.loan_totals(self.reader, query)

    def loan_counts(self, query: LoanFilter, name: str) -> list[Slice]:
        """See Screens."""
        return screens.loan_counts(self.reader, query, name)

    def loan_ranking(self, query: LoanFilter, by: GroupBy, limit: int) -> Ranking:
        """See Screens."""
        return screens.loan_ranking(self.reader, query, by, limit)

    def what_if(self, query: LoanFilter, scenario: Scenario) -> WhatIf:
        """See Scenarios."""
        return scenarios.what_if(self.reader, self._rules, query, scenario)

    def moved_loans(self, query: MovedFilter, scenario: Scenario) -> Page[MovedLoan]:
        """See Scenarios."""
        return scenarios.moved_loans(self.reader, self._rules, query, scenario)

    def moved_batches(self, query: MovedFilter, scenario: Scenario) -> Iterator["pa.RecordBatch"]:
        """See Scenarios."""
        return scenarios.moved_batches(self.reader, self._rules, query, scenario)

    def loan_scatter(self, query: LoanFilter, plot: Plot) -> Scatter:
        """See Distributions."""
        return scatter.loan_scatter(self.reader, query, plot)

    def loans_within(self, query: LoanFilter, plot: Plot, areas: tuple[Area, ...]) -> Within:
        """See Distributions."""
        return scatter.loans_within(self.reader, query, plot, areas)

    def loan_distribution(self, query: LoanFilter, figure: FigureName, by: SplitBy) -> Distribution:
        """See Distributions."""
        return distributions.loan_distribution(self.reader, query, figure, by)

    def severe_shares(self, query: LoanFilter) -> list[SeverityCell]:
        """See Distributions."""
        return distributions.severe_shares(self.reader, query)

    def standings(
        self, query: LoanFilter, loan_number: str, figures: tuple[FigureName, ...]
    ) -> list[Standing]:
        """See Distributions."""
        return distributions.standings(self.reader, query, loan_number, figures)

    def loan_classes(
        self, query: LoanFilter, column: str, ends: tuple[float, ...]
    ) -> list[FigureClass]:
        """See Screens."""
        return screens.loan_classes(self.reader, query, column, ends)

    def signals_found(self, query: SignalFilter, columns: tuple[str, ...]) -> Page[FoundSignal]:
        """See Screens."""
        return signals.signals_found(self.reader, query, columns)

    def signal_totals(self, query: SignalFilter) -> SignalTotals:
        """See Screens."""
        return heat.signal_totals(self.reader, query)

    def signal_counts(self, query: SignalFilter, name: str) -> dict[str, int]:
        """See Screens."""
        return heat.signal_counts(self.reader, query, name)

    def loan_batches(
        self, query: LoanFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.RecordBatch"]:
        """See Screens."""
        return screens.loan_batches(self.reader, query, columns)

    def loan_columns(
        self, query: LoanFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.ChunkedArray"]:
        """See Screens."""
        return loan_table.loan_columns(self.reader, query, columns)

    def signal_batches(
        self, query: SignalFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.RecordBatch"]:
        """See Screens."""
        return signals.signal_batches(self.reader, query, columns)

    def signal_states(self, query: SignalFilter) -> list[StateSignals]:
        """See Maps."""
        return heat.signal_states(self.reader, query)

    def signal_matrix(self, query: SignalFilter, by: MatrixColumn) -> list[MatrixCell]:
        """See Maps."""
        return heat.signal_matrix(self.reader, query, by)

    def signal_cities(self, query: SignalFilter) -> list[CityShare]:
        """See Maps."""
        return heat.signal_cities(self.reader, query)

    def loan_cities(self, query: LoanFilter) -> list[CityShare]:
        """See Maps."""
        return heat.loan_cities(self.reader, query)

    def property_totals(self, query: PropertyFilter) -> PropertyTotals:
        """See Properties."""
        return properties.property_totals(self.reader, query)

    def property_points(self, query: PropertyFilter, limit: int) -> "pa.Table":
        """See Properties."""
        return properties.property_points(self.reader, query, limit)

    def property_middle(self, query: PropertyFilter) -> Place | None:
        """See Properties."""
        return properties.property_middle(self.reader, query)

    def property_cells(
        self, query: PropertyFilter, resolution: Resolution, limit: int
    ) -> PropertyCells:
        """See Properties."""
        return properties.property_cells(self.reader, query, resolution, limit)

    def properties_found(self, query: PropertyFilter) -> Page[FoundProperty]:
        """See Properties."""
        return properties.properties_found(self.reader, query)

    def property_batches(self, query: PropertyFilter) -> Iterator["pa.RecordBatch"]:
        """See Properties."""
        return properties.property_batches(self.reader, query)

    def entity(self, entity_name: str) -> EntityDossier:
        """See Dossiers."""
        return parties.entity(self.reader, entity_name)

    def signals_of_entity(self, entity_name: str, query: Query) -> Page[Signal]:
        """See Dossiers."""
        return parties.signals_of_entity(self.reader, entity_name, query)

    def edges_among(self, names: tuple[str, ...]) -> tuple[Edge, ...]:
        """See Connections."""
        return connections.edges_among(self.reader, names)

    def connections(self, query: ConnectionQuery) -> ConnectionResult:
        """See Connections."""
        return connections.connections(
            self.reader, query, hub_edges=self._hub_edges, budget_edges=self._budget_edges
        )

    def branches(self, query: BranchQuery) -> list[Branch]:
        """See Connections."""
        return connections.branches(self.reader, query)

    def edges_at(self, query: BranchQuery) -> Page[Edge]:
        """See Connections."""
        return connections.edges_at(self.reader, query)

    def families(self, query: FamilyFilter) -> Page[Family]:
        """See Families."""
        return families.families(self.reader, query)

    def family_table(self, query: FamilyFilter) -> "pa.Table":
        """See Families."""
        return families.family_table(self.reader, query)

    def family(self, entity_name: str) -> FamilyDossier:
        """See Families."""
        return family.family(self.reader, entity_name)

    def near_entities(self, entity_name: str, limit: int) -> Sequence[str]:
        """See Suggestions."""
        return parties.near_entities(self.reader, entity_name, limit)

    def fill_rates(self) -> list[FillRate]:
        """See Inventory."""
        return list(self.reader.overview.fill_rates)

    def unranked_words(self) -> dict[str, dict[str, int]]:
        """See Inventory."""
        return {field: dict(words) for field, words in self.reader.overview.unranked_words.items()}

    def rejects(self) -> list[Reject]:
        """See Inventory."""
        return coverage.rejects(self.reader)

    def matches(self, text: str, limit: int) -> list[Match]:
        """See Suggestions."""
        return search.matches(self.reader, text, limit)

    def known_numbers(self, numbers: tuple[str, ...]) -> frozenset[str]:
        """See Suggestions."""
        return search.known_numbers(self.reader, numbers)

    def near_loans(self, loan_number: str, limit: int) -> Sequence[str]:
        """See Suggestions."""
        return loans.near_loans(self.reader, loan_number, limit)

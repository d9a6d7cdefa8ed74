"""A snapshot as `CreditSource` and `Analytics`: the store's side of the waist."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal

from services.contract.aggregates import (
    EntityDossier,
    FigureClass,
    FillRate,
    FoundLoan,
    FoundSignal,
    FoundTotals,
    Match,
    MatrixCell,
    MaturityBucket,
    Pivot,
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
from services.contract.check_sheet import CheckedFiling, CheckSheet
from services.contract.citations import FiledRecords, LoanCitations
from services.contract.connections import Branch, BranchQuery, ConnectionQuery, ConnectionResult
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
from services.contract.events import Event
from services.contract.evidence import Disagreement, EdgeEvidence, EdgeQuery, PartyEvidence
from services.contract.exposure import Exposure, PartyLoan, Role
from services.contract.families import Family, FamilyDossier, FamilyFilter
from services.contract.family_history import FamilyHistory
from services.contract.happened import Happened
from services.contract.history import (
    ChangeQuery,
    Changes,
    HeatOverTime,
    HeatQuery,
    HistoryQuery,
    LoanHistory,
    Period,
    SeenQuery,
    TrendQuery,
    Trends,
)
from services.contract.loan_dates import DateFilter, DateTotals, DaysOfDates, LoanDate
from services.contract.loan_figures import LenderTerms, LoanFigures
from services.contract.loan_filter import LoanFilter
from services.contract.parties import Party, PartyFilter
from services.contract.properties import (
    FoundProperty,
    PropertyCells,
    PropertyFilter,
    PropertyTotals,
)
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery
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
from services.contract.repayments import RepaymentQuery, Repayments
from services.contract.rescoring import Rescorer
from services.contract.resolution import MatchQuery, ProposedMatch
from services.contract.scenario import MovedFilter, MovedLoan, Scenario, WhatIf
from services.contract.scope import Holding, Scope
from services.contract.signal_filter import SignalFilter
from services.contract.sizing import Sized, SizingInputs
from services.contract.snapshot_info import RuleCard, RuleCoverage, Snapshot
from services.contract.source import GroupBy, MatrixColumn, RankedBy
from services.contract.tenants import Tenancy, Tenant, TenantFilter, TenantTotals
from services.contract.wire import Variant

from . import (
    arrow_columns,
    changes,
    check_sheet,
    citations,
    connections,
    coverage,
    disagreements,
    distributions,
    entities,
    evidence,
    exposure,
    families,
    family,
    family_history,
    history,
    holdings,
    loan_dates,
    loan_groups,
    loan_results,
    loans,
    matches,
    newest,
    overview,
    ownership,
    parties,
    party_list,
    paths,
    properties,
    property_frames,
    repayments,
    scatter,
    scenarios,
    search,
    signal_frames,
    signal_totals,
    signals,
    since,
    tenants,
    trends,
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
        records: FiledRecords | None = None,
    ) -> None:
        self.reader = reader
        self._records = records
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

    def totals(self, scope: Scope | None = None) -> Totals:
        """See Portfolio."""
        return overview.of_scope(self.reader, scope).totals

    def maturity_wall(self, scope: Scope | None = None) -> list[MaturityBucket]:
        """See Portfolio."""
        return list(overview.of_scope(self.reader, scope).maturity_wall)

    def worst_severities(self, scope: Scope | None = None) -> list[WorstSeverity]:
        """See Portfolio."""
        return list(overview.of_scope(self.reader, scope).worst_severities)

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
        as_of = loan.as_of or snapshot.as_of
        rates = [one for one in snapshot.rates if one.as_of in {None, as_of}]
        return self._rules.figures(loan, as_of, rates, self.reader.tables)

    def citations(self, loan_number: str) -> LoanCitations:
        """See Citations."""
        loan = self.loan(loan_number)
        store = self.reader.folder.parent
        return citations.citations(
            self.snapshot(), store, loan, self.figures(loan), self._rules, self._records
        )

    def sized(self, inputs: SizingInputs) -> Sized:
        """See Dossiers."""
        return self._rules.sized(inputs)

    def terms(self, property_type: str) -> LenderTerms:
        """See Figures."""
        return self._rules.terms(property_type, self.reader.tables, self.reader.snapshot.as_of)

    def loans_watched(self, query: LoanFilter, columns: tuple[str, ...]) -> list[WatchedLoan]:
        """See Dossiers."""
        return signals.loans_watched(self.reader, query, columns)

    def exposure(self, entity_name: str) -> Exposure:
        """See Dossiers."""
        return exposure.exposure(self.reader, entity_name)

    def holding(self, entity_name: str, scope: Scope, *, family: bool = False) -> Holding:
        """See Dossiers."""
        return holdings.holding(self.reader, entity_name, scope, family=family)

    def loans_of(self, entity_name: str, query: Query, role: Role | None = None) -> Page[PartyLoan]:
        """See Dossiers."""
        return exposure.loans_of(self.reader, entity_name, query, role)

    def loans_found(self, query: LoanFilter, columns: tuple[str, ...]) -> Page[FoundLoan]:
        """See Screens."""
        return loan_results.loans_found(self.reader, query, columns)

    def loan_totals(self, query: LoanFilter) -> FoundTotals:
        """See Screens."""
        return loan_results.loan_totals(self.reader, query)

    def loan_counts(self, query: LoanFilter, name: str) -> list[Slice]:
        """See Screens."""
        return loan_results.loan_counts(self.reader, query, name)

    def loan_ranking(self, query: LoanFilter, by: RankedBy, limit: int) -> Ranking:
        """See Screens."""
        return loan_groups.loan_ranking(self.reader, query, by, limit)

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

    def loan_pivot(
        self, query: LoanFilter, by: tuple[GroupBy, GroupBy], limits: tuple[int, int]
    ) -> Pivot:
        """See Screens."""
        return loan_groups.loan_pivot(self.reader, query, by, limits)

    def loan_classes(
        self, query: LoanFilter, column: str, ends: tuple[float, ...]
    ) -> list[FigureClass]:
        """See Screens."""
        return loan_results.loan_classes(self.reader, query, column, ends)

    def signals_found(self, query: SignalFilter, columns: tuple[str, ...]) -> Page[FoundSignal]:
        """See Screens."""
        return signals.signals_found(self.reader, query, columns)

    def signal_totals(self, query: SignalFilter) -> SignalTotals:
        """See Screens."""
        return signal_totals.signal_totals(self.reader, query)

    def signal_counts(self, query: SignalFilter, name: str) -> dict[str, int]:
        """See Screens."""
        return signal_totals.signal_counts(self.reader, query, name)

    def loan_batches(
        self, query: LoanFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.RecordBatch"]:
        """See Screens."""
        return loan_results.loan_batches(self.reader, query, columns)

    def loan_columns(
        self, query: LoanFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.ChunkedArray"]:
        """See Screens."""
        return arrow_columns.loan_columns(self.reader, query, columns)

    def signal_batches(
        self, query: SignalFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.RecordBatch"]:
        """See Screens."""
        return signals.signal_batches(self.reader, query, columns)

    def signal_columns(
        self, query: SignalFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.ChunkedArray"]:
        """See Screens."""
        return signal_frames.signal_frame(self.reader, query, columns)

    def signal_states(self, query: SignalFilter) -> list[StateSignals]:
        """See Maps."""
        return signal_totals.signal_states(self.reader, query)

    def signal_matrix(self, query: SignalFilter, by: MatrixColumn) -> list[MatrixCell]:
        """See Maps."""
        return signal_totals.signal_matrix(self.reader, query, by)

    def date_totals(self, query: DateFilter) -> DateTotals:
        """How many dates match, of how many loans, and of which kinds."""
        return loan_dates.date_totals(self.reader, query)

    def date_counts(self, query: DateFilter, by: Literal["day", "quarter"]) -> list[DaysOfDates]:
        """The dates that match by day or by quarter."""
        return loan_dates.date_counts(self.reader, query, by)

    def dates_found(self, query: DateFilter) -> Page[LoanDate]:
        """Page of the dates that match."""
        return loan_dates.dates_found(self.reader, query)

    def date_batches(self, query: DateFilter) -> Iterator["pa.RecordBatch"]:
        """Every date that matches."""
        return loan_dates.date_batches(self.reader, query)

    def tenants(self, query: TenantFilter) -> Page[Tenant]:
        """See Tenants."""
        return tenants.tenants(self.reader, query)

    def tenancies(self, query: TenantFilter) -> Page[Tenancy]:
        """See Tenants."""
        return tenants.tenancies(self.reader, query)

    def checked_filings(self, source: str | None = None) -> list[CheckedFiling]:
        """See CheckSheets."""
        return check_sheet.checked_filings(self.reader, source)

    def check_sheet(self, source: str, as_of: date | None = None) -> CheckSheet:
        """See CheckSheets."""
        return check_sheet.check_sheet(self.reader, source, as_of)

    def tenant_totals(self, query: TenantFilter) -> TenantTotals:
        """See Tenants."""
        return tenants.tenant_totals(self.reader, query)

    def tenant_table(self, query: TenantFilter) -> "pa.Table":
        """See Tenants."""
        return tenants.tenant_table(self.reader, query)

    def tenancy_table(self, query: TenantFilter) -> "pa.Table":
        """See Tenants."""
        return tenants.tenancy_table(self.reader, query)

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

    def property_columns(
        self, query: PropertyFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.ChunkedArray"]:
        """See Properties."""
        return property_frames.property_frame(self.reader, query, columns)

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

    def edge_evidence(self, query: EdgeQuery) -> EdgeEvidence:
        """See Evidence."""
        return evidence.edge_evidence(self.reader, query)

    def party_evidence(self, entity_name: str) -> PartyEvidence:
        """See Evidence."""
        return evidence.party_evidence(self.reader, entity_name)

    def disagreements(self, query: Query) -> Page[Disagreement]:
        """See Evidence."""
        return disagreements.disagreements(self.reader, query)

    def matches_of(self, query: MatchQuery) -> Page[ProposedMatch]:
        """See Matches."""
        return matches.matches_of(self.reader, query)

    def parties(self, query: PartyFilter) -> Page[Party]:
        """See Parties."""
        return party_list.party_list(self.reader, query)

    def party(self, entity_name: str) -> Party:
        """See Parties."""
        return party_list.party(self.reader, entity_name)

    def party_kinds(self, query: PartyFilter) -> dict[str, int]:
        """See Parties."""
        return party_list.party_kinds(self.reader, query)

    def party_table(self, query: PartyFilter) -> "pa.Table":
        """See Parties."""
        return party_list.party_table(self.reader, query)

    def families(self, query: FamilyFilter) -> Page[Family]:
        """See Families."""
        return families.families(self.reader, query)

    def family_table(self, query: FamilyFilter) -> "pa.Table":
        """See Families."""
        return families.family_table(self.reader, query)

    def family(self, entity_name: str) -> FamilyDossier:
        """See Families."""
        return family.family(self.reader, entity_name)

    def periods(self) -> list[Period]:
        """See Histories."""
        return history.periods(self.reader)

    def history(self, loan_number: str, query: HistoryQuery) -> LoanHistory:
        """See Histories."""
        return history.history(self.reader, self._rules, loan_number, query)

    def family_history(self, entity_name: str) -> FamilyHistory:
        """See Histories."""
        return family_history.family_history(self.reader, entity_name)

    def changes(self, query: ChangeQuery) -> Changes:
        """See Histories."""
        return changes.changes(self.reader, self._rules, query)

    def newest_changes(self) -> Happened:
        """See Histories."""
        return newest.newest_changes(self.reader)

    def change_batches(self, query: ChangeQuery) -> Iterator["pa.RecordBatch"]:
        """See Histories."""
        return changes.change_batches(self.reader, self._rules, query)

    def events_since(self, query: SeenQuery) -> Mapping[str, tuple[Event, ...]]:
        """See Histories."""
        return since.events_since(self.reader, self._rules, query)

    def trends(self, query: TrendQuery) -> Trends:
        """See Histories."""
        return trends.trends(self.reader, query)

    def heat_over_time(self, query: HeatQuery) -> HeatOverTime:
        """See Histories."""
        return trends.heat_over_time(self.reader, query)

    def repayments(self, query: RepaymentQuery) -> Repayments:
        """See MaturityOutcomes."""
        return repayments.repayments(self.reader, query)

    def near_entities(self, entity_name: str, limit: int) -> Sequence[str]:
        """See Suggestions."""
        return parties.near_entities(self.reader, entity_name, limit)

    def fill_rates(self, source: str | None = None) -> list[FillRate]:
        """See Inventory."""
        if source is None:
            return list(self.reader.overview.fill_rates)
        return coverage.fill_rates_of(self.reader, source)

    def unranked_words(self) -> dict[str, dict[str, int]]:
        """See Inventory."""
        return {field: dict(words) for field, words in self.reader.overview.unranked_words.items()}

    def rejects(self) -> list[Reject]:
        """See Inventory."""
        return coverage.rejects(self.reader)

    def matches(self, text: str, limit: int) -> list[Match]:
        """See Suggestions."""
        return search.matches(self.reader, text, limit)

    def loan_names(self, numbers: tuple[str, ...]) -> dict[str, str | None]:
        """See Suggestions."""
        return search.loan_names(self.reader, numbers)

    def near_loans(self, loan_number: str, limit: int) -> Sequence[str]:
        """See Suggestions."""
        return loans.near_loans(self.reader, loan_number, limit)

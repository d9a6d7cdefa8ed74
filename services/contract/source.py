"""The Protocols that everything above and below meets at.

`CreditSource` is the waist: six reads, one for each endpoint of the specification. What those six
cannot answer (D33) is asked of small Protocols, one a question; `Analytics` is all of them.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from .aggregates import (
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
from .check_sheet import CheckSheets
from .citations import Citations
from .connections import Branch, BranchQuery, ConnectionQuery, ConnectionResult
from .distributions import Distributions
from .evidence import Evidence
from .exposure import Exposure, PartyLoan, Role
from .families import Families, Family
from .history import Histories
from .loan_dates import LoanDates
from .loan_figures import LenderTerms, LoanFigures
from .loan_filter import LoanFilter
from .parties import Parties
from .properties import Properties
from .queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery
from .records import (
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
from .repayments import MaturityOutcomes
from .resolution import Matches
from .scenario import MovedFilter, MovedLoan, Scenario, WhatIf
from .scope import Holding, Scope
from .signal_filter import SignalFilter
from .sizing import Sized, SizingInputs
from .snapshot_info import RuleCard, RuleCoverage, Snapshot
from .tenants import Tenants

if TYPE_CHECKING:  # pages import this module; only exports need pyarrow
    import pyarrow as pa

#: What a matrix of signals has beside the states.
MatrixColumn = Literal["severity", "property_type"]
#: What loans are grouped by: vintage is the year of origination, year and quarter are those of
#: effective maturity, severity is that of the worst signal.
GroupBy = Literal[
    "lender", "sponsor", "state", "city", "property_type", "vintage", "quarter", "year", "severity"
]
#: The same and watchlist triggers: a loan may have several, and is in the group of each.
RankedBy = GroupBy | Literal["trigger"]


class CreditSource(Protocol):
    """Six reads. Orders by D3; errors by spec 7; a page beyond the last is empty (D5)."""

    def loans(self, query: LoanQuery) -> Page[Loan]:
        """Loans that match, by loan_number."""
        ...

    def loan(self, loan_number: str) -> LoanDetail:
        """One loan. Raises NotFound."""
        ...

    def entities(self, query: EntityQuery) -> Page[Entity]:
        """Entities by match score, then name; by name when none is asked for."""
        ...

    def ownership(self, loan_number: str) -> OwnershipChain:
        """The chain of one loan, empty when none is resolved (D11). Raises NotFound."""
        ...

    def paths(self, query: PathQuery) -> tuple[GraphResult, Page[GraphPath]]:
        """The walk (D12), and the page of its paths; `total` counts paths. Raises NotFound."""
        ...

    def signals(self, query: SignalQuery) -> Page[Signal]:
        """Signals that match, by loan_number, then signal_type."""
        ...


class Inventory(Protocol):
    """What a snapshot holds: its sources, how well they are filled, what was not loaded."""

    def snapshot(self) -> Snapshot:
        """What is loaded, from where, as of when."""
        ...

    def rule_coverage(self) -> list[RuleCoverage]:
        """What each rule found, and how often it could not be tested and why."""
        ...

    def rules(self) -> list[RuleCard]:
        """The rules that scored the snapshot, as they stood then; none where its source did."""
        ...

    def fill_rates(self, source: str | None = None) -> list[FillRate]:
        """How many loans have each field, in order of the fields: all, or those of one source by
        its key. Raises NotFound.
        """
        ...

    def unranked_words(self) -> dict[str, dict[str, int]]:
        """Field -> words without a known rank or meaning -> loans (D2)."""
        ...

    def rejects(self) -> list[Reject]:
        """Records that were not loaded, by source, in the order they were read."""
        ...


class Portfolio(Protocol):
    """The whole book in figures, or the loans of a scope."""

    def totals(self, scope: Scope | None = None) -> Totals:
        """The headline figures."""
        ...

    def maturity_wall(self, scope: Scope | None = None) -> list[MaturityBucket]:
        """Book value by quarter of maturity and rate pressure, in order of quarter."""
        ...

    def worst_severities(self, scope: Scope | None = None) -> list[WorstSeverity]:
        """All loans by the worst of their signals, the worst first, those without any last."""
        ...


class Screens(Protocol):
    """Lists and whole tables by conditions that the six endpoints lack."""

    def loans_found(self, query: LoanFilter, columns: tuple[str, ...]) -> Page[FoundLoan]:
        """Page of the loans that match, in the order that the query asks for.

        `columns` are names of contract/columns.py. Ties are ordered by loan_number,
        and loans without a value come last, whichever way.
        """
        ...

    def loan_totals(self, query: LoanFilter) -> FoundTotals:
        """Totals of the loans that match."""
        ...

    def loan_counts(self, query: LoanFilter, name: str) -> list[Slice]:
        """How many loans each value of one filter would find, most loans first, then by word.

        `name` is one of loan_filter.COUNTED, whose own condition is left out. Flags: "yes", "no".
        """
        ...

    def loan_ranking(self, query: LoanFilter, by: RankedBy, limit: int) -> Ranking:
        """The loans that match in groups, the `limit` largest of them.

        By "trigger" loans on which none holds are in no group, and groups have no concentration.
        """
        ...

    def loan_pivot(
        self, query: LoanFilter, by: tuple[GroupBy, GroupBy], limits: tuple[int, int]
    ) -> Pivot:
        """The loans that match in groups by two attributes, as rows and as columns: of either the
        largest by book value, at most so many, and the rest as one.
        """
        ...

    def loan_classes(
        self, query: LoanFilter, column: str, ends: tuple[float, ...]
    ) -> list[FigureClass]:
        """The loans that match by classes of a figure, the lowest first, those without it last.

        `column` is a figure of contract/columns.py, `ends` the upper ends of all classes but the
        last, ascending, in its unit. Every class is there; that of loans without it where there
        are some.
        """
        ...

    def signals_found(self, query: SignalFilter, columns: tuple[str, ...]) -> Page[FoundSignal]:
        """Page of the signals that match, in the order that the query asks for.

        `columns` are names of contract/columns.py, of the signals' loans. Equals come by
        loan_number, then signal_type; signals without a value come last, whichever way.
        """
        ...

    def signal_totals(self, query: SignalFilter) -> SignalTotals:
        """Totals of the signals that match."""
        ...

    def signal_counts(self, query: SignalFilter, name: str) -> dict[str, int]:
        """How many signals each value of one filter would find, most first, then by word.

        `name` is one of signal_filter.SIGNALS_COUNTED, whose own condition is left out.
        """
        ...

    def loan_batches(
        self, query: LoanFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.RecordBatch"]:
        """Every loan that matches, in the order asked for, some thousands at a time: the columns
        named (contract/columns.py), then the rest of LOAN_EXPORT. Without a match one empty batch.
        """
        ...

    def loan_columns(
        self, query: LoanFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.ChunkedArray"]:
        """Every loan that matches, in the order asked for: the columns named, facts too, one after
        the other, so that a caller need not hold two. Words of many loans may be a dictionary.
        """
        ...

    def signal_batches(
        self, query: SignalFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.RecordBatch"]:
        """Every signal that matches, in the order asked for, some thousands at a time: the columns
        of SIGNAL_EXPORT, then those named of the signals' loans. Without a match one empty batch.
        """
        ...

    def signal_columns(
        self, query: SignalFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.ChunkedArray"]:
        """The same by columns of signals and their loans, as `loan_columns` has them."""
        ...


class Scenarios(Protocol):
    """What rates, NOI and cap rates other than they are would make of the loans.

    Every read raises NotRescored where our rules, as they are now, have not scored the snapshot.
    """

    def what_if(self, query: LoanFilter, scenario: Scenario) -> WhatIf:
        """Which of the loans that match move from which worst severity to which, by loans and
        dollars, and what is short at refinance before and after. Paging is ignored.
        """
        ...

    def moved_loans(self, query: MovedFilter, scenario: Scenario) -> Page[MovedLoan]:
        """Page of the loans that match and move: the worst in the scenario first, then those
        that moved furthest, then the largest, then by loan_number. The query's order is ignored.
        """
        ...

    def moved_batches(self, query: MovedFilter, scenario: Scenario) -> Iterator["pa.RecordBatch"]:
        """All of them in the same order: the columns of MOVED_EXPORT, some thousands at a time."""
        ...


class Maps(Protocol):
    """Where loans and signals are. Paging is ignored."""

    def signal_states(self, query: SignalFilter) -> list[StateSignals]:
        """Every state with loans, by state code, nulls last; state and city are ignored."""
        ...

    def signal_matrix(self, query: SignalFilter, by: MatrixColumn) -> list[MatrixCell]:
        """Signals by state and `by`, in that order; state and city are ignored."""
        ...


class Figures(Protocol):
    """What is computed of one loan by the tables in force: those that scored the snapshot."""

    def figures(self, loan: LoanDetail) -> LoanFigures:
        """Every credit figure of a loan, from its record as `CreditSource.loan` answers it."""
        ...

    def sized(self, inputs: SizingInputs) -> Sized:
        """A new loan by each constraint, on figures that may be the reader's own."""
        ...

    def terms(self, property_type: str) -> LenderTerms:
        """What a new lender asks of a property type."""
        ...


class Dossiers(Figures, Protocol):
    """One loan or one party whole, beyond what its endpoint says."""

    def signals_of(self, loan_number: str) -> list[Signal]:
        """All signals of one loan, by signal_type. Raises NotFound."""
        ...

    def loans_watched(self, query: LoanFilter, columns: tuple[str, ...]) -> list[WatchedLoan]:
        """The loans that match, all pages, in the order that the query asks for: `columns` of each
        (contract/columns.py), and how severe its signals are.
        """
        ...

    def entity(self, entity_name: str) -> EntityDossier:
        """One entity whole, by its exact name. Raises NotFound."""
        ...

    def exposure(self, entity_name: str) -> Exposure:
        """An entity's loans by role, and what other pages count of them. Raises NotFound."""
        ...

    def holding(self, entity_name: str, scope: Scope, *, family: bool = False) -> Holding:
        """How many of an entity's own loans, or of its family's, a scope holds, and how many of the
        others are critical or severe. Raises NotFound.
        """
        ...

    def loans_of(self, entity_name: str, query: Query, role: Role | None = None) -> Page[PartyLoan]:
        """An entity's own loans (D32, D45, D68), or with `role` those in which it has this role,
        the worst first, as lists of loans begin; each with all its roles in it. Raises NotFound.
        """
        ...

    def signals_of_entity(self, entity_name: str, query: Query) -> Page[Signal]:
        """Signals on an entity's loans, worst first, then by loan_number. Raises NotFound."""
        ...


class Connections(Protocol):
    """How nodes of the capital graph are connected, beyond the paths from one root.

    Edges have the extension fields of D50, and `share` where the part owned is known.
    """

    def edges_among(self, names: tuple[str, ...]) -> tuple[Edge, ...]:
        """Every edge between any two of the nodes of these names, by names and relation (D73).

        A name stands for the loan and for the party that bear it; an unknown one for nothing.
        """
        ...

    def connections(self, query: ConnectionQuery) -> ConnectionResult:
        """The best connections of two nodes (D72). Raises NotFound for either."""
        ...

    def branches(self, query: BranchQuery) -> list[Branch]:
        """How many edges a node has, by relation, those that leave it first. Raises NotFound."""
        ...

    def edges_at(self, query: BranchQuery) -> Page[Edge]:
        """The edges at a node: most confident first, then by the other end's name, then relation.

        Raises NotFound.
        """
        ...


class Suggestions(Protocol):
    """What some letters, or a misspelt name or number, may have meant."""

    def matches(self, text: str, limit: int) -> list[Match]:
        """Loans by number and by property, parties, lenders and cities, at most `limit` of each.

        Numbers that the text means, whatever zeros stand before its digits (2942 and CA-2942 mean
        CA-002942), then those that begin with it, by number; properties, lenders and cities with
        the text in their names, those that begin with it first, then by name; parties as a search
        by name finds them, best first.
        """
        ...

    def loan_names(self, numbers: tuple[str, ...]) -> dict[str, str | None]:
        """The loans among these numbers, each with the name of its property where one is filed."""
        ...

    def near_loans(self, loan_number: str, limit: int) -> Sequence[str]:
        """Loan numbers written most like an unknown one, best first: those that differ by zeros
        before digits alone come before any other.
        """
        ...

    def near_entities(self, entity_name: str, limit: int) -> Sequence[str]:
        """Names written most like an unknown one, best first."""
        ...


class Analytics(
    Inventory,
    Portfolio,
    Screens,
    Scenarios,
    Distributions,
    Maps,
    Properties,
    Dossiers,
    Citations,
    Connections,
    Evidence,
    Matches,
    Parties,
    Families,
    Histories,
    LoanDates,
    Tenants,
    CheckSheets,
    MaturityOutcomes,
    Suggestions,
    Protocol,
):
    """Every read beyond the six endpoints (D33), all of one snapshot."""


#: The waist or a small Protocol: a method of anything else does not pass the type checker.
Part = TypeVar(
    "Part",
    CreditSource,
    Inventory,
    Portfolio,
    Screens,
    Scenarios,
    Distributions,
    Maps,
    Properties,
    Figures,
    Dossiers,
    Citations,
    Connections,
    Evidence,
    Matches,
    Parties,
    Families,
    Histories,
    LoanDates,
    Tenants,
    CheckSheets,
    MaturityOutcomes,
    Suggestions,
)


#: Columns of `Families.family_table`: whole dollars, numbers of loans and lenders.
FAMILY_EXPORT = tuple(Family.model_fields)

"""The tools: each one's name, words, question, answer, and the page that shows the same.

A tool reads by `Asking.ask` alone, so what a licence tier opens to it is what the map of
`contract/access.py` says of the reads that it makes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from services.contract.aggregates import FoundLoan
from services.contract.columns import BRIEF, COLUMN
from services.contract.connections import ConnectionQuery, ConnectionResult
from services.contract.errors import InvalidRequest, NotFound, NotOffered
from services.contract.history import ChangeQuery, Changes, Histories
from services.contract.loan_filter import LoanFilter
from services.contract.queries import EntityQuery, PathQuery, Question, parse, shortened
from services.contract.records import Entity, GraphResult, LoanDetail, OwnershipChain, Page, Signal
from services.contract.scenario import Scenario, ScenarioFilter, WhatIf
from services.contract.signal_filter import SignalFilter
from services.contract.source import (
    Connections,
    CreditSource,
    Dossiers,
    Inventory,
    Portfolio,
    Scenarios,
    Screens,
)

from .asking import Asking, Caller
from .links import link
from .questions import Concentrated, Everything, LoanOverTime, LoanSearch, OneLoan, SignalsOfLoan
from .told import (
    Concentration,
    ExplainedSignals,
    LoanLine,
    LoanList,
    Pagination,
    PortfolioSummary,
    SourceSummary,
    Told,
)

Q = TypeVar("Q", bound=Question)
#: Sources that a summary names.
_SOURCES: Final = 25
#: Bytes of an answer's JSON.
LARGEST: Final = 2**20


@dataclass(frozen=True, slots=True)
class Tool(Generic[Q]):
    """One tool."""

    name: str
    title: str
    description: str
    question: type[Q]
    answer: type[Told[Any]]
    ask: Callable[[Asking, Q], Told[Any]]
    #: Page and parameters, by the question.
    page: Callable[[Q], tuple[str, Mapping[str, str]]]
    #: Parameters that its question has and that change nothing here.
    unused: frozenset[str] = frozenset()

    def told(self, caller: Caller, base: str | None, given: Mapping[str, object]) -> Told[Any]:
        """The answer to what an assistant gave. Raises CreditAtlasError."""
        query = parse(self.question, {name: one for name, one in given.items() if one is not None})
        with caller.source.lease() as lease:
            answer = self.ask(Asking(lease, caller.tier), query)
        return answer.model_copy(update={"link": link(base, *self.page(query))})


def _search_loans(to: Asking, query: LoanSearch) -> Told[LoanList]:
    asked = query.part(LoanFilter)
    if to.answers(Screens.loans_found):
        found = to.ask(Screens.loans_found, asked, query.columns)
        columns = query.columns
    else:
        found, columns = _specified_loans(to, asked, query.columns)
    told = LoanList(loans=found.items, columns={name: _unit(name) for name in columns})
    return Told[LoanList](data=told, pagination=Pagination.of(found))


def _specified_loans(
    to: Asking, asked: LoanFilter, columns: tuple[str, ...]
) -> tuple[Page[FoundLoan], tuple[str, ...]]:
    """The same of a source that has the six endpoints alone: what a loan of a list says."""
    specified = asked.within_specification
    if specified is None:
        raise NotOffered(
            "This source filters loans by state, lender, balance, maturity and rate pressure alone,"
            " and orders them by number; leave the other conditions out"
        )
    page = to.ask(CreditSource.loans, specified)
    named = tuple(name for name in columns if name in LoanDetail.model_fields)
    items = tuple(
        FoundLoan(loan_number=one.loan_number, values={name: getattr(one, name) for name in named})
        for one in page.items
    )
    found = Page[FoundLoan](items=items, page=page.page, per_page=page.per_page, total=page.total)
    return found, named


def _unit(name: str) -> str:
    fact = COLUMN[name]
    return f"{fact.label} ({fact.kind})"


def _get_loan(to: Asking, query: OneLoan) -> Told[LoanDetail]:
    return Told[LoanDetail](data=to.ask(CreditSource.loan, query.loan_number))


def _loan_history(to: Asking, query: LoanOverTime) -> Told[LoanLine]:
    whole = to.ask(Histories.history, query.loan_number, query.part_asked())
    rows = whole.rows[-query.most :]
    events = whole.events
    if len(rows) < len(whole.rows):
        events = tuple(one for one in events if one.as_of > rows[0].as_of)
    shown = whole.model_copy(update={"rows": rows, "events": events})
    line = LoanLine(history=shown, rows_total=len(whole.rows), events_total=len(whole.events))
    return Told[LoanLine](data=line)


def _list_signals(to: Asking, query: SignalFilter) -> Told[tuple[Signal, ...]]:
    page: Page[Any]
    if to.answers(Screens.signals_found):
        page = to.ask(Screens.signals_found, query, ())
        signals = tuple(one.signal for one in page.items)
    else:
        specified = query.within_specification
        if specified is None:
            raise NotOffered(
                "This source filters signals by one state, type and severity alone, and orders "
                "them by loan; leave the other conditions out"
            )
        page = to.ask(CreditSource.signals, specified)
        signals = page.items
    return Told[tuple[Signal, ...]](data=signals, pagination=Pagination.of(page))


def _explain_signal(to: Asking, query: SignalsOfLoan) -> Told[ExplainedSignals]:
    signals = tuple(
        one
        for one in to.ask(Dossiers.signals_of, query.loan_number)
        if query.signal_type in {None, one.signal_type}
    )
    if not signals and query.signal_type is not None:
        raise NotFound(
            f"The loan '{shortened(query.loan_number)}' has no signal of type "
            f"'{shortened(query.signal_type)}'"
        )
    fired = {one.rule for signal in signals for one in signal.components}
    snapshot = to.ask(Inventory.snapshot)
    source = to.ask(CreditSource.loan, query.loan_number).extended.get("source")
    explained = ExplainedSignals(
        signals=signals,
        rules=tuple(card for card in to.ask(Inventory.rules) if card.id in fired),
        as_of=snapshot.as_of,
        rests_on=snapshot.rests_on,
        rates=snapshot.rates,
        filed_in=next((one for one in snapshot.sources if one.title == source), None),
    )
    return Told[ExplainedSignals](data=explained)


def _find_entity(to: Asking, query: EntityQuery) -> Told[tuple[Entity, ...]]:
    page = to.ask(CreditSource.entities, query)
    return Told[tuple[Entity, ...]](data=page.items, pagination=Pagination.of(page))


def _ownership_chain(to: Asking, query: OneLoan) -> Told[OwnershipChain]:
    return Told[OwnershipChain](data=to.ask(CreditSource.ownership, query.loan_number))


def _graph_paths(to: Asking, query: PathQuery) -> Told[GraphResult]:
    walk, page = to.ask(CreditSource.paths, query)
    shown = walk.model_copy(update={"paths": page.items})
    return Told[GraphResult](data=shown, pagination=Pagination.of(page))


def _connection(to: Asking, query: ConnectionQuery) -> Told[ConnectionResult]:
    return Told[ConnectionResult](data=to.ask(Connections.connections, query))


def _concentration(to: Asking, query: Concentrated) -> Told[Concentration]:
    loans = query.part(LoanFilter, sliced=False)
    ranking = to.ask(Screens.loan_ranking, loans, query.by, query.groups)
    totals = to.ask(Screens.loan_totals, loans)
    return Told[Concentration](data=Concentration(ranking=ranking, totals=totals))


def _what_if(to: Asking, query: ScenarioFilter) -> Told[WhatIf]:
    return Told[WhatIf](
        data=to.ask(Scenarios.what_if, query.loans(), Scenario.of(**query.shifts()))
    )


def _changes(to: Asking, query: ChangeQuery) -> Told[Changes]:
    found = to.ask(Histories.changes, query)
    return Told[Changes](data=found, pagination=Pagination.of(found.found))


def _portfolio_summary(to: Asking, _: Everything) -> Told[PortfolioSummary]:
    totals = to.ask(Portfolio.totals)
    worst = to.ask(Portfolio.worst_severities)
    snapshot = to.ask(Inventory.snapshot)
    largest = sorted(snapshot.sources, key=lambda one: (-one.loans, one.key))[:_SOURCES]
    names = SourceSummary.model_fields
    summary = PortfolioSummary(
        totals=totals,
        worst=tuple(worst),
        signals_by_type=snapshot.signals_by_type,
        sources=tuple(
            SourceSummary(**{name: getattr(one, name) for name in names}) for one in largest
        ),
        sources_total=len(snapshot.sources),
    )
    return Told[PortfolioSummary](data=summary)


def _loan_page(query: Any) -> tuple[str, Mapping[str, str]]:  # noqa: ANN401 - any of one loan
    return "loan", {"loan_number": query.loan_number}


_UNSLICED: Final = frozenset({"page", "per_page", "order"})
TOOLS: Final[tuple[Tool[Any], ...]] = (
    Tool(
        "search_loans",
        "Search loans",
        "Loans that match every condition given, by loan number or by `order`. Without `columns` "
        f"it says {', '.join(BRIEF[:5])} and the main figures.",
        LoanSearch,
        Told[LoanList],
        _search_loans,
        lambda query: ("loans", query.part(LoanFilter).params()),
    ),
    Tool(
        "get_loan",
        "Get one loan",
        "One loan whole: terms, property, performance and every further field of its source under "
        "`extended`; the glossary says what each one is.",
        OneLoan,
        Told[LoanDetail],
        _get_loan,
        _loan_page,
    ),
    Tool(
        "loan_history",
        "Get the history of one loan",
        "One loan as each filing that is kept said, by date, and the events between them. The "
        "newest `most` dates.",
        LoanOverTime,
        Told[LoanLine],
        _loan_history,
        _loan_page,
    ),
    Tool(
        "list_signals",
        "List signals",
        "Scored conditions (signals) of loans that match every condition given. A loan has at most "
        "one signal of a type; severities are low, moderate, elevated, severe, critical.",
        SignalFilter,
        Told[tuple[Signal, ...]],
        _list_signals,
        lambda query: ("signals", query.params()),
    ),
    Tool(
        "explain_signal",
        "Explain the signals of a loan",
        "Why a loan has its signals: each rule that fired with its measure and limit, the rule's "
        "card (inputs, ladder, source), tables and rates in force, and the filing of the loan.",
        SignalsOfLoan,
        Told[ExplainedSignals],
        _explain_signal,
        _loan_page,
    ),
    Tool(
        "find_entity",
        "Find an entity",
        "Resolved borrowers, sponsors, owners and capital sources, by match with `name`.",
        EntityQuery,
        Told[tuple[Entity, ...]],
        _find_entity,
        lambda query: ("entities", query.params()),
    ),
    Tool(
        "ownership_chain",
        "Get the ownership chain of a loan",
        "From the borrower up to the ultimate beneficial owner, each link with its confidence. "
        "Empty when none is resolved.",
        OneLoan,
        Told[OwnershipChain],
        _ownership_chain,
        _loan_page,
    ),
    Tool(
        "graph_paths",
        "Find paths of the capital graph",
        "Paths from one loan or entity through the capital graph, shorter ones first. Give exactly "
        "one of `loan_number` and `entity_name`.",
        PathQuery,
        Told[GraphResult],
        _graph_paths,
        lambda query: ("capital_graph", query.params()),
    ),
    Tool(
        "connection",
        "How are two connected?",
        "The best connections of two loans or parties, with the confidence of each step. Give "
        "exactly one of `from_loan` and `from_entity`, and one of `to_loan` and `to_entity`.",
        ConnectionQuery,
        Told[ConnectionResult],
        _connection,
        lambda query: ("connection", query.params()),
        frozenset({"page"}),
    ),
    Tool(
        "concentration",
        "Concentration of a result",
        "Loans that match in groups, the largest book value first, with the "
        "Herfindahl-Hirschman index and the totals of all loans that match.",
        Concentrated,
        Told[Concentration],
        _concentration,
        lambda query: ("loans", query.part(LoanFilter, sliced=False).params()),
        _UNSLICED,
    ),
    Tool(
        "what_if",
        "Run a scenario",
        "What other rates, NOI or cap rates would make of the loans that match: moves between "
        "worst severities, and dollars short at refinance before and after. A stress of today's "
        "book, not a forecast.",
        ScenarioFilter,
        Told[WhatIf],
        _what_if,
        lambda query: ("what_if", query.params()),
        _UNSLICED,
    ),
    Tool(
        "changes",
        "What changed between two dates",
        "Totals, moves from one worst severity to another, and the loans to which something "
        "happened, the most important first. By default the newest date against that of the "
        "month before.",
        ChangeQuery,
        Told[Changes],
        _changes,
        lambda query: ("changes", query.params()),
    ),
    Tool(
        "portfolio_summary",
        "Summarise the book",
        "The whole book: loans and dollars, maturities, worst signals, sources and their dates.",
        Everything,
        Told[PortfolioSummary],
        _portfolio_summary,
        lambda _: ("overview", {}),
    ),
)
TOOL: Final[Mapping[str, Tool[Any]]] = {one.name: one for one in TOOLS}


def too_large() -> InvalidRequest:
    """For an answer that no assistant could use."""
    return InvalidRequest(
        f"The answer would be larger than {LARGEST:,} bytes; ask for a smaller page, or for less "
        "with filters"
    )

"""What a saved search finds in the snapshot of this run."""

from collections.abc import Iterable

from components.frame import scope, session, visitor
from components.loans import filters as of_loans
from components.signals import filters as of_signals
from services.contract.desk import SavedSearch, Search, SearchFound, Watch
from services.contract.loan_filter import LoanFilter
from services.contract.queries import parse
from services.contract.scope import Scope
from services.contract.signal_filter import SignalFilter
from services.contract.source import Screens


def by(query: LoanFilter | SignalFilter) -> SearchFound:
    """How many loans or signals match, and the book value of the loans. Raises MirrorMissing."""
    if isinstance(query, LoanFilter):
        loans = session.ask(Screens.loan_totals, query.without("order").at(1))
        return _found(loans.loans, loans.book_value)
    signals = session.ask(Screens.signal_totals, query.without("order").at(1))
    return _found(signals.signals, signals.book_value)


def asked(search: Search) -> tuple[LoanFilter | SignalFilter, str]:
    """What a search of Loans or Signals asks for, and the same in words.

    Raises InvalidRequest for an address that this version does not read any more.
    """
    query: LoanFilter | SignalFilter = (
        parse(of_loans.LoanView, search.params).filter()
        if search.page == "loans"
        else parse(of_signals.SignalView, search.params).filter()
    )
    if query.scope:
        query = query.model_copy(update={"scope": scope.looked_up(query.scope)})
    if isinstance(query, LoanFilter):
        return query, of_loans.sentence(query)
    return query, of_signals.sentence(query)


def now(saved: SavedSearch) -> SearchFound:
    """What a saved search finds now, or a shared list holds. Raises InvalidRequest, NotFound."""
    if saved.search.page == "watchlist":
        return watched(visitor.desk().shared_watches(saved.search_id) if saved.shared else ())
    if saved.search.page == "set":
        return by(LoanFilter(scope=scope.looked_up(Scope("set", saved.search_id))))
    return by(asked(saved.search)[0])


def watched(watches: Iterable[Watch]) -> SearchFound:
    """How much is watched, and the book value of the loans among it."""
    listed = tuple(watches)
    numbers = [one.subject.name for one in listed if one.subject.kind == "loan"]
    query = LoanFilter(numbers=tuple(sorted(numbers)))
    loans = session.ask(Screens.loan_totals, query) if numbers else None
    return _found(len(listed), loans.book_value if loans else 0)


def _found(records: int, book_value: int) -> SearchFound:
    snapshot = session.analytics().snapshot()
    return SearchFound(
        records=records,
        book_value=book_value,
        snapshot_id=snapshot.snapshot_id,
        as_of=snapshot.as_of,
    )

"""What a user's calendar feed holds: the dates to come of the loans that they watch and of their
own book, as a file for calendar programs.
"""

from collections.abc import Collection, Iterator
from datetime import timedelta
from itertools import islice
from typing import Final

from services.calendar_file import MOST_DATES, written
from services.contract.loan_dates import DATE_KINDS, DateFilter, LoanDate
from services.contract.scope import BOOK, Scope, own_sources
from services.contract.source import Analytics

_ORDER: Final = {kind.word: at for at, kind in enumerate(DATE_KINDS)}


def feed(read: Analytics, watched: Collection[str], *, link: str = "") -> bytes:
    """The file; see calendar_file.written."""
    snapshot = read.snapshot()
    return written(
        dates(read, watched),
        title="Credit Atlas: watched loans and my book",
        as_of=snapshot.as_of,
        built_at=snapshot.built_at,
        link=link,
    )


def dates(read: Analytics, watched: Collection[str]) -> list[LoanDate]:
    """The first MOST_DATES dates from the as-of date on, each once."""
    snapshot = read.snapshot()
    scopes = [BOOK] if own_sources(snapshot) else []
    if watched:
        scopes.append(Scope.of("watched", tuple(sorted(watched)), "Watched"))
    since = snapshot.as_of - timedelta(days=1)
    found: dict[tuple[object, ...], LoanDate] = {}
    for scope in scopes:
        query = DateFilter(scope=scope, date_after=since)
        for one in islice(_every(read, query), MOST_DATES):
            found.setdefault(_place(one), one)
    return [found[place] for place in sorted(found)][:MOST_DATES]


def _every(read: Analytics, query: DateFilter) -> Iterator[LoanDate]:
    for batch in read.date_batches(query):
        for row in batch.to_pylist():
            yield LoanDate(**row)


def _place(one: LoanDate) -> tuple[object, ...]:
    """By what it is found once, in the order of a result."""
    return one.day, _ORDER[one.kind], one.loan_number, one.tenant or "", one.square_feet or 0

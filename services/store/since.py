"""What happened to loans, each since a day of its own: those that somebody watches."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from services.contract.events import Event
from services.contract.history import SeenQuery
from services.contract.period import KeptPeriod
from services.contract.rescoring import Rescorer

from .history import kept_periods, lines_of, row_of
from .periods import counting
from .reader import Reader


def events_since(
    reader: Reader, rescorer: Rescorer, query: SeenQuery
) -> Mapping[str, tuple[Event, ...]]:
    """What happened to each loan from the book of its day to the newest."""
    kept_periods(reader)
    of_source: dict[str, list[KeptPeriod]] = defaultdict(list)
    for one in sorted(counting(reader.periods), key=lambda one: one.as_of):
        of_source[one.source].append(one)
    newest = {source: periods[-1] for source, periods in of_source.items()}
    days = dict(query.seen)
    then = {
        (source, day): known
        for source, periods in of_source.items()
        for day in set(days.values())
        if (known := _book_of(periods, day))
    }
    lines = _lines(reader, {one.name for one in (*newest.values(), *then.values())}, list(days))
    found: dict[str, tuple[Event, ...]] = {}
    for number, of_period in lines.items():
        source = max(of_period.values(), key=lambda line: line["as_of"])["source"]
        before, after = then.get((source, days[number])), newest[source]
        if before is None or before.name == after.name:
            continue
        rows = [
            row_of(line, sponsors=bool(query.sponsors)) if line else None
            for line in (of_period.get(before.name), of_period.get(after.name))
        ]
        if any(rows):
            found[number] = rescorer.events(rows[0], rows[1], before.as_of, after.as_of)
    return found


def _book_of(periods: Sequence[KeptPeriod], day: date) -> KeptPeriod | None:
    """Of the periods of a source, by date, the newest that is not after a day."""
    return next((one for one in reversed(periods) if one.as_of <= day), None)


def _lines(
    reader: Reader, names: set[str], numbers: list[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Lines of loans in periods: by loan number, then name of the period."""
    number_of = dict(reader.rows("SELECT period, name FROM history.periods"))
    loans = dict(
        reader.rows(
            "SELECT loan, loan_number FROM history.numbers"
            " WHERE loan_number IN (SELECT unnest(?::VARCHAR[]))",
            [numbers],
        )
    )
    chosen = [period for period, name in number_of.items() if name in names]
    found: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for line in lines_of(reader, chosen, loans):
        found[loans[line["loan"]]][number_of[line["period"]]] = line
    return found

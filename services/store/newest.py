"""What happened from the date before the newest to the newest: counted once, when a snapshot is
written, so that the first page shows it at no cost.
"""

from collections.abc import Sequence

import duckdb

from services.contract.events import EVENT_KINDS
from services.contract.happened import ChangeCount, Happened
from services.contract.period import KeptPeriod

from .changes import PAIRS, bits_of, loans_of
from .compared import compared
from .history import kept_periods, of_periods
from .periods import counting
from .reader import Reader


def count(connection: duckdb.DuckDBPyConnection, kept: Sequence[KeptPeriod]) -> None:
    """Counts what the periods that count show by then, source by source, where that is not done."""
    number = dict(connection.sql("SELECT name, period FROM periods").fetchall())
    found = compared(kept, None, None).pairs if kept else ()
    pairs = {(number[then.name], number[now.name]) for then, now in found if then is not now}
    there = set(connection.sql("SELECT DISTINCT period, next FROM happened").fetchall())
    for was, now in there - pairs:
        connection.execute("DELETE FROM happened WHERE period = ? AND next = ?", [was, now])
    for was, now in sorted(pairs - there):
        _count(connection, was, now)


def _count(connection: duckdb.DuckDBPyConnection, was: int, now: int) -> None:
    sql = PAIRS.format(was=of_periods([was]), now=of_periods([now]))
    connection.execute(f"CREATE TEMP TABLE pairs AS {sql}", {"sponsors": False})
    masks = {kind.name: 1 << at for at, kind in enumerate(EVENT_KINDS)}
    masks |= {direction: bits_of(direction) for direction in ("worse", "better")}
    for kind, bits in masks.items():
        connection.execute(
            f"INSERT INTO happened SELECT $was, $now, $kind, {loans_of('nullif(whole, -1)')},"
            " coalesce(sum(dollars) FILTER (adds), 0) FROM pairs WHERE bits & $bits <> 0",
            {"was": was, "now": now, "kind": kind, "bits": bits},
        )
    connection.execute("DROP TABLE pairs")


def newest_changes(reader: Reader) -> Happened:
    """Loans and dollars by kind of event, from the date before the newest to the newest."""
    kept_periods(reader)
    newest = compared(counting(reader.periods), None, None)
    rows = reader.rows(
        "SELECT kind, sum(loans)::BIGINT, sum(dollars)::BIGINT FROM history.happened GROUP BY kind"
    )
    found = {kind: (loans, dollars) for kind, loans, dollars in rows}

    def counted(kind: str) -> ChangeCount:
        loans, dollars = found.get(kind, (0, 0))
        return ChangeCount(kind=kind, loans=loans, dollars=dollars)

    counts = (counted(kind.name) for kind in EVENT_KINDS)
    return Happened(
        since=newest.since,
        until=newest.until,
        counts=tuple(one for one in counts if one.loans),
        worse=counted("worse"),
        better=counted("better"),
    )

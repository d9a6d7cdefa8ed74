"""The rows of the open tables (services/tables), batch by batch: no table is in memory whole."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import numpy as np
import pyarrow as pa

from services.contract.events import KIND, Event
from services.contract.facts import FACTS
from services.contract.history import HistoryRow
from services.contract.vocabulary import SIGNAL_TYPES

from .changes import PAIRS
from .history import of_periods, rows_of
from .history_tables import PLAIN, WORDS
from .loan_columns import FROM, read
from .reader import Reader

#: Rows of a batch.
ROWS: Final = 32_768
#: Loans whose two rows are in memory at a time while their events are found.
_LOANS: Final = 4_096

#: Table -> its statement.
_STATEMENTS: Final = {
    "loans": (
        f"SELECT {read(FACTS)}, x.worst_severity::VARCHAR AS worst_severity,"
        " x.contagion::VARCHAR AS contagion"
        f" {FROM} JOIN screened x USING (loan_id)"
    ),
    "notes": (
        "SELECT loan_number, coalesce(whole_loan, loan_number) AS whole_loan, sums_notes,"
        " book_value FROM loans"
    ),
    "properties": "SELECT l.loan_number, p.* FROM properties p JOIN loans l USING (loan_id)",
    "parties": (
        "SELECT entity_name AS name, kind::VARCHAR AS kind, confidence,"
        " confidence_tier::VARCHAR AS confidence_tier, related_loan_count AS loans FROM entities"
    ),
    "layers": "SELECT l.loan_number, y.* FROM layers y JOIN loans l USING (loan_id)",
    "leases": "SELECT l.loan_number, t.* FROM leases t JOIN loans l USING (loan_id)",
    "signals": (
        "SELECT l.loan_number, g.signal_type::VARCHAR AS signal_type,"
        " g.severity::VARCHAR AS severity, g.property_state::VARCHAR AS property_state,"
        " g.description, c.rules FROM signals g JOIN loans l USING (loan_id) LEFT JOIN"
        " (SELECT signal_id, string_agg(rule, ' ' ORDER BY rule) AS rules FROM components"
        " GROUP BY signal_id) c USING (signal_id)"
    ),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One period that counts, and the one of its source before it."""

    period: int
    name: str
    source: str
    title: str
    as_of: date
    before: "Line | None"


def lines(reader: Reader) -> list[Line]:
    """The periods that count, by source, then date."""
    found: list[Line] = []
    for period, name, source, title, as_of in reader.rows(
        "SELECT period, name, source, title, as_of FROM history.periods ORDER BY source, as_of"
    ):
        last = found[-1] if found and found[-1].source == source else None
        # The one before without its own: only two at a time are compared.
        before = last and Line(last.period, last.name, source, last.title, last.as_of, None)
        found.append(Line(period, name, source, title, as_of, before))
    return found


def of_snapshot(reader: Reader, table: str) -> Iterator[pa.RecordBatch]:
    """The rows of a table of the snapshot itself. Raises StoreDamaged."""
    if table == "edges":
        return _edges(reader)
    return reader.batches(_STATEMENTS[table], ROWS)


def _edges(reader: Reader) -> Iterator[pa.RecordBatch]:
    graph = reader.graph
    kinds = reader.arrow("SELECT kind FROM entities ORDER BY entity_id")["kind"].combine_chunks()
    relations = pa.array(graph.relations, pa.string())
    for first in range(0, graph.edge_count, ROWS):
        part = slice(first, first + ROWS)
        columns: dict[str, pa.Array] = {}
        for side, ends in (("from", graph.edge_from[part]), ("to", graph.edge_to[part])):
            party = pa.array(ends - graph.loan_count, mask=ends < graph.loan_count)
            columns[f"{side}_name"] = graph.texts(pa.array(ends))
            columns[f"{side}_kind"] = kinds.take(party).cast(pa.string()).fill_null("loan")
        columns["relation"] = relations.take(pa.array(graph.edge_relation[part]))
        columns["confidence"] = pa.array(graph.edge_confidence[part])
        share = reader.shares[part]
        columns["share"] = pa.array(share, mask=np.isnan(share))
        yield pa.record_batch(columns)


def _severity(column: str) -> str:
    return f"([{WORDS}])[line.{column} + 1]"


def history(reader: Reader, periods: list[Line]) -> Iterator[pa.RecordBatch]:
    """The rows of these periods, period by period."""
    plain = ", ".join(f"line.{name}" for name in PLAIN)
    graded = ", ".join(f"{_severity(kind)} AS {kind}" for kind in SIGNAL_TYPES)
    for one in periods:
        yield from reader.batches(
            "SELECT p.as_of, p.source AS source_key, p.title AS source, p.name AS period,"
            " p.rules_version, p.file, n.loan_number, coalesce(whole.loan_number, n.loan_number)"
            " AS whole_loan, coalesce(note.sums_notes, false) AS sums_notes, n.property_name,"
            f" {plain}, {graded}, {_severity('worst')} AS worst_severity"
            " FROM history.lines AS line JOIN history.periods AS p USING (period)"
            " JOIN history.numbers AS n USING (loan)"
            " LEFT JOIN history.notes AS note USING (loan)"
            " LEFT JOIN history.numbers AS whole ON whole.loan = note.whole"
            f" WHERE line.{of_periods([one.period])}",
            ROWS,
        )


Finds = Callable[[HistoryRow | None, HistoryRow | None, date, date], tuple[Event, ...]]


def events(
    reader: Reader, periods: list[Line], find: Finds, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """What happened from the period before to each of these; `find` says it of two rows."""
    for one in periods:
        if one.before is None:
            continue
        was, now = (of_periods([at]) for at in (one.before.period, one.period))
        sql = f"SELECT loan FROM ({PAIRS.format(was=was, now=now)}) WHERE bits <> 0 ORDER BY loan"
        loans = reader.ids(sql, {"sponsors": True}).tolist()
        for first in range(0, len(loans), _LOANS):
            part = loans[first : first + _LOANS]
            yield from pa.Table.from_pylist(
                list(_events(reader, one, one.before, part, find)), schema
            ).to_batches()


def _events(
    reader: Reader, one: Line, before: Line, loans: list[int], find: Finds
) -> Iterator[dict[str, Any]]:
    then, now = (rows_of(reader, [at.period], loans, sponsors=True) for at in (before, one))
    numbers = dict(
        reader.rows(
            "SELECT loan, loan_number FROM history.numbers"
            " WHERE loan IN (SELECT unnest(?::INTEGER[]))",
            [loans],
        )
    )
    for loan in loans:
        for event in find(then.get(loan), now.get(loan), before.as_of, one.as_of):
            yield {
                "as_of": one.as_of,
                "source_key": one.source,
                "source": one.title,
                "period": one.name,
                "since": before.as_of,
                "loan_number": numbers[loan],
                "kind": event.kind,
                "direction": KIND[event.kind].direction,
                "signal_type": event.signal_type,
                "before": _text(event.before),
                "after": _text(event.after),
                "dollars": event.dollars,
                "sentence": event.sentence,
            }


def _text(value: date | float | str | None) -> str | None:
    return None if value is None else str(value)

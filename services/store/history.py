"""The periods of a snapshot, and one loan through them."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Final

from services.contract.errors import NoHistory, NotFound
from services.contract.history import HistoryQuery, HistoryRow, LoanHistory, Period
from services.contract.queries import shortened
from services.contract.rescoring import Rescorer
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES

from .database import among
from .periods import counting
from .reader import Reader

#: What a row says of the loan, as columns of `lines`.
ROW: Final = tuple(
    name
    for name in HistoryRow.model_fields
    if name not in {"as_of", "file", "rules_version", "signals", "rules", "worst"}
)


def periods(reader: Reader) -> list[Period]:
    """Every period, by date, then source, the one that counts first, then the later ones first."""
    kept = kept_periods(reader)
    last = {one.name for one in counting(kept)}
    place = {one.name: at for at, one in enumerate(kept)}
    return [
        Period(
            source=one.source,
            title=one.title,
            as_of=one.as_of,
            provenance=one.provenance,
            loans=one.loans,
            balance=one.balance,
            files=one.files,
            rules_version=one.rules_version,
            name=one.name,
            counts=one.name in last,
        )
        for one in sorted(kept, key=lambda one: (one.as_of, one.source, -place[one.name]))
    ]


def kept_periods(reader: Reader) -> list[Any]:
    """Raises NoHistory."""
    if not reader.periods:
        raise NoHistory(
            "This snapshot keeps no period, so that nothing is known of earlier dates; import the"
            " files of each date"
        )
    return list(reader.periods)


def history(
    reader: Reader, rescorer: Rescorer, loan_number: str, query: HistoryQuery
) -> LoanHistory:
    """One loan through its periods. Raises NotFound."""
    kept_periods(reader)
    found = reader.rows(
        "SELECT loan, property_name FROM history.numbers WHERE loan_number = ?", [loan_number]
    )
    sql = "SELECT * FROM history.lines WHERE loan = ?"
    lines = _dated(reader, reader.records(sql, [found[0][0]]) if found else [])
    if not lines:
        raise NotFound(f"No period has a loan '{shortened(loan_number)}'")
    first, source = lines[0]["as_of"], lines[-1]["source"]
    chosen = [
        line
        for line in lines
        if (query.since is None or line["as_of"] >= query.since)
        and (query.until is None or line["as_of"] <= query.until)
    ]
    rows = tuple(row_of(line, sponsors=bool(query.sponsors)) for line in chosen)
    events = [
        event
        for before, after in pairwise(rows)
        for event in rescorer.events(before, after, before.as_of, after.as_of)
    ]
    has = {line["as_of"] for line in lines}
    of_source = sorted(one.as_of for one in counting(reader.periods) if one.source == source)
    return LoanHistory(
        loan_number=loan_number,
        property_name=found[0][1],
        source=source,
        title=lines[-1]["title"],
        rows=rows,
        events=tuple(events),
        missing=tuple(day for day in of_source if day > first and day not in has),
    )


def _dated(reader: Reader, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of `lines` with what their periods say, by date."""

    def make() -> dict[int, dict[str, Any]]:
        return {one["period"]: one for one in reader.records("SELECT * FROM history.periods")}

    # Looked up here: a join of so few rows costs more than all of the rest.
    said = reader.column(("history", "periods"), make)
    dated = [{**line, **said[line["period"]]} for line in lines]
    return sorted(dated, key=lambda line: line["as_of"])


def row_of(line: Mapping[str, Any], *, sponsors: bool) -> HistoryRow:
    """A row of `lines`, with its period's columns, as the contract has it."""
    facts = {name: line[name] for name in ROW}
    if not sponsors:
        facts["sponsor"] = None
    ranks = {kind: line[kind] for kind in SIGNAL_TYPES if line[kind] is not None}
    return HistoryRow(
        **facts,
        as_of=line["as_of"],
        file=line["file"],
        rules_version=line["rules_version"],
        worst=severity(line["worst"]),
        signals={kind: SEVERITIES[rank] for kind, rank in sorted(ranks.items())},
        rules=tuple((line["rules"] or "").split()),
    )


def severity(rank: int | None) -> str | None:
    """The word of a rank of severity."""
    return None if rank is None else SEVERITIES[rank]


def of_periods(numbers: Iterable[int]) -> str:
    """The condition that a row is of one of these periods, by their own numbers: as constants, so
    that blocks of other periods are skipped.
    """
    return f"period IN ({', '.join(str(int(one)) for one in numbers) or 'NULL'})"


def rows_of(
    reader: Reader, periods_of: Iterable[int], loans: Iterable[int], *, sponsors: bool
) -> dict[int, HistoryRow]:
    """Rows of these loans in these periods, one for each loan."""
    lines = lines_of(reader, periods_of, loans)
    return {line["loan"]: row_of(line, sponsors=sponsors) for line in lines}


def lines_of(
    reader: Reader, periods_of: Iterable[int], loans: Iterable[int]
) -> list[dict[str, Any]]:
    """Rows of `lines` of these loans in these periods, with the columns of their period."""
    lines = reader.records(
        f"SELECT * FROM history.lines WHERE {of_periods(periods_of)} AND {among('loan')}",
        [list(loans)],
    )
    return _dated(reader, lines)

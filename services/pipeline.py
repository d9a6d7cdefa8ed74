"""From portfolios to a published snapshot: join the sources, score the loans, write, swap."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.aggregates import LoadedSource, RateUsed, RuleCoverage, Snapshot
from services.contract.errors import ImportRefused, StoreMissing
from services.contract.portfolio import TABLES, Portfolio
from services.rates.reference import ReferenceRates
from services.signals import engine
from services.signals.rules import RULE_OF
from services.store import parts, writer
from services.store.snapshot import PARTS, SUMMARY, current_id, folder_of, publish, writing

Progress = Callable[[str, float], None]


def silent(stage: str, fraction: float) -> None:
    """Progress that nobody watches."""
    del stage, fraction


@dataclass(frozen=True, slots=True)
class Given:
    """Scores that the source of a mirror gives itself: shown as they came, never computed anew."""

    #: By row of the portfolio's loans.
    rate_pressure: pa.Array
    #: loan (row), signal_type, severity.
    signals: pa.Table
    #: By row of `signals`.
    descriptions: pa.Array
    #: What the source counts, by list.
    told: Mapping[str, int]


def load(
    store: Path,
    portfolios: Sequence[Portfolio],
    *,
    given: Given | None = None,
    keep: int = 2,
    rates: ReferenceRates | None = None,
    progress: Progress = silent,
) -> Snapshot:
    """Publishes a snapshot of `portfolios` and of the reported sources already there (D27).

    A source replaces itself by its key; the first reported one replaces made-up data, and made-up
    data replaces everything. Whatever fails, or is killed, leaves the old snapshot as it was.
    Raises ImportRefused when loan numbers collide, or made-up and reported sources are given
    together; StoreBusy, StoreDamaged.
    """
    with writing(store) as (snapshot_id, build):
        joined = [*_kept(store, portfolios), *portfolios]
        _check_sources(joined)
        progress("joining sources", 0.0)
        book, as_of = _joined(joined, rates or ReferenceRates.packaged())
        if given is not None:
            book = _as_given(book, given)
        writer.write(build, book, lambda stage, part: progress(stage, 0.1 + 0.85 * part))
        parts.save(build / PARTS, joined)
        snapshot = _summary(snapshot_id, as_of, book, joined)
        if given is not None:
            snapshot = snapshot.model_copy(update={"told": dict(given.told)})
        (build / SUMMARY).write_text(snapshot.model_dump_json(indent=1), encoding="utf-8")
        progress("publishing", 0.97)
        publish(store, snapshot_id, build, keep=keep)
        progress("done", 1.0)
        return snapshot


def _kept(store: Path, portfolios: Sequence[Portfolio]) -> list[Portfolio]:
    """The sources already there that stay."""
    if any(one.info.provenance == "synthetic" for one in portfolios):
        return []
    try:
        folder = folder_of(store, current_id(store))
    except StoreMissing:
        return []
    new = {one.info.key for one in portfolios}
    return [one for one in parts.load(folder / PARTS) if one.info.key not in new]


def _joined(portfolios: list[Portfolio], rates: ReferenceRates) -> tuple[writer.Book, date]:
    """All portfolios in one set of tables, scored as of the newest source."""
    entities, entity_of = _entities(portfolios)
    tables: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
    loans_before = 0
    for portfolio, ids in zip(portfolios, entity_of, strict=True):
        for name in ("layers", "properties"):
            tables[name].append(_shifted(getattr(portfolio, name), "loan", loans_before))
        edges = _shifted(portfolio.edges, "from_loan", loans_before)
        for column in ("from_entity", "to_entity"):
            at = edges.schema.get_field_index(column)
            edges = edges.set_column(at, column, ids.take(edges[column].combine_chunks()))
        tables["edges"].append(edges)
        tables["loans"].append(portfolio.loans)
        tables["rejects"].append(portfolio.rejects)
        loans_before += portfolio.loans.num_rows
    together = {name: pa.concat_tables(tables[name]) for name in tables if tables[name]}
    together["entities"] = entities
    _check_numbers(together["loans"]["loan_number"])
    as_of = max(portfolio.info.as_of for portfolio in portfolios)
    marks = [np.int16(at) for at in range(len(portfolios))]
    book = writer.Book(
        infos=tuple(portfolio.info for portfolio in portfolios),
        tables=together,
        source_of_loan=np.repeat(marks, [one.loans.num_rows for one in portfolios]),
        source_of_reject=np.repeat(marks, [one.rejects.num_rows for one in portfolios]),
        scored=engine.evaluate(together["loans"], as_of, rates),
    )
    return book, as_of


def _as_given(book: writer.Book, given: Given) -> writer.Book:
    """The book with the scores of its own source in place of ours."""
    features = book.scored.features
    at = features.schema.get_field_index("rate_pressure")
    scored = replace(
        book.scored,
        features=features.set_column(at, "rate_pressure", given.rate_pressure),
        signals=given.signals,
        components=book.scored.components.slice(0, 0),
        coverage=[],
    )
    return replace(book, scored=scored, descriptions=given.descriptions)


def _entities(portfolios: list[Portfolio]) -> tuple[pa.Table, list[pa.Array]]:
    """One row a name over all sources (D30), and the new row of each source's rows.

    A party that several sources know keeps the kind of the first and the best confidence.
    """
    if len(portfolios) == 1:
        count = portfolios[0].entities.num_rows
        return portfolios[0].entities, [pa.array(np.arange(count, dtype=np.int32))]
    listed: dict[str, dict[str, Any]] = {}
    for portfolio in portfolios:
        for row in portfolio.entities.to_pylist():
            first = listed.setdefault(row["entity_name"], row)
            first["confidence"] = max(first["confidence"], row["confidence"])
    names = {name: at for at, name in enumerate(listed)}
    rows = [
        pa.array([names[name] for name in one.entities["entity_name"].to_pylist()], pa.int32())
        for one in portfolios
    ]
    return pa.Table.from_pylist(list(listed.values()), schema=TABLES["entities"]), rows


def _shifted(table: pa.Table, column: str, by: int) -> pa.Table:
    if not by:
        return table
    at = table.schema.get_field_index(column)
    moved = pc.add(table[column], pa.scalar(by, pa.int32()))
    return table.set_column(at, table.schema.field(at), moved)


def _check_sources(portfolios: list[Portfolio]) -> None:
    made_up = {one.info.provenance == "synthetic" for one in portfolios}
    if not made_up:
        raise ImportRefused("There is no source to load; name at least one")
    if len(made_up) > 1:  # D27
        raise ImportRefused("Made-up and reported sources do not mix; load one or the other")


def _check_numbers(numbers: pa.ChunkedArray) -> None:
    if not len(numbers):
        raise ImportRefused("There is no loan in what was to be loaded; nothing was changed")
    if pc.count_distinct(numbers).as_py() == len(numbers):
        return
    counts = Counter(numbers.to_pylist())
    double = next(number for number, count in counts.items() if count > 1)
    raise ImportRefused(
        f"Loan number '{double}' occurs in two sources; load one of them under another --deal name"
    )


def _summary(
    snapshot_id: str, as_of: date, book: writer.Book, portfolios: list[Portfolio]
) -> Snapshot:
    signals = book.scored.signals
    by_source = np.bincount(
        book.source_of_loan[signals["loan"].to_numpy()], minlength=len(portfolios)
    )
    loans = book.tables["loans"]
    both = loans.filter(
        pc.and_(pc.is_valid(loans["interest_rate"]), pc.is_valid(loans["book_value"]))
    )
    weight = pc.sum(both["book_value"]).as_py() or 0
    product = pc.sum(pc.multiply(both["interest_rate"], both["book_value"].cast(pa.float64())))
    return Snapshot(
        snapshot_id=snapshot_id,
        as_of=as_of,
        built_at=datetime.now(UTC),
        loans=loans.num_rows,
        properties=book.tables["properties"].num_rows,
        entities=book.tables["entities"].num_rows,
        edges=book.tables["edges"].num_rows,
        signals=signals.num_rows,
        rejected=book.tables["rejects"].num_rows,
        signals_by_severity=_counts(signals["severity"]),
        signals_by_type=_counts(signals["signal_type"]),
        sources=tuple(
            _loaded(one, int(count)) for one, count in zip(portfolios, by_source, strict=True)
        ),
        rates=tuple(
            RateUsed(series=quote.series, day=quote.date, percent=quote.percent)
            for quote in book.scored.rates_used.values()
        ),
        rule_coverage=tuple(
            RuleCoverage(
                rule=rule.id,
                signal_type=rule.signal_type,
                title=rule.title,
                fired=one.fired,
                silent=one.silent,
                not_applicable=one.not_applicable,
                not_testable=one.not_testable,
                reasons=one.reasons,
            )
            for one in book.scored.coverage
            if (rule := RULE_OF[one.rule])
        ),
        book_value=pc.sum(loans["book_value"]).as_py() or 0,
        weighted_coupon=product.as_py() / weight if weight else None,
    )


def _counts(column: pa.ChunkedArray) -> dict[str, int]:
    counted = pc.value_counts(column.cast(pa.string())).to_pylist()
    return {row["values"]: row["counts"] for row in sorted(counted, key=lambda r: -r["counts"])}


def _loaded(portfolio: Portfolio, signals: int) -> LoadedSource:
    info = portfolio.info
    return LoadedSource(
        key=info.key,
        importer=info.importer,
        title=info.title,
        publisher=info.publisher,
        terms=info.terms,
        as_of=info.as_of,
        provenance=info.provenance,
        files=info.files,
        sha256=info.sha256,
        records_read=info.records_read,
        loans=portfolio.loans.num_rows,
        book_value=pc.sum(portfolio.loans["book_value"]).as_py() or 0,
        properties=portfolio.properties.num_rows,
        entities=portfolio.entities.num_rows,
        edges=portfolio.edges.num_rows,
        signals=signals,
        rejected=portfolio.rejects.num_rows,
        unmapped=info.unmapped,
    )

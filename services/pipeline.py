"""From portfolios to a published snapshot: joins the sources, scores their loans."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.book import Book, Build, Progress, Publisher, Scores, SourceScores
from services.contract.errors import ImportRefused
from services.contract.loaded import Snapshot
from services.contract.portfolio import TABLES, Portfolio
from services.rates.reference import ReferenceRates
from services.signals import engine
from services.signals.assumptions import Assumptions
from services.signals.rule import Rule


def silent(stage: str, fraction: float) -> None:
    """Progress that nobody watches."""
    del stage, fraction


def load(
    portfolios: Sequence[Portfolio],
    *,
    into: Publisher,
    assumptions: Assumptions | None = None,
    rates: ReferenceRates | None = None,
    rules: Sequence[Rule] | None = None,
    source_scores: SourceScores | None = None,
    alone: bool = False,
    progress: Progress = silent,
) -> Snapshot:
    """Publishes a snapshot of `portfolios` and of the reported sources already there (D27).

    A source replaces itself by its key; the first reported one replaces made-up data, and made-up
    data replaces everything, as `alone` does. A source that scores its own loans (`source_scores`)
    stands alone, and no rule is run over it. Whatever fails, or is killed, leaves the old snapshot
    as it was.
    Raises ImportRefused when loan numbers collide, or made-up and reported sources come together;
    StoreBusy, StoreDamaged, StoreFull.
    """
    with into.build() as build:
        alone = alone or source_scores is not None
        sources = [*([] if alone else _staying(build, portfolios)), *portfolios]
        _check_sources(sources)
        progress("joining sources", 0.0)
        tables, as_of = _joined(sources), max(one.info.as_of for one in sources)
        resting = assumptions or Assumptions.packaged()
        if rates is not None:
            resting = replace(resting, rates=rates)
        scores: Scores
        if source_scores is None:
            scores = engine.evaluate(tables, as_of, resting, rules)
        else:
            scores = engine.as_scored(source_scores, tables, as_of, resting)
        rows = np.arange(len(sources), dtype=np.int16)
        book = Book(
            as_of=as_of,
            sources=tuple(sources),
            tables=tables,
            source_of_loan=np.repeat(rows, [one.loans.num_rows for one in sources]),
            source_of_reject=np.repeat(rows, [one.rejects.num_rows for one in sources]),
            scores=scores,
            counted_by_source=source_scores.counted if source_scores else {},
        )
        snapshot = build.publish(book, lambda stage, part: progress(stage, 0.1 + 0.9 * part))
        progress("done", 1.0)
        return snapshot


def _staying(build: Build, portfolios: Sequence[Portfolio]) -> list[Portfolio]:
    """The sources already there that stay."""
    if any(one.info.provenance == "synthetic" for one in portfolios):
        return []
    new = {one.info.key for one in portfolios}
    return [one for one in build.reported() if one.info.key not in new]


def _check_sources(sources: list[Portfolio]) -> None:
    """Raises ImportRefused for no source at all, or made-up beside reported ones (D27)."""
    made_up = {one.info.provenance == "synthetic" for one in sources}
    if not made_up:
        raise ImportRefused("There is no source to load; name at least one")
    if len(made_up) > 1:  # D27
        raise ImportRefused("Made-up and reported sources do not mix; load one or the other")


def _joined(sources: list[Portfolio]) -> dict[str, pa.Table]:
    """All sources in one set of tables: rows shifted, parties of one name made one (D30)."""
    entities, entity_of = _entities(sources)
    tables: dict[str, list[pa.Table]] = {name: [] for name in TABLES if name != "entities"}
    loans_before = 0
    for source, ids in zip(sources, entity_of, strict=True):
        for name in ("layers", "properties", "leases"):
            tables[name].append(_shifted(getattr(source, name), "loan", loans_before))
        edges = _shifted(source.edges, "from_loan", loans_before)
        for column in ("from_entity", "to_entity"):
            at = edges.schema.get_field_index(column)
            edges = edges.set_column(at, column, ids.take(edges[column].combine_chunks()))
        tables["edges"].append(edges)
        tables["loans"].append(source.loans)
        tables["rejects"].append(source.rejects)
        loans_before += source.loans.num_rows
    joined = {name: pa.concat_tables(listed) for name, listed in tables.items()}
    joined["entities"] = entities
    _check_numbers(joined["loans"]["loan_number"])
    return joined


def _entities(sources: list[Portfolio]) -> tuple[pa.Table, list[pa.Array]]:
    """One row a name over all sources (D30), and the new row of each source's rows.

    A party that several sources know keeps the kind of the first and the best confidence.
    """
    if len(sources) == 1:
        count = sources[0].entities.num_rows
        return sources[0].entities, [pa.array(np.arange(count, dtype=np.int32))]
    listed: dict[str, dict[str, Any]] = {}
    for source in sources:
        for row in source.entities.to_pylist():
            first = listed.setdefault(row["entity_name"], row)
            first["confidence"] = max(first["confidence"], row["confidence"])
    names = {name: at for at, name in enumerate(listed)}
    rows = [
        pa.array([names[name] for name in one.entities["entity_name"].to_pylist()], pa.int32())
        for one in sources
    ]
    return pa.Table.from_pylist(list(listed.values()), schema=TABLES["entities"]), rows


def _shifted(table: pa.Table, column: str, by: int) -> pa.Table:
    if not by:
        return table
    at = table.schema.get_field_index(column)
    moved = pc.add(table[column], pa.scalar(by, pa.int32()))
    return table.set_column(at, table.schema.field(at), moved)


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

"""What a snapshot says of itself: counts, sums and sources of its book."""

from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.book import Book
from services.contract.portfolio import Portfolio
from services.contract.snapshot_info import LoadedSource, Snapshot

from .snapshot import FILE_FORMAT


def summary_of(book: Book, snapshot_id: str) -> Snapshot:
    """Counts, sums and sources of a book, as status and the pages show them."""
    signals, scores = book.scores.signals, book.scores
    by_source = np.bincount(
        book.source_of_loan[signals["loan"].to_numpy()], minlength=len(book.sources)
    )
    loans, added = book.tables["loans"], _added(book)
    both = pc.and_(pc.is_valid(loans["interest_rate"]), pc.is_valid(added))
    rates, weights = loans["interest_rate"].filter(both), added.filter(both)
    weight = pc.sum(weights).as_py() or 0
    product = pc.sum(pc.multiply(rates, weights.cast(pa.float64())))
    return Snapshot(
        snapshot_id=snapshot_id,
        file_format=FILE_FORMAT,
        as_of=book.as_of,
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
            _loaded(one, int(count), added.filter(pa.array(book.source_of_loan == at)))
            for at, (one, count) in enumerate(zip(book.sources, by_source, strict=True))
        ),
        rates=scores.rates,
        spreads=scores.spreads,
        rests_on=scores.rests_on,
        rule_coverage=scores.coverage,
        rules=scores.rules,
        counted_by_source=dict(book.counted_by_source),
        book_value=pc.sum(added).as_py() or 0,
        weighted_coupon=product.as_py() / weight if weight else None,
    )


def _counts(column: pa.ChunkedArray) -> dict[str, int]:
    counted = pc.value_counts(column.cast(pa.string())).to_pylist()
    return {row["values"]: row["counts"] for row in sorted(counted, key=lambda r: -r["counts"])}


def _added(book: Book) -> pa.ChunkedArray:
    """Book values to be added: None where the record is the sum of others (D152)."""
    sums = book.scores.features["sums_notes"]
    return pc.if_else(sums, pa.scalar(None, pa.int64()), book.tables["loans"]["book_value"])


def _loaded(source: Portfolio, signals: int, added: pa.ChunkedArray) -> LoadedSource:
    info = source.info
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
        seed=info.seed,
        loans=source.loans.num_rows,
        book_value=pc.sum(added).as_py(),
        properties=source.properties.num_rows,
        entities=source.entities.num_rows,
        edges=source.edges.num_rows,
        signals=signals,
        rejected=source.rejects.num_rows,
        unmapped=info.unmapped,
    )

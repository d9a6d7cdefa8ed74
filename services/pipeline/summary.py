"""What a snapshot says of itself."""

from datetime import UTC, date, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.loaded import LoadedSource, RateUsed, RuleCoverage, Snapshot
from services.contract.portfolio import Portfolio
from services.store.book import Book
from services.store.snapshot import FILE_FORMAT


def summary(snapshot_id: str, as_of: date, book: Book, portfolios: list[Portfolio]) -> Snapshot:
    """Counts, sums and sources of a book, as status and the pages show them."""
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
    rules = {rule.id: rule for rule in book.scored.rules}
    return Snapshot(
        snapshot_id=snapshot_id,
        file_format=FILE_FORMAT,
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
            if (rule := rules[one.rule])
        ),
        rules=tuple(book.scored.rules),
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

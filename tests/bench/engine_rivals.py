"""Arrays against SQL: what the questions of the Loans and Signals pages cost by each engine.

    python -m tests.bench.engine_rivals STORE

Each page's questions are asked as the page asks them, once by the store's own arrays with every
answer forgotten and the columns in memory, once by DuckDB, one statement a question over the same
file. Both answers are compared before anything is timed. `cpu` counts all threads.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from services.contract.loan_filter import CONDITIONS, LoanFilter
from services.contract.signal_filter import OF_SIGNAL, SignalFilter
from services.store import loan_results, signal_totals, signals
from services.store.columns import days_since_1970
from services.store.leases import Store
from services.store.notes import ADDED, LOANS
from services.store.reader import Reader

RUNS = 25
#: What `grouping` says of the rows of states alone.
_BY_STATE = 0b0111
FROM = "FROM loans l JOIN screened s USING (loan_id)"
BEHIND = "FROM signals g JOIN loans l USING (loan_id) JOIN screened s USING (loan_id)"
TESTS = {"at least": ">=", "at most": "<=", "after": ">", "before": "<"}
FACETS = ("state", "property_type", "severity")
SIGNAL_FACETS = ("signal_type", "severity", "state", "property_type")
COLUMNS = ("property_name", "property_type", "property_state", "book_value", "dscr", "ltv")
#: Filters of which every run draws one, by how much of the book they leave.
CHOICES = {
    "all loans": [{}],
    "one state": [{"state": (one,)} for one in ("TX", "CA", "NY", "FL", "GA", "IL", "OH", "WA")],
    "three conditions": [
        {"property_type": (kind,), "min_dscr": 1.0, "max_ltv": top}
        for kind in ("office", "retail", "multifamily")
        for top in (60.0, 75.0)
    ],
}


def where(query: Any) -> tuple[str, list[Any]]:
    """Conditions of a filter as SQL, with their values."""
    parts, values = ["TRUE"], []
    for name, value in query.filters().items():
        if isinstance(query, SignalFilter) and name in OF_SIGNAL:
            parts.append(f"g.{name} IN ({', '.join('?' * len(value))})")
            values += value
            continue
        one = CONDITIONS[name]
        column = f"{'s' if one.column == 'worst_severity' else 'l'}.{one.column}"
        if one.test == "among":
            parts.append(f"{column} IN ({', '.join('?' * len(value))})")
            values += value
        else:
            scaled = f"round({column} * {one.scale}, 9)" if one.scale != 1 else column
            parts.append(f"{scaled} {TESTS[one.test]} ?")
            values.append(value)
    return " AND ".join(parts), values


def asked(reader: Reader, select: str, query: Any, rest: str = "", of: str = FROM) -> list[Any]:
    condition, values = where(query)
    return reader.rows(f"SELECT {select} {of} WHERE {condition} {rest}", values)


def loans_by_sql(reader: Reader, query: LoanFilter) -> list[Any]:
    """What the Loans page asks, as statements."""
    end = f"LIMIT {query.per_page}"
    page = asked(
        reader,
        f"l.loan_number, {', '.join(f'l.{name}' for name in COLUMNS)}",
        query,
        f"ORDER BY l.dscr NULLS LAST, l.loan_id {end}",
    )
    total = asked(reader, "count(*)", query)[0][0]
    day = days_since_1970(reader.snapshot.as_of)
    due = "CASE WHEN l.exemption IS NULL THEN l.effective_maturity - DATE '1970-01-01' END"
    weighted = ", ".join(
        f"sum(l.{name} * coalesce(l.book_value, 0)) {ADDED} / "
        f"sum(l.book_value) FILTER (WHERE NOT l.sums_notes AND l.{name} IS NOT NULL), "
        f"sum(l.book_value) FILTER (WHERE NOT l.sums_notes AND l.{name} IS NOT NULL)"
        for name in ("interest_rate", "dscr", "ltv")
    )
    totals = asked(
        reader,
        f"{LOANS}, count(*) {ADDED}, sum(l.book_value) {ADDED}, {weighted}, "
        f"sum(l.dollars_short) {ADDED}, "
        "count(*) FILTER (WHERE l.dollars_short > 0 AND l.whole_loan IS NULL) "
        "+ count(DISTINCT l.whole_loan) FILTER (WHERE l.dollars_short > 0)",
        query,
    )
    asked(
        reader,
        f"CASE WHEN {due} < {day} THEN -1 ELSE ({due} - {day}) // 366 END AS horizon, "
        f"{LOANS}, sum(l.book_value) {ADDED}, sum(l.dollars_short) {ADDED}, "
        "count(*) FILTER (WHERE l.dollars_short > 0)",
        query,
        "GROUP BY 1",
    )
    asked(
        reader,
        f"l.exemption, l.disposition, {LOANS}, sum(l.book_value) {ADDED}, "
        f"sum(l.realized_loss) {ADDED}",
        query,
        "GROUP BY GROUPING SETS ((1), (2))",
    )
    # Facets that look at the same loans are one statement.
    free = [name for name in FACETS if name not in query.filters()]
    counts: dict[str, dict[str, int]] = {}
    for names in [free, *([one] for one in FACETS if one not in free)]:
        listed = [_column(name) for name in names]
        found = asked(
            reader,
            f"{', '.join(listed)}, {', '.join(f'grouping({one})' for one in listed)}, {LOANS}, "
            f"sum(l.book_value) {ADDED}",
            query.without(*names),
            f"GROUP BY GROUPING SETS ({', '.join(f'({one})' for one in listed)})",
        )
        for row in found:
            (at,) = [at for at in range(len(names)) if not row[len(names) + at]]
            if row[at] is not None:
                counts.setdefault(names[at], {})[row[at]] = row[2 * len(names)]
    return [total, [row[0] for row in page], totals[0][2], [counts[name] for name in FACETS]]


def _column(name: str) -> str:
    column = CONDITIONS[name].column
    return f"{'s' if column == 'worst_severity' else 'l'}.{column}"


def loans_by_arrays(reader: Reader, query: LoanFilter) -> list[Any]:
    """The same by the store."""
    page = loan_results.loans_found(reader, query, COLUMNS)
    totals = loan_results.loan_totals(reader, query)
    counts = [
        {
            str(one.word): one.loans
            for one in loan_results.loan_counts(reader, query, name)
            if one.word != "none"
        }
        for name in FACETS
    ]
    return [page.total, [one.loan_number for one in page.items], totals.book_value, counts]


def ranking_by_sql(reader: Reader, query: LoanFilter) -> list[Any]:
    """Lenders by book value."""
    found = asked(
        reader,
        f"l.lender_id, {LOANS} AS loans, coalesce(sum(l.book_value) {ADDED}, 0) AS worth, "
        f"max(s.worst_severity), sum(l.dollars_short) {ADDED}",
        query,
        "GROUP BY 1 ORDER BY worth DESC, loans DESC",
    )
    known = [row for row in found if row[0] is not None]
    names = dict(reader.rows("SELECT lender_id, lender FROM lenders"))
    return [len(known), [(names[row[0]], int(row[2])) for row in known[:5]]]


def ranking_by_arrays(reader: Reader, query: LoanFilter) -> list[Any]:
    """The same by the store."""
    found = loan_results.loan_ranking(reader, query, "lender", 50)
    named = [(one.word, one.book_value) for one in found.groups if one.word is not None]
    return [found.total, named[:5]]


def signals_by_sql(reader: Reader, query: SignalFilter) -> list[Any]:
    """What the Signals page asks, as statements."""
    once = "count(DISTINCT l.loan_id)"
    page = asked(
        reader,
        "g.signal_id",
        query,
        "ORDER BY g.severity DESC NULLS LAST, s.urgency DESC, g.signal_id LIMIT 25",
        BEHIND,
    )
    signals._by_id(reader, "signal_id IN (SELECT unnest(?))", [row[0] for row in page])
    total = asked(reader, f"count(*), {once}", query, "", BEHIND)[0]
    condition, values = where(query.without(*signal_totals._WHERE))
    found = reader.rows(
        "SELECT state, kind, tier, worst, grouping(state, kind, tier, worst), count(*),"
        " sum(signals), sum(book), sum(short) FROM (SELECT l.loan_id,"
        " first(l.property_state) AS state, first(l.property_type) AS kind,"
        " first(l.confidence_tier) AS tier, first(l.book_value) AS book,"
        " first(l.dollars_short) AS short, count(*) AS signals, max(g.severity) AS worst"
        f" {BEHIND} WHERE {condition} GROUP BY l.loan_id)"
        " GROUP BY GROUPING SETS ((state), (state, kind), (state, worst), (tier), ())",
        values,
    )
    states = {row[0]: int(row[6]) for row in found if row[4] == _BY_STATE and row[0]}
    reader.rows("SELECT property_state, count(*), sum(book_value) FROM loans GROUP BY 1")
    counts = []
    for name in SIGNAL_FACETS:
        column = f"g.{name}" if name in OF_SIGNAL else f"l.{CONDITIONS[name].column}"
        found = asked(
            reader, f"{column}::VARCHAR, count(*)", query.without(name), "GROUP BY 1", BEHIND
        )
        counts.append({word: number for word, number in found if word})
    return [total[0], [row[0] for row in page], states, counts]


def signals_by_arrays(reader: Reader, query: SignalFilter) -> list[Any]:
    """The same by the store."""
    ordered = query.model_copy(update={"order": "-severity"})
    found = signals.signals_found(reader, ordered, ())
    ids = signals._page(reader, signals.signal_ids(reader, query), ordered).tolist()
    signal_totals.signal_totals(reader, query)
    states = signal_totals.signal_states(reader, query)
    for by in ("severity", "property_type"):
        signal_totals.signal_matrix(reader, query, by)
    counts = [dict(signal_totals.signal_counts(reader, query, name)) for name in SIGNAL_FACETS]
    there = {one.state: one.signals for one in states if one.state and one.signals}
    return [found.total, ids, there, counts]


def queries(kind: str, page: str) -> list[Any]:
    """What one of CHOICES asks of a page."""
    if page != "Signals":
        return [LoanFilter(order="dscr", **one) for one in CHOICES[kind]]
    if kind == "three conditions":
        return [
            SignalFilter(severity=(word,), property_type=(type_,), state=("TX", "CA", "NY"))
            for word in ("severe", "elevated")
            for type_ in ("office", "retail", "multifamily")
        ]
    return [SignalFilter(**one) for one in CHOICES[kind]]


PAGES = {
    "Loans": (loans_by_arrays, loans_by_sql),
    "Loans, ranked by lender": (ranking_by_arrays, ranking_by_sql),
    "Signals": (signals_by_arrays, signals_by_sql),
}


def measured(
    reader: Reader, ask: Callable[[Reader, Any], list[Any]], asks: list[Any]
) -> tuple[list[float], list[float]]:
    """Wall and processor milliseconds of each run."""
    walls, cpus = [], []
    for at in range(RUNS):
        reader.clear()
        wall, cpu = time.perf_counter(), time.process_time()
        ask(reader, asks[at % len(asks)])
        walls.append(1e3 * (time.perf_counter() - wall))
        cpus.append(1e3 * (time.process_time() - cpu))
    return walls, cpus


def rows(reader: Reader) -> Iterator[str]:
    """A row of the table for each page and filter."""
    for page, (arrays, sql) in PAGES.items():
        for kind in CHOICES:
            asks = queries(kind, page)
            for query in asks:
                one, other = arrays(reader, query), sql(reader, query)
                if one != other:
                    raise SystemExit(f"{page}, {query.filters()}: {one!r:.300} != {other!r:.300}")
            cells = []
            for ask in (arrays, sql):
                walls, cpus = measured(reader, ask, asks)
                cells += [
                    statistics.median(walls),
                    float(np.percentile(walls, 95)),
                    statistics.median(cpus),
                ]
            yield f"| {page}, {kind} | " + " | ".join(f"{one:.0f}" for one in cells) + " |"


def main() -> None:
    """Prints the table, in milliseconds: p50, p95 and processor time by arrays, then by SQL."""
    store = Store(Path(sys.argv[1]))
    with store.lease() as source:
        for row in rows(source.reader):
            print(row, flush=True)
    store.close()


if __name__ == "__main__":
    main()

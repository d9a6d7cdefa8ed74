"""Time at size: adding a month, a loan's line, what changed between two dates, room on the disk.

    python -m tests.bench.history STORE LOANS MONTH...    adds months of made-up loans to a store

Rows are drawn: balances amortise, one loan in fifty moves in status, income or value a month. What
sources said is not kept beside them, so that the room is that of the rows and their tables.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from services.contract.history import ChangeQuery, HeatQuery, HistoryQuery, TrendQuery
from services.contract.months import months_after
from services.contract.period import HISTORY, ScoredBy, ScoredPeriod
from services.contract.vocabulary import GRADED, SIGNAL_TYPES, STATES
from services.importers.demo import portfolio
from services.pipeline import load, silent
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from services.store.publisher import SnapshotPublisher
from services.store.snapshot import HISTORY_FILE, PERIODS, current_id, folder_of
from tests.bench.figures import Figure, spread, timed

ROOT = Path(__file__).parents[2]
FIRST = date(2023, 9, 30)
TYPES = ["office", "retail", "multifamily", "lodging", "industrial", "self storage"]
LENDERS = [f"Lender {at}" for at in range(40)]
BOOK = portfolio(loans=50, seed=1)


def drawn(loans: int, month: int) -> pa.Table:
    """The rows of a month: the same loans every month, what moves drawn by month."""
    fixed, moved = np.random.default_rng(1), np.random.default_rng(1_000 + month)

    def words(rng: np.random.Generator, listed: list[str | None]) -> pa.Array:
        code = pa.array(rng.integers(0, len(listed), loans).astype(np.int16))
        return pa.DictionaryArray.from_arrays(
            code, pa.array(listed, pa.string())
        ).dictionary_decode()

    original = fixed.integers(2_000_000, 60_000_000, loans)
    noi = original // 12 + (moved.random(loans) < 0.02) * moved.integers(-900_000, 400_000, loans)
    dscr = np.round(noi / (original * 0.065), 2)
    rare = lambda share, listed: [None] * int(len(listed) / share - len(listed)) + listed  # noqa: E731
    columns = {
        "loan_number": [f"L-{at:07d}" for at in range(loans)],
        "property_name": [f"Property {at}" for at in range(loans)],
        "property_type": words(fixed, TYPES),
        "city": words(fixed, [f"City {at}" for at in range(400)]),
        "state": words(fixed, list(STATES)[:50]),
        "lender": words(fixed, LENDERS),
        "vintage": pa.array(fixed.integers(2012, 2024, loans).astype(np.int16)),
        "balance": pa.array(original - original * month // 400),
        "interest_rate": pa.array(np.round(fixed.uniform(3, 8, loans), 3)),
        "rate_type": words(fixed, ["1", "1", "1", "2"]),
        "maturity_date": pa.array(
            fixed.integers(19_700, 23_000, loans).astype("int32"), pa.int32()
        ).cast(pa.date32()),
        "payment_status": words(moved, ["0"] * 60 + ["A", "B", "1", "2", "3"]),
        "special_servicing": pa.array(moved.random(loans) < 0.03),
        "workout": words(moved, rare(0.03, ["1", "2", "7", "13"])),
        "dscr": pa.array(dscr),
        "income_months": pa.array(np.full(loans, 12, np.int8)),
        "noi": pa.array(noi),
        "ncf": pa.array(noi * 95 // 100),
        "occupancy": pa.array(np.round(fixed.uniform(0.5, 1, loans), 3)),
        "value": pa.array(original * 3 // 2 // 100_000 * 100_000),
        "ltv": pa.array(np.round(0.66 - 0.66 * month / 400 + np.zeros(loans), 4)),
        "debt_yield": pa.array(np.round(noi / original * 100, 3)),
        "dollars_short": pa.array(np.where(dscr < 1.2, original // 20, 0)),
        "rules": words(moved, rare(0.4, ["CV-1", "RP-1", "RP-1 ST-1", "CV-1 RG-1 RP-1"])),
        "sponsor": words(fixed, [f"Sponsor {at} LP" for at in range(20_000)]),
        **{kind: words(moved, rare(0.2, list(GRADED))) for kind in SIGNAL_TYPES},
    }
    arrays = [
        pa.array(columns[spec.name], spec.type)
        if isinstance(columns.get(spec.name), list)
        else columns[spec.name].cast(spec.type)
        if spec.name in columns
        else pa.nulls(loans, spec.type)
        for spec in HISTORY
    ]
    return pa.Table.from_arrays(arrays, schema=HISTORY)


def add(store: Path, loans: int, months: list[int]) -> None:
    """Adds months to a store that has a book."""
    with SnapshotPublisher(store, keep=1).build() as build:
        for month in months:
            info = replace(BOOK.info, as_of=months_after(FIRST, month))
            source = replace(BOOK, info=info)
            build.add(ScoredPeriod(source, drawn(loans, month), ScoredBy("bench", "bench")))
        build.publish(None, silent)


def figures(loans: int, months: int, runs: int) -> Iterator[Figure]:
    """Each with its target, which is of a million loans and 36 periods."""
    with tempfile.TemporaryDirectory(prefix="atlas-history-") as folder:
        store = Path(folder) / "store"
        load([BOOK], into=SnapshotPublisher(store))
        _child(store, loans, list(range(months - 1)))
        seconds, gib = _child(store, loans, [months - 1])
        yield Figure("history", f"{loans:,} loans: add month {months}", seconds, "s", 60)
        yield Figure("history", f"{loans:,} loans: peak memory of it", gib, "GiB", 3)
        snapshot = folder_of(store, current_id(store))
        sizes = [path.stat().st_size for path in (snapshot / PERIODS).rglob("*") if path.is_file()]
        rows = loans * months
        table = (snapshot / HISTORY_FILE).stat().st_size
        yield Figure("history", "files of the periods", sum(sizes) / rows, "bytes a loan-month")
        total = (sum(sizes) + table) / rows
        yield Figure("history", "with their tables", total, "bytes a loan-month", 60)
        yield from _reads(store, loans, months, runs)


def _reads(store: Path, loans: int, months: int, runs: int) -> Iterator[Figure]:
    rng = random.Random(24)
    opened = Store(store, rescorer=RulesRescorer())
    with opened.lease() as source:
        reader = source.reader
        dates = [months_after(FIRST, at) for at in range(months)]

        def measured(name: str, ask: object, target: float, times: int = runs) -> Figure:
            taken = []
            for _ in range(times):
                question = ask()
                reader.clear()
                taken.append(timed(question))
            return spread("history", name, taken, target=target, floor=0.0)

        def line():
            number = f"L-{rng.randrange(loans):07d}"
            return partial(source.history, number, HistoryQuery())

        def changed(filters: int):
            since, until = sorted(rng.sample(dates, 2))
            drawn_ = {
                "state": tuple(rng.sample(list(STATES)[:50], 5)),
                "property_type": tuple(rng.sample(TYPES, 2)),
                "lender": rng.choice(LENDERS),
            }
            chosen = dict(list(drawn_.items())[:filters])
            return partial(source.changes, ChangeQuery(since=since, until=until, **chosen))

        yield measured("line of a loan", line, 20)
        yield measured("changes, three filters", partial(changed, 3), 300)
        yield measured("changes, no filter", partial(changed, 0), 3_000, 10)
        yield measured(
            "trends by type",
            lambda: partial(source.trends, TrendQuery(by="property_type")),
            300,
            20,
        )
        yield measured(
            "the map over time", lambda: partial(source.heat_over_time, HeatQuery()), 300, 20
        )
    opened.close()


def _child(store: Path, loans: int, months: list[int]) -> tuple[float, float]:
    """Seconds and peak GiB of `add` in a process of its own; drawing the rows is a part of it."""
    words = [sys.executable, "-m", "tests.bench.history", str(store), str(loans)]
    start = time.perf_counter()
    with subprocess.Popen([*words, *map(str, months)], cwd=ROOT) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"adding months ended with {process.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss / 2**20


if __name__ == "__main__":
    add(Path(sys.argv[1]), int(sys.argv[2]), [int(word) for word in sys.argv[3:]])

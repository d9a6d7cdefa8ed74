"""How long files of many loans take to write, and how much memory beyond that of the open store.

Each is written in a process of its own: `python -m tests.bench.exports STORE FORMAT LOANS`, with
every column that there is.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.stores import ROOT

TARGET_MIB = 500
#: Format, how many loans, and what they are ordered by.
FILES = (
    ("XLSX", 100_000, "-dollars_short"),
    ("Parquet", 1_000_000, "-dollars_short"),
    ("CSV, zipped", 1_000_000, "loan_number"),
    ("CSV", 1_000_000, "-dollars_short"),
)


def figures(store: Path, loans: int) -> Iterator[Figure]:
    """Each file's memory, with what it took and how large it is."""
    for form, most, order in FILES:
        rows = min(most, loans)
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.exports", store, form, str(rows), order],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        taken = json.loads(done.stdout)
        what = f"{form} of {rows:,} loans, by {order.removeprefix('-')}"
        yield Figure("export", f"{what}: memory", taken["mib"], "MiB", TARGET_MIB)
        yield Figure("export", f"{what}: time", taken["seconds"], "s")
        yield Figure("export", f"{what}: size", taken["size"], "MiB")


def _written(store: Path, name: str, rows: int, order: str) -> dict[str, float]:
    from components.frame.exports import formats, of_batches
    from components.frame.exports.export import of_snapshot
    from services.contract.columns import COLUMN
    from services.contract.loan_filter import LoanFilter
    from services.store.reader import Reader
    from services.store.snapshot import current_id, folder_of
    from services.store.source import StoreSource

    forms = (formats.CSV, formats.CSV_ZIPPED, formats.XLSX, formats.PARQUET)
    form = next(one for one in forms if one.name == name)
    source = StoreSource(Reader(folder_of(store, current_id(store))))
    query, columns = LoanFilter(order=order), tuple(COLUMN)
    source.loans_found(query, columns)
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak begins again
    before, start = _peak(), time.perf_counter()
    batches = _first(rows, source.loan_batches(query, columns))
    with tempfile.TemporaryDirectory(prefix="atlas-bench-") as folder:
        path = Path(folder) / f"loans{form.suffix}"
        export = of_batches("loans", "All loans", of_snapshot(source.snapshot()), rows, batches)
        form.write(path, export, lambda _: None)
        seconds, size = time.perf_counter() - start, path.stat().st_size
    return {"mib": (_peak() - before) / 2**10, "seconds": seconds, "size": size / 2**20}


def _first(rows: int, batches):
    for batch in batches:
        yield batch.slice(0, rows)
        rows -= batch.num_rows
        if rows <= 0:
            return


def _peak() -> int:
    """The most memory that this process has had, in KiB."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    store, name, rows, order = sys.argv[1:]
    print(json.dumps(_written(Path(store), name, int(rows), order)))

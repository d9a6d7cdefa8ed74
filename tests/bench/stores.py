"""How long a demonstration store takes to build, and how much memory."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.figures import Figure

ROOT = Path(__file__).parents[2]
SMALL = 5_000
SMALL_RUNS = 3


def built(store: Path, loans: int) -> tuple[float, float]:
    """Seconds and peak GiB of `python -m services demo`, the start of Python included."""
    quarters = 12 if loans == SMALL else 1
    command = [sys.executable, "-m", "services", "demo", "--loans", str(loans)]
    command += ["--quarters", str(quarters)]
    start = time.perf_counter()
    with subprocess.Popen(
        [*command, "--store", str(store)], cwd=ROOT, stdout=subprocess.DEVNULL
    ) as process:
        # wait4 gives the peak of this one child; RUSAGE_CHILDREN that of the largest so far.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"'{' '.join(command)}' ended with {process.returncode}")
    return seconds, usage.ru_maxrss / 2**20


def small() -> list[Figure]:
    """The store that a first start builds."""
    with tempfile.TemporaryDirectory(prefix="atlas-bench-") as folder:
        runs = [built(Path(folder) / str(at), SMALL) for at in range(SMALL_RUNS)]
    seconds, gib = (statistics.median(column) for column in zip(*runs, strict=True))
    return [
        Figure("store", f"{SMALL:,} loans: time to build", seconds, "s", 6),
        Figure("store", f"{SMALL:,} loans: peak memory", gib, "GiB"),
    ]


def large(store: Path, loans: int) -> list[Figure]:
    """The store that everything else is measured on."""
    seconds, gib = built(store, loans)
    size = sum(path.stat().st_size for path in store.rglob("*") if path.is_file())
    return [
        Figure("store", f"{loans:,} loans: time to build", seconds, "s", 120),
        Figure("store", f"{loans:,} loans: peak memory", gib, "GiB", 6),
        Figure("store", f"{loans:,} loans: on disk", size / 2**20, "MiB"),
    ]

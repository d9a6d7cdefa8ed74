"""From a start of the dashboard to the first page that a visitor sees whole."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.stores import ROOT
from tests.servers import free_port
from tests.visitors import visit

_RUNS = 3


def started(store: Path) -> tuple[float, float]:
    """Seconds from `creditatlas up` to a whole Overview: on the wall, and of processor."""
    port = free_port()
    words = [sys.executable, "-m", "services", "up", "--store", str(store), "--port", str(port)]
    quiet = subprocess.DEVNULL
    began = time.perf_counter()
    with subprocess.Popen(words, cwd=ROOT, stdout=quiet, stderr=quiet) as process:
        try:
            while True:
                try:
                    seen = visit(f"http://127.0.0.1:{port}", "")
                    break
                except OSError:
                    if process.poll() is not None:
                        raise SystemExit(f"'{' '.join(words)}' ended") from None
                    time.sleep(0.05)
            took = time.perf_counter() - began
            spent = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8")
        finally:
            process.terminate()
    if fault := seen.fault():
        raise SystemExit(fault)
    user, system = spent.rpartition(")")[2].split()[11:13]
    return took, (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def figures(store: Path, loans: int, target: float) -> Iterator[Figure]:
    """The median of three starts; the target is of time on the wall, in seconds."""
    runs = [started(store) for _ in range(_RUNS)]
    took, spent = (statistics.median(column) for column in zip(*runs, strict=True))
    yield Figure("start", f"{loans:,} loans: to the first page", took, "s", target)
    yield Figure("start", f"{loans:,} loans: processor to the first page", spent, "s")

"""How long frames of all loans take, and how much memory, over what the frame itself holds.

Each is made in a process of its own, as an analyst's first call, with the columns of an export:
`python -m tests.bench.frames STORE METHOD`. Signals have a sentence each, properties names and
addresses; one target holds for all.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

from tests.bench.figures import Figure
from tests.bench.stores import ROOT

#: Method of an atlas -> seconds, and times its own bytes, that it may take.
METHODS = {"loans": (3, 1.5), "signals": (3, 1.5), "properties": (3, 1.5)}


def figures(store: Path):
    """The first call of each method; reading the database and the names from disk included."""
    for method, (seconds, times) in METHODS.items():
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.frames", store, method],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        taken = json.loads(done.stdout)
        what = f"{taken['rows']:,} {method} with {taken['columns']} columns"
        yield Figure("frames", f"{what}: time", taken["seconds"], "s", seconds)
        yield Figure("frames", f"{what}: time of the processor", taken["cpu"], "s")
        yield Figure("frames", f"{what}: memory, of the frame's own", taken["times"], "x", times)


def _measured(store: str, method: str) -> dict[str, float]:
    from services.frames import connect

    with connect(store) as atlas:
        atlas.snapshot()
        peak, over = [before := _held()], Event()
        watch = Thread(target=_watch, args=(peak, over))
        watch.start()
        start, worked = time.perf_counter(), time.process_time()
        frame = getattr(atlas, method)()
        seconds, cpu = time.perf_counter() - start, time.process_time() - worked
        over.set()
        watch.join()
    own = float(frame.memory_usage(deep=True).sum())
    return {
        "rows": len(frame), "columns": frame.shape[1], "seconds": seconds, "cpu": cpu,
        "times": (peak[0] - before) / own,
    }  # fmt: skip


def _watch(peak: list[int], over: Event) -> None:
    while not over.wait(0.005):
        peak[0] = max(peak[0], _held())


def _held() -> int:
    """Bytes that are this process's own; pages of files that are mapped are the system's."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) * 1024


if __name__ == "__main__":
    print(json.dumps(_measured(*sys.argv[1:])))

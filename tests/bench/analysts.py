"""Simulated analysts at work: how long pages take, whether any fails, and whether memory grows.

`python -m tests.bench.analysts [--analysts 50] [--minutes 5] [--processes 1]`, over a demonstration
store. Each opens a page in a session of its own, reads it for five to fifteen seconds, and opens
the next one. Exit code 1 where a page failed or the 95th percentile took a second or more.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote

from rich.console import Console

from services.contract.queries import EntityQuery, LoanQuery
from services.store.leases import Store
from tests.bench.figures import Figure, Run, print_table, spread
from tests.servers import ROOT, dashboard
from tests.visitors import visit

#: Seconds that a page may take at the 95th percentile.
TARGET = 1.0
_READS_FOR = (5.0, 15.0)
#: Memory may grow by this part from the first minute to the last.
_GROWTH = 0.10


def addresses(store: Path) -> list[str]:
    """What analysts open: every page, of some loans and parties, by some filters."""
    opened = Store(store)
    with opened.lease() as source:
        loans = [one.loan_number for one in source.loans(LoanQuery(per_page=100)).items]
        names = [quote(one.entity_name) for one in source.entities(EntityQuery(per_page=100)).items]
    opened.close()
    chosen = random.Random(1)
    states = ("TX", "CA", "NY", "FL", "IL", "GA", "OH", "WA")
    return [
        *["", "signals", "sponsors", "watchlist", "sources", "track_record"],
        *(f"loans?state={state}&order=-dollars_short" for state in states),
        *(f"signals?state={state}" for state in states),
        *(f"loan?loan_number={number}" for number in chosen.sample(loans, 20)),
        *(f"entity?entity_name={name}" for name in chosen.sample(names, 8)),
        *(f"capital_graph?loan_number={number}" for number in chosen.sample(loans, 8)),
        *(f"entities?name={word}" for word in ("capital", "bank", "realty", "trust")),
        *(f"what_if?rates={rates}" for rates in (100, 200)),
    ]


class Office:
    """Analysts who work at once for some seconds."""

    def __init__(self, server: str, addresses: list[str], seconds: float) -> None:
        self._server = server
        self._addresses = addresses
        self._ends = time.monotonic() + seconds
        self.runs: list[Run] = []
        self.faults: list[str] = []

    def work(self, analysts: int) -> None:
        """Works until the time is over."""
        threads = [threading.Thread(target=self._analyst, args=(at,)) for at in range(analysts)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _analyst(self, number: int) -> None:
        chosen = random.Random(number)
        time.sleep(chosen.uniform(0, _READS_FOR[1]))
        while time.monotonic() < self._ends:
            started = time.perf_counter()
            try:
                seen = visit(self._server, chosen.choice(self._addresses))
            except Exception as error:  # noqa: BLE001 - whatever an analyst sees go wrong
                self.faults.append(f"{type(error).__name__}: {error}")
            else:
                self.runs.append(Run(1000 * (time.perf_counter() - started), 0.0))
                if fault := seen.fault():
                    self.faults.append(fault)
            time.sleep(chosen.uniform(*_READS_FOR))


def memory(port: int) -> float:
    """MiB of all processes that serve on a port."""
    listed = subprocess.run(
        ["pgrep", "-f", f"components.serving .*--port {port} "],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    children = subprocess.run(
        ["pgrep", "-P", ",".join(listed)], check=False, capture_output=True, text=True
    ).stdout.split()
    pages = sum(
        int(Path(f"/proc/{one}/statm").read_text(encoding="ascii").split()[1])
        for one in {*listed, *children}
    )
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> int:
    """Measures, prints, and says by its code whether a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--analysts", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        fill = [sys.executable, "-m", "services", "demo", "--store", str(store)]
        subprocess.run(fill, cwd=ROOT, check=True, capture_output=True)
        with dashboard(store, processes=given.processes) as server:
            port, opened = int(server.rpartition(":")[2]), addresses(store)
            Office(server, opened, 60).work(given.analysts)  # caches fill, sessions come and go
            before = memory(port)
            office = Office(server, opened, 60 * given.minutes)
            office.work(given.analysts)
            after = memory(port)
    busy = f"{given.analysts} analysts, {given.minutes:g} minutes, {given.processes} processes"
    growth = Figure("analysts", "memory, of what it was after a minute", after / before, "",
                    1 + _GROWTH, detail={"median": before, "slowest": after})  # fmt: skip
    faults = Figure("analysts", "pages that failed", len(office.faults), "", 1)
    figures = [spread("analysts", busy, office.runs, target=1000 * TARGET), faults, growth]
    print_table(figures, Console(width=140))
    print(f"memory {before:.0f} MiB after a minute, {after:.0f} MiB at the end")
    print("\n".join(sorted(set(office.faults))[:20]))
    return int(any(figure.met is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())

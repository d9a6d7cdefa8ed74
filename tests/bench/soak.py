"""Analysts who leave pages before they are drawn: whether each page they wait for is theirs.

`python -m tests.bench.soak [--analysts 10] [--minutes 10]`, over a demonstration store. Each keeps
a session for some dozens of pages, leaves one in two before it is drawn, and compares what the
others say with what a visitor who never was anywhere else is shown. Exit code 1 where a page
failed or said something else, or memory grew.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.analysts import Office, addresses, memory
from tests.servers import ROOT, dashboard
from tests.visitors import Visit, session, visit

#: How many pages a session lasts, at most.
_PAGES = 40
#: Seconds until a page is left before it is drawn, and that one is read which was.
_LEFT_AFTER = (0.001, 0.15)
_READ_FOR = (0.2, 3.0)
#: Memory may grow by this part from the first minute to the last.
_GROWTH = 0.10


def lead(seen: Visit) -> list[str]:
    """What a page says it shows."""
    return re.findall(r'atlas-(?:lead|title)">(.*?)</', seen.words)


class Soak(Office):
    """Analysts who leave pages; `expected` is what each page says to a visitor of its own."""

    def __init__(self, server: str, expected: dict[str, list[str]], seconds: float) -> None:
        super().__init__(server, list(expected), seconds)
        self._expected = expected
        self.drawn = 0
        self.left = 0

    def _analyst(self, number: int) -> None:
        chosen = random.Random(number)
        while time.monotonic() < self._ends:
            try:
                self._session(chosen)
            except Exception as error:  # noqa: BLE001 - whatever an analyst sees go wrong
                self.faults.append(f"{type(error).__name__}: {error}")

    def _session(self, chosen: random.Random) -> None:
        with session(self._server) as browser:
            for _ in range(chosen.randint(1, _PAGES)):
                if time.monotonic() > self._ends:
                    return
                address = chosen.choice(self._addresses)
                page = address.partition("?")[0]
                others = [one for one in self._addresses if one.partition("?")[0] != page]
                while chosen.random() < 0.5:
                    browser.asks(chosen.choice(others))
                    self.left += 1
                    time.sleep(chosen.uniform(*_LEFT_AFTER))
                seen = browser.waits(address)
                self.drawn += 1
                if fault := seen.fault():
                    self.faults.append(fault)
                elif lead(seen) != self._expected[address]:
                    self.faults.append(f"{address}: says {lead(seen)}")
                time.sleep(chosen.uniform(*_READ_FOR))


def main() -> int:
    """Soaks, prints, and says by its code whether anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--analysts", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        fill = [sys.executable, "-m", "services", "demo", "--store", str(store)]
        subprocess.run(fill, cwd=ROOT, check=True, capture_output=True)
        with dashboard(store) as server:
            port = int(server.rpartition(":")[2])
            expected = {one: lead(visit(server, one)) for one in addresses(store)}
            Soak(server, expected, 60).work(given.analysts)  # caches fill, sessions come and go
            before = memory(port)
            soak = Soak(server, expected, 60 * given.minutes)
            soak.work(given.analysts)
            after = memory(port)
    print(
        f"{given.analysts} analysts, {given.minutes:g} minutes: {soak.drawn:,} pages drawn,"
        f" {soak.left:,} left before, {len(soak.faults):,} at fault; memory {before:.0f} MiB after"
        f" a minute, {after:.0f} MiB at the end"
    )
    print("\n".join(sorted(set(soak.faults))[:20]))
    return int(bool(soak.faults) or after > (1 + _GROWTH) * before)


if __name__ == "__main__":
    sys.exit(main())

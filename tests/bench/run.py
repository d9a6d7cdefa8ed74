"""`make bench`: measures what was promised, prints it beside its target, fails when one is missed.

    python -m tests.bench.run [--loans 1000000] [--quick] [--keep DIR]
                              [--only reads|graph|explore|map|scoring|service|assistants|exports
                                      |frames|history]

Builds stores in a temporary folder and removes them. Takes some minutes. The service is measured
where `wrk` is installed, and against Datasette where pip can install that; nothing else needs a
network.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from tests.bench import scoring
from tests.bench.figures import Figure, print_table, write_results
from tests.bench.stores import ROOT, SMALL, large, small

if TYPE_CHECKING:
    from services.store.source import StoreSource
    from tests.bench.questions import Questions

LOG = Console(stderr=True, highlight=False)
RESULTS = ROOT / "bench-results.json"
MANY, FEW = 1_000_000, 50_000
RUNS, QUICK_RUNS = 200, 40
QUESTIONS, QUICK_QUESTIONS = 2_000, 400


def main() -> int:
    """Exit code: 0 when every target is met, 1 when one is missed."""
    given = _given()
    loans = given.loans or (FEW if given.quick else MANY)
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="atlas-bench-") as folder:
        store = given.keep or Path(folder) / "store"
        try:
            for one in _measured(store, loans, given.months, given.only, quick=given.quick):
                figures.append(one)
                LOG.print(f"{one.group}: {one.name}: {one.measured:,.3f} {one.unit}")
        finally:  # what was measured until something failed is worth reading
            _reported(figures, loans)
    return 1 if any(one.met is False for one in figures) else 0


def _reported(figures: list[Figure], loans: int) -> None:
    console = Console(width=140)
    print_table(figures, console)
    write_results(RESULTS, figures, loans)
    if (busy := os.getloadavg()[1]) > (os.cpu_count() or 1):
        console.print(
            f"The machine was busy with {busy:.1f} processes at a time: times on the wall are"
            " worse than they would be; 'cpu p95' shows what the work itself takes."
        )
    missed = sum(one.met is False for one in figures)
    console.print(
        f"{missed} of {sum(one.met is not None for one in figures)} targets missed;"
        f" all figures are in {RESULTS.name}"
    )


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.run", description=__doc__)
    parser.add_argument("--loans", type=int, help=f"loans of the large store ({MANY:,})")
    parser.add_argument("--months", type=int, default=36, help="periods of the history (36)")
    parser.add_argument("--quick", action="store_true", help=f"{FEW:,} loans, fewer questions")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the large store here, or use the one there"
    )
    parser.add_argument(
        "--only",
        choices=(
            "reads",
            "graph",
            "explore",
            "map",
            "scoring",
            "service",
            "assistants",
            "exports",
            "frames",
            "starts",
            "history",
        ),
        help="reads in this process, those of the graph or of Explore alone, the Map page,"
        " scoring, the service, files to take away, frames, starts, or time",
    )
    return parser.parse_args()


def _measured(
    store: Path, loans: int, months: int, only: str | None, *, quick: bool
) -> Iterator[Figure]:
    if only in {None, "history"}:
        from tests.bench import history

        yield from history.figures(loans, months, QUICK_RUNS if quick else RUNS)
    if only == "history":
        return
    if only in {None, "scoring"}:
        yield from scoring.figures(SMALL, loans)
    if only is None:
        yield from small()
    if only != "scoring":
        if not (store / "current").exists():
            yield from large(store, loans)
        yield from _of_store(store, loans, only, quick=quick)


def _of_store(store: Path, loans: int, only: str | None, *, quick: bool) -> Iterator[Figure]:
    # Only now, so that the memory of the builds is theirs alone.
    from services.store.reader import Reader
    from services.store.snapshot import current_id, folder_of
    from services.store.source import StoreSource
    from tests.bench import exports, frames, maps, starts
    from tests.bench.questions import Questions

    runs, questions = (QUICK_RUNS, QUICK_QUESTIONS) if quick else (RUNS, QUESTIONS)
    reader = Reader(folder_of(store, current_id(store)))
    if reader.snapshot.loans != loans:
        held = f"{reader.snapshot.loans:,}"
        raise SystemExit(f"The store in '{store}' has {held} loans, not {loans:,}; name another")
    source, pool = StoreSource(reader), Questions(reader)
    if only in {None, "starts"}:
        yield from starts.figures(store, loans, 10)
    if only in {None, "exports"}:
        yield from exports.figures(store, loans)
    if only in {None, "frames"}:
        yield from frames.figures(store)
    if only in {None, "reads", "graph", "explore"}:
        yield from _read(store, source, pool, only, runs, questions)
    if only in {None, "map"}:
        yield from maps.figures(store, source, pool, runs)
    yield from _served(store, source, pool, only, quick=quick)
    reader.close()


def _read(
    store: Path,
    source: "StoreSource",
    pool: "Questions",
    only: str | None,
    runs: int,
    questions: int,
) -> Iterator[Figure]:
    """Reads in this process; those of the graph or of Explore alone."""
    from tests.bench import distributions, families, graph, reads, screening, screens

    reader = source.reader
    base = reads.floor(reader, runs)
    yield base
    floor = base.detail["median"]
    if only != "explore":
        yield from graph.figures(reader, pool, runs, floor)
    if only in {None, "reads"}:
        yield from reads.figures(reader, pool, runs, floor)
        yield from reads.search(reader, pool, questions, floor)
        yield from screening.figures(reader, pool, runs, floor)
        yield from families.figures(reader, pool, runs, floor)
    if only != "graph":
        yield from distributions.figures(reader, pool, runs, floor)
    if only in {None, "reads"}:
        yield from screens.figures(store, source, pool, runs)


def _served(
    store: Path, source: "StoreSource", pool: "Questions", only: str | None, *, quick: bool
) -> Iterator[Figure]:
    """What is measured of servers."""
    from tests.bench import assistants, service

    if only in {None, "assistants"}:
        yield from assistants.figures(store, source, quick=quick)
    if only in {None, "service"}:
        if lacking := service.lacking():
            LOG.print(lacking)
        else:
            yield from service.figures(store, source, pool, quick=quick)


if __name__ == "__main__":
    raise SystemExit(main())

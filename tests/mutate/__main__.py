"""`make mutate`: changes the product by a little, site by site, and says what no test noticed.

    python -m tests.mutate [--paths services/signals ...] [--limit 200] [--minutes 60] [--seed 1]

Works on a copy in a temporary folder. Sites are drawn by the seed, so that a run can be repeated;
each is tried with the tests of TESTS that are about its file. Not every change that survives is a
hole: some change nothing that anybody can see. Exit code 1 where something survived.
"""

import argparse
import gc
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from itertools import zip_longest
from pathlib import Path

from tests.mutate.sites import Site, sites

ROOT = Path(__file__).parents[2]
#: Start of a file's name -> the tests that are about it, fastest first; the longest start counts.
TESTS = {
    "services/__": "test_cli.py",
    "services/api": "api",
    "services/assistants": "mcp",
    "services/cache.py": "test_cache.py",
    "services/calendar_feed.py": "serving/test_feeds.py",
    "services/calendar_file.py": "test_calendar_file.py",
    "services/carried_endings.py": "store/test_filed_history.py store",
    "services/cases": "pages/test_cases.py digest",
    "services/cli.py": "test_cli.py",
    "services/client": "client golden conformance",
    "services/contract": "contract golden names signals store/test_signal_totals.py conformance",
    "services/contract/snapshot_info.py": "contract store",
    "services/contract/wire.py": "golden client",
    "services/database": "desk pages/test_watchlist.py",
    "services/desk": "desk pages/test_watchlist.py pages/test_cases.py",
    "services/digest": "digest",
    "services/edgar": "edgar",
    "services/frames": "frames",
    "services/importers": "importers",
    "services/maintenance.py": "test_cli.py test_rebuilding.py",
    "services/mirror": "mirror pages/test_api_mode.py",
    "services/names": "names",
    "services/number_lists.py": "test_number_lists.py components/test_bulk.py",
    "services/period": "store/test_periods.py store",
    "services/pipeline": "store",
    "services/places": "test_places.py store/test_properties.py",
    "services/public_records_commands.py": "importers",
    "services/rates": "rates signals",
    "services/rebuilding.py": "test_rebuilding.py",
    "services/resolution": "importers/test_resolution.py pages/test_parties_joined.py importers",
    "services/settings.py": "test_settings.py test_cli.py",
    "services/shelf": "shelf",
    "services/sign_in": "test_sign_in*.py serving/test_sign_in.py",
    "services/signals": "signals rates",
    "services/sources.py": "mirror pages/test_api_mode.py",
    "services/startup_checks.py": "test_settings.py test_bad_settings.py",
    "services/store": "store conformance mirror",
    "services/store/filters.py": "store/test_signal_totals.py conformance store",
    "services/tables": "tables",
    "services/tape": "test_tape_command.py importers pages/test_my_book.py",
    "services/terminal.py": "test_terminal.py test_cli.py",
    "services/track_record": "track_record pages/test_track_record.py",
    "components": "components pages",
    "components/access": "components pages/test_a*.py",
    "components/book": "components pages/test_my_book.py pages/test_scope.py",
    "components/calendar": "test_calendar_file.py pages/test_calendar.py",
    "components/changes": "components pages/test_changes.py",
    "components/entities": "components pages/test_e*.py",
    "components/evidence": "components pages/test_evidence.py pages/test_trace.py",
    "components/explore": "components pages/test_explore*.py",
    "components/families": "components pages/test_families.py",
    "components/graph": "components pages/test_c*.py",
    "components/history": "components pages/test_history.py pages/test_over_time.py",
    "components/maps": "components pages/test_map.py pages/test_signals.py pages/test_overview.py",
    "components/memo": "memo pages/test_memo.py",
    "components/overview": "components pages/test_over*.py",
    "components/platform": "platform serving",
    "components/properties": "components pages/test_map.py pages/test_on_map.py",
    "components/report": "components pages/test_report.py",
    "components/serving": "serving",
    "components/signals": "components pages/test_signals.py",
    "components/sources": "pages/test_sources.py",
    "components/track_record": "pages/test_track_record.py",
    "components/what_if": "components pages/test_what_if.py",
    "pages": "pages",
}
#: A change after which the tests of its file run longer than this has made something endless.
LONGEST_SECONDS = 900
#: Loaded once, before any change; what is ours must be loaded again for each.
HEAVY = (
    "hypothesis.strategies httpx lxml.etree networkx numpy pandas plotly.graph_objects"
    " pyarrow.compute pyarrow.parquet pydantic pytest rapidfuzz streamlit.testing.v1 tantivy"
    " typer.testing uvicorn fastapi"
)


def about(name: str, folder: Path) -> list[str]:
    """The tests that are about a file, as pytest takes them."""
    begins = max((one for one in TESTS if name.startswith(one)), key=len)
    found = (path for one in TESTS[begins].split() for path in sorted(folder.glob(f"tests/{one}")))
    return [path.relative_to(folder).as_posix() for path in found]


def log_of(folder: Path) -> Path:
    """What the last tests in a folder printed."""
    return folder.with_suffix(".log")


def passed(folder: Path, tests: list[str]) -> bool:
    """Whether the tests pass in a folder: run in a fork, which has everything heavy loaded."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        try:
            os._exit(_tested(folder, tests))
        except BaseException:  # noqa: BLE001 - a fork must never come back from here
            traceback.print_exc()
            os._exit(1)
    ends = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < ends:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _tested(folder: Path, tests: list[str]) -> int:
    """Runs pytest in this process, over what is in the folder; its exit code."""
    os.setsid()
    os.chdir(folder)
    with log_of(folder).open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    sys.path[:] = [str(folder), *(path for path in sys.path if path not in {"", str(ROOT)})]
    for module in [one for one in sys.modules if one.partition(".")[0] == "tests"]:
        del sys.modules[module]
    import pytest

    options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # plugins were loaded before
    options += ["-m", "not browser and not team and not tools and not long"]
    return int(pytest.main([*options, *tests]))


def drawn(paths: list[str], limit: int, seed: int) -> list[tuple[str, Site]]:
    """So many sites of the files under some paths, in the order in which they are tried.

    Files take turns, or the largest tables of words would be most of what is tried.
    """
    files = [
        path.relative_to(ROOT).as_posix()
        for start in paths
        for path in ([ROOT / start] if (ROOT / start).is_file() else (ROOT / start).rglob("*.*"))
        if path.suffix in {".py", ".toml", ".sql"}
    ]
    draw = random.Random(seed)
    found: list[list[tuple[str, Site]]] = []
    for name in draw.sample(sorted(files), len(files)):
        if len(found) == limit:
            break  # further files would have their first turn after all that is tried
        of_file = sites(name, (ROOT / name).read_text(encoding="utf-8"))
        draw.shuffle(of_file)
        if of_file:
            found.append([(name, site) for site in of_file])
    turns = [one for turn in zip_longest(*found) for one in turn if one][:limit]
    print(f"{len(turns):,} sites in {len(found)} of {len(files)} files are tried")
    return turns


def survivor(folder: Path, name: str, site: Site, tests: list[str]) -> str | None:
    """Tries one change: what it was, where no test noticed it."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    path.write_text(site.on(text), encoding="utf-8")
    try:
        if not passed(folder, tests):
            return None
    finally:
        path.write_text(text, encoding="utf-8")
    before = " ".join(text[site.start : site.end].split())
    return f"{name}:{site.line(text)}: {before} -> {site.after}"


def main() -> int:
    """Draws, tries and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("--paths", nargs="+", default=["services", "components"])
    parser.add_argument("--tests", nargs="+", help="instead of those of TESTS")
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    ends = time.monotonic() + 60 * given.minutes
    chosen = drawn(given.paths, given.limit, given.seed)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # a byte code file is as old as a second is long
    for module in HEAVY.split():
        importlib.import_module(module)
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="atlas-mutate-") as parent:
        folder = Path(parent) / "tree"
        leave = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info")
        shutil.copytree(ROOT, folder, ignore=leave)
        shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
        tests = {name: given.tests or about(name, folder) for name, _ in chosen}
        for asked in sorted({" ".join(asked) for asked in tests.values()}):
            if not passed(folder, asked.split()):
                said = log_of(folder).read_text(encoding="utf-8", errors="replace")[-4_000:]
                raise SystemExit(f"{said}\n'{asked}' fails before anything is changed")
        tried, survived = 0, []
        for name, site in chosen:
            if time.monotonic() > ends:
                print(f"The {given.minutes:g} minutes are over")
                break
            tried += 1
            if line := survivor(folder, name, site, tests[name]):
                survived.append(line)
                print(line, flush=True)
    print(f"{tried:,} changes tried, {len(survived):,} survived")
    return int(bool(survived))


if __name__ == "__main__":
    raise SystemExit(main())

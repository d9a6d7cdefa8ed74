"""How long the script part of each page takes: Streamlit's own script runner, no browser.

`AppTest` runs app.py with the navigation, the lease and the page, as a server does. What is
timed is `ScriptRunner._run_script`, the very method that a server runs in its script thread:
neither the test's parsing of elements nor its waiting count. The whole `AppTest.run()` less that
of an empty script stands beside it.
"""

import gc
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

from services.contract.queries import LoanQuery
from services.store.reader import Reader
from services.store.source import StoreSource
from tests.bench.figures import Figure, Run, Stopwatch, spread, timed
from tests.bench.questions import Questions
from tests.bench.stores import ROOT

TARGET_MS = 300
WARM_UP = 3
PATIENCE_S = 60

Params = Callable[[], dict[str, str]]


def figures(store: Path, source: StoreSource, pool: Questions, runs: int) -> Iterator[Figure]:
    """An empty script, then each page with nothing remembered from the run before."""
    os.environ |= {"CREDIT_ATLAS_STORE": str(store), "CREDIT_ATLAS_SOURCE": "store"}
    logging.disable(logging.WARNING)  # else Streamlit tells at every run that it is no server
    with ExitStack() as around:
        scripts, forget = around.enter_context(clock()), around.enter_context(forgetting())
        folder = around.enter_context(tempfile.TemporaryDirectory(prefix="atlas-bench-"))
        empty = Path(folder) / "empty.py"
        empty.write_text("import streamlit as st\n", encoding="utf-8")
        wholes, parts = _ran(AppTest.from_file(empty), dict, runs, scripts, lambda: None)
        base = spread("floor", "empty script", parts)
        yield base
        whole = spread("floor", "empty script, whole AppTest.run()", wholes)
        yield whole
        for page, params in _pages(source, pool).items():
            name = Path(page).stem
            app = AppTest.from_file(ROOT / "app.py", default_timeout=PATIENCE_S)
            checked(app.run(), "pages/overview.py")
            app.switch_page(page)
            gc.collect()  # as a server does once its pages are warm
            gc.freeze()
            wholes, parts = _ran(app, params, runs, scripts, forget)
            yield spread(
                "page", f"{name}: script", parts, target=TARGET_MS, floor=base.detail["median"]
            )
            less = [Run(one.wall - whole.detail["median"], one.cpu) for one in wholes]
            yield spread("page", f"{name}: AppTest.run(), less empty", less)


def _pages(source: StoreSource, pool: Questions) -> dict[str, Params]:
    """Every page there is, and the addresses at which it is opened; by default without any."""

    def loans() -> dict[str, str]:
        return pool.paged(source.loans, LoanQuery(**pool.filters())).params()

    addresses: dict[str, Params] = {
        "pages/loans.py": loans,
        "pages/loan.py": lambda: {"loan_number": pool.loan_number()},
        "pages/signals.py": lambda: pool.signals().params(),
        "pages/entities.py": lambda: {"name": pool.misspelt()[2]},
        "pages/entity.py": lambda: {"entity_name": pool.party()},
        "pages/capital_graph.py": lambda: {"loan_number": pool.loan_number()},
    }
    files = sorted(path.name for path in (ROOT / "pages").glob("[a-z]*.py"))
    return {name: addresses.get(name, dict) for name in (f"pages/{file}" for file in files)}


def _ran(
    app: AppTest, params: Params, runs: int, scripts: list[Run], forget: Callable[[], None]
) -> tuple[list[Run], list[Run]]:
    """What the whole runs took, and their scripts."""
    wholes, parts = [], []
    for _ in range(WARM_UP + runs):
        forget()
        app.query_params = params()
        scripts.clear()
        wholes.append(timed(app.run))
        checked(app, str(app.query_params))
        parts.append(Run(*map(sum, zip(*scripts, strict=True))))
    return wholes[WARM_UP:], parts[WARM_UP:]


def checked(app: AppTest, what: str) -> None:
    """A page that failed is no measurement."""
    faults = [one.value for kind in (app.exception, app.error) for one in kind]
    if faults:
        raise SystemExit(f"A page did not come to its end ({what}): {faults[0]}")


@contextmanager
def forgetting() -> Iterator[Callable[[], None]]:
    """What empties all that the screen and the open snapshots remember; snapshots stay open."""
    import streamlit as st

    opened: list[Reader] = []
    start = Reader.__init__

    def noted(reader: Reader, *given: Any, **options: Any) -> None:
        start(reader, *given, **options)
        opened.append(reader)

    def forget() -> None:
        st.cache_data.clear()
        for reader in opened:
            reader.clear()

    with patch.object(Reader, "__init__", noted):
        yield forget


@contextmanager
def clock() -> Iterator[list[Run]]:
    """What each script takes that runs meanwhile."""
    taken: list[Run] = []
    run = ScriptRunner._run_script

    def clocked(runner: ScriptRunner, data: Any) -> None:
        # As on a server since its first visitor; AppTest starts every run as a fresh server.
        PagesManager.uses_pages_directory = False
        with Stopwatch() as watch:
            run(runner, data)
        taken.append(watch.run)

    with patch.object(ScriptRunner, "_run_script", clocked):
        yield taken

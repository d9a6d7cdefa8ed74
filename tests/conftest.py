"""What all tests share: the made-up book of tests/world.py in a store, and how hypothesis tries."""

import gc
import os
from collections.abc import Generator, Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from streamlit.components.v2 import manifest_scanner

from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from services.store.source import StoreSource
from tests import oracle_trends, publishing
from tests.chromium import WITHOUT_GPU, chromium_path, started
from tests.oracle import Oracle
from tests.publishing import load_once
from tests.servers import logs
from tests.world import BOTH, BUDGET_EDGES, HUB_EDGES, RATES

# No test ends in a power cut, so no file of one need reach the disk; a kill loses nothing either.
os.fsync = lambda _handle: None


def pytest_collection_finish() -> None:
    """What was imported and collected is no garbage: Streamlit looks for some after every run."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails shows what the servers said that ran meanwhile."""
    report = yield
    if report.failed and call.when != "teardown":
        report.sections += [(f"Log of {address}", text) for address, text in logs().items()]
    return report


@pytest.fixture(scope="session", autouse=True)
def shared_stores(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where stores lie that are built once: for all workers of this run, and for no other run."""
    mine = tmp_path_factory.getbasetemp()
    publishing.SHARED = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / "shared"


@pytest.fixture(scope="session", autouse=True)
def packages_are_scanned_once() -> Iterator[None]:
    """AppTest reads the metadata of every installed package before each run: most of its time."""
    with pytest.MonkeyPatch.context() as patch:
        scan = manifest_scanner.scan_component_manifests
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(scan))
        yield


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    """What is true of the book, found the slow way."""
    return Oracle(BOTH, RATES, hub_edges=HUB_EDGES, budget_edges=BUDGET_EDGES)


@pytest.fixture(scope="session")
def world_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a store that holds both reported sources. Not to be written to."""
    folder = tmp_path_factory.mktemp("world")
    load_once(folder, BOTH, rates=RATES)
    return folder


@pytest.fixture(scope="session")
def store_source(world_store: Path) -> Iterator[StoreSource]:
    """The book, open for reading."""
    store = Store(
        world_store, hub_edges=HUB_EDGES, budget_edges=BUDGET_EDGES, rescorer=RulesRescorer()
    )
    with store.lease() as source:
        yield source
    store.close()


@pytest.fixture(scope="module")
def source(folder: Path) -> Iterator[StoreSource]:
    """The snapshot of a module's own `folder`, for what its pages and reads ought to show."""
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as found:
        yield found
    store.close()


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[tuple[str, date], list[dict[str, Any]]]:
    """The rows of every period of a module's own `folder`, by source and day."""
    return oracle_trends.kept(folder)


@pytest.fixture(scope="session")
def chromium() -> str:
    found = chromium_path()
    if not found:
        said = (
            "there is no Chromium on this machine; install Debian's 'chromium' to run these tests"
        )
        if os.environ.get("ATLAS_BROWSER_TESTS") == "required":
            pytest.fail(said)
        pytest.skip(said)
    return found


@pytest.fixture(scope="session")
def browser(chromium) -> Iterator[Browser]:
    with started(chromium, WITHOUT_GPU) as running:
        yield running

"""What all tests share: the made-up book of tests/world.py in a store, and how hypothesis tries."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from playwright.sync_api import Browser

from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from services.store.source import StoreSource
from tests.chromium import WITHOUT_GPU, chromium_path, started
from tests.oracle import Oracle
from tests.publishing import load
from tests.world import BOTH, BUDGET_EDGES, HUB_EDGES, RATES

# A test is about what comes out, never about how fast this machine is just now. In the merge the
# examples are the same in every run, and none is made smaller: that takes longer than a test may.
# `make test-long` draws new ones.
settings.register_profile(
    "long", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile(
    "merge",
    settings.get_profile("long"),
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.target),
)
settings.load_profile(os.environ.get("ATLAS_EXAMPLES", "merge"))


def pytest_collection_finish() -> None:
    """What was imported and collected is no garbage: Streamlit looks for some after every run."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """A test that fails leaves no store open for the next: files, maps and threads that look for
    damage. One that is still used opens again with its next lease.
    """
    try:
        yield
    except BaseException:
        for store in [one for one in gc.get_objects() if issubclass(type(one), Store)]:
            store.close()
        raise


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    """What is true of the book, found the slow way."""
    return Oracle(BOTH, RATES, hub_edges=HUB_EDGES, budget_edges=BUDGET_EDGES)


@pytest.fixture(scope="session")
def world_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a store that holds both reported sources. Not to be written to."""
    folder = tmp_path_factory.mktemp("world")
    load(folder, BOTH, rates=RATES)
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

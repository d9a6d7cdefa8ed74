"""The book of tests/world.py as frames: of a store, of an API, of a mirror."""

import time
from dataclasses import dataclass

import pytest

from services.frames import Atlas
from services.signals.rescoring import RulesRescorer
from services.sources import ApiWorkspace, StoreWorkspace
from services.store.leases import Store
from tests.conformance.conftest import mirrored, speaking
from tests.world import BUDGET_EDGES, HUB_EDGES


@dataclass(frozen=True)
class Asked:
    """An atlas, and what the waist answers to the same questions."""

    atlas: Atlas
    #: The six reads.
    source: object
    #: Null over an API without a mirror.
    analytics: object


def opened(folder):
    return Store(folder, hub_edges=HUB_EDGES, budget_edges=BUDGET_EDGES, rescorer=RulesRescorer())


@pytest.fixture(scope="session")
def of_store(world_store, store_source):
    with Atlas(StoreWorkspace(opened(world_store))) as atlas:
        yield Asked(atlas, store_source, store_source)


@pytest.fixture(scope="session")
def live(store_source, tmp_path_factory):
    """An API whose mirror is not filled. Its other spelling: tests/conformance."""
    folder = tmp_path_factory.mktemp("frames-api")
    with speaking(store_source, "a", folder) as client:
        empty = opened(folder / "no-mirror")
        workspace = ApiWorkspace(client, empty, sandbox=False, clock=time.time)
        yield Asked(Atlas(workspace), client, None)


@pytest.fixture(scope="session")
def of_mirror(store_source, oracle, tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames-mirror")
    with (
        speaking(store_source, "a", tmp_path_factory.mktemp("frames-m")) as client,
        mirrored(client, oracle, folder) as held,
    ):
        workspace = ApiWorkspace(client, opened(folder), sandbox=False, clock=time.time)
        yield Asked(Atlas(workspace), client, held.source)


@pytest.fixture(scope="session", params=["of_store", "of_mirror"])
def snapshot(request):
    """What has figures over all records."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session", params=["of_store", "live", "of_mirror"])
def anywhere(request):
    """Whatever answers the six reads."""
    return request.getfixturevalue(request.param)

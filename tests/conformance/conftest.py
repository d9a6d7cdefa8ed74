"""Whatever answers the six reads has to pass this suite: name it in `SOURCES`. So has whatever
answers what those six cannot (D33): name it in `SNAPSHOTS`.
"""

from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from pydantic import SecretStr

from services.client.source import connect
from services.mirror import fill
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from services.store.publisher import SnapshotPublisher
from services.store.source import StoreSource
from tests.oracle import Oracle
from tests.oracle_mirror import Mirrored
from tests.servers import service
from tests.world import AS_OF, BUDGET_EDGES, HUB_EDGES

#: Id of a source -> the session fixture that opens it over the book of tests/world.py.
SOURCES = {"store": "store_source", "client[A]": "client_a", "client[B]": "client_b"}
#: Id of a snapshot -> the session fixture that opens it, with what is true of it.
SNAPSHOTS = {"store": "whole", "mirror[A]": "mirror_a", "mirror[B]": "mirror_b"}


@dataclass(frozen=True)
class Held:
    """An open snapshot, and what is true of all that it can know."""

    source: StoreSource
    oracle: Oracle

    @property
    def mirrored(self):
        return isinstance(self.oracle, Mirrored)


@pytest.fixture(scope="session", params=SNAPSHOTS.values(), ids=SNAPSHOTS.keys())
def held(request):
    """Analytics over both reported sources."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session", params=SOURCES.values(), ids=SOURCES.keys())
def source(request):
    """A CreditSource over both reported sources, with the limits of tests/world.py."""
    return request.getfixturevalue(request.param)


@contextmanager
def speaking(store_source, variant, folder):
    """A client over a real socket to the service that speaks `variant` over the store."""
    with service(folder, {"production": store_source}, variant=variant) as running:
        client = connect(running.address, SecretStr(running.key()))
        yield client
        client.close()


@pytest.fixture(scope="session")
def client_a(store_source, tmp_path_factory):
    """The client against Variant A."""
    with speaking(store_source, "a", tmp_path_factory.mktemp("a")) as client:
        yield client


@pytest.fixture(scope="session")
def client_b(store_source, tmp_path_factory):
    """The client against Variant B."""
    with speaking(store_source, "b", tmp_path_factory.mktemp("b")) as client:
        yield client


@pytest.fixture(scope="session")
def whole(store_source, oracle):
    """The store that both sources were imported into."""
    return Held(store_source, oracle)


@contextmanager
def mirrored(client, oracle, folder):
    """A snapshot that was filled through `client`, chains and all."""
    publisher = SnapshotPublisher(folder, keep=1)
    quota = lambda: client.budget  # noqa: E731
    told = {"title": "the book", "today": AS_OF, "quota": quota, "chains": True}
    filled = fill(client, publisher, folder / "partial", **told)
    assert filled.complete
    store = Store(folder, hub_edges=HUB_EDGES, budget_edges=BUDGET_EDGES, rescorer=RulesRescorer())
    with store.lease() as source:
        yield Held(source, Mirrored(oracle, source.snapshot().sources[0]))
    store.close()


@pytest.fixture(scope="session")
def mirror_a(client_a, oracle, tmp_path_factory):
    """The mirror of an API that speaks Variant A."""
    with mirrored(client_a, oracle, tmp_path_factory.mktemp("mirror-a")) as held:
        yield held


@pytest.fixture(scope="session")
def mirror_b(client_b, oracle, tmp_path_factory):
    """The mirror of an API that speaks Variant B."""
    with mirrored(client_b, oracle, tmp_path_factory.mktemp("mirror-b")) as held:
        yield held

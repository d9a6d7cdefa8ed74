"""Whatever answers the six reads has to pass this suite: name it in `SOURCES`."""

from contextlib import contextmanager

import pytest
from pydantic import SecretStr

from services.client.source import connect
from tests.servers import service

#: Id of a source -> the session fixture that opens it over the book of tests/world.py.
SOURCES = {"store": "store_source", "client[A]": "client_a", "client[B]": "client_b"}


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

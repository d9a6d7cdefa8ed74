"""Whatever answers the six reads has to pass this suite: name it in `SOURCES`."""

import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn
from pydantic import SecretStr

from services.api.app import create_app
from services.api.keys import KeyFile
from services.api.limiting import allowances
from services.api.serving import bound, config_of
from services.client.source import connect

#: Id of a source -> the session fixture that opens it over the book of tests/world.py.
SOURCES = {"store": "store_source", "client[A]": "client_a", "client[B]": "client_b"}


@pytest.fixture(scope="session", params=SOURCES.values(), ids=SOURCES.keys())
def source(request):
    """A CreditSource over both reported sources, with the limits of tests/world.py."""
    return request.getfixturevalue(request.param)


@contextmanager
def speaking(store_source, variant, folder):
    """A client over a real socket to the service that speaks `variant` over the store."""
    keys = KeyFile(folder / "keys.json")
    secret = keys.add("complete", "production")
    allowed = allowances(10_000_000, 10_000_000)
    app = create_app({"production": store_source}, keys=keys, variant=variant, allowances=allowed)
    listener = bound("127.0.0.1", 0)
    server = uvicorn.Server(config_of(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    client = connect(f"http://127.0.0.1:{listener.getsockname()[1]}", SecretStr(secret))
    try:
        yield client
    finally:
        client.close()
        server.should_exit = True
        thread.join(30)
        listener.close()


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

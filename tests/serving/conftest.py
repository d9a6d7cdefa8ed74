"""A small demonstration store, and a server of it as it ships, for all of these tests."""

import pytest

from tests.commands import filled
from tests.servers import dashboard, warm


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    return filled(tmp_path_factory.mktemp("served") / "store", "demo", "--loans", 500)


@pytest.fixture(scope="session")
def server(store):
    """Its address, once it warms no page any more."""
    with dashboard(store) as address:
        yield warm(address)

"""Whatever answers the six reads has to pass this suite: name it in `SOURCES`."""

import pytest

#: Id of a source -> the session fixture that opens it over the book of tests/world.py.
SOURCES = {"store": "store_source"}


@pytest.fixture(scope="session", params=SOURCES.values(), ids=SOURCES.keys())
def source(request):
    """A CreditSource over both reported sources, with the limits of tests/world.py."""
    return request.getfixturevalue(request.param)

"""Both servers over a small made-up book: the dashboard in a process, the API in this one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.importers import demo
from services.settings import load as settings
from services.sources import open_workspace
from tests.publishing import load
from tests.servers import Service, dashboard, service


@pytest.fixture(scope="session")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of made-up loans. Not to be written to."""
    folder = tmp_path_factory.mktemp("book")
    load(folder, [demo.portfolio(loans=200)])
    return folder


@pytest.fixture(scope="session")
def pages(book: Path) -> Iterator[str]:
    """Where the dashboard answers."""
    with dashboard(book) as address:
        yield address


@pytest.fixture(scope="session")
def api(book: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The API, and the file of its keys."""
    workspace = open_workspace(settings(store=book), "store")
    with service(tmp_path_factory.mktemp("keys"), {"production": workspace}) as running:
        yield running
    workspace.close()

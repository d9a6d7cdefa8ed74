"""Real servers of a team's installation, started for these tests and ended after them.

Where one is missing the tests are skipped and say so; where the environment has
ATLAS_TEAM_TESTS=required, as in CI, they fail instead.
"""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from services.desk.postgres import PostgresDesk
from tests.commands import filled
from tests.pages.conftest import visit, visited_before  # noqa: F401 - fixtures
from tests.team.postgres import UNHURRIED_DISK, Postgres, programs, server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.team)


def missing(said: str) -> None:
    """Ends a test for want of a server."""
    if os.environ.get("ATLAS_TEAM_TESTS") == "required":
        pytest.fail(said)
    pytest.skip(said)


@pytest.fixture(scope="session")
def store(tmp_path_factory) -> Path:
    """A small demonstration, for all dashboards here. Whoever writes beside it takes a copy."""
    return filled(tmp_path_factory.mktemp("shown") / "store", "demo", "--loans", 500)


@pytest.fixture(scope="session")
def haproxy() -> str:
    found = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        missing("there is no HAProxy here; install Debian's 'haproxy' to run these tests")
    return found


@pytest.fixture(scope="session")
def postgres_programs() -> Path:
    found = programs()
    if found is None:
        missing("there is no PostgreSQL here; install Debian's 'postgresql-15' to run these tests")
    return found


@pytest.fixture(scope="session")
def postgres(postgres_programs) -> Iterator[Postgres]:
    """A server that all tests share: each makes a database of its own, none stops it."""
    with server(postgres_programs, UNHURRIED_DISK) as found:
        yield found


@pytest.fixture(scope="session")
def fresh_database(postgres) -> Callable[[], SecretStr]:
    """Makes an empty database, and gives its address."""

    def made() -> SecretStr:
        name = f"desk_{secrets.token_hex(4)}"
        with psycopg.connect(postgres.address().get_secret_value(), autocommit=True) as owner:
            owner.execute(f"CREATE DATABASE {name}")
        return postgres.address(name)

    return made


@pytest.fixture
def address(fresh_database) -> SecretStr:
    """The address of an empty database."""
    return fresh_database()


@pytest.fixture
def desks() -> Iterator[Callable[..., PostgresDesk]]:
    """Opens desks, and ends their connections after the test."""
    found: list[PostgresDesk] = []

    def opened(address: SecretStr, **options: Any) -> PostgresDesk:
        found.append(PostgresDesk(address, **options))
        return found[-1]

    yield opened
    for one in found:
        one.close()


@pytest.fixture
def opened(desks, address) -> Callable[..., PostgresDesk]:
    """Opens one more desk over the same database."""
    return lambda **options: desks(address, **options)


@pytest.fixture
def desk(opened) -> PostgresDesk:
    return opened()

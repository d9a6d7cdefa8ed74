"""Keys, quotas and rates of several nodes while what they share does not answer (D94 to D96); with
real servers: tests/team/test_limits.py.
"""

import logging
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
import typer
from limits.storage import MemoryStorage
from pydantic import SecretStr
from typer.testing import CliRunner

from services.api import commands
from services.api.keys import KeyFile, digest_of
from services.api.opening import open_quotas
from services.api.serving import Plan
from services.api.shared import quotas as quotas_module
from services.api.shared.keys import FRESH_SECONDS, PostgresKeys
from services.api.shared.quotas import GRACE_SECONDS, PostgresQuotas
from services.api.shared.rates import SharedRates
from services.contract.errors import ServiceUnavailable, SettingsInvalid
from services.contract.records import LoanDetail
from tests.servers import free_port

KEY = "ca_live_" + "a" * 43


class Clock:
    """Seconds, as a test sets them."""

    def __init__(self):
        self.now = 1_800_000_000.0

    def __call__(self):
        return self.now


class Failing(MemoryStorage):
    """A shared storage that is down while a test says so."""

    base_exceptions = ConnectionError
    down = False
    asked = 0

    def _answers(self):
        self.asked += 1
        if self.down:
            raise ConnectionError("redis://:hunter2@host")

    def incr(self, key, expiry, amount=1):
        self._answers()
        return super().incr(key, expiry, amount=amount)

    def get(self, key):
        self._answers()
        return super().get(key)


class Anything:
    """A source that has every loan."""

    def loan(self, loan_number):
        return LoanDetail(loan_number=loan_number)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def storage():
    found = Failing()
    yield found
    if found.timer:
        found.timer.cancel()


@pytest.fixture
def nowhere():
    """The address of a database that does not answer."""
    return SecretStr(f"postgresql://atlas:hunter2@127.0.0.1:{free_port()}/keys")


def said(*words):
    app = typer.Typer()
    app.command("serve")(commands.serve)
    app.add_typer(commands.keys, name="keys")
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_rates_are_counted_here_while_the_storage_is_down_and_there_again_afterwards(
    storage, clock, caplog
):
    rates = SharedRates(storage, monotonic=clock)
    assert [rates.incr("a", 60) for _ in range(3)] == [1, 2, 3]
    storage.down = True
    assert [rates.incr("a", 60) for _ in range(3)] == [1, 2, 3]
    assert rates.get("a") == 3
    storage.down = False
    assert rates.incr("a", 60) == 4, "it is left alone for a second"
    asked = storage.asked
    clock.now += 1
    assert rates.incr("a", 60) == 4, "its count has gone on where it was"
    assert storage.asked > asked
    assert len(caplog.messages) == 2
    assert "answers again, after 1.0 seconds" in caplog.messages[1]
    assert "hunter2" not in caplog.text


def test_one_request_a_second_tries_a_storage_that_is_down(storage, clock):
    rates = SharedRates(storage, monotonic=clock)
    storage.down = True
    for _ in range(5):
        asked = storage.asked
        for _ in range(20):
            rates.incr("a", 60)
        assert storage.asked == asked + 1
        clock.now += 1


def test_a_day_is_counted_here_for_a_minute_while_the_database_is_down(nowhere, clock, caplog):
    quotas = PostgresQuotas(nowhere, monotonic=clock)
    assert [quotas.incr("a", 86_400) for _ in range(3)] == [1, 2, 3]
    assert quotas.get("a") == 3
    assert quotas.get("b") == 0
    clock.now += GRACE_SECONDS - 1
    assert quotas.incr("a", 86_400) == 4
    clock.now += 1
    for ask in (quotas.get, quotas.get_expiry, lambda key: quotas.incr(key, 86_400)):
        with pytest.raises(ServiceUnavailable, match="cannot be counted just now; try again"):
            ask("a")
    assert len(caplog.messages) == 1
    assert "hunter2" not in caplog.text


def test_only_so_many_windows_wait_for_a_database_that_is_down(nowhere, clock, monkeypatch):
    monkeypatch.setattr(quotas_module, "_MOST", 2)
    quotas = PostgresQuotas(nowhere, monotonic=clock)
    assert [quotas.incr(key, 86_400) for key in ("a", "b", "a")] == [1, 1, 2]
    with pytest.raises(ServiceUnavailable, match="cannot be counted just now; try again"):
        quotas.incr("c", 86_400)
    assert quotas.incr("b", 86_400) == 2, "a window that is known is counted on"


class OneKey:
    """A database that holds one key."""

    def __init__(self):
        self.revoked_at = None
        self.down = False

    @contextmanager
    def one(self):
        if self.down:
            raise ServiceUnavailable("the database does not answer")
        yield self

    def execute(self, *_):
        return self

    def fetchone(self):
        return {
            "id": "1",
            "tier": "base",
            "environment": "production",
            "sha256": digest_of(KEY),
            "created_at": datetime(2026, 1, 1, tzinfo=UTC),
            "revoked_at": self.revoked_at,
        }


def test_a_key_that_was_revoked_opens_nothing_after_a_second(nowhere, clock):
    # D94; with a real database: tests/team/test_limits.py
    keys, database = PostgresKeys(nowhere, monotonic=clock), OneKey()
    keys._database = database
    assert keys.find(KEY).id == "1"
    database.revoked_at = datetime(2026, 1, 2, tzinfo=UTC)
    clock.now += FRESH_SECONDS
    assert keys.find(KEY) is None
    # Nor does it come back while the database is away.
    database.down = True
    clock.now += FRESH_SECONDS
    assert keys.find(KEY) is None


def test_a_key_that_nobody_can_check_is_a_503_and_not_a_401(
    serve, nowhere, caplog, assert_error_shape, monkeypatch
):
    monkeypatch.setattr(KeyFile, "local", False)
    keys = PostgresKeys(nowhere)
    monkeypatch.setattr(KeyFile, "find", lambda _, secret: keys.find(secret))
    with serve(Anything()) as service, caplog.at_level(logging.WARNING):
        assert_error_shape(service.get("/v1/loans/1", KEY), 503, "API keys cannot be checked")
        assert_error_shape(service.get("/nowhere", KEY), 503)
        assert_error_shape(service.get("/v1/loans/1", "guessed"), 401)
        assert_error_shape(service.get("/v1/loans/1", None), 401)
    assert "refused (req_" in caplog.text
    assert "hunter2" not in caplog.text


def test_a_plan_reaches_its_workers_whole_and_shows_no_password(nowhere, tmp_path):
    address = nowhere.get_secret_value()
    plan = Plan(keys=address, quotas=address, limits_storage="redis://:hunter2@host")
    assert "hunter2" not in repr(plan)
    assert Plan.model_validate_json(plan.model_dump_json()) == plan
    assert isinstance(plan.keys, SecretStr)
    file = Plan(keys=tmp_path / "keys.json")
    assert Plan.model_validate_json(file.model_dump_json()) == file


@pytest.mark.parametrize("words", [("keys", "list"), ("keys", "migrate"), ("serve",)])
def test_a_database_that_is_down_is_named_without_its_password(nowhere, words):
    with pytest.raises(ServiceUnavailable, match=r"\(PostgreSQL at 127.0.0.1:\d+/keys: ") as caught:
        said(*words, "--keys", nowhere.get_secret_value())
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "words",
    [
        ("keys", "migrate", "--keys", "keys.json"),
        ("serve", "--keys", "keys.json", "--quotas", "redis://:hunter2@host"),
        ("keys", "list", "--keys", "postgresql://u:hunter2@host:port?x=y"),
        ("keys", "list", "--keys", " "),
    ],
)
def test_what_is_no_address_of_a_database_is_refused_without_quoting_it(words):
    with pytest.raises(SettingsInvalid, match="CREDIT_ATLAS_") as caught:
        said(*words)
    assert "hunter2" not in str(caught.value)


def test_quotas_that_do_not_answer_are_said_before_anything_is_served(nowhere):
    with pytest.raises(ServiceUnavailable, match="Daily quotas cannot be counted now"):
        open_quotas(nowhere)

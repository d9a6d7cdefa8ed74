"""Rates per minute and daily quotas (spec 8, D14, D15, D20), by a clock that only tests move."""

import httpx
import pytest
from limits.storage import MemoryStorage

from services.api.access import bucket_of
from services.api.limiting import (
    DEFAULTS,
    Allowance,
    Limiter,
    ProcessCounts,
    RateState,
    allowances,
    open_storage,
)
from services.api.serving import config_of
from services.client.transport import _IDLE_SECONDS
from services.contract.access import LICENCE_TIERS
from services.contract.errors import SettingsInvalid
from services.contract.records import LoanDetail


class Clock:
    """Seconds since the epoch, as a test sets them."""

    def __init__(self):
        self.now = 1_800_000_000.25

    def __call__(self):
        return self.now


class Anything:
    """A source that has every loan."""

    def loan(self, loan_number):
        return LoanDetail(loan_number=loan_number)


@pytest.fixture
def clock():
    return Clock()


def limiter_at(clock):
    counts = ProcessCounts(clock=clock)
    return Limiter(counts, counts, clock=clock)


def test_the_defaults_are_those_of_the_decision():
    assert {DEFAULTS[tier] for tier in (*LICENCE_TIERS, None) if tier != "complete"} == {
        Allowance(60, 5_000)
    }
    assert DEFAULTS["complete"] == Allowance(300, 50_000)


def test_what_is_set_overrides_every_tier():
    assert set(allowances(7).values()) == {Allowance(7, 5_000), Allowance(7, 50_000)}
    assert set(allowances(7, 9).values()) == {Allowance(7, 9)}


def test_the_sixty_first_request_of_a_minute_is_a_429_and_its_retry_after_is_true(
    serve, clock, assert_error_shape
):
    with serve(Anything(), allowances=DEFAULTS, clock=clock) as service:
        for left in range(59, -1, -1):
            answer = service.get("/v1/loans/1", "base")
            assert answer.status == 200
            assert answer.headers["x-ratelimit-remaining"] == str(left)
            assert answer.headers["x-ratelimit-daily-remaining"] == str(4_940 + left)
            clock.now += 0.49
        refused = service.get("/v1/loans/1", "base")
        assert_error_shape(refused, 429, "rate per minute of this key")
        wait = int(refused.headers["retry-after"])
        assert wait == 31 == int(refused.headers["x-ratelimit-reset"])
        assert refused.headers["x-ratelimit-remaining"] == "0"
        assert refused.headers["x-ratelimit-daily-remaining"] == "4940"
        clock.now += wait - 0.5  # the window ends 60 seconds after its first request: in 30.6
        assert service.get("/v1/loans/1", "base").status == 429
        clock.now += 0.5
        again = service.get("/v1/loans/1", "base")
        assert again.status == 200
        assert again.headers["x-ratelimit-remaining"] == "59"
        assert again.headers["x-ratelimit-daily-remaining"] == "4939"


def test_keys_are_counted_apart_and_from_clients_without_one(serve, clock, assert_error_shape):
    # D20
    with serve(Anything(), allowances=allowances(2), clock=clock) as service:
        for _ in range(2):
            assert service.get("/v1/loans/1", "base").status == 200
            assert_error_shape(service.get("/v1/loans/1", None), 401)
        assert service.get("/v1/loans/1", "base").status == 429
        refused = service.get("/v1/loans/1", "ca_live_guessed")
        assert_error_shape(refused, 429, "requests without a valid key")
        assert service.get("/openapi.json", None).status == 429
        assert service.get("/nowhere", None).status == 429
        assert service.get("/v1/loans/1", "complete").status == 200


def test_every_request_with_a_key_counts_whatever_its_answer(serve, clock):
    # D47
    with serve(Anything(), allowances=allowances(10), clock=clock) as service:
        for path in (
            "/v1/loans/1",
            "/nowhere",
            "/v1/loans?x=1",
            "/v1/graph/paths",
            "/openapi.json",
        ):
            answer = service.get(path, "base")
        assert answer.headers["x-ratelimit-remaining"] == "5"
        assert (
            service.get("/v1/loans", "base", method="POST").headers["x-ratelimit-remaining"] == "4"
        )


def test_the_daily_quota_refuses_until_the_day_is_over(clock):
    limiter, allowance = limiter_at(clock), Allowance(10, 3)
    states = [limiter.take("key/1", allowance) for _ in range(3)]
    assert [one.daily_remaining for one in states] == [2, 1, 0]
    assert not any(one.retry_after for one in states)
    clock.now += 120
    assert limiter.take("key/1", allowance) == RateState(10, 60, 0, 86_400 - 120)
    clock.now += 86_400 - 120
    assert limiter.take("key/1", allowance) == RateState(9, 60, 2)


def test_a_refused_request_uses_nothing_of_the_day(clock):
    # D47
    limiter, allowance = limiter_at(clock), Allowance(1, 5)
    limiter.take("key/1", allowance)
    for _ in range(9):
        assert limiter.take("key/1", allowance).retry_after == 60
    assert limiter.take("key/1", allowance).daily_remaining == 4


def test_the_counts_agree_with_those_of_the_library():
    ours, theirs = ProcessCounts(), MemoryStorage()
    try:
        for key in ("a", "b", "a", "a"):
            assert ours.incr(key, 60) == theirs.incr(key, 60)
        assert ours.get("a") == theirs.get("a") == 3
        assert ours.get("c") == theirs.get("c") == 0
        assert abs(ours.get_expiry("a") - theirs.get_expiry("a")) < 5
    finally:
        theirs.timer.cancel()


def test_many_addresses_do_not_fill_the_memory(clock):
    counts = ProcessCounts(clock=clock, most=100)
    for number in range(1_000):
        counts.incr(f"address/{number}", 60)
    assert 0 < len(counts) <= 100


def test_an_address_of_a_client_is_its_bucket():
    # D47
    assert bucket_of(("192.0.2.7", 5)) == "192.0.2.7"
    assert bucket_of(("2001:db8:1:2:3:4:5:6", 5)) == "2001:db8:1:2::/64"
    assert bucket_of(("::ffff:192.0.2.7", 5)) == "192.0.2.7"
    assert bucket_of(None) == "unknown"
    assert bucket_of(("x" * 500, 5)) == "x" * 64


@pytest.mark.parametrize("uri", ["nothing", "nowhere://secret@host:1", "redis://secret@host"])
def test_a_storage_that_cannot_be_opened_is_named_without_its_password(uri):
    with pytest.raises(SettingsInvalid) as caught:
        open_storage(uri)
    assert "CREDIT_ATLAS_LIMITS_STORAGE" in str(caught.value)
    assert "secret" not in str(caught.value)


class Broken(ProcessCounts):
    """A shared storage that is down."""

    def incr(self, key, expiry, amount=1):
        raise ConnectionError(f"{key} {expiry} {amount}")


def test_a_storage_that_fails_is_a_500_with_every_header(serve, assert_error_shape):
    with serve(Anything(), rates=Broken()) as service:
        assert_error_shape(service.get("/v1/loans/1"), 500)
        assert_error_shape(service.get("/nowhere", None), 500)


def test_a_client_gives_up_an_idle_connection_before_the_server_does():
    """A request that meets a connection that is being closed fails, and is not sent again."""
    of_httpx = httpx.Limits().keepalive_expiry
    assert config_of("x:y").timeout_keep_alive > _IDLE_SECONDS > of_httpx


def test_the_address_of_a_client_is_believed_of_a_proxy_that_is_named_and_of_nobody_else(service):
    assert config_of("x:y").proxy_headers is False
    behind = config_of("x:y", trusted_proxy="192.0.2.1")
    assert (behind.proxy_headers, behind.forwarded_allow_ips) == (True, "192.0.2.1")
    # Whoever says that they are somebody else is counted as before.
    left = []
    for number in range(3):
        said = f"198.51.100.{number}"
        forged = [("X-Forwarded-For", said), ("Forwarded", f"for={said}")]
        answer = service.get("/v1/loans", None, headers=forged)
        left.append(int(answer.headers["x-ratelimit-remaining"]))
    assert left[0] > left[1] > left[2]

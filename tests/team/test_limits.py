"""Three nodes of the service share keys, rates and quotas: nobody gets one request more than the
limits allow, whatever node is asked, and no node takes a revoked key (D94 to D96).
"""

import os
import signal
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
from pydantic import SecretStr

from services.api.shared.database import migrate
from services.api.shared.keys import GRACE_SECONDS, PostgresKeys
from services.api.shared.quotas import PostgresQuotas
from services.contract.errors import ServiceUnavailable
from services.importers import demo
from tests.patience import until
from tests.publishing import load_once
from tests.team import postgres as postgres_server
from tests.team import redis as redis_server
from tests.team.conftest import missing
from tests.team.service_nodes import Node, Outages, everywhere, statuses, stopped

MANY = 1_000_000


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=50)])
    return folder


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    found = redis_server.program()
    if found is None:
        missing("there is no Redis here; install Debian's 'redis-server' to run these tests")
    with redis_server.server(found, tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture(scope="module")
def database(postgres_programs):
    """A PostgreSQL of these tests' own, for they kill it."""
    with postgres_server.server(postgres_programs) as running:
        yield running


@pytest.fixture(scope="module")
def address(database):
    with psycopg.connect(database.address().get_secret_value(), autocommit=True) as owner:
        owner.execute("CREATE DATABASE keys")
    return database.address("keys")


@pytest.fixture
def keys(address):
    found = PostgresKeys(address)
    yield found
    found.close()


def sound(nodes):
    """Their logs quote no secret and no internal error."""
    for node in nodes:
        said = node.log.read_text()
        assert postgres_server.PASSWORD not in said
        assert redis_server.PASSWORD not in said
        assert "Traceback" not in said


@pytest.fixture(scope="module")
def serving(store, redis, address):
    """Starts three nodes with these limits."""

    @contextmanager
    def started(per_minute=MANY, per_day=MANY, workers=1):
        secret = address.get_secret_value()
        environment = {
            "CREDIT_ATLAS_KEYS": secret,
            "CREDIT_ATLAS_QUOTAS": secret,
            "CREDIT_ATLAS_LIMITS_STORAGE": redis.address,
        }
        words = ("--rate-per-minute", per_minute, "--daily-quota", per_day)
        words += ("--workers", workers)
        nodes = [Node(store, environment, *words) for _ in range(3)]
        for node in nodes:
            node.start()
        try:
            yield [node.ready() for node in nodes]
        finally:
            stopped(nodes)
            sound(nodes)

    return started


@pytest.fixture(scope="module")
def for_all(serving):
    with serving() as nodes:
        yield nodes


@pytest.fixture
def unlimited(for_all):
    """Three nodes that limit nobody; tests share them."""
    yield for_all
    sound(for_all)


@pytest.fixture(scope="module")
def of_a_day(serving):
    with serving(per_day=300) as nodes:
        yield nodes


@pytest.fixture
def daily(of_a_day):
    """Three nodes that let 300 requests through a day; tests share them."""
    yield of_a_day
    sound(of_a_day)


def test_the_role_of_the_nodes_counts_and_can_neither_add_nor_revoke_a_key(address):
    owner, name = address.get_secret_value(), f"app_{os.getpid()}"
    with psycopg.connect(owner, autocommit=True) as made:
        made.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{postgres_server.PASSWORD}'")
    migrate(address, name)
    mine = SecretStr(owner.replace("//owner:", f"//{name}:"))
    machine, keys, quotas = PostgresKeys(address), PostgresKeys(mine), PostgresQuotas(mine)
    secret = machine.add("base", "production")
    key = keys.find(secret)
    assert key == machine.find(secret)
    quotas.prepare()
    assert [quotas.incr("day", 86_400) for _ in range(3)] == [1, 2, 3]
    for change in (lambda: keys.add("base", "sandbox"), lambda: keys.revoke(key.id)):
        with pytest.raises(ServiceUnavailable, match="permission denied") as caught:
            change()
        assert postgres_server.PASSWORD not in str(caught.value)
    for one in (machine, keys, quotas):
        one.close()


def test_a_window_is_over_when_the_database_says_so_and_begins_anew(address):
    quotas = PostgresQuotas(address, clock=lambda: 1_000.0)
    quotas.prepare()
    assert [quotas.incr("long", 600) for _ in range(2)] == [1, 2]
    assert 1_000 < quotas.get_expiry("long") <= 1_600
    with psycopg.connect(address.get_secret_value(), autocommit=True) as owner:
        owner.execute("UPDATE credit_atlas_api.quotas SET ends_at = now() WHERE name = 'long'")
    assert quotas.get("long") == 0
    assert quotas.incr("long", 600) == 1
    assert 1_000 < quotas.get_expiry("long") <= 1_600
    quotas.close()


def test_exactly_the_requests_of_a_minute_are_let_through(serving, keys, redis):
    key = keys.add("complete", "production")
    with serving(per_minute=150, workers=2) as nodes:
        first = nodes[0].get(key)
        assert 55 <= first.number("x-ratelimit-reset") <= 60
        redis.let_windows_end(600)  # so that none does while the machine is slow
        answers = [first, *everywhere(nodes, key, 399)]
        assert statuses(answers) == {200: 150, 429: 250}
        good = [one for one in answers if one.status == 200]
        assert sorted(one.number("x-ratelimit-remaining") for one in good) == list(range(150))
        assert sorted(one.number("x-ratelimit-daily-remaining") for one in good) == list(
            range(MANY - 150, MANY)
        )
        last = nodes[0].get(key)
        assert last.status == 429
        assert "rate per minute of this key" in last.text
        assert last.number("x-ratelimit-remaining") == 0
        assert last.number("x-ratelimit-daily-remaining") == MANY - 150
        assert last.number("retry-after") == last.number("x-ratelimit-reset")
        # Another key is counted apart; who waits as long as told is let through.
        assert nodes[0].get(keys.add("base", "production")).status == 200
        redis.let_windows_end(30.4)
        told = nodes[0].get(key).number("retry-after")
        assert redis.longest_window() <= told <= 31
        redis.let_windows_end(0)
        assert nodes[1].get(key).number("x-ratelimit-remaining") == 149


def test_exactly_the_requests_of_a_day_are_let_through_whatever_is_started_again(
    daily, keys, redis, database
):
    key, nodes = keys.add("complete", "production"), daily
    first = everywhere(nodes, key, 120)
    assert statuses(first) == {200: 120}
    nodes[1].kill()
    nodes[1].start()
    nodes[1].ready()
    assert nodes[1].get(key).number("x-ratelimit-daily-remaining") == 179
    stopped(nodes)
    redis.kill()
    database.kill()
    database.start()
    redis.start()
    for node in nodes:
        node.start()
    for node in nodes:
        node.ready()
    answers = everywhere(nodes, key, 300)
    assert statuses(answers) == {200: 179, 429: 121}
    left = sorted(one.number("x-ratelimit-daily-remaining") for one in answers if one.status == 200)
    assert left == list(range(179))
    last = nodes[2].get(key)
    assert "daily quota of this key" in last.text
    assert last.number("x-ratelimit-daily-remaining") == 0
    assert 86_000 < last.number("retry-after") <= 86_400


def test_a_revoked_key_is_refused_by_every_node_soon(unlimited, keys):
    """After FRESH_SECONDS by a clock: tests/api/test_shared.py."""
    nodes, secrets = unlimited, [keys.add("complete", "production") for _ in range(5)]
    assert statuses(node.get(key) for key in secrets for node in nodes) == {200: 15}
    for key in secrets:
        keys.revoke(keys.find(key).id)
    # Well before those end that are good because the database does not answer.
    until(lambda: {node.get(key).status for key in secrets for node in nodes} == {401},
          GRACE_SECONDS / 2)  # fmt: skip
    assert all("not valid or was revoked" in node.get(secrets[0]).text for node in nodes)


def test_a_key_is_good_everywhere_at_once_and_two_machines_add_keys_at_once(unlimited, address):
    machines, nodes = [PostgresKeys(address) for _ in range(2)], unlimited
    before = len(machines[0].all())
    with ThreadPoolExecutor(16) as adding:
        secrets = list(
            adding.map(lambda n: machines[n % 2].add("complete", "production"), range(60))
        )
        assert len({*secrets}) == 60
        assert len(machines[1].all()) == before + 60
        asked = everywhere(nodes, secrets[0], 6) + [nodes[2].get(one) for one in secrets]
        assert statuses(asked) == {200: 66}
    for machine in machines:
        machine.close()


def test_without_redis_every_process_counts_for_itself_until_it_is_back(serving, keys, redis):
    key = keys.add("complete", "production")
    with serving(per_minute=40) as nodes:
        assert statuses(everywhere(nodes, key, 20)) == {200: 20}
        redis.kill()
        answers = everywhere(nodes, key, 300)
        said = statuses(answers)
        assert {*said} == {200, 429}
        assert said[200] == 3 * 40  # never an error, and each node at most its own minute
        redis.start()
        other = keys.add("complete", "production")
        until(lambda: statuses(everywhere(nodes, keys.add("base", "production"), 41))[200] == 40)
        assert statuses(everywhere(nodes, other, 100)) == {200: 40, 429: 60}
        assert any("answers again" in node.log.read_text() for node in nodes)


def test_a_redis_that_says_nothing_holds_nobody_up_twice(unlimited, keys, redis):
    key, nodes = keys.add("complete", "production"), unlimited
    assert statuses(everywhere(nodes, key, 30)) == {200: 30}
    os.kill(redis.process.pid, signal.SIGSTOP)
    try:
        everywhere(nodes, key, 64)  # those who meet it first wait for it
        tried = redis.knocking()
        assert statuses(everywhere(nodes, key, 300)) == {200: 300}
        # Of each process one tries it again now and then; the others ask nobody.
        assert redis.knocking() - tried < 100
    finally:
        os.kill(redis.process.pid, signal.SIGCONT)


def test_without_postgresql_known_keys_stay_good_and_their_requests_are_added_later(
    daily, keys, database
):
    nodes, outages = daily, Outages(daily)
    key, unseen = (keys.add("complete", "production") for _ in range(2))
    assert statuses(everywhere(nodes, key, 60)) == {200: 60}
    database.kill()
    # All of it is answered while the database is down.
    assert statuses(everywhere(nodes, key, 60)) == {200: 60}
    refused = [node.get(unseen) for node in nodes]
    assert [one.status for one in refused] == [503] * 3
    assert "API keys cannot be checked just now" in refused[0].text
    assert str(database.port) not in refused[0].text
    # Without a key, or with what is none by its form, nothing needs to be asked.
    assert [nodes[0].get(one).status for one in (None, "ca_live_guessed")] == [401, 401]
    database.start()
    # Until then a process may count by what it knows (D95).
    until(lambda: {one.get(unseen).status for one in nodes} == {200} and outages.over())
    answers = everywhere(nodes, key, 300)
    assert statuses(answers) == {200: 180, 429: 120}


def test_many_readers_while_postgresql_is_killed_and_started_see_no_good_key_refused(
    unlimited, keys, database
):
    key, nodes = keys.add("complete", "production"), unlimited
    said, stop = Counter(), threading.Event()

    def reading(node):
        while not stop.is_set():
            said[node.get(key).status] += 1

    def more():
        """Waits for a hundred more answers."""
        enough = said.total() + 100
        until(lambda: said.total() >= enough)

    outages = Outages(nodes)
    readers = [threading.Thread(target=reading, args=(nodes[n % 3],)) for n in range(12)]
    for reader in readers:
        reader.start()
    try:
        for times in range(1, 4):
            more()
            database.kill()
            until(lambda times=times: outages.found(times))
            more()
            database.start()
            until(outages.over)
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    last = [node.get(key) for node in nodes][-1]
    counted = MANY - last.number("x-ratelimit-daily-remaining")
    assert {*said} == {200}, said
    # None is lost; one whose connection broke during its commit may have been counted twice.
    assert said[200] + 3 <= counted <= said[200] + 3 + 12 * 3
    print(dict(said), counted)

"""Three nodes of the service share keys, rates and quotas: nobody gets one request more than the
limits allow, whatever node is asked, and no node takes a revoked key (D94 to D96).
"""

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import pytest
from pydantic import SecretStr

from services.api.shared.database import migrate
from services.api.shared.keys import FRESH_SECONDS, PostgresKeys
from services.api.shared.quotas import PostgresQuotas
from services.contract.errors import ServiceUnavailable
from services.importers import demo
from tests.publishing import load
from tests.servers import ROOT, free_port
from tests.team import postgres as postgres_server
from tests.team import redis as redis_server
from tests.team.conftest import missing

AT_ONCE = 64
PATIENCE_SECONDS = 60
MANY = 1_000_000


@dataclass
class Answer:
    """What a client sees; status 0 where there was no answer."""

    status: int
    headers: dict
    text: str = ""

    def number(self, name):
        return int(self.headers[name])


class Node:
    """`creditatlas serve` on one machine of three."""

    def __init__(self, store, environment, *words):
        self.port = free_port()
        self.log = store / f"log-{self.port}"
        self._environment = {**os.environ, **environment}
        self._words = [sys.executable, "-m", "services", "serve", "--port", str(self.port)]
        self._words += ["--store", str(store), "--sandbox-store", str(store), *map(str, words)]

    def start(self):
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(
                self._words, cwd=ROOT, env=self._environment, stdout=log, stderr=log
            )

    def ready(self):
        until(lambda: self.get(path="/readyz").status == 200, self.log.read_text)
        return self

    def kill(self):
        self._running.kill()
        self._running.wait()

    def stop(self):
        self._running.terminate()  # it ends its workers, as nobody else would
        self._running.wait()

    def get(self, key=None, path="/v1/loans?page=1&per_page=1"):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            line.request("GET", path, headers={"Authorization": f"Bearer {key}"} if key else {})
            came = line.getresponse()
            headers = {name.lower(): value for name, value in came.getheaders()}
            return Answer(came.status, headers, came.read().decode())
        except OSError:
            return Answer(0, {})
        finally:
            line.close()


def until(true, said=lambda: ""):
    ends = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < ends, said()[-2_000:]
        time.sleep(0.05)


def counting(nodes):
    """Whether the database counts for every process again that has found it down."""
    logs = [node.log.read_text() for node in nodes]
    return all(
        log.count("; counted by this process") == log.count("Daily quotas: answers again") > 0
        for log in logs
    )


def everywhere(nodes, key, requests):
    """The answers to so many requests with one key, AT_ONCE of them at a time, over all nodes."""
    with ThreadPoolExecutor(AT_ONCE) as readers:
        return list(readers.map(lambda n: nodes[n % len(nodes)].get(key), range(requests)))


def statuses(answers):
    return dict(Counter(one.status for one in answers))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load(folder, [demo.portfolio(loans=50)])
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
            for node in nodes:
                node.stop()
            for node in nodes:
                said = node.log.read_text()
                assert postgres_server.PASSWORD not in said
                assert redis_server.PASSWORD not in said
                assert "Traceback" not in said

    return started


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
    quotas = PostgresQuotas(address)
    quotas.prepare()
    assert [quotas.incr("short", 1) for _ in range(2)] == [1, 2]
    left = quotas.get_expiry("short") - time.time()
    assert 0 < left <= 1
    time.sleep(left + 0.1)
    assert quotas.get("short") == 0
    assert quotas.incr("short", 1) == 1
    quotas.close()


def test_exactly_the_requests_of_a_minute_are_let_through(serving, keys):
    key = keys.add("complete", "production")
    with serving(per_minute=150, workers=2) as nodes:
        begun = time.monotonic()
        answers = everywhere(nodes, key, 400)
        assert time.monotonic() - begun < 55, "the minute was over before the test was"
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
        wait = last.number("retry-after")
        assert wait == last.number("x-ratelimit-reset")
        assert 60 - (time.monotonic() - begun) - 1 <= wait <= 60
        # Another key is counted apart; who waits as long as told is let through.
        assert nodes[0].get(keys.add("base", "production")).status == 200
        time.sleep(wait)
        assert nodes[1].get(key).number("x-ratelimit-remaining") == 149


def test_exactly_the_requests_of_a_day_are_let_through_whatever_is_started_again(
    serving, keys, redis, database
):
    key = keys.add("complete", "production")
    with serving(per_day=300) as nodes:
        first = everywhere(nodes, key, 120)
        assert statuses(first) == {200: 120}
        nodes[1].kill()
        nodes[1].start()
        nodes[1].ready()
        assert nodes[1].get(key).number("x-ratelimit-daily-remaining") == 179
    redis.kill()
    database.kill()
    database.start()
    redis.start()
    with serving(per_day=300) as nodes:
        answers = everywhere(nodes, key, 300)
        assert statuses(answers) == {200: 179, 429: 121}
        left = sorted(
            one.number("x-ratelimit-daily-remaining") for one in answers if one.status == 200
        )
        assert left == list(range(179))
        last = nodes[2].get(key)
        assert "daily quota of this key" in last.text
        assert last.number("x-ratelimit-daily-remaining") == 0
        assert 86_000 < last.number("retry-after") <= 86_400


def test_a_revoked_key_is_refused_by_every_node_within_a_second(serving, keys):
    with serving() as nodes:
        for _ in range(5):
            key = keys.add("complete", "production")
            (found,) = (one for one in keys.all() if one.id == keys.find(key).id)
            assert [node.get(key).status for node in nodes] == [200] * 3
            keys.revoke(found.id)
            time.sleep(FRESH_SECONDS)
            answers = [node.get(key) for node in nodes]
            assert [one.status for one in answers] == [401] * 3
            assert "not valid or was revoked" in answers[0].text


def test_a_key_is_good_everywhere_at_once_and_two_machines_add_keys_at_once(serving, address):
    machines = [PostgresKeys(address) for _ in range(2)]
    before = len(machines[0].all())
    with serving() as nodes, ThreadPoolExecutor(16) as adding:
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


def test_a_redis_that_says_nothing_holds_nobody_up_twice(serving, keys, redis):
    key = keys.add("complete", "production")
    with serving() as nodes:
        assert statuses(everywhere(nodes, key, 30)) == {200: 30}
        os.kill(redis.process.pid, signal.SIGSTOP)
        try:
            everywhere(nodes, key, 64)
            begun = time.monotonic()
            assert statuses(everywhere(nodes, key, 300)) == {200: 300}
            assert time.monotonic() - begun < 10
        finally:
            os.kill(redis.process.pid, signal.SIGCONT)


def test_without_postgresql_known_keys_stay_good_and_their_requests_are_added_later(
    serving, keys, database
):
    key, unseen = (keys.add("complete", "production") for _ in range(2))
    with serving(per_day=200) as nodes:
        assert statuses(everywhere(nodes, key, 60)) == {200: 60}
        database.kill()
        begun = time.monotonic()
        assert statuses(everywhere(nodes, key, 60)) == {200: 60}
        refused = [node.get(unseen) for node in nodes]
        assert time.monotonic() - begun < 20
        assert [one.status for one in refused] == [503] * 3
        assert "API keys cannot be checked just now" in refused[0].text
        assert str(database.port) not in refused[0].text
        # Without a key, or with what is none by its form, nothing needs to be asked.
        assert [nodes[0].get(one).status for one in (None, "ca_live_guessed")] == [401, 401]
        database.start()
        # Until then a process may count by what it knows (D95).
        until(lambda: {one.get(unseen).status for one in nodes} == {200} and counting(nodes))
        answers = everywhere(nodes, key, 200)
        assert statuses(answers) == {200: 80, 429: 120}


def test_many_readers_while_postgresql_is_killed_and_started_see_no_good_key_refused(
    serving, keys, database
):
    key = keys.add("complete", "production")
    said, stop = Counter(), threading.Event()

    def reading(node):
        while not stop.is_set():
            said[node.get(key).status] += 1

    with serving() as nodes:
        readers = [threading.Thread(target=reading, args=(nodes[n % 3],)) for n in range(12)]
        for reader in readers:
            reader.start()
        try:
            for _ in range(3):
                time.sleep(1)
                database.kill()
                time.sleep(2)
                database.start()
        finally:
            stop.set()
            for reader in readers:
                reader.join()
        time.sleep(11)  # by then every node has asked whether it answers again
        last = [node.get(key) for node in nodes][-1]
        counted = MANY - last.number("x-ratelimit-daily-remaining")
    assert {*said} == {200}, said
    # None is lost; one whose connection broke during its commit may have been counted twice.
    assert said[200] + 3 <= counted <= said[200] + 3 + 12 * 3
    print(dict(said), counted)

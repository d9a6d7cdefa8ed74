"""`creditatlas serve` on several machines of one team, and what their clients see."""

import http.client
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from tests.patience import until
from tests.servers import ROOT, free_port

AT_ONCE = 64


@dataclass
class Answer:
    """What a client sees; status 0 where there was no answer."""

    status: int
    headers: dict
    text: str = ""

    def number(self, name):
        return int(self.headers[name])


class Node:
    """`creditatlas serve` on one machine."""

    def __init__(self, store, environment, *words):
        self.store = store
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
        try:
            until(lambda: self.get(path="/readyz").status == 200)
        except AssertionError:
            pytest.fail(self.log.read_text()[-2_000:])
        return self

    def kill(self):
        self._running.kill()
        self._running.wait()

    def stop(self):
        self._running.terminate()  # it ends its workers, as nobody else would

    def wait(self):
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


class Outages:
    """What the logs of nodes say of their database from now on."""

    def __init__(self, nodes):
        self._from = {node.log: len(node.log.read_text()) for node in nodes}

    def found(self, times=1):
        """Whether every process has found it down so often."""
        return all(begun >= times for begun, _ in self._counts())

    def over(self):
        """Whether it counts for every process again that has found it down."""
        return all(begun == ended > 0 for begun, ended in self._counts())

    def _counts(self):
        for log, begin in self._from.items():
            said = log.read_text()[begin:]
            yield said.count("; counted by this process"), said.count("quotas: answers again")


def everywhere(nodes, key, requests):
    """The answers to so many requests with one key, AT_ONCE of them at a time, over all nodes."""
    with ThreadPoolExecutor(AT_ONCE) as readers:
        return list(readers.map(lambda n: nodes[n % len(nodes)].get(key), range(requests)))


def stopped(nodes):
    """Tells all of them to stop, then waits: each takes as long as the others."""
    for node in nodes:
        node.stop()
    for node in nodes:
        node.wait()


def statuses(answers):
    return dict(Counter(one.status for one in answers))

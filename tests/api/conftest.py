"""The service on a real socket, over a small made-up store and over sources made for one test."""

import http.client
import json
import socket
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from services.api.keys import ENVIRONMENTS, KeyFile
from services.contract.access import LICENCE_TIERS as TIERS
from services.importers.demo import portfolio
from services.settings import load as settings
from services.sources import open_workspace
from tests import servers
from tests.publishing import load_once

RATE_HEADERS = ("x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-daily-remaining")
CODES = {
    400: "invalid_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    414: "invalid_request",
    429: "rate_limited",
    431: "invalid_request",
    500: "internal_error",
    501: "invalid_request",
    503: "service_unavailable",
}


@dataclass
class Answer:
    """Status, headers by lower-case name, and the body as it came."""

    status: int
    headers: dict
    raw: bytes

    @property
    def body(self):
        return json.loads(self.raw)


@dataclass
class Service:
    """A running service and the keys of every tier and environment."""

    port: int
    keys: dict
    file: KeyFile

    def get(self, path, key="complete", *, method="GET", headers=()):
        """One request; `key` names a tier of production, or is a whole key, or None."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_accept_encoding=True)
            if key is not None:
                secret = self.keys.get((key, "production"), key)
                connection.putheader("Authorization", f"Bearer {secret}")
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            raw = answer.read()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, raw)
        finally:
            connection.close()

    def say(self, data):
        """Whatever the service answers to bytes on a fresh connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
            line.sendall(data)
            heard = b""
            try:
                while part := line.recv(65_536):
                    heard += part
            except ConnectionResetError:
                return heard
        return heard


@contextmanager
def opened(folder, sources, **options):
    """A running service over `sources` with a key of every tier and environment."""
    with servers.service(folder, sources, **options) as running:
        keys = {(tier, place): running.key(tier, place) for tier in TIERS for place in ENVIRONMENTS}
        yield Service(running.port, keys, running.keys)


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory) -> Path:
    """A store of 200 made-up loans. Not to be written to."""
    folder = tmp_path_factory.mktemp("demo")
    load_once(folder, [portfolio(loans=200)])
    return folder


@pytest.fixture(scope="session")
def workspace(demo_store):
    """The store, open."""
    found = open_workspace(settings(store=demo_store), "store")
    yield found
    found.close()


@pytest.fixture(scope="session")
def services(workspace, tmp_path_factory):
    """The service in both variants, by variant."""
    sources = {"production": workspace, "sandbox": workspace}
    with (
        opened(tmp_path_factory.mktemp("a"), sources) as a,
        opened(tmp_path_factory.mktemp("b"), sources, variant="b") as b,
    ):
        yield {"a": a, "b": b}


@pytest.fixture(scope="session")
def service(services) -> Service:
    """The service in Variant A."""
    return services["a"]


@pytest.fixture(scope="session")
def open_service():
    """Opens a service: a folder for its key file, its sources, options of `create_app`."""
    return opened


@pytest.fixture(scope="session")
def service_at():
    """The service that answers on a port, by a key file."""
    return lambda port, file: Service(port, {}, file)


@pytest.fixture
def serve(tmp_path):
    """Opens a service over one source made for a test, which production keys read."""

    def open_one(source, **options):
        return opened(tmp_path, {"production": source}, **options)

    return open_one


@pytest.fixture(scope="session")
def assert_error_shape():
    """Checks the one shape that errors have (spec 7), and the headers that all answers have."""

    def check(answer, status, says=""):
        assert answer.status == status, answer.raw
        assert list(answer.body) == ["error"]
        assert list(answer.body["error"]) == ["code", "message", "request_id"]
        error = answer.body["error"]
        assert error["code"] == CODES[status]
        assert says in error["message"]
        assert error["request_id"].startswith("req_")
        check_headers(answer)
        assert ("retry-after" in answer.headers) == (status == 429)
        assert ("allow" in answer.headers) == (status == 405)
        assert ("www-authenticate" in answer.headers) == (status == 401)
        return error["message"]

    return check


def check_headers(answer):
    """The headers of every answer (spec 8.2), and none that lets a browser of others read it."""
    for name in RATE_HEADERS:
        assert answer.headers[name].isdigit(), name
    assert answer.headers["content-type"] == "application/json"
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert "server" not in answer.headers


@pytest.fixture(scope="session")
def assert_headers():
    """The check of `check_headers`."""
    return check_headers

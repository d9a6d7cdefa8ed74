"""Recorded answers, a fault server on a real socket, and a source whose sleeps only count."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pydantic import SecretStr

from services.client.protocol import Answer
from services.client.source import ApiSource
from services.client.transport import Transport
from tests.client.fault_server import FaultServer

KEY = "ck_live_5f2a9e/Qx+77=="
_SAMPLES = Path(__file__).with_name("samples")


@pytest.fixture(scope="session")
def key() -> str:
    return KEY


@pytest.fixture(scope="session")
def sample() -> Callable[[str], Answer]:
    """A recorded answer by name: status line, headers, an empty line, body."""

    def read(name: str) -> Answer:
        top, body = (_SAMPLES / f"{name}.http").read_bytes().split(b"\n\n", 1)
        status, *lines = top.decode().splitlines()
        fields = (line.split(": ", 1) for line in lines)
        return Answer(int(status.split()[1]), {k.lower(): v for k, v in fields}, body, 0.25)

    return read


@pytest.fixture(scope="session")
def _server() -> Iterator[FaultServer]:
    with FaultServer() as server:
        yield server


@pytest.fixture
def server(_server: FaultServer) -> FaultServer:
    _server.script()
    return _server


@pytest.fixture(scope="session")
def _transport(_server: FaultServer) -> Iterator[Transport]:
    with Transport(_server.url, SecretStr(KEY)) as transport:
        yield transport


@pytest.fixture
def slept() -> list[float]:
    """The waits of `source`, seconds."""
    return []


@pytest.fixture
def make(server: FaultServer, slept: list[float]) -> Iterator[Callable[..., ApiSource]]:
    """Makes sources of the fault server with a transport of their own, which gets what is given."""
    with ExitStack() as stack:

        def build(**given: object) -> ApiSource:
            transport = stack.enter_context(Transport(server.url, SecretStr(KEY), **given))
            return _still(transport, slept)

        yield build


@pytest.fixture
def source(_transport: Transport, server: FaultServer, slept: list[float]) -> ApiSource:
    """A source of the fault server; `server` is asked for so that its script begins again."""
    del server
    return _still(_transport, slept)


def _still(transport: Transport, slept: list[float]) -> ApiSource:
    return ApiSource(
        transport, clock=lambda: 1_791_200_000.0, sleep=slept.append, random=lambda: 0.5
    )

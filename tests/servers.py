"""Real servers on the loopback, for all tests and the benchmark.

`dashboard` is the dashboard in a process of its own, `service` is our API on a real socket in this
process, `command` is any other server. Each is a context manager that begins when the server
answers and ends when it has stopped.
"""

import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, BinaryIO
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import uvicorn
from starlette.types import ASGIApp

from services.api.app import create_app
from services.api.keys import KeyFile
from services.api.limiting import allowances
from services.api.serving import bound, config_of
from tests.patience import until

ROOT = Path(__file__).parents[1]
#: A guard against a server that hangs: no test is about how long a start takes.
_PATIENCE_SECONDS = 180
#: After this a server that was told to stop is killed, and the test that left it fails.
_STOPS_SECONDS = 60
#: The logs of the servers that run now, by address: what a failed test shows of them.
_LOGS: dict[str, BinaryIO] = {}


@dataclass(frozen=True)
class Service:
    """A running API, and the file of the keys that it knows."""

    port: int
    keys: KeyFile

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def key(self, tier: str = "complete", environment: str = "production") -> str:
        """A fresh key."""
        return self.keys.add(tier, environment)


@contextmanager
def service(folder: Path, sources: Mapping[str, Any], **options: Any) -> Iterator[Service]:
    """Our API over `sources` by environment, its key file in `folder`.

    `options` are those of `create_app`; nothing is limited unless they say so.
    """
    keys = KeyFile(folder / "keys.json")
    options.setdefault("allowances", allowances(10**7, 10**7))
    with application(create_app(sources, keys=keys, **options)) as port:
        yield Service(port, keys)


@contextmanager
def application(app: ASGIApp) -> Iterator[int]:
    """The port on which an application is served, as `creditatlas serve` does it."""
    listener = bound("127.0.0.1", 0)
    server = uvicorn.Server(config_of(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive(), "the application did not start"
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@contextmanager
def dashboard(
    store: Path,
    script: str = "app.py",
    *,
    processes: int = 1,
    base: str = "",
    folder: Path = ROOT,
    **environment: str,
) -> Iterator[str]:
    """The address of a fresh server over a store, started in a folder as `make run` does it."""
    port = free_port()
    words = [sys.executable, "-m", "components.serving", "--port", str(port)]
    words += ["--script", str(ROOT / script), "--processes", str(processes)]
    words += ["--base-path", base]
    environment["CREDIT_ATLAS_STORE"] = str(store)
    with command(words, port, health="/healthz", folder=folder, **environment):
        yield f"http://localhost:{port}{base}"


def up(store: Path, *words: str, **environment: str) -> AbstractContextManager[str]:
    """The address of `creditatlas up` over a store, with more `words` of its command."""
    port = free_port()
    start = [sys.executable, "-m", "services", "up", "--port", str(port), "--store", str(store)]
    return command([*start, *words], port, health="/healthz", **environment)


def warm(address: str) -> str:
    """A dashboard's address once it opens no page by itself any more.

    From its first 200 of /readyz until then it warms its other pages: that takes time and memory.
    """

    def rests() -> bool:
        try:
            said = urlopen(f"{address}/readyz", timeout=60)
        except HTTPError as error:
            said = error
        with said:
            return b"being warmed up" not in said.read()

    until(rests)
    return address


@contextmanager
def command(
    words: Sequence[str],
    port: int,
    *,
    health: str = "/nothing",
    folder: Path = ROOT,
    **environment: str,
) -> Iterator[str]:
    """The address of a server in a process of its own that is told to listen on `port`."""
    address = f"http://127.0.0.1:{port}"
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            words, cwd=folder, env={**os.environ, **environment}, stdout=log, stderr=log
        ) as process,
    ):
        _LOGS[address] = log
        try:
            if not _answers(address + health, process):
                raise RuntimeError(f"A server did not start: {logs()[address]}")
            yield address
        finally:
            del _LOGS[address]
            process.terminate()
            try:
                process.wait(_STOPS_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def logs() -> dict[str, str]:
    """The end of the log of each server that runs, by address."""
    found = {}
    for address, log in _LOGS.items():
        size = os.fstat(log.fileno()).st_size
        start = max(0, size - 4_000)
        found[address] = os.pread(log.fileno(), 4_000, start).decode(errors="replace")
    return found


def _answers(address: str, process: "subprocess.Popen[bytes]") -> bool:
    """Waits for the first answer, whatever its status; False when the process ends before."""

    def known() -> bool:
        try:
            urlopen(address, timeout=5).close()
        except HTTPError as error:
            error.close()
        except (URLError, OSError):
            return process.poll() is not None
        return True

    with suppress(AssertionError):
        until(known, _PATIENCE_SECONDS)
        return process.poll() is None
    return False


#: Below those that connections go out from (32,768), so that none takes a port before its server
#: does; the object store takes another one 10,000 above. Processes side by side begin far apart.
_PORTS = cycle(range(10_000, 22_000))
for _ in range(os.getpid() * 97 % 12_000):
    next(_PORTS)


def free_port() -> int:
    """A port on which nothing listens just now, and which no process of tests is given again
    while this one runs.
    """
    return next(filter(taken, _PORTS))


def taken(port: int) -> bool:
    """Whether this process has the port from now on: nothing listens there, and no other has it."""
    mark = socket.socket(socket.AF_UNIX)
    with socket.socket() as probe:
        try:
            mark.bind(f"\0credit-atlas-port-{port}")  # a name that ends with its process
            probe.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
            return False
    mark.detach()
    return True

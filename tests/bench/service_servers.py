"""Servers on the loopback, each in a process of its own."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.bench.stores import ROOT

_START_SECONDS: Final = 60
#: Settings that raise our limits: requests are still counted.
OUR_LIMITS: Final = {
    "CREDIT_ATLAS_RATE_PER_MINUTE": "1000000000",
    "CREDIT_ATLAS_DAILY_QUOTA": "1000000000",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: Sequence[str], port: int, log: Path, **more: str) -> Iterator[str]:
    """The address of a server while the block lasts; `more` goes into its environment."""
    address = f"http://127.0.0.1:{port}"
    with (
        log.open("wb") as out,
        subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **more}, stdout=out, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            _answering(address, process, log)
            yield address
        finally:
            process.terminate()


def _answering(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    ends = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < ends:
        try:
            urlopen(f"{address}/nothing", timeout=5).close()
        except HTTPError:
            return
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"A server did not start: {log.read_text(errors='replace')[-2_000:]}")


def ours(store: Path, keys: Path, port: int) -> list[str]:
    """How our service is started; sandbox keys would read the same store, and there are none."""
    given = {"--store": store, "--sandbox-store": store, "--keys": keys, "--port": port}
    options = [part for name, value in given.items() for part in (name, str(value))]
    return [sys.executable, "-m", "services", "serve", *options]


def read(target: str, key: str = "") -> Any:
    """The JSON that a target answers with."""
    return json.loads(raw(target, key))


def raw(target: str, key: str = "") -> bytes:
    """The body that a target answers with."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with urlopen(Request(target, headers=headers), timeout=60) as answer:
        return bytes(answer.read())

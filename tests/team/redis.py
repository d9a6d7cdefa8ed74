"""A real Redis of this machine's packages: started on a port of its own, killed, started again."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers import free_port

PASSWORD = "count-3d"
_PATIENCE_SECONDS = 30


def program() -> str | None:
    """The server; None where there is none."""
    return shutil.which("redis-server")


@dataclass
class Redis:
    """A server that keeps its counts in a file, as one that must not forget them does."""

    program: str
    folder: Path
    port: int
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def address(self) -> str:
        """Where it answers, with its password."""
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        words = [self.program, "--port", str(self.port), "--bind", "127.0.0.1"]
        words += ["--dir", str(self.folder), "--requirepass", PASSWORD]
        words += ["--appendonly", "yes", "--appendfsync", "always", "--save", ""]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ends = time.monotonic() + _PATIENCE_SECONDS
        while not self._answers():
            assert time.monotonic() < ends
            time.sleep(0.05)

    def kill(self) -> None:
        """Ends it at once."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as line:
                line.sendall(f"AUTH {PASSWORD}\r\nPING\r\n".encode())
                with line.makefile("rb") as said:
                    return [said.readline().strip() for _ in range(2)] == [b"+OK", b"+PONG"]
        except OSError:
            return False


@contextmanager
def server(found: str, folder: Path) -> Iterator[Redis]:
    """A fresh server while the block lasts."""
    redis = Redis(found, folder, free_port())
    try:
        redis.start()
        yield redis
    finally:
        redis.kill()

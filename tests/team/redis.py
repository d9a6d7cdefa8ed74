"""A real Redis of this machine's packages: started on a port of its own, killed, started again."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from redis import Redis as Client
from redis.exceptions import RedisError

from tests.patience import until
from tests.servers import free_port

PASSWORD = "count-3d"
#: The state of a socket that listens, as Linux lists it.
_LISTENS = "0A"


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
        until(self._answers)

    def kill(self) -> None:
        """Ends it at once."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def let_windows_end(self, seconds: float) -> None:
        """Every window that is open ends so many seconds from now."""
        with Client.from_url(self.address) as client:
            for key in client.scan_iter():
                client.pexpire(key, round(1_000 * seconds))

    def longest_window(self) -> float:
        """In how many seconds the last of the windows that are open ends."""
        with Client.from_url(self.address) as client:
            return max(client.pttl(key) for key in client.scan_iter()) / 1_000

    def knocking(self) -> int:
        """How many connections wait to be taken, as the system counts them.

        While the server is frozen that is one for each time that somebody tried it.
        """
        listening = [
            line.split()
            for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
            if line.split()[1].endswith(f":{self.port:04X}") and line.split()[3] == _LISTENS
        ]
        (one,) = listening
        return int(one[4].rpartition(":")[2], 16)

    def _answers(self) -> bool:
        try:
            with Client.from_url(self.address, socket_timeout=1) as client:
                return bool(client.ping())
        except RedisError:
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

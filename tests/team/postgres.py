"""A real PostgreSQL of this machine's packages: made in a folder, started, killed, started again.

PostgreSQL refuses to run as root, so where tests do it runs as the user "postgres".
"""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from tests.patience import until
from tests.servers import free_port

PASSWORD = "pass/w?rd&1"
_ENCODED = "pass%2Fw%3Frd%261"
_PATIENCE_SECONDS = 60
_SETTINGS = "shared_buffers=32MB\nmax_connections=60\nunix_socket_directories=''\n"
#: For a server that nobody kills. What a slow disk would make of the tests is not what they are
#: about; commits are still written.
UNHURRIED_DISK = "fsync=off\n"


def programs() -> Path | None:
    """The folder of initdb and postgres; None where there is no PostgreSQL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    elsewhere = shutil.which("initdb")
    return Path(elsewhere).parent if elsewhere else None


@dataclass
class Postgres:
    """A server on a port of its own."""

    programs: Path
    folder: Path
    port: int
    process: "subprocess.Popen[bytes] | None" = None

    def address(self, database: str = "postgres", user: str = "owner") -> SecretStr:
        """Where a database is, with the password of all users."""
        return SecretStr(f"postgresql://{user}:{_ENCODED}@127.0.0.1:{self.port}/{database}")

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        words = [self.programs / "postgres", "-D", self.folder / "data", "-p", str(self.port)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*map(str, words), "-h", "127.0.0.1"], stdout=log, stderr=log, **_as_nobody()
            )
        asked = [self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]

        def answers() -> bool:
            assert self.process
            assert self.process.poll() is None, (self.folder / "log").read_text()[-2_000:]
            return not subprocess.run([*map(str, asked)], check=False).returncode

        until(answers)

    def kill(self) -> None:
        """Ends all of its processes at once, as a power cut does: nothing is written any more."""
        assert self.process
        # Stopped first, so that it starts no process after they have been counted.
        self.process.send_signal(signal.SIGSTOP)
        children = self._children()
        for one in (*children, self.process.pid):
            with suppress(ProcessLookupError):  # it may have ended by itself
                os.kill(one, signal.SIGKILL)
        self.process.wait()
        until(lambda: not any(_runs(one) for one in children))

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """None of its processes runs while the block lasts; what they are sent is taken."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)
        stopped = [self.process.pid, *self._children()]
        try:
            for one in stopped[1:]:
                os.kill(one, signal.SIGSTOP)
            yield
        finally:
            for one in reversed(stopped):
                with suppress(ProcessLookupError):
                    os.kill(one, signal.SIGCONT)

    def _children(self) -> list[int]:
        assert self.process
        at = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(one) for one in at.read_text().split()]

    def stop(self) -> None:
        """Ends it in good order."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(_PATIENCE_SECONDS)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def _as_nobody() -> Mapping[str, str]:
    return {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}


@contextmanager
def server(bin_folder: Path, further: str = "") -> Iterator[Postgres]:
    """A fresh server while the block lasts, with further settings; its user "owner" may do
    everything.

    Its folder is none of pytest's, which other sessions of pytest close to other users.
    """
    with TemporaryDirectory(prefix="atlas-postgres-") as folder:
        yield from _served(bin_folder, Path(folder), further)


def _served(bin_folder: Path, folder: Path, further: str) -> Iterator[Postgres]:
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    word = folder / "password"
    word.write_text(PASSWORD)
    if os.geteuid() == 0:
        os.chown(word, pwd.getpwnam("postgres").pw_uid, -1)
    words = [bin_folder / "initdb", "-D", folder / "data", "-U", "owner", "--pwfile", word]
    options = ["-A", "scram-sha-256", "-E", "UTF8", "--locale=C.UTF-8"]
    subprocess.run(
        [*map(str, words), *options], check=True, capture_output=True, cwd=folder, **_as_nobody()
    )
    with (folder / "data" / "postgresql.conf").open("a") as settings:
        settings.write(_SETTINGS + further)
    found = Postgres(bin_folder, folder, free_port())
    found.start()
    try:
        yield found
    finally:
        found.stop()

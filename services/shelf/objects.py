"""Where the objects of a shelf lie: a plain folder, or a bucket that speaks S3. The only module
that knows `obstore`.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    PermissionDeniedError,
    UnauthenticatedError,
)
from obstore.store import LocalStore, S3Store

from services.contract.errors import ShelfUnavailable

#: Longest wait for one object, and for a server that fails before it is given up.
_ONE_OBJECT: Final = timedelta(seconds=120)
_ONE_SERVER: Final = timedelta(seconds=20)
_CONNECTING: Final = timedelta(seconds=5)
_RETRIES: Final = 2
_PLAIN_HTTP: Final = "AWS_ALLOW_HTTP"
_CREDENTIALS: Final = (
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL where it is not Amazon's"
)
#: What a folder is called while one of its files is written, and after a writer was killed.
_HALF_WRITTEN: Final = re.compile(r".*#\d+")
#: Of no key at all; the address is where a cloud's machine asks who it is.
_UNKNOWN_CALLER: Final = re.compile(r"credential|access_?key_?id|169\.254\.", re.IGNORECASE)
_CODE = re.compile(r"<Code>(\w{1,60})</Code>")
_STATUS = re.compile(r"status code: (\d{3})")
_SYSTEM = re.compile(r"([A-Z][\w ]{1,60}) \(os error \d+\)")


@dataclass(frozen=True, slots=True)
class Found:
    """An object as a listing has it."""

    name: str
    size: int
    modified: datetime


class Objects:
    """Objects by name. Every method raises ShelfUnavailable when there is no use in going on.

    Credentials come from the environment only (AWS_*), and stand in no sentence.
    """

    def __init__(self, store: LocalStore | S3Store, url: str, folder: Path | None) -> None:
        self._store = store
        #: What sentences call the shelf.
        self.url = url
        #: Where it is a plain folder.
        self.folder = folder

    @classmethod
    def at(cls, url: str, *, create: bool = False) -> Self:
        """Those of a folder, by its path or a file: address, or of s3://bucket/prefix.

        `create` makes a folder that is not there. Raises ShelfUnavailable.
        """
        scheme, _, rest = url.partition("://")
        if scheme == "s3" and rest:
            return cls._in_bucket(url)
        if "://" in url and scheme != "file":
            raise ShelfUnavailable(
                "A shelf is a folder, or an address such as s3://bucket/prefix; "
                f"'{scheme[:20]}://' is neither"
            )
        folder = Path(unquote(urlsplit(url).path) if scheme == "file" else url).expanduser()
        if not create and not folder.is_dir():
            raise ShelfUnavailable(
                f"There is no shelf '{folder}'; 'creditatlas publish --to {folder}' makes one"
            )
        shelf = str(folder)
        with answering(shelf):
            return cls(LocalStore(folder.absolute(), mkdir=create), shelf, folder.absolute())

    @classmethod
    def _in_bucket(cls, url: str) -> Self:
        parts = urlsplit(url)
        if parts.username or parts.password or parts.query or parts.fragment or not parts.hostname:
            raise ShelfUnavailable(
                f"The address of a shelf is s3://bucket/prefix and nothing else; {_CREDENTIALS}"
            )
        prefix = unquote(parts.path).strip("/")
        with answering(url):
            store = S3Store(
                parts.netloc,
                prefix=prefix or None,
                client_options={
                    "timeout": _ONE_OBJECT,
                    "connect_timeout": _CONNECTING,
                    # obstore takes this one from the environment only where no other is given.
                    "allow_http": _plain_http(),
                },
                retry_config={"max_retries": _RETRIES, "retry_timeout": _ONE_SERVER},
            )
        return cls(store, url, None)

    def elsewhere(self) -> tuple[str, dict[str, str]]:
        """Address and options for a library of object_store's family that is not obstore; it finds
        the credentials in the same environment.
        """
        if self.folder is not None:
            return self.folder.as_uri(), {}
        return self.url.rstrip("/"), {
            "timeout": f"{_ONE_OBJECT.total_seconds():.0f}s",
            "connect_timeout": f"{_CONNECTING.total_seconds():.0f}s",
            "allow_http": str(_plain_http()).lower(),
            "max_retries": str(_RETRIES),
            "retry_timeout": f"{_ONE_SERVER.total_seconds():.0f}s",
        }

    def read(self, name: str) -> bytes | None:
        """An object; None where there is none."""
        with answering(self.url):
            try:
                return bytes(obstore.get(self._store, name).bytes())
            except FileNotFoundError:  # of a bucket that is not there a listing says so
                return None

    def write(self, name: str, content: bytes) -> None:
        """Writes an object, whole or not at all, over the one of that name."""
        with answering(self.url):
            obstore.put(self._store, name, content, use_multipart=False)

    def create(self, name: str, content: bytes) -> bool:
        """Writes an object, whole or not at all, unless there is one of that name."""
        with answering(self.url):
            try:
                obstore.put(self._store, name, content, mode="create", use_multipart=False)
            except AlreadyExistsError:
                # A try whose answer was lost on the way may have been ours.
                return self.read(name) == content
            return True

    def listed(self, folder: str) -> list[Found]:
        """All objects under a folder, by name."""
        with answering(self.url):
            found = obstore.list(self._store, folder, chunk_size=1_000).collect()
        listed = [Found(one["path"], one["size"], one["last_modified"]) for one in found]
        return sorted(listed, key=lambda one: one.name)

    def delete(self, names: list[str]) -> None:
        """Removes objects; one that is gone already is none the worse."""
        with answering(self.url):
            for start in range(0, len(names), 1_000):
                try:
                    obstore.delete(self._store, names[start : start + 1_000])
                except FileNotFoundError:
                    for name in names[start : start + 1_000]:
                        self._delete_one(name)

    def remove_half_written(self, older_than: float) -> int:
        """Removes what killed writers left in a folder, older than that many seconds; its bytes.

        A bucket shows no such thing.
        """
        freed = 0
        for path in self.folder.rglob("*#*") if self.folder else ():
            if _HALF_WRITTEN.fullmatch(path.name):
                status = path.stat()
                if status.st_mtime <= time.time() - older_than:
                    path.unlink(missing_ok=True)
                    freed += status.st_size
        return freed

    def _delete_one(self, name: str) -> None:
        try:
            obstore.delete(self._store, name)
        except FileNotFoundError:
            return


@contextmanager
def answering(url: str, *kinds: type[Exception]) -> Iterator[None]:
    """Says in one sentence why a shelf does not answer, without what was sent to it.

    `kinds` are errors of another library that writes there.
    """
    failures: tuple[type[Exception], ...] = (BaseError, OSError, ValueError, *kinds)
    try:
        yield
    except (PermissionDeniedError, UnauthenticatedError) as error:
        raise _refused(url, str(error)) from None
    except failures as error:
        raise _failed(url, str(error)) from None


def _plain_http() -> bool:
    return os.environ.get(_PLAIN_HTTP, "").lower() in {"1", "true"}


# Whatever happened is a ShelfUnavailable by the kind of its exception. obstore has one kind,
# GenericError, for a bucket that is missing, a server that does not answer, a key that nobody knows
# and plain http, and so has deltalake: which of them it was stands in the text alone, and chooses
# nothing but the sentence.


def _failed(url: str, said: str) -> ShelfUnavailable:
    code, status, system = _CODE.search(said), _STATUS.search(said), _SYSTEM.search(said)
    if code and code[1] == "NoSuchBucket":
        return ShelfUnavailable(f"The shelf '{url}' has no such bucket; create it, then try again")
    if code and (status is None or status[1] in {"401", "403"}):
        return _refused(url, said)
    if system and "Connect" not in said:
        return ShelfUnavailable(f"The shelf '{url}' cannot be used: {system[1].strip()}")
    if "builder error" in said:
        return ShelfUnavailable(
            f"The shelf '{url}' is reached over plain http, where keys of the store can be read on"
            f" the way; set {_PLAIN_HTTP}=true to allow that"
        )
    if _UNKNOWN_CALLER.search(said):
        return ShelfUnavailable(f"The shelf '{url}' asks for credentials; {_CREDENTIALS}")
    reason = code[1] if code else f"status {status[1]}" if status else "no answer"
    return ShelfUnavailable(
        f"The shelf '{url}' does not answer ({reason}); see that it runs and can be reached, then"
        " try again"
    )


def _refused(url: str, said: str) -> ShelfUnavailable:
    code = _CODE.search(said)
    reason = f" ({code[1]})" if code else ""
    return ShelfUnavailable(f"The shelf '{url}' refuses access{reason}; {_CREDENTIALS}")

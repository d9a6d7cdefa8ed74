"""The key file: who may ask (spec 5). It holds hashes of keys, never a key.

A key is 256 random bits, so one round of SHA-256 is enough: a slow hash protects secrets that can
be guessed, and nobody guesses 256 bits. It would only make every request slow.
"""

import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, Protocol, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from services.contract.access import LicenceTier
from services.contract.errors import NotFound, SettingsInvalid
from services.contract.queries import shortened

Environment = Literal["production", "sandbox"]
ENVIRONMENTS: Final[tuple[Environment, ...]] = get_args(Environment)

_PREFIX: Final[dict[Environment, str]] = {"production": "ca_live_", "sandbox": "ca_test_"}
#: What our keys look like, to find one where none belongs (D35).
KEY_SHAPE: Final = re.compile(r"ca_(?:live|test)_[A-Za-z0-9_-]{43}")
_LONGEST: Final = 256


class Key(BaseModel):
    """What is known of a key. `sha256` is the hash of its whole text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    tier: LicenceTier
    environment: Environment
    sha256: str
    created_at: datetime
    revoked_at: datetime | None = None


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    keys: tuple[Key, ...] = ()


class KeyRing(Protocol):
    """Whatever knows keys."""

    @property
    def local(self) -> bool:
        """Whether finding a key never waits for a network."""
        ...

    def find(self, secret: str) -> Key | None:
        """The key of this text, or None when it is unknown or revoked.

        Raises ServiceUnavailable when that cannot be known just now.
        """
        ...


def new_secret(environment: Environment) -> str:
    """The text of a new key: 256 random bits, after what says that it is ours."""
    return _PREFIX[environment] + secrets.token_urlsafe(32)


def new_id() -> str:
    """What a key is called in lists and in the log."""
    return secrets.token_hex(4)


def digest_of(secret: str) -> str:
    """The hash by which a key is found."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class KeyFile:
    """Keys in a JSON file of mode 0600. A changed file is read again at the next request."""

    local: Final = True

    def __init__(
        self, path: Path, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.path = path
        self._now = now
        self._seen: tuple[int, int, int] | None = None
        self._by_hash: dict[str, Key] = {}

    def find(self, secret: str) -> Key | None:
        """The key of this text, or None when it is unknown or revoked.

        Raises SettingsInvalid when the file is gone or damaged: no key is good then.
        """
        if len(secret) > _LONGEST:
            return None
        self._refresh()
        digest = digest_of(secret)
        # A lookup by hash tells nothing of the key by its timing; the comparison costs nothing.
        found = self._by_hash.get(digest)
        if found is None or not hmac.compare_digest(found.sha256, digest):
            return None
        return None if found.revoked_at else found

    def all(self) -> tuple[Key, ...]:
        """Every key ever added, oldest first. Raises SettingsInvalid."""
        return self._read().keys

    def add(self, tier: LicenceTier, environment: Environment) -> str:
        """Adds a key and returns its text, which is kept nowhere. Makes the file when missing."""
        secret = new_secret(environment)
        with self._writing():
            known = self._read().keys if self.path.exists() else ()
            key = Key(
                id=self._unused_id(known),
                tier=tier,
                environment=environment,
                sha256=digest_of(secret),
                created_at=self._now(),
            )
            self._write(_File(keys=(*known, key)))
        return secret

    def revoke(self, key_id: str) -> Key:
        """Revokes a key, from the next request on. Raises NotFound, SettingsInvalid."""
        with self._writing():
            known = self._read().keys
            found = next((key for key in known if key.id == key_id), None)
            if found is None:
                raise NotFound(f"'{self.path}' has no key with the id '{shortened(key_id)}'")
            gone = found.model_copy(update={"revoked_at": found.revoked_at or self._now()})
            self._write(_File(keys=tuple(gone if key is found else key for key in known)))
        return gone

    def close(self) -> None:
        """Nothing is held open."""

    def _refresh(self) -> None:
        try:
            status = self.path.stat()
        except OSError as error:
            raise self._unreadable(error) from None
        seen = (status.st_mtime_ns, status.st_ino, status.st_size)
        if seen != self._seen:
            self._by_hash = {key.sha256: key for key in self._read().keys}
            self._seen = seen

    def _read(self) -> _File:
        try:
            return _File.model_validate_json(self.path.read_bytes())
        except OSError as error:
            raise self._unreadable(error) from None
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in fault["loc"]) or "the file"
            raise SettingsInvalid(
                f"The key file '{self.path}' is damaged at {where} ({fault['msg']}); "
                "mend it, or make a new one with 'creditatlas keys add'"
            ) from None

    def _unreadable(self, error: OSError) -> SettingsInvalid:
        if isinstance(error, FileNotFoundError):
            return SettingsInvalid(
                f"There is no key file '{self.path}'; make one with "
                f"'creditatlas keys add --tier complete --environment production "
                f"--keys {self.path}'"
            )
        return SettingsInvalid(f"The key file '{self.path}' cannot be read: {error.strerror}")

    @staticmethod
    def _unused_id(known: tuple[Key, ...]) -> str:
        taken = {key.id for key in known}
        while (key_id := new_id()) in taken:
            continue
        return key_id

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Holds the folder's lock, so that two commands at once do not lose a key."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            folder = os.open(self.path.parent, os.O_RDONLY)
        except OSError as error:
            raise SettingsInvalid(
                f"The key file '{self.path}' cannot be written: {error.strerror}"
            ) from None
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _write(self, content: _File) -> None:
        text = json.dumps(content.model_dump(mode="json"), indent=1) + "\n"
        fresh = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink()
            raise SettingsInvalid(
                f"The key file '{self.path}' cannot be written: {error.strerror}"
            ) from None

"""Requests a minute, counted in a storage that all nodes share, Redis above all (D96)."""

import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from limits.storage import RedisStorage, Storage

from services.api.limiting import Clock, Counts, ProcessCounts

from .outage import Outage

#: After a failure the storage is left alone so long; then one request tries it again.
_PAUSE_SECONDS: Final = 1.0
_MILLISECONDS: Final = 1_000
_Answer = TypeVar("_Answer")


class SharedRates:
    """Counts of a shared storage; this process's own while it does not answer.

    A rate protects the service from one client, and a window is over in a minute: until then each
    process lets through the rate once more at most. That is less harm than answering nobody.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        clock: Clock = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        failed = storage.base_exceptions
        self._failures: tuple[type[Exception], ...] = (
            *(failed if isinstance(failed, tuple) else (failed,)),
            OSError,
        )
        self._shared: Counts = _Exact(storage) if isinstance(storage, RedisStorage) else storage
        self._own = ProcessCounts(clock=clock)
        self._monotonic = monotonic
        #: Until then the storage is not asked.
        self._rests = 0.0
        self._guard = threading.Lock()
        self._outage = Outage(
            "The storage of CREDIT_ATLAS_LIMITS_STORAGE",
            "each process counts rates by itself meanwhile",
            monotonic=monotonic,
        )

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """See Counts."""
        return self._asked(lambda counts: counts.incr(key, expiry, amount))

    def get(self, key: str) -> int:
        """See Counts."""
        return self._asked(lambda counts: counts.get(key))

    def get_expiry(self, key: str) -> float:
        """See Counts."""
        return self._asked(lambda counts: counts.get_expiry(key))

    def _asked(self, ask: Callable[[Counts], _Answer]) -> _Answer:
        if self._rests and not self._may_try():
            return ask(self._own)
        try:
            found = ask(self._shared)
        except self._failures as error:
            # Only its kind: the text may quote an address, and that holds a password.
            self._outage.failed(OSError(f"it does not answer ({type(error).__name__})"))
            self._rests = self._monotonic() + _PAUSE_SECONDS
            return ask(self._own)
        if self._rests:
            self._rests = 0.0
            self._outage.answered()
        return found

    def _may_try(self) -> bool:
        """Whether the pause is over; True for one caller, who makes the others wait for it."""
        with self._guard:
            now = self._monotonic()
            if now < self._rests:
                return False
            self._rests = now + _PAUSE_SECONDS
            return True


class _Exact:
    """Redis with ends of windows to the millisecond: the library's are rounded to the second, so
    that who waits as long as Retry-After says might come half a second early.
    """

    def __init__(self, storage: RedisStorage) -> None:
        self._storage = storage
        self.incr = storage.incr
        self.get = storage.get

    def get_expiry(self, key: str) -> float:
        """See Counts."""
        name = self._storage.prefixed_key(key)
        connection: Any = self._storage.get_connection()
        left = int(connection.pttl(name))
        return time.time() + max(left, 0) / _MILLISECONDS

"""Per-minute rate and daily quota, by key or by client address (spec 8, D14, D15, D20).

Windows are fixed and begin with the first request in them. The counts live in this process, or in
storages that several workers and nodes share (services/api/shared).
"""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from limits import RateLimitItemPerDay, RateLimitItemPerMinute
from limits.storage import Storage, storage_from_string

from services.contract.access import LICENCE_TIERS, LicenceTier
from services.contract.errors import SettingsInvalid

Clock = Callable[[], float]
_MINUTE: Final = 60
_DAY: Final = 86_400
#: Longest wait for an answer of Redis.
_SECONDS: Final = 1.0
_REDIS: Final = ("redis", "valkey")


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a tier may ask: requests a minute, requests a day."""

    per_minute: int
    per_day: int


#: D14. Without a key a client has the smallest allowance (D20).
DEFAULTS: Final[dict[LicenceTier | None, Allowance]] = {
    **dict.fromkeys((*LICENCE_TIERS, None), Allowance(60, 5_000)),
    "complete": Allowance(300, 50_000),
}


def allowances(
    per_minute: int | None = None, per_day: int | None = None
) -> dict[LicenceTier | None, Allowance]:
    """The allowance of every tier, and of clients without a key (None); what is given overrides."""
    return {
        tier: Allowance(per_minute or usual.per_minute, per_day or usual.per_day)
        for tier, usual in DEFAULTS.items()
    }


class RateState(NamedTuple):
    """What a client has left after a request. `retry_after` is 0 when it was let through."""

    #: Requests left in this minute, and whole seconds until it ends.
    remaining: int
    reset: int
    #: Requests left today.
    daily_remaining: int
    #: Whole seconds until the next request is let through.
    retry_after: int = 0


class Counts(Protocol):
    """Requests counted in windows of time: the part of a storage of `limits` that is used."""

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Adds to a count, whose window of `expiry` seconds begins now when none is open."""
        ...

    def get(self, key: str) -> int:
        """The count of an open window, else 0."""
        ...

    def get_expiry(self, key: str) -> float:
        """When the window ends, seconds since 1970; now, when none is open."""
        ...


class Limiter:
    """Counts requests of subjects: of a minute in `rates`, of a day in `quotas`.

    `local` says that counting never waits for a network.
    """

    def __init__(self, rates: Counts, quotas: Counts, *, clock: Clock = time.time) -> None:
        self.local = isinstance(rates, ProcessCounts) and isinstance(quotas, ProcessCounts)
        self._rates = rates
        self._quotas = quotas
        self._clock = clock

    def take(self, subject: str, allowance: Allowance) -> RateState:
        """Counts one request. A request that is refused counts against no quota of the day."""
        # The library's fixed-window strategy, with half the calls: each may be a round trip.
        rates, quotas, (minute, day) = self._rates, self._quotas, _windows(subject, allowance)
        today = quotas.get(day)
        if today >= allowance.per_day:
            left = max(0, allowance.per_minute - rates.get(minute))
            return RateState(left, self._minute(minute), 0, self._until(quotas.get_expiry(day)))
        used = rates.incr(minute, _MINUTE)
        reset = self._minute(minute)
        if used > allowance.per_minute:
            return RateState(0, reset, allowance.per_day - today, reset)
        left = allowance.per_minute - used
        today = quotas.incr(day, _DAY)
        if today > allowance.per_day:  # another worker took the last one
            return RateState(left, reset, 0, self._until(quotas.get_expiry(day)))
        return RateState(left, reset, allowance.per_day - today)

    def _minute(self, window: str) -> int:
        return self._until(self._rates.get_expiry(window), _MINUTE)

    def _until(self, moment: float, otherwise: int = 1) -> int:
        """Whole seconds until a window ends, rounded up so that waiting them is enough."""
        left = math.ceil(moment - self._clock())
        return left if left > 0 else otherwise


@lru_cache(maxsize=10_000)
def _windows(subject: str, allowance: Allowance) -> tuple[str, str]:
    """The names of a subject's windows, as the library makes them."""
    minute = RateLimitItemPerMinute(allowance.per_minute, namespace="creditatlas")
    day = RateLimitItemPerDay(allowance.per_day, namespace="creditatlas")
    return minute.key_for(subject), day.key_for(subject)


class ProcessCounts:
    """Counts in this process. The library's own has no clock to set, no bound and starts threads.

    `most` bounds the memory that addresses can take: the oldest windows go first.
    """

    def __init__(self, *, clock: Clock = time.time, most: int = 200_000) -> None:
        self._clock = clock
        self._most = most
        self._counts: dict[str, tuple[int, float]] = {}
        self._guard = threading.Lock()

    def __len__(self) -> int:
        return len(self._counts)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """See Counts."""
        now = self._clock()
        with self._guard:
            count, ends = self._counts.get(key, (0, 0.0))
            if ends <= now:
                self._counts.pop(key, None)
                self._make_room(now)
                count, ends = 0, now + expiry
            self._counts[key] = (count + amount, ends)
            return count + amount

    def get(self, key: str) -> int:
        """See Counts."""
        count, ends = self._counts.get(key, (0, 0.0))
        return count if ends > self._clock() else 0

    def get_expiry(self, key: str) -> float:
        """See Counts."""
        return max(self._counts.get(key, (0, 0.0))[1], self._clock())

    def _make_room(self, now: float) -> None:
        if len(self._counts) < self._most:
            return
        self._counts = {key: held for key, held in self._counts.items() if held[1] > now}
        for key in list(self._counts)[: max(0, len(self._counts) - self._most * 9 // 10)]:
            del self._counts[key]


def open_storage(uri: str) -> Storage:
    """The shared storage that a URI names. Raises SettingsInvalid, never quoting the URI."""
    # Neither library waits by itself for a Redis that says nothing; a request must not.
    options = {"socket_timeout": _SECONDS, "socket_connect_timeout": _SECONDS}
    try:
        storage = storage_from_string(uri, **(options if uri.startswith(_REDIS) else {}))
        healthy = isinstance(storage, Storage) and storage.check()
    except Exception as error:  # noqa: BLE001 - each storage's library has errors of its own
        # Only its kind: the text may quote the address, and that holds a password.
        raise SettingsInvalid(
            "CREDIT_ATLAS_LIMITS_STORAGE names no storage that can be opened "
            f"({type(error).__name__}); "
            "write it like redis://host:6379 and install the client library it needs"
        ) from None
    if not isinstance(storage, Storage) or not healthy:
        raise SettingsInvalid(
            "The storage of CREDIT_ATLAS_LIMITS_STORAGE does not answer; start it, or correct its "
            "address"
        )
    return storage

"""How many requests the key has left, as the last answers told it (spec 8.2, D15).

A value object: headers and the time go in, figures for a meter come out. Nothing here sleeps, and
nothing sleeps because of it; only Retry-After does that (D15).
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final, Self

DAY_SECONDS: Final = 86_400
_EPOCH_FROM: Final = 1_000_000_000
_EPOCH_MILLIS_FROM: Final = 1_000_000_000_000
#: A number at the start: "59", "59.5", and the "59;w=60" of newer drafts.
_NUMBER = re.compile(r"\s*(\d{1,15}(?:\.\d{1,9})?)(?![\w.])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Budget:
    """The last known budget of a key; None where no answer told it yet."""

    #: Requests left in this minute.
    remaining: int | None = None
    #: Requests left today.
    daily_remaining: int | None = None
    #: When the minute's window ends, seconds since 1970.
    resets_at: float | None = None
    #: Most ever seen left, the full mark of a meter: the service does not send its limits.
    most_remaining: int | None = None
    most_daily_remaining: int | None = None
    #: When the last figure came, seconds since 1970; null before the first.
    told_at: float | None = None

    def after(self, headers: Mapping[str, str], now: float) -> Self:
        """The budget once an answer with `headers` (lower-case names) came at `now`, epoch seconds.

        Garbage counts as not sent; what an answer does not send stays as it was.
        """
        remaining = _whole(headers.get("x-ratelimit-remaining"))
        daily = _whole(headers.get("x-ratelimit-daily-remaining"))
        reset = _moment(headers.get("x-ratelimit-reset"), now)
        if remaining is None and daily is None and reset is None:
            return self
        return type(self)(
            remaining=self.remaining if remaining is None else remaining,
            daily_remaining=self.daily_remaining if daily is None else daily,
            resets_at=self.resets_at if reset is None else reset,
            most_remaining=_most(self.most_remaining, remaining),
            most_daily_remaining=_most(self.most_daily_remaining, daily),
            told_at=now,
        )

    def resets_in(self, now: float) -> int | None:
        """Whole seconds until the minute's window ends, 0 when it has; None when not known."""
        return None if self.resets_at is None else max(0, math.ceil(self.resets_at - now))


def retry_after(headers: Mapping[str, str], now: float) -> int | None:
    """Seconds that Retry-After asks to wait, 1 to a day; None when it is absent or garbage.

    Takes seconds or an HTTP date (D15). A date is measured against the answer's own Date, so that
    a clock that is wrong on either side does not lengthen the wait.
    """
    text = headers.get("retry-after", "")
    seconds = _number(text)
    if seconds is None:
        until = _date(text)
        if until is None:
            return None
        sent = _date(headers.get("date", ""))
        seconds = until - (now if sent is None else sent)
    return max(1, math.ceil(min(seconds, DAY_SECONDS)))


def _number(text: str | None) -> float | None:
    found = _NUMBER.match(text or "")
    return float(found[1]) if found else None


def _whole(text: str | None) -> int | None:
    number = _number(text)
    return None if number is None else int(number)


def _moment(text: str | None, now: float) -> float | None:
    number = _number(text)
    if number is None:
        return None
    if number >= _EPOCH_MILLIS_FROM:
        return number / 1000
    if number >= _EPOCH_FROM:
        return number
    return now + number if number <= DAY_SECONDS else None


def _date(text: str) -> float | None:
    try:
        when = parsedate_to_datetime(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, IndexError, TypeError):
        return None


def _most(before: int | None, now: int | None) -> int | None:
    known = [one for one in (before, now) if one is not None]
    return max(known, default=None)

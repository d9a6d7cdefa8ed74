"""Which two periods of each source a comparison of two dates is of (D184)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from services.contract.compared import date_before
from services.contract.period import KeptPeriod


@dataclass(frozen=True, slots=True)
class Compared:
    """Two dates of a book, source by source."""

    since: date
    until: date
    #: Of each source that filed by `since` and again by `until` its newest period at either date;
    #: of one date that of all, twice.
    pairs: tuple[tuple[KeptPeriod, KeptPeriod], ...]
    #: The newest periods of sources that filed first after `since`, and of those that filed nothing
    #: after it.
    first_filed: tuple[KeptPeriod, ...]
    silent: tuple[KeptPeriod, ...]


def compared(kept: Sequence[KeptPeriod], since: date | None, until: date | None) -> Compared:
    """`kept` are periods that count, by date, at least one. None: the newest date, and
    `date_before` that.
    """
    days = sorted({one.as_of for one in kept})
    until = until or days[-1]
    since = since or date_before(days, until)
    then = {one.source: one for one in kept if one.as_of <= since}
    now = {one.source: one for one in kept if one.as_of <= until}
    one_date = since == until
    moved = [source for source, one in now.items() if one_date or one.as_of > since]
    return Compared(
        since,
        until,
        tuple((then[source], now[source]) for source in moved if source in then),
        tuple(now[source] for source in moved if source not in then),
        tuple(one for source, one in now.items() if source not in moved),
    )

"""The dates of which filings are kept: what can be compared, and whether it is shown over time."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from components.frame import session
from services.contract.errors import NoHistory
from services.contract.history import Histories, Period

#: Of one month no line can be drawn.
_FEWEST: Final = 2


def kept() -> list[Period]:
    """The periods that the snapshot keeps. Raises MirrorMissing."""
    try:
        return session.ask(Histories.periods)
    except NoHistory:
        return []


def dates(periods: Sequence[Period]) -> list[date]:
    """The as-of dates that can be compared, the first one first."""
    return sorted({one.as_of for one in periods if one.counts})


def over_time() -> bool:
    """Whether the snapshot keeps periods of at least two months."""
    months = {(one.as_of.year, one.as_of.month) for one in kept()} if session.mirrored() else ()
    return len(months) >= _FEWEST

"""Whether there are periods enough for something to be shown over time."""

from typing import Final

from components.frame import session
from services.contract.errors import NoHistory
from services.contract.history import Histories

#: Of one month no line can be drawn.
_FEWEST: Final = 2


def over_time() -> bool:
    """Whether the snapshot keeps periods of at least two months."""
    if not session.mirrored():
        return False
    try:
        kept = session.ask(Histories.periods)
    except NoHistory:
        return False
    return len({(one.as_of.year, one.as_of.month) for one in kept}) >= _FEWEST

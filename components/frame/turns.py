"""One run of a session at a time.

Streamlit begins the run of a page while that of the page before goes on, until it next asks
Streamlit for something: it may be within a statement that writes to the session's state, and such a
write then lands among those of the next page.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final
from weakref import WeakValueDictionary

#: A run that reads for longer than this is not waited for.
LONGEST_SECONDS: Final = 20.0
_making: Final = Lock()
#: By session; one goes with the last run that holds it.
_locks: Final[WeakValueDictionary[str, Lock]] = WeakValueDictionary()


@contextmanager
def turn(session_id: str | None) -> Iterator[None]:
    """Waits until the run before has ended: it was told to, and does so within moments."""
    with _making:
        lock = _locks.setdefault(session_id or "", Lock())
    mine = lock.acquire(timeout=LONGEST_SECONDS)
    try:
        yield
    finally:
        if mine:
            lock.release()

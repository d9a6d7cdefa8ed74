"""Who came in, who went, and who was refused what: in the log and, beside the page, in the audit.

A refusal costs nothing to whoever is refused, so entries are few: one of the same words in a
minute, and so many of all. Nobody waits for the desk.
"""

import logging
import time
from collections.abc import Callable
from functools import lru_cache
from queue import Empty, Full, Queue
from threading import Lock, Thread
from typing import Final

from services.contract.audit import Audit, AuditAction, AuditRole
from services.contract.errors import CreditAtlasError
from services.contract.queries import shortened
from services.contract.users import LONGEST_USER, User, name_key
from services.settings import Settings
from services.sources import open_audit

log = logging.getLogger("credit_atlas")

#: Seconds in which one refusal of the same words is recorded.
SAME_WORDS: Final = 60.0
#: Entries in such a time, whoever they are of.
MOST: Final = 60
#: Whoever is refused before it is known who they are.
NOBODY: Final = "unknown"
#: Seconds that the thread which records waits for more before it ends.
_WAITS: Final = 5.0

_Entry = tuple[AuditAction, str, AuditRole, str]


class Entrance:
    """One for each process. `hours` is how long a session lasts."""

    def __init__(
        self,
        audit: Callable[[], Audit],
        hours: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._audit = audit
        self._hours = hours
        self._clock = clock
        self._lock = Lock()
        self._said: dict[tuple[str, ...], float] = {}
        self._came: dict[str, float] = {}
        self._went: dict[str, float] = {}
        self._waiting: Queue[_Entry] = Queue(maxsize=MOST)
        self._thread: Thread | None = None

    def came(self, user: User) -> None:
        """Somebody whom the proxy signed in begins a session: recorded once, not for each tab."""
        now, key = self._clock(), name_key(user.name)
        with self._lock:
            if now < self._came.get(key, 0.0):
                return
            self._came[key] = now + 3600 * self._hours
        self._record("sign_in", user.name, user.role, "")

    def went(self, user: User) -> None:
        """Somebody signs out: sessions of theirs that began before are over, in every tab."""
        key = name_key(user.name)
        with self._lock:
            self._went[key] = self._clock()
            self._came.pop(key, None)
        self._record("sign_out", user.name, user.role, "")

    def is_over(self, name: str, began: float) -> bool:
        """Whether this user has signed out since then."""
        return began <= self._went.get(name_key(name), 0.0)

    def refused(self, sentence: str, user: User | None = None, name: str = NOBODY) -> None:
        """Somebody was refused something, in these words; `name` is who they say they are."""
        by = user.name if user else shortened(name, LONGEST_USER - 3) or NOBODY
        now, words = self._clock(), (by, sentence)
        with self._lock:
            self._said = {one: at for one, at in self._said.items() if now - at < SAME_WORDS}
            if words in self._said or len(self._said) >= MOST:
                return
            self._said[words] = now
        log.warning("refused: %s: %s", by, sentence)
        self._record("refused", by, user.role if user else "none", sentence)

    def _record(self, action: AuditAction, by: str, role: AuditRole, sentence: str) -> None:
        try:
            self._waiting.put_nowait((action, by, role, sentence))
        except Full:
            log.warning("not recorded: %s of %s (too many wait)", action, by)
            return
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._recording, name="entrance", daemon=True)
                self._thread.start()

    def _recording(self) -> None:
        while True:
            try:
                action, by, role, sentence = self._waiting.get(timeout=_WAITS)
            except Empty:
                with self._lock:
                    if self._waiting.empty():
                        self._thread = None
                        return
                continue
            try:
                self._audit().note_entrance(action, by, role, sentence)
            except CreditAtlasError as error:
                log.warning("not recorded: %s of %s (%s)", action, by, error)
            except Exception:
                # The thread goes on: what comes next is recorded.
                log.exception("not recorded: %s of %s", action, by)


@lru_cache(maxsize=8)
def entrance(settings: Settings) -> Entrance:
    """That of this process."""
    return Entrance(lambda: open_audit(settings), settings.session_hours)

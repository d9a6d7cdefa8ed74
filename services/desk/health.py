"""What this process knows of the damage of a desk; it looks again in the background (D113)."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from services.contract.errors import DeskUnavailable

log = logging.getLogger("credit_atlas")

#: Between two looks: while all is well, and while it is not and somebody may be mending it.
_EVERY_SECONDS: Final = 600.0
_AGAIN_SECONDS: Final = 15.0


class Health:
    """Of one desk, for all who use it in this process."""

    def __init__(self) -> None:
        self._damage: str | None = None
        self._due = 0.0
        self._lock = threading.Lock()

    @property
    def damage(self) -> DeskUnavailable | None:
        """What was found, as it is said."""
        return None if self._damage is None else DeskUnavailable(self._damage)

    def found(self, damage: DeskUnavailable | None) -> None:
        """Remembers what a look has found; nothing where all is well."""
        said = damage.message if damage else None
        self._damage = said
        self._due = time.monotonic() + (_AGAIN_SECONDS if said else _EVERY_SECONDS)

    def look(self, verify: Callable[[], Mapping[str, int]]) -> None:
        """Verifies in a thread of its own, when it is time and nobody does already."""
        if time.monotonic() < self._due or not self._lock.acquire(blocking=False):
            return

        def looking() -> None:
            before = self._damage
            try:
                verify()
            except DeskUnavailable as error:
                # Remembered where it is damage; what does not answer is none.
                if before != self._damage == error.message:
                    log.error("%s", error)  # noqa: TRY400 - a sentence, not an error here
            finally:
                self._due = max(self._due, time.monotonic() + _AGAIN_SECONDS)
                self._lock.release()

        threading.Thread(target=looking, name="desk", daemon=True).start()


@lru_cache(maxsize=1_000)
def health_of(place: str) -> Health:
    """One for each file or database in this process."""
    del place
    return Health()

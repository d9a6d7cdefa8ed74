"""Something that other machines serve, and that is down for a while."""

import threading
import time
from collections.abc import Callable

from services.api.log import service_log


class Outage:
    """Since when `what` is down. Its begin and its end are a line of the log each."""

    def __init__(
        self, what: str, meanwhile: str, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._what = what
        self._meanwhile = meanwhile
        self._monotonic = monotonic
        self._since: float | None = None
        self._guard = threading.Lock()

    def failed(self, error: Exception) -> float:
        """It did not answer; for how many seconds it has been down."""
        now = self._monotonic()
        with self._guard:
            begins = self._since is None
            if self._since is None:
                self._since = now
            lasted = now - self._since
        if begins:
            service_log.warning("%s: %s; %s", self._what, error, self._meanwhile)
        return lasted

    def answered(self) -> None:
        """It answered."""
        if self._since is None:
            return
        with self._guard:
            since, self._since = self._since, None
        if since is not None:
            lasted = self._monotonic() - since
            service_log.warning("%s: answers again, after %.1f seconds", self._what, lasted)

"""What a user takes away or fills is recorded in the audit before it is done (D92).

With sign-in nothing is done whose entry cannot be written. On one machine it is done all the same:
its user may read every file here anyway, and a full disk must not keep them from their own figures.
"""

import logging
import time
from collections.abc import Callable

from components.frame import session
from services.contract.audit import AuditAction, Deed
from services.contract.errors import DeskUnavailable, NotPermitted

log = logging.getLogger("credit_atlas")


def refusal() -> str | None:
    """Why nothing can be taken away now, as a sentence; None where it can."""
    if session.settings().sign_in == "none" or (fault := session.desk().fault()) is None:
        return None
    return f"Nothing can be taken away now, for it could not be recorded. {fault}."


def recorder() -> Callable[[Deed], None]:
    """Records what the user of this run does, later and from any thread: a file is written in one
    of its own.

    What it gives raises, with sign-in, DeskUnavailable where an entry cannot be written, and
    NotPermitted once the session is over: a page that was drawn before stands in the browser.
    """
    audit, by, over = session.audit(), session.user(), session.ends_at()
    signed_in = session.settings().sign_in != "none"

    def record(deed: Deed) -> None:
        if over is not None and time.time() > over:
            raise NotPermitted("Your session has ended; reload the page to sign in again")
        try:
            audit.record(by, deed)
        except DeskUnavailable as error:
            if signed_in:
                raise
            log.warning("not recorded: %s by %s (%s)", deed.action, by, error)

    return record


def file(action: AuditAction, name: str, *, form: str, shown: str, as_of: str, source: str) -> Deed:
    """A file that is taken away.

    `form` is its format and what it holds: "CSV, 12 rows of loans"; `shown` its filters in words.
    """
    said = f"{form}: {shown}" + (f", as of {as_of}" if as_of else "")
    return Deed(action=action, kind="file", name=name, source=source, detail=said)

"""What a user takes away or fills is recorded in the audit before it is done (D92).

With sign-in nothing is done whose entry cannot be written. On one machine it is done all the same:
its user may read every file here anyway, and a full disk must not keep them from their own figures.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from components.frame import session, visitor
from components.platform import asking
from services.contract.access import Action
from services.contract.audit import AuditAction, Deed
from services.contract.errors import DeskUnavailable, NotPermitted
from services.contract.users import User
from services.sign_in import user_of
from services.sign_in_audit import NOBODY, entrance
from services.sources import open_audit

if TYPE_CHECKING:
    from components.frame.exports import Origin

log = logging.getLogger("credit_atlas")


def refusal() -> str | None:
    """Why nothing can be taken away now, as a sentence; None where it can."""
    if session.settings().sign_in == "none" or (fault := visitor.desk().fault()) is None:
        return None
    return f"Nothing can be taken away now, for it could not be recorded. {fault}."


def recorder(to: Action = "export") -> Callable[[Deed], None]:
    """Records what the user does, later and from any thread: a file is written in one of its own.

    A page that was drawn hours ago stands in the browser, and what was drawn for one can be asked
    for by another. So who asks, and in which role, is looked up when it is done. What this gives
    raises NotPermitted where they may not, or their session is over; with sign-in, DeskUnavailable
    where an entry cannot be written.
    """
    drawn, here, settings = visitor.authority(), asking.here(), session.settings()

    def record(deed: Deed) -> None:
        asked = asking.ASKING.get(None)

        def by() -> User:
            if asked and asked.session_id != here:
                raise NotPermitted("This was drawn for another session; open the page yourself")
            user = drawn()
            return user_of(asked.headers, settings) if asked else user

        try:
            user = by()
            user.require(to)
        except NotPermitted as error:
            name = asked.headers.get(settings.user_header) if asked else None
            entrance(settings).refused(str(error), name=name or NOBODY)
            raise
        try:
            open_audit(settings).acting(by).record(user.name, deed)
        except DeskUnavailable as error:
            if settings.sign_in != "none":
                raise
            log.warning("not recorded: %s by %s (%s)", deed.action, user.name, error)

    return record


def file(action: AuditAction, name: str, *, form: str, shown: str, of: "Origin") -> Deed:
    """A file that is taken away.

    `form` is its format and what it holds: "CSV, 12 rows of loans"; `shown` its filters in words.
    """
    said = f"{form}: {shown}" + (f", as of {of.as_of}" if of.as_of else "")
    return Deed(action=action, kind="file", name=name, source=of.source, detail=said)

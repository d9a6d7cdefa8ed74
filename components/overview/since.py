"""What changed since the date before the newest, in one line that leads to all of it."""

from components.frame import links, scope, session
from components.frame.routes import CHANGES
from services.contract import changes_wording
from services.contract.errors import NoHistory
from services.contract.happened import Happened
from services.contract.history import ChangeQuery, Histories


def line() -> None:
    """Since 31 Aug 2026: 12 worse, 3 better. Nothing where the book is known as of one date."""
    try:
        if within := scope.chosen():
            of = ChangeQuery(per_page=1).within(within, session.analytics().snapshot())
            found: Happened = session.ask(Histories.changes, of)
        else:
            found = session.ask(Histories.newest_changes)
    except NoHistory:
        return
    if found.since < found.until:
        links.link(CHANGES, changes_wording.since(found), "history")

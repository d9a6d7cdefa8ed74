"""What a user last saw of the changes of a book: what is new since, and marking it as seen."""

from datetime import date
from functools import partial

from components.desk import facts, writing
from components.frame import links, session, visitor
from components.frame.routes import CHANGES
from components.kit import text
from components.kit.formatting import day
from services.contract.desk import THE_CHANGES, OnSubject, Seen, Subject


def watched_loans() -> tuple[str, ...]:
    """Numbers of the loans that this user watches. Raises DeskUnavailable."""
    watches = visitor.desk().watched(visitor.user(), session.label())
    return tuple(one.subject.name for one in watches if one.subject.kind == "loan")


def held() -> OnSubject | None:
    """What the desk holds of it; None where it does not read, which is said."""
    found = writing.read(partial(visitor.desk().on_subject, visitor.user(), _subject()), said=False)
    writing.told(found.fault if found else None)
    return found


def actions(found: OnSubject, newest: date) -> None:
    """A link to what is new since this user last looked, and the button that marks it as seen."""
    last = found.watch.seen.as_of if found.watch and found.watch.seen else None
    if last is not None and last >= newest:
        text.caption(f"You have seen the changes up to {day(last)}.", width="content")
        return
    if last is not None:
        label = f"New since you last looked, as of {day(last)}"
        links.link(CHANGES, label, "fiber_new", {"since": last.isoformat()})
    subject, snapshot = _subject(), session.analytics().snapshot()
    seen = Seen(snapshot_id=snapshot.snapshot_id, as_of=newest, facts={})
    writing.button(
        "Mark as seen",
        partial(_see, subject, seen, watched=found.watch is not None),
        icon="visibility",
        key="mark changes as seen",
        help_text=f"Remembers that you saw the changes up to {day(newest)}: once there is a newer"
        " date, this page leads to what is new since.",
        off=found.fault is not None,
    )


def _subject() -> Subject:
    return facts.subject("book", THE_CHANGES)


def _see(subject: Subject, seen: Seen, *, watched: bool) -> None:
    if watched:
        visitor.desk().see(visitor.user(), {subject: seen})
    else:
        visitor.desk().watch(visitor.user(), subject, seen)

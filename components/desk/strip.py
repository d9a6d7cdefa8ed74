"""Under the heading of a loan or a party: the watch, what changed since, the notes, and a
loan's case.
"""

from functools import partial

import streamlit as st

from components.desk import case, facts, notes, writing
from components.desk.changes import events, of_watch
from components.frame import session, visitor
from components.kit import text
from components.kit.formatting import day
from services.contract.aggregates import EntityDossier
from services.contract.desk import Seen, Subject, Watch
from services.contract.errors import DeskUnavailable
from services.contract.loan_filter import LONGEST_NUMBER

_KEY = "watch"


def of_loan(number: str) -> None:
    """The strip of a loan. Over an API without its mirror nothing of it can be compared."""
    listed = session.mirrored() and len(number) <= LONGEST_NUMBER
    now = facts.of_loans([number]).get(number) if listed else None
    _strip(facts.subject("loan", number), now)


def watch_of_loan(number: str) -> None:
    """The watch of a loan alone, where there is no room for the rest."""
    subject = facts.subject("loan", number)
    held = visitor.desk().on_subject(visitor.user(), subject)
    now = facts.of_loans([number]).get(number)
    _toggle(subject, now, held.watch, off=held.fault is not None)


def of_party(dossier: EntityDossier) -> None:
    """The strip of a party."""
    _strip(facts.subject("entity", dossier.entity_name), facts.of_party(dossier))


def _strip(subject: Subject, now: Seen | None) -> None:
    try:
        watch, written, events, fault, its_case = visitor.desk().on_subject(visitor.user(), subject)
    except DeskUnavailable as error:
        text.notice("warning", f"{error}.", "edit_off")
        return
    writing.told(fault)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="desk"):
        _toggle(subject, now, watch, off=fault is not None)
        _since(subject, now, watch, off=fault is not None)
    silent = fault is not None or not visitor.who().may("note")
    notes.panel(subject, written, events, off=silent)
    if subject.kind == "loan" and len(subject.name) <= LONGEST_NUMBER:
        case.panel(subject, its_case, now, off=fault is not None)


def _toggle(subject: Subject, now: Seen | None, watch: Watch | None, *, off: bool) -> None:
    st.session_state[_KEY] = watch is not None
    long = subject.kind == "loan" and len(subject.name) > LONGEST_NUMBER
    st.toggle(
        "Watch",
        key=_KEY,
        help="Puts it on your watchlist, with what you see of it now.",
        disabled=off or long,
        on_change=partial(writing.attempted, partial(_turn, subject, now)),
    )


def _turn(subject: Subject, now: Seen | None) -> None:
    if st.session_state[_KEY]:
        visitor.desk().watch(visitor.user(), subject, now)
    else:
        visitor.desk().unwatch(visitor.user(), subject)


def _since(subject: Subject, now: Seen | None, watch: Watch | None, *, off: bool) -> None:
    if not watch or not now:
        return
    if not watch.seen:
        text.caption("Watched; not compared with anything yet.", width="content")
    elif watch.seen.snapshot_id == now.snapshot_id:
        text.caption(f"Watched; seen as of {day(watch.seen.as_of)}.", width="content")
        return
    else:
        found = "; ".join(of_watch(watch, now, events([watch]))) or "nothing changed"
        said = f"Since you last saw it, as of {day(watch.seen.as_of)}: {found}."
        text.caption(said, width="content")
    st.button(
        "Mark as seen",
        icon=":material/visibility:",
        key="mark seen",
        disabled=off,
        on_click=writing.attempted,
        args=(partial(_see, subject, now),),
    )


def _see(subject: Subject, now: Seen) -> None:
    visitor.desk().see(visitor.user(), {subject: now})

"""Beside the name of a loan or a party: the watch, the notes, and a loan's case; below it what
changed since it was last seen.
"""

from functools import partial

import streamlit as st

from components.desk import case, facts, notes, writing
from components.desk.changes import events, of_watch
from components.frame import session, visitor
from components.kit import text
from components.kit.formatting import day
from components.memo import making, trace
from components.platform.types import DeltaGenerator
from services.contract.aggregates import EntityDossier
from services.contract.desk import Seen, Subject, Watch
from services.contract.errors import DeskUnavailable
from services.contract.loan_filter import LONGEST_NUMBER
from services.contract.records import LoanDetail

_KEY = "watch"


def of_loan(loan: LoanDetail, place: DeltaGenerator) -> None:
    """The strip of a loan, in `place`, with its memo and the sources of its figures. Over an API
    without its mirror nothing of it can be compared.
    """
    number = loan.loan_number
    listed = session.mirrored() and len(number) <= LONGEST_NUMBER
    now = facts.of_loans([number]).get(number) if listed else None
    _strip(facts.subject("loan", number), now, place)
    with place:
        making.panel(loan)
        trace.panel(number)


def watch_of_loan(number: str) -> None:
    """The watch of a loan alone, where there is no room for the rest."""
    subject = facts.subject("loan", number)
    held = visitor.desk().on_subject(visitor.user(), subject)
    now = facts.of_loans([number]).get(number)
    _toggle(subject, now, held.watch, off=held.fault is not None)


def of_party(dossier: EntityDossier, place: DeltaGenerator) -> None:
    """The strip of a party, in `place`."""
    _strip(facts.subject("entity", dossier.entity_name), facts.of_party(dossier), place)


def _strip(subject: Subject, now: Seen | None, place: DeltaGenerator) -> None:
    try:
        watch, written, events, fault, its_case = visitor.desk().on_subject(visitor.user(), subject)
    except DeskUnavailable as error:
        text.notice("warning", f"{error}.", "edit_off")
        return
    writing.told(fault)
    silent = fault is not None or not visitor.who().may("note")
    with place:
        _toggle(subject, now, watch, off=fault is not None)
        notes.panel(subject, written, events, off=silent)
        if subject.kind == "loan" and len(subject.name) <= LONGEST_NUMBER:
            case.panel(subject, its_case, now, off=fault is not None)
    _since(subject, now, watch, off=fault is not None)


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
    if watch.seen and watch.seen.snapshot_id == now.snapshot_id:
        return  # the switch alone says that it is watched
    said = "Watched; not compared with anything yet."
    if watch.seen:
        found = "; ".join(of_watch(watch, now, events([watch]))) or "nothing changed"
        said = f"Since you last saw it, as of {day(watch.seen.as_of)}: {found}."
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="desk"):
        text.caption(said, width="content")
        see = partial(_see, subject, now)
        writing.button("Mark as seen", see, icon="visibility", key="mark seen", off=off)


def _see(subject: Subject, now: Seen) -> None:
    visitor.desk().see(visitor.user(), {subject: now})

"""The notes on a loan or a party: read, added, edited; where two edit one, both texts are shown."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.desk import unfolding, writing
from components.frame import states, visitor
from components.kit import actions, text
from components.kit.formatting import count, day
from services.contract.desk import MOST_LETTERS, Note, NoteEvent, Subject
from services.contract.errors import NoteConflict, NotFound

_DONE: Final = {"add": "wrote", "edit": "changed it to", "delete": "deleted"}


def panel(
    subject: Subject, notes: Sequence[Note], events: Sequence[NoteEvent], *, off: bool
) -> None:
    """A button that opens on all of them, oldest first, and a box for a new one; `off` where
    nothing can be written.
    """
    label = f"Notes · {count(len(notes))}"
    with unfolding.under(label, "edit_note", f"notes {unfolding.named(subject)}") as opened:
        if not opened:
            return
        for note in notes:
            if _version(note.note_id) in st.session_state:
                _edited(note)
            else:
                _shown(note, off=off)
        _new(subject, off=off)
        if any(event.action != "add" for event in events):
            _earlier(events)


def _version(note_id: str) -> str:
    """Session key of the version that a reader has begun to edit."""
    return f"note version {note_id}"


def _typed(note_id: str) -> str:
    """Session key of the box in which a note is edited."""
    return f"note text {note_id}"


def _draft(subject: Subject) -> str:
    """Session key of the box of a new note."""
    return f"note draft {unfolding.named(subject)}"


def _shown(note: Note, *, off: bool) -> None:
    with st.container(border=True, gap="xsmall"):
        text.sentence(note.body)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            text.caption(_who(note), width="content")
            begin = partial(_begin, note)
            actions.button("Edit", begin, key=f"edit {note.note_id}", off=off, quiet=True)
            writing.button(
                "Delete",
                partial(_delete, note),
                key=f"delete {note.note_id}",
                help_text="Its text stays under earlier texts.",
                off=off,
                quiet=True,
            )


def _who(note: Note) -> str:
    said = f"{note.author}, {note.written_at:%H:%M} UTC on {day(note.written_at)}"
    if note.version > 1:
        said += (
            f"; changed by {note.changed_by}, {note.changed_at:%H:%M} UTC on {day(note.changed_at)}"
        )
    return said


def _begin(note: Note) -> None:
    st.session_state[_version(note.note_id)] = note.version
    st.session_state[_typed(note.note_id)] = note.body


def _end(note_id: str) -> None:
    st.session_state.pop(_version(note_id), None)


def _edited(note: Note) -> None:
    """The note while it is edited; above the box the text that stands, if it is another one."""
    began = st.session_state[_version(note.note_id)]
    with st.container(border=True, gap="xsmall"):
        if began != note.version:
            text.notice(
                "warning",
                f"{note.changed_by} has changed this note meanwhile. First the text that stands, "
                "then yours: put both together and save, or cancel.",
                "merge",
            )
            text.sentence(note.body)
        with st.form(f"form {note.note_id}", border=False):
            st.text_area("Note", key=_typed(note.note_id), max_chars=MOST_LETTERS)
            with st.container(horizontal=True):
                said = "Save over it" if began != note.version else "Save"
                writing.submit(said, partial(_save, note))
                st.form_submit_button("Cancel", on_click=_end, args=(note.note_id,))


def _delete(note: Note) -> None:
    visitor.desk("note").delete_note(visitor.user(), note.note_id, note.version)
    writing.done("The note is deleted.", partial(_write_again, note))


def _write_again(note: Note) -> None:
    visitor.desk("note").add_note(visitor.user(), note.subject, note.body)


def _save(note: Note) -> None:
    """Saves over the version that was on screen; the box keeps its text where that fails."""
    typed = st.session_state[_typed(note.note_id)]
    try:
        visitor.desk("note").edit_note(visitor.user(), note.note_id, note.version, typed)
    except NoteConflict:
        return  # the next run finds another version than the one begun with, and shows both texts
    except NotFound as error:
        _end(note.note_id)
        st.session_state[_draft(note.subject)] = typed
        raise NotFound(f"{error}; your text stands in the box for a new note") from None
    _end(note.note_id)


def _new(subject: Subject, *, off: bool) -> None:
    if denied := visitor.who().denied("note"):
        text.caption(f"{denied}.")
        return
    with st.form("new note", border=False):
        key = _draft(subject)
        st.text_area("New note", key=key, max_chars=MOST_LETTERS, height=80, disabled=off)
        writing.submit("Add note", partial(_add, subject), off=off)


def _add(subject: Subject) -> None:
    visitor.desk("note").add_note(visitor.user(), subject, st.session_state[_draft(subject)])
    st.session_state[_draft(subject)] = ""


def _earlier(events: Sequence[NoteEvent]) -> None:
    """What was ever written here, newest first: nothing that somebody wrote is lost."""
    if not st.toggle("Earlier texts", key="earlier texts"):
        return
    for event in reversed(events):
        said = f"{event.by} {_DONE[event.action]}, {event.at:%H:%M} UTC on {day(event.at)}:"
        states.nothing(said)
        text.sentence(event.body)

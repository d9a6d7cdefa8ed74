"""What users write: which loans and parties they watch, what they last saw of them, their notes.

A subject goes by the name of its source and its own number or name, never by a snapshot's row, so
that what is written outlives every import (D77).
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final, Literal, Protocol

from pydantic import Field

from .errors import DeskUnavailable, InvalidRequest
from .records import Record

MOST_LETTERS: Final = 10_000
#: Subjects that one user can watch under one source.
MOST_WATCHED: Final = 500

SubjectKind = Literal["loan", "entity"]
#: A fact as it is compared; days as ISO dates.
SeenFact = str | int | float | None


class Subject(Record):
    """A loan or a party of one source."""

    #: What the source is called: Lease.label.
    source: str = Field(min_length=1, max_length=300)
    kind: SubjectKind
    #: Loan number, or name of the entity.
    name: str = Field(min_length=1, max_length=1000)


class Seen(Record):
    """What a user last saw of a subject."""

    snapshot_id: str
    as_of: date
    #: The facts that are compared, by name.
    facts: Mapping[str, SeenFact]
    #: Severity of each signal of a loan, by signal type.
    signals: Mapping[str, str | None] = Field(default_factory=dict)


class Watch(Record):
    """A subject that a user watches."""

    subject: Subject
    since: datetime
    #: Null where nothing was known of it when it was watched, as over an API without its mirror.
    seen: Seen | None


class Note(Record):
    """A note on a subject. `version` begins with 1 and grows with each edit."""

    note_id: str
    subject: Subject
    #: Who wrote it first, and when.
    author: str
    written_at: datetime
    body: str
    version: int
    #: Who changed it last, and when.
    changed_by: str
    changed_at: datetime


class NoteEvent(Record):
    """One entry of the audit of notes: what was done, and the text that stood after it.

    Of a deletion the text that was deleted.
    """

    note_id: str
    action: Literal["add", "edit", "delete"]
    by: str
    at: datetime
    version: int
    body: str


class Desk(Protocol):
    """Watches and notes. Every read and write raises DeskUnavailable where it cannot be done.

    `owner` is the user who acts.
    """

    def fault(self) -> DeskUnavailable | None:
        """Why nothing can be written now; null where it can."""
        ...

    def watch(self, owner: str, subject: Subject, seen: Seen | None) -> None:
        """Begins to watch a subject; what is watched already stays as it was.

        Raises InvalidRequest beyond MOST_WATCHED.
        """
        ...

    def unwatch(self, owner: str, subject: Subject) -> None:
        """Ends to watch a subject."""
        ...

    def watched(self, owner: str, source: str) -> tuple[Watch, ...]:
        """What a user watches of a source, by kind and name."""
        ...

    def see(self, owner: str, seen: Mapping[Subject, Seen]) -> None:
        """Sets what the user last saw of watched subjects; others are left out."""
        ...

    def add_note(self, owner: str, subject: Subject, body: str) -> Note:
        """A new note. Raises InvalidRequest for a text that `note_text` refuses."""
        ...

    def edit_note(self, owner: str, note_id: str, version: int, body: str) -> Note:
        """The note with another text, if `version` still stands (D78).

        Raises NoteConflict with the text that stands; NotFound for a note that was deleted;
        InvalidRequest.
        """
        ...

    def delete_note(self, owner: str, note_id: str, version: int) -> None:
        """Deletes a note, if `version` still stands; the audit keeps its text.

        Raises NoteConflict, NotFound.
        """
        ...

    def notes_of(self, subject: Subject) -> tuple[Note, ...]:
        """The notes on a subject, all users', oldest first."""
        ...

    def audit_of(self, subject: Subject) -> tuple[NoteEvent, ...]:
        """All that was ever done to notes on a subject, oldest first."""
        ...


def note_text(body: str) -> str:
    """The text of a note without white space around it.

    Raises InvalidRequest for an empty one, one of more than MOST_LETTERS, and one that is no text.
    """
    found = body.strip()
    if not found:
        raise InvalidRequest("A note needs a text", parameter="body")
    if len(found) > MOST_LETTERS:
        raise InvalidRequest(
            f"A note has at most {MOST_LETTERS:,} characters, and this one {len(found):,}; "
            "shorten it, or make two of it",
            parameter="body",
        )
    if "\x00" in found or any("\ud800" <= letter <= "\udfff" for letter in found):
        raise InvalidRequest("A note must be readable text", parameter="body")
    return found

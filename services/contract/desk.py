"""What users write: which loans and parties they watch, what they last saw of them, their notes,
and the searches that they save.

A subject goes by the name of its source and its own number or name, never by a snapshot's row, so
that what is written outlives every import (D77).
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Final, Literal, NamedTuple, Protocol, Self

from pydantic import Field

from .cases import Case, Cases
from .errors import DeskUnavailable, InvalidRequest
from .feeds import Feeds
from .loan_filter import LONGEST_NUMBER
from .queries import shortened
from .records import Record
from .resolution import Decided, Pair, Verdict
from .users import Authority

MOST_LETTERS: Final = 10_000
#: Subjects that one user can watch under one source.
MOST_WATCHED: Final = 500
#: Searches that one user can save under one source.
MOST_SEARCHES: Final = 100
LONGEST_NAME: Final = 100
#: Letters of the parameters of a saved address: the longest that every proxy lets through.
LONGEST_ADDRESS: Final = 6_000

#: "book" is the whole of a source: what a user last saw of its changes (D174).
SubjectKind = Literal["loan", "entity", "book"]
#: What a user last saw of a book.
THE_CHANGES: Final = "changes"
#: A fact as it is compared; days as ISO dates.
SeenFact = str | int | float | None


class Subject(Record):
    """A loan or a party of one source, or its book."""

    #: What the source is called: Lease.label.
    source: str = Field(min_length=1, max_length=300)
    kind: SubjectKind
    #: Loan number, name of the entity; of a book what is seen of it: THE_CHANGES.
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
    #: None where nothing was known of it when it was watched, as over an API without its mirror.
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


#: "set" is a named list of loan numbers (D231).
SearchPage = Literal["loans", "signals", "watchlist", "set"]
#: Loans of one saved set.
MOST_IN_SET: Final = 100_000
_NUMBERS: Final = "numbers"


class SearchFound(Record):
    """What a search found in one snapshot."""

    #: Loans, signals, or what is watched.
    records: int = Field(ge=0)
    #: Of the loans behind them, US dollars; None where it is not known.
    book_value: int | None
    snapshot_id: str
    as_of: date


class Search(Record):
    """An address of a page that lists records, without the page number.

    One of the watchlist is a list that its owner shares, whatever is on it by then. One of "set"
    has loan numbers in place of an address (`set_of`), and none of them where it is listed.
    """

    #: What the source is called: Lease.label.
    source: str = Field(min_length=1, max_length=300)
    page: SearchPage
    params: Mapping[str, str]


class SavedSearch(Record):
    """A search under a name of its owner's. `version` begins with 1 and grows with each change."""

    search_id: str
    owner: str
    name: str
    search: Search
    #: Whether others see it; its owner alone changes it.
    shared: bool
    #: When it was saved, or last brought up to date.
    found: SearchFound
    saved_at: datetime
    version: int


class OnSubject(NamedTuple):
    """What the desk holds of one subject, and why nothing can be written now, if so."""

    watch: Watch | None
    #: Oldest first, all users'.
    notes: tuple[Note, ...]
    #: All that was ever done to notes, oldest first.
    events: tuple[NoteEvent, ...]
    fault: DeskUnavailable | None
    #: Of a loan, its case.
    case: Case | None = None


class Desk(Cases, Feeds, Protocol):
    """What users write. Every read and write raises DeskUnavailable where it cannot be done.

    `owner` is the user who acts, however their name is spelled (`name_key`). What a call has
    written is on disk when the call returns, and with it an entry in the audit (D91), unless it
    changed nothing.
    """

    def acting(self, authority: Authority) -> Self:
        """The same desk, which asks at each write who acts, and in which role.

        Every write then raises NotPermitted where the session is over, the role does not allow it,
        or `owner` is somebody else; RateLimited beyond the writes of a minute.
        """
        ...

    def fault(self) -> DeskUnavailable | None:
        """Why nothing can be written now; None where it can. Takes no lock, and lets the desk be
        verified in the background from time to time.
        """
        ...

    def verify(self) -> Mapping[str, int]:
        """Checks that all that was written is there as it was written; rows by table.

        Raises DeskUnavailable with what is damaged.
        """
        ...

    def verify_soon(self) -> None:
        """Verifies in the background; damage is in the log and in `fault`."""
        ...

    def on_subject(self, owner: str, subject: Subject) -> OnSubject:
        """All that a page of a subject needs, asked at once."""
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
        """The loans and parties that a user watches of a source, by kind and name."""
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

    def save_search(
        self, owner: str, name: str, search: Search, found: SearchFound, *, shared: bool = False
    ) -> SavedSearch:
        """Saves a search under a name.

        Raises InvalidRequest for a name that `search_name` refuses or that the owner has given
        under this source already, for an address that is too long, and beyond MOST_SEARCHES.
        """
        ...

    def change_search(
        self,
        owner: str,
        search_id: str,
        version: int,
        *,
        name: str | None = None,
        found: SearchFound | None = None,
        shared: bool | None = None,
    ) -> SavedSearch:
        """The search with what is given changed, if `version` still stands (D88).

        Raises SearchConflict; NotFound for one that is deleted or another's; InvalidRequest as
        `save_search` does.
        """
        ...

    def delete_search(self, owner: str, search_id: str, version: int) -> None:
        """Deletes a search, if `version` still stands. Raises SearchConflict, NotFound."""
        ...

    def searches(self, owner: str, source: str) -> tuple[SavedSearch, ...]:
        """The searches of a user by name, then those that others share, by owner and name; sets
        among them without their numbers.
        """
        ...

    def saved_set(self, owner: str, source: str, search_id: str) -> SavedSearch:
        """A saved set that this user may read, their own or a shared one, without its numbers.

        Raises NotFound: the same sentence whether it is not there or another's.
        """
        ...

    def set_numbers(self, owner: str, source: str, search_id: str) -> tuple[str, ...]:
        """The loan numbers of such a set, in order. They never change. Raises NotFound."""
        ...

    def decide(self, owner: str, pair: Pair, verdict: Verdict | None) -> None:
        """What is said of a pair from now on, in place of what was; None takes it back."""
        ...

    def decided(self) -> tuple[Decided, ...]:
        """What stands of all pairs, whoever said it, by pair."""
        ...

    def shared_watches(self, search_id: str) -> tuple[Watch, ...]:
        """What the owner of a shared list watches of its source, by kind and name.

        Raises NotFound for a list that is not there or not shared any more.
        """
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
    if not _is_text(found):
        raise InvalidRequest("A note must be readable text", parameter="body")
    return found


def _is_text(value: str) -> bool:
    return "\x00" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)


def search_name(name: str) -> str:
    """The name of a saved search, white space folded.

    Raises InvalidRequest for an empty one, one of more than LONGEST_NAME, and one that is no text.
    """
    found = " ".join(name.split())
    if not found or not found.isprintable():
        raise InvalidRequest("A saved search needs a readable name", parameter="name")
    if len(found) > LONGEST_NAME:
        raise InvalidRequest(
            f"The name of a saved search has at most {LONGEST_NAME} characters, and "
            f"'{shortened(found)}' {len(found):,}",
            parameter="name",
        )
    return found


def set_of(source: str, numbers: Iterable[str]) -> Search:
    """Loans under one name, each number once, in order.

    Raises InvalidRequest for none, for more than MOST_IN_SET, and for what is no readable text.
    """
    once = sorted(set(numbers))
    if not once:
        raise InvalidRequest("A set needs at least one loan", parameter=_NUMBERS)
    if len(once) > MOST_IN_SET:
        raise InvalidRequest(
            f"A set holds at most {MOST_IN_SET:,} loans, and these are {len(once):,}; narrow the"
            " result first",
            parameter=_NUMBERS,
        )
    if any(not one or len(one) > LONGEST_NUMBER or not _is_text(one) for one in once):
        raise InvalidRequest("The numbers of a set must be readable text", parameter=_NUMBERS)
    return Search(source=source, page="set", params={_NUMBERS: json.dumps(once)})


def numbers_in(search: Search) -> tuple[str, ...]:
    """The loan numbers of a set."""
    return tuple(json.loads(search.params[_NUMBERS]))


def saved_params(search: Search) -> str:
    """The parameters of a search as JSON. Raises InvalidRequest beyond LONGEST_ADDRESS."""
    if search.page == "set":
        # Whatever came as one is read again, so that no more is kept than a set may hold.
        return json.dumps(dict(set_of(search.source, numbers_in(search)).params))
    letters = sum(len(name) + len(value) for name, value in search.params.items())
    if letters > LONGEST_ADDRESS:
        raise InvalidRequest(
            f"This search is {letters:,} characters long and at most {LONGEST_ADDRESS:,} are "
            "saved; look up fewer loans, or use filters",
            parameter="params",
        )
    return json.dumps(dict(search.params), ensure_ascii=True)

"""The audit: who wrote, took away or changed what, and when. Entries are added, never changed.

What a note said stands in the audit of notes alone (NoteEvent): an entry here says that it was
written, not its text. No entry holds a key or a password.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, Literal, Protocol, Self

from pydantic import Field

from .access import Action, UserRole
from .queries import Day, Exact, Query, shortened
from .records import Page, Record
from .users import Authority

AuditAction = Literal[
    "watch",
    "unwatch",
    "see",
    "add_note",
    "edit_note",
    "delete_note",
    "save_search",
    "change_search",
    "share_search",
    "delete_search",
    "export",
    "report",
    "graph_file",
    "fill_mirror",
    "load_tape",
    "accept_match",
    "reject_match",
    "undo_match",
    "open_case",
    "change_case",
    "close_case",
    "reopen_case",
    "look_at_cases",
    "make_feed",
    "revoke_feed",
    "add_key",
    "revoke_key",
    "sign_in",
    "sign_out",
    "refused",
]
#: The role in which something was done; "none" of who was refused before they had one.
AuditRole = UserRole | Literal["none"]
#: What each action is, after the name of who did it.
AUDIT_ACTIONS: Final[dict[AuditAction, str]] = {
    "watch": "began to watch",
    "unwatch": "stopped watching",
    "see": "marked as seen",
    "add_note": "wrote a note",
    "edit_note": "edited a note",
    "delete_note": "deleted a note",
    "save_search": "saved a search",
    "change_search": "changed a search",
    "share_search": "shared a search",
    "delete_search": "deleted a search",
    "export": "took a file away",
    "report": "took a report away",
    "graph_file": "took a graph away",
    "fill_mirror": "filled the mirror",
    "load_tape": "loaded a tape",
    "accept_match": "accepted a match",
    "reject_match": "rejected a match",
    "undo_match": "took back a word on a match",
    "open_case": "opened a case",
    "change_case": "changed a case",
    "close_case": "closed a case",
    "reopen_case": "opened a case again",
    "look_at_cases": "had cases looked at by rule",
    "make_feed": "made a calendar feed",
    "revoke_feed": "revoked a calendar feed",
    "add_key": "added an API key",
    "revoke_key": "revoked an API key",
    "sign_in": "signed in",
    "sign_out": "signed out",
    "refused": "was refused",
}
#: What a role must allow for each; keys are changed at the machine alone.
NEEDED: Final[Mapping[AuditAction, Action]] = {
    **dict.fromkeys(("watch", "unwatch", "see"), "watch"),
    **dict.fromkeys(("add_note", "edit_note", "delete_note"), "note"),
    **dict.fromkeys(("save_search", "change_search", "delete_search"), "watch"),
    "share_search": "share",
    **dict.fromkeys(("export", "report", "graph_file"), "export"),
    "make_feed": "export",
    "revoke_feed": "watch",
    "fill_mirror": "fill",
    "load_tape": "tape",
    **dict.fromkeys(("accept_match", "reject_match", "undo_match"), "match"),
    **dict.fromkeys(
        ("open_case", "change_case", "close_case", "reopen_case", "look_at_cases"), "case"
    ),
}
AuditKind = Literal["loan", "entity", "book", "search", "file", "mirror", "key"]
#: Longest name of what something was done to, and longest sentence on it, in letters.
LONGEST_NAME: Final = 1_000
LONGEST_DETAIL: Final = 2_000


class Deed(Record):
    """What somebody does, and to what."""

    action: AuditAction
    #: What it is done to; None where that is several loans and parties.
    kind: AuditKind | None
    #: Loan number, name of a party or a search, name of a file, id of a key; of a book
    #: what is seen of it; "3 loans and parties".
    name: str = Field(max_length=LONGEST_NAME)
    #: Where the records come from, as a lease or a file says it; None where that says nothing.
    source: str | None = None
    #: What else is to be said, such as a file's format, rows and filters.
    detail: str = ""


class AuditEntry(Deed):
    """One entry of the audit."""

    #: Grows with each entry.
    entry: int
    at: datetime
    by: str
    #: The role in which it was done.
    role: AuditRole


class AuditFilter(Query):
    """Which entries: of one person, of one action, from the beginning of a day (UTC) on."""

    by: Exact | None = None
    action: AuditAction | None = None
    since: Day | None = None


class Audit(Protocol):
    """What was written, taken away or changed. Every call raises DeskUnavailable where it cannot
    be done.
    """

    def acting(self, authority: Authority) -> Self:
        """The same, which asks at each entry who acts, and in which role. See Desk."""
        ...

    def record(self, by: str, deed: Deed) -> None:
        """Adds an entry; it is on disk when the call returns.

        What is written on the desk is recorded by the desk itself. Raises NotPermitted,
        RateLimited.
        """
        ...

    def note_entrance(self, action: AuditAction, by: str, role: AuditRole, sentence: str) -> None:
        """Adds that somebody signed in or out, or was refused, whoever they are."""
        ...

    def entries(self, query: AuditFilter) -> Page[AuditEntry]:
        """A page of the entries that match, the newest first."""
        ...

    def every_entry(self, query: AuditFilter) -> Iterator[AuditEntry]:
        """All entries that match, the newest first, whatever page is asked for."""
        ...

    def people(self) -> tuple[str, ...]:
        """Everybody who stands in it, by name."""
        ...


def detail_text(said: str) -> str:
    """A sentence as an entry keeps it: one line of readable text, not endless."""
    return shortened(said, LONGEST_DETAIL)

"""Any sequence of writes over two connections, against a model in plain Python (D78)."""

import shutil
import tempfile
from datetime import date
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from services.contract.desk import Seen, Subject
from services.contract.errors import NoteConflict, NotFound
from services.desk.sqlite import SqliteDesk

SUBJECTS = [
    Subject(source=source, kind=kind, name=name)
    for source in ("store", "API")
    for kind in ("loan", "entity")
    for name in ("1", "it's")
]
OWNERS = st.sampled_from(["ana", "ben"])
SUBJECT = st.sampled_from(SUBJECTS)
#: Text without white space around it, as notes are kept.
BODY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20).map(
    lambda text: f"[{text}]"
)
SEEN = st.builds(
    Seen,
    snapshot_id=st.sampled_from("abc"),
    as_of=st.dates(date(2020, 1, 1), date(2030, 1, 1)),
    facts=st.dictionaries(st.sampled_from("xy"), st.none() | st.integers(0, 9), max_size=2),
)


class DeskMachine(RuleBasedStateMachine):
    """Two connections to one file, and what it ought to hold."""

    notes = Bundle("notes")

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.desks = [SqliteDesk(self.folder / "desk.sqlite") for _ in range(2)]
        self.watches: dict[tuple[str, Subject], Seen | None] = {}
        #: By id: subject, version, text.
        self.texts: dict[str, tuple[Subject, int, str]] = {}
        self.events: list[tuple[Subject, str, str, str, int, str]] = []

    def teardown(self):
        shutil.rmtree(self.folder)

    @rule(by=st.integers(0, 1), owner=OWNERS, subject=SUBJECT, seen=st.none() | SEEN)
    def watch(self, by, owner, subject, seen):
        self.desks[by].watch(owner, subject, seen)
        self.watches.setdefault((owner, subject), seen)

    @rule(by=st.integers(0, 1), owner=OWNERS, subject=SUBJECT)
    def unwatch(self, by, owner, subject):
        self.desks[by].unwatch(owner, subject)
        self.watches.pop((owner, subject), None)

    @rule(by=st.integers(0, 1), owner=OWNERS, seen=st.dictionaries(SUBJECT, SEEN, max_size=4))
    def see(self, by, owner, seen):
        self.desks[by].see(owner, seen)
        for subject, one in seen.items():
            if (owner, subject) in self.watches:
                self.watches[owner, subject] = one

    @rule(target=notes, by=st.integers(0, 1), owner=OWNERS, subject=SUBJECT, body=BODY)
    def add(self, by, owner, subject, body):
        note = self.desks[by].add_note(owner, subject, body)
        self.texts[note.note_id] = subject, 1, body
        self.events.append((subject, note.note_id, "add", owner, 1, body))
        return note.note_id

    @rule(by=st.integers(0, 1), owner=OWNERS, note=notes, version=st.integers(1, 3), body=BODY)
    def edit(self, by, owner, note, version, body):
        edit = self.desks[by].edit_note
        subject, standing, text = self.texts.get(note, (None, 0, ""))
        if subject is None:
            refused(NotFound, edit, owner, note, version, body)
        elif version != standing:
            error = refused(NoteConflict, edit, owner, note, version, body)
            assert (error.body, error.version) == (text, standing)
        else:
            assert edit(owner, note, version, body).version == version + 1
            self.texts[note] = subject, version + 1, body
            self.events.append((subject, note, "edit", owner, version + 1, body))

    @rule(by=st.integers(0, 1), owner=OWNERS, note=notes, version=st.integers(1, 3))
    def delete(self, by, owner, note, version):
        delete = self.desks[by].delete_note
        subject, standing, text = self.texts.get(note, (None, 0, ""))
        if subject is None:
            refused(NotFound, delete, owner, note, version)
        elif version != standing:
            refused(NoteConflict, delete, owner, note, version)
        else:
            delete(owner, note, version)
            del self.texts[note]
            self.events.append((subject, note, "delete", owner, version, text))

    @invariant()
    def both_connections_hold_what_they_ought_to(self):
        for desk in self.desks:
            for subject in SUBJECTS:
                found = [(one.note_id, one.version, one.body) for one in desk.notes_of(subject)]
                assert found == [
                    (note, version, body)
                    for note, (of, version, body) in self.texts.items()
                    if of == subject
                ]
                events = [(subject, one.note_id, one.action, one.by, one.version, one.body)
                          for one in desk.audit_of(subject)]  # fmt: skip
                assert events == [one for one in self.events if one[0] == subject]
            for owner in ("ana", "ben"):
                found = {
                    (owner, one.subject): one.seen
                    for source in ("store", "API")
                    for one in desk.watched(owner, source)
                }
                assert found == {at: seen for at, seen in self.watches.items() if at[0] == owner}


def refused(kind, write, *arguments):
    try:
        write(*arguments)
    except kind as error:
        return error
    raise AssertionError(f"{write.__name__} was not refused")


TestDesk = DeskMachine.TestCase
TestDesk.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)

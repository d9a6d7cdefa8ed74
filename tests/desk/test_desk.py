"""The desk over real SQLite files: watches, notes, two who edit one note, files that fail (D77)."""

import os
import shutil
import sqlite3
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from services.contract.desk import MOST_LETTERS, MOST_WATCHED, Desk, Seen, Subject
from services.contract.errors import DeskUnavailable, InvalidRequest, NoteConflict, NotFound
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from tests.hostile import WORDS
from tests.publishing import load

LOAN = Subject(source="Embedded store", kind="loan", name="CA-000001")
PARTY = Subject(source="Embedded store", kind="entity", name="CA-000001")
SEEN = Seen(snapshot_id="one", as_of=date(2026, 9, 30), facts={"dscr": 1.25, "sponsor": None},
            signals={"rate_pressure": "severe"})  # fmt: skip
NOBODY = 65534


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "store" / "desk.sqlite"


@pytest.fixture
def desk(path) -> Desk:
    return SqliteDesk(path)


def bodies(desk, subject=LOAN):
    return [note.body for note in desk.notes_of(subject)]


def test_nothing_is_made_before_the_first_write(desk, path):
    assert desk.watched("ana", LOAN.source) == ()
    assert desk.notes_of(LOAN) == desk.audit_of(LOAN) == ()
    assert desk.fault() is None
    assert not path.parent.exists()


def test_what_is_watched_is_there_for_its_owner_under_its_source_alone(desk, path):
    desk.watch("ana", LOAN, SEEN)
    desk.watch("ana", PARTY, None)
    desk.watch("ana", LOAN, None)  # again: stays as it was
    found = SqliteDesk(path).watched("ana", LOAN.source)
    assert [(one.subject, one.seen) for one in found] == [(PARTY, None), (LOAN, SEEN)]
    assert desk.watched("ben", LOAN.source) == desk.watched("ana", "API") == ()
    desk.unwatch("ana", LOAN)
    assert [one.subject for one in desk.watched("ana", LOAN.source)] == [PARTY]


def test_what_was_last_seen_is_set_for_what_is_watched_only(desk):
    later = SEEN.model_copy(update={"snapshot_id": "two"})
    desk.watch("ana", LOAN, SEEN)
    desk.see("ana", {LOAN: later, PARTY: later})
    assert [(one.subject, one.seen) for one in desk.watched("ana", LOAN.source)] == [(LOAN, later)]


def test_a_watchlist_has_an_end(desk, path):
    desk.watch("ana", LOAN.model_copy(update={"name": "0"}), None)
    file = sqlite3.connect(path)
    file.executemany(
        "INSERT INTO watches SELECT owner, source, kind, ?, since, seen FROM watches "
        "WHERE name = '0'",
        [(f"{at}",) for at in range(1, MOST_WATCHED)],
    )
    file.commit()
    file.close()
    desk.watch("ana", LOAN.model_copy(update={"name": "7"}), None)
    with pytest.raises(InvalidRequest, match="500 loans and parties"):
        desk.watch("ana", LOAN, None)
    assert len(desk.watched("ana", LOAN.source)) == MOST_WATCHED


def test_a_note_is_written_edited_and_deleted_and_its_texts_stay_in_the_audit(path):
    """D78."""
    times = iter(datetime(2026, 11, 22, hour, tzinfo=UTC) for hour in (9, 10, 11))
    desk = SqliteDesk(path, clock=lambda: next(times))
    note = desk.add_note("ana", LOAN, "  Sponsor called.\nWants a year. ")
    assert (note.body, note.version, note.author) == ("Sponsor called.\nWants a year.", 1, "ana")
    edited = desk.edit_note("ben", note.note_id, 1, "Sponsor called twice.")
    assert desk.notes_of(LOAN) == (edited,)
    assert (edited.author, edited.changed_by, edited.version) == ("ana", "ben", 2)
    assert (edited.written_at.hour, edited.changed_at.hour) == (9, 10)
    desk.delete_note("ana", note.note_id, 2)
    assert desk.notes_of(LOAN) == ()
    assert [(one.action, one.by, one.version, one.at.hour, one.body)
            for one in desk.audit_of(LOAN)] == [
        ("add", "ana", 1, 9, "Sponsor called.\nWants a year."),
        ("edit", "ben", 2, 10, "Sponsor called twice."),
        ("delete", "ana", 2, 11, "Sponsor called twice."),
    ]  # fmt: skip


def test_two_who_edit_one_note_lose_neither_text(path):
    """D78: the second is told the text that stands, and what it wrote is still its own."""
    one, two = SqliteDesk(path), SqliteDesk(path)
    note = one.add_note("ana", LOAN, "first")
    one.edit_note("ana", note.note_id, 1, "by ana")
    with pytest.raises(NoteConflict, match="ana has changed") as caught:
        two.edit_note("ben", note.note_id, 1, "by ben")
    assert (caught.value.body, caught.value.version) == ("by ana", 2)
    with pytest.raises(NoteConflict):
        two.delete_note("ben", note.note_id, 1)
    assert bodies(two) == ["by ana"]
    two.edit_note("ben", note.note_id, caught.value.version, "by ana and ben")
    assert bodies(one) == ["by ana and ben"]
    one.delete_note("ana", note.note_id, 3)
    with pytest.raises(NotFound, match="deleted meanwhile"):
        two.edit_note("ben", note.note_id, 3, "too late")
    assert [event.body for event in one.audit_of(LOAN)][:3] == ["first", "by ana", "by ana and ben"]


@pytest.mark.parametrize(
    ("body", "said"),
    [("", "needs a text"), (" \n\t", "needs a text"), ("x" * (MOST_LETTERS + 1), "10,001"),
     ("a\x00b", "readable"), ("a\ud800", "readable")],
)  # fmt: skip
def test_what_is_no_note_is_refused(desk, body, said):
    with pytest.raises(InvalidRequest, match=said):
        desk.add_note("ana", LOAN, body)
    note = desk.add_note("ana", LOAN, "x" * MOST_LETTERS)
    with pytest.raises(InvalidRequest, match=said):
        desk.edit_note("ana", note.note_id, 1, body)
    assert bodies(desk) == ["x" * MOST_LETTERS]


@pytest.mark.parametrize("word", [*WORDS, "'; DROP TABLE notes; --", '" OR 1=1 --'])
def test_hostile_names_and_texts_come_back_as_written(desk, word):
    subject = Subject(source=word, kind="entity", name=word)
    desk.watch(word, subject, SEEN.model_copy(update={"facts": {word: word}}))
    note = desk.add_note(word, subject, word)
    assert desk.edit_note(word, note.note_id, 1, f"{word}.").subject == subject
    (watch,) = desk.watched(word, word)
    assert (watch.subject, watch.seen.facts) == (subject, {word: word})
    assert bodies(desk, subject) == [f"{word.strip()}." if word != word.lstrip() else f"{word}."]


def test_the_audit_takes_no_change(desk, path):
    desk.add_note("ana", LOAN, "first")
    file = sqlite3.connect(path)
    for sql in ("UPDATE note_audit SET body = ''", "DELETE FROM note_audit"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            file.execute(sql)
    file.close()
    assert [event.body for event in desk.audit_of(LOAN)] == ["first"]


def test_imports_and_new_demonstrations_leave_the_desk_alone(desk, path):
    for seed in (1, 2, 3):
        load(path.parent, [demo.portfolio(loans=5, seed=seed)], keep=1)
        desk.add_note("ana", LOAN, f"seed {seed}")
    assert bodies(desk) == ["seed 1", "seed 2", "seed 3"]


def fails_to(read, *arguments):
    with pytest.raises(DeskUnavailable) as caught:
        read(*arguments)
    said = str(caught.value)
    assert "CREDIT_ATLAS_DESK" in said
    assert "\n" not in said
    return said


def test_a_damaged_file_is_one_sentence(desk, path):
    path.parent.mkdir()
    path.write_bytes(b"no database" * 500)
    for read, *arguments in (
        (desk.notes_of, LOAN),
        (desk.watched, "ana", LOAN.source),
        (desk.add_note, "ana", LOAN, "text"),
    ):
        assert "file is not a database" in fails_to(read, *arguments)
    assert "cannot be read or written now" in str(desk.fault())


def test_an_entry_that_does_not_read_is_one_sentence(desk, path):
    desk.watch("ana", LOAN, SEEN)
    file = sqlite3.connect(path)
    file.execute("UPDATE watches SET seen = '{\"snap'")
    file.commit()
    file.close()
    assert "an entry does not read" in fails_to(desk.watched, "ana", LOAN.source)


def test_a_file_of_a_newer_version_is_left_as_it_is(desk, path):
    desk.add_note("ana", LOAN, "first")
    file = sqlite3.connect(path)
    file.execute("PRAGMA user_version = 99")
    file.close()
    assert "a newer Credit Atlas wrote it" in fails_to(desk.add_note, "ana", LOAN, "second")
    assert bodies(desk) == ["first"]


def test_a_file_whose_tables_are_not_made_yet_holds_nothing(desk, path):
    path.parent.mkdir()
    path.touch()
    assert desk.notes_of(LOAN) == ()
    desk.add_note("ana", LOAN, "first")
    assert bodies(desk) == ["first"]


def test_a_place_where_no_file_can_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    desk = SqliteDesk(tmp_path / "file" / "desk.sqlite")
    assert desk.notes_of(LOAN) == ()
    assert "takes no new file" in str(desk.fault())
    fails_to(desk.watch, "ana", LOAN, None)


def test_a_read_only_desk_is_read_and_says_that_it_cannot_be_written():
    folder = Path(tempfile.mkdtemp())
    desk = SqliteDesk(folder / "desk.sqlite")
    desk.add_note("ana", LOAN, "first")
    root = os.geteuid() == 0
    (folder / "desk.sqlite").chmod(0o444)
    folder.chmod(0o555)
    try:
        if root:  # whom no permission holds back
            os.seteuid(NOBODY)
        assert bodies(desk) == ["first"]
        assert "cannot be written now" in str(desk.fault())
        fails_to(desk.add_note, "ana", LOAN, "second")
        assert "takes no new file" in str(SqliteDesk(folder / "other" / "desk.sqlite").fault())
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)

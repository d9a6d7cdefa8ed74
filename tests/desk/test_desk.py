"""The desk over real SQLite files: what every desk does, files that fail, older files (D77)."""

import sqlite3
from pathlib import Path

import pytest

from services.contract.desk import Desk
from services.contract.errors import DeskUnavailable
from services.desk.migrations import scripts
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from tests.desk.conforming import FOUND, HOTELS, LOAN, SEEN, ConformingDesk, bodies
from tests.desk.conforming_audit import EVERY, ConformingAudit
from tests.desk.conforming_cases import ConformingCases
from tests.desk.conforming_feeds import ConformingFeeds
from tests.desk.conftest import read_only
from tests.publishing import load


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "store" / "desk.sqlite"


@pytest.fixture
def desk(path) -> Desk:
    return SqliteDesk(path)


class TestSqlite(ConformingDesk, ConformingAudit, ConformingCases, ConformingFeeds):
    @pytest.fixture
    def opened(self, path):
        return lambda **options: SqliteDesk(path, **options)

    @pytest.fixture
    def another(self, tmp_path):
        return lambda: SqliteDesk(tmp_path / "other.sqlite")


def test_nothing_is_made_before_the_first_write(desk, path):
    assert desk.watched("ana", LOAN.source) == ()
    assert desk.notes_of(LOAN) == desk.audit_of(LOAN) == ()
    assert desk.fault() is None
    assert not path.parent.exists()


def test_the_audit_takes_no_change(desk, path):
    desk.add_note("ana", LOAN, "first")
    file = sqlite3.connect(path)
    for sql in ("UPDATE note_audit SET body = ''", "DELETE FROM note_audit",
                "UPDATE audit SET by = ''", "DELETE FROM audit"):  # fmt: skip
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            file.execute(sql)
    file.close()
    assert [event.body for event in desk.audit_of(LOAN)] == ["first"]
    assert [entry.by for entry in desk.every_entry(EVERY)] == ["ana"]


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


def test_a_read_only_desk_is_read_and_says_that_it_cannot_be_written(open_folder):
    desk = SqliteDesk(open_folder / "desk.sqlite")
    desk.add_note("ana", LOAN, "first")
    with read_only(open_folder):
        assert bodies(desk) == ["first"]
        assert "cannot be written now" in str(desk.fault())
        fails_to(desk.add_note, "ana", LOAN, "second")
        assert "takes no new file" in str(SqliteDesk(open_folder / "other" / "desk.sqlite").fault())


def test_a_file_of_the_first_version_is_read_as_it_is_and_brought_up_to_date_by_a_write(desk, path):
    path.parent.mkdir()
    file = sqlite3.connect(path)
    file.executescript(f"{scripts('sqlite')[0]}\nPRAGMA user_version = 1;")
    values = ("ana", LOAN.source, LOAN.kind, LOAN.name, "2026-11-22T09:00:00+00:00", None)
    file.execute("INSERT INTO watches VALUES (?, ?, ?, ?, ?, ?)", values)
    file.commit()
    file.close()
    assert [one.subject for one in desk.watched("ana", LOAN.source)] == [LOAN]
    assert desk.searches("ana", LOAN.source) == desk.people() == ()
    assert desk.entries(EVERY).items == tuple(desk.every_entry(EVERY)) == ()
    file = sqlite3.connect(path)
    assert file.execute("PRAGMA user_version").fetchone() == (1,)
    desk.save_search("ana", "Hotels", HOTELS, FOUND)
    assert file.execute("PRAGMA user_version").fetchone() == (len(scripts("sqlite")),)
    file.close()
    assert [one.subject for one in desk.watched("ana", LOAN.source)] == [LOAN]
    assert [one.name for one in desk.searches("ana", LOAN.source)] == ["Hotels"]

"""The desk of one machine: who waits for whom, what a lost log takes, older files and copies."""

import json
import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import services.desk.sqlite
from services.contract.desk import Desk
from services.contract.errors import DeskUnavailable, ImportRefused
from services.desk import health as healths
from services.desk.copying import dump, restore
from services.desk.migrations import scripts
from services.desk.sqlite import SqliteDesk, _statements
from services.desk.tables import SEALED_SINCE
from tests.desk.conforming import FOUND, HOTELS, LOAN, SEEN, bodies
from tests.desk.conforming_audit import EVERY
from tests.desk.conftest import read_only
from tests.patience import until


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "desk.sqlite"


@pytest.fixture
def desk(path) -> Desk:
    return SqliteDesk(path)


def test_asking_whether_it_can_be_written_waits_for_nobody_who_writes(desk, path, monkeypatch):
    """D114: both are answered before the lock is given back, for which either would wait longer."""
    for patience in ("_PATIENCE", "_READING_PATIENCE"):
        monkeypatch.setattr(f"services.desk.sqlite.{patience}", 60.0)
    desk.add_note("ana", LOAN, "first")
    with (
        ThreadPoolExecutor(1) as asking,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        assert asking.submit(desk.fault).result(timeout=30) is None
        found = asking.submit(desk.on_subject, "ana", LOAN).result(timeout=30)
        assert [note.body for note in found.notes] == ["first"]
        assert found.fault is None


def test_a_copy_is_taken_while_somebody_writes_and_while_it_is_taken_others_write(
    desk, path, tmp_path
):
    """D114."""
    for at in range(3):
        desk.add_note("ana", LOAN, f"{at}")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert dump(desk, tmp_path / "copy") == 9
    lines = desk.everything()
    rows = [next(lines)]
    desk.add_note("ana", LOAN, "meanwhile")
    assert len([*rows, *lines]) == 9 + 1  # of the moment at which it began; the heads come last
    assert dump(desk, tmp_path / "copy") == 12


def test_notes_that_stand_in_the_log_are_shown_or_a_sentence_says_that_they_are_not(open_folder):
    """29 of 30 were not shown where nothing could be written (D114)."""
    desk = SqliteDesk(open_folder / "whole" / "desk.sqlite")
    desk.add_note("ana", LOAN, "0")
    with closing(sqlite3.connect(open_folder / "whole" / "desk.sqlite")) as reader:
        reader.execute("SELECT count(*) FROM notes").fetchone()
        for at in range(1, 30):
            desk.add_note("ana", LOAN, f"{at}")
        shutil.copytree(open_folder / "whole", open_folder / "killed",
                        ignore=shutil.ignore_patterns("*-shm"))  # fmt: skip
    killed = SqliteDesk(open_folder / "killed" / "desk.sqlite")
    with read_only(open_folder / "killed"):
        with pytest.raises(DeskUnavailable, match="newest writes stand in"):
            killed.notes_of(LOAN)
        assert "desk.sqlite-wal" in str(killed.fault())
    assert bodies(killed) == [f"{at}" for at in range(30)]


def older(path, version):
    """A file as the version with so many migrations left it."""
    file = sqlite3.connect(path)
    for script in scripts("sqlite")[:version]:
        file.executescript(script)
    file.execute(f"PRAGMA user_version = {version}")
    on, at = (LOAN.source, LOAN.name), "2026-11-22T09:00:00+00:00"
    file.execute("INSERT INTO watches VALUES ('Ana', ?, 'loan', ?, ?, NULL)", (*on, at))
    for number in "012":
        values = (number, *on, at, at)
        file.execute("INSERT INTO notes VALUES (?, ?, 'loan', ?, 'a', ?, 'old', 1, 'a', ?)", values)
        file.execute(
            "INSERT INTO note_audit (note_id, action, by, at, version, source, kind, name, body) "
            "VALUES (?, 'add', 'ana', ?, 1, ?, 'loan', ?, 'old')",
            (number, at, *on),
        )
        file.execute(
            "INSERT INTO audit (at, by, role, action, name, detail) "
            "VALUES (?, 'ana', 'admin', 'add_note', 'CA-1', '')",
            (at,),
        )
    file.commit()
    file.close()


def test_what_an_older_version_wrote_is_found_under_any_spelling_and_sealed_by_the_first_write(
    desk, path
):
    """D112, D115."""
    older(path, 3)
    assert desk.verify() == {}
    assert [one.subject for one in desk.watched(" ANA ", LOAN.source)] == [LOAN]
    assert desk.on_subject("ana", LOAN).watch.subject == LOAN
    desk.unwatch("ana", LOAN)
    assert desk.watched("Ana", LOAN.source) == ()
    assert desk.verify() == {"note_audit": 3, "audit": 4, "watches": 0, "notes": 3,
                             "saved_searches": 0, "verdicts": 0, "cases": 0,
                             "feeds": 0}  # fmt: skip
    assert bodies(desk) == ["old"] * 3
    with closing(sqlite3.connect(path)) as file:
        file.execute("DROP TRIGGER audit_entries_stay")
        file.execute("UPDATE audit SET by = 'eve' WHERE entry = 2")
        file.commit()
    with pytest.raises(DeskUnavailable, match="its tables are not as they were made"):
        desk.verify()


def test_many_who_prepare_one_file_at_once_do_it_once(path):
    older(path, 3)
    together = threading.Barrier(6)

    def write(at):
        together.wait()
        SqliteDesk(path).add_note("ana", LOAN, f"{at}")

    with ThreadPoolExecutor(6) as writers:
        list(writers.map(write, range(6)))
    assert len(bodies(SqliteDesk(path))) == 3 + 6
    SqliteDesk(path).verify()


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_another_prepares_meanwhile_has_lost_nothing(path, monkeypatch, there):
    """Its version was read before, and its head is there after."""
    if there:
        older(path, 3)
    read, asked = services.desk.sqlite._version, []

    def version(file):
        found = read(file)
        asked.append(found)
        if len(asked) == 1:
            SqliteDesk(path).add_note("ana", LOAN, "theirs")
        return found

    monkeypatch.setattr("services.desk.sqlite._version", version)
    SqliteDesk(path).add_note("ana", LOAN, "ours")
    assert asked[0] < SEALED_SINCE
    assert set(bodies(SqliteDesk(path))) - {"old"} == {"theirs", "ours"}
    SqliteDesk(path).verify()


def test_a_file_that_somebody_writes_is_brought_up_to_date_once_it_is_let_go(path, monkeypatch):
    """SQLite itself does not wait for a writer to change how a file is written."""
    older(path, 3)
    waits = []
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        monkeypatch.setattr(
            "services.desk.sqlite.sleep",
            lambda seconds: (waits.append(seconds), other.execute("ROLLBACK")),
        )
        other.execute("BEGIN IMMEDIATE")
        SqliteDesk(path).add_note("ana", LOAN, "new")
    assert len(waits) == 1
    assert bodies(SqliteDesk(path))[-1] == "new"


def test_a_file_that_is_never_let_go_is_named(path, monkeypatch):
    monkeypatch.setattr("services.desk.sqlite._PATIENCE", 0.0)
    older(path, 3)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DeskUnavailable, match="database is locked"):
            SqliteDesk(path).add_note("ana", LOAN, "new")
    assert len(bodies(SqliteDesk(path))) == 3


def test_a_statement_of_a_script_ends_where_it_ends():
    for script in scripts("sqlite"):
        assert "".join(_statements(script)).split() == script.split()


def test_names_are_one_however_they_are_spelled(desk):
    """D115: case, blanks, composed or not, full width."""
    spelled = ("zoë", " Zoë", "Zoe\u0308", "ＺＯË", "ZOË\u3000")
    for at, name in enumerate(spelled):
        desk.watch(name, LOAN.model_copy(update={"name": f"{at}"}), SEEN)
        assert len(desk.watched(spelled[at - 1], LOAN.source)) == at + 1
    desk.watch("ZOË", LOAN.model_copy(update={"name": "0"}), None)
    assert len(desk.watched("zoë", LOAN.source)) == len(spelled)
    saved = desk.save_search("zoë", "Hotels", HOTELS, FOUND)
    changed = desk.change_search("ＺＯË", saved.search_id, 1, shared=True)
    assert changed.owner == "zoë"
    desk.delete_search("Zoe\u0308", saved.search_id, 2)
    assert desk.searches("zoë", LOAN.source) == ()
    desk.verify()


def test_a_copy_of_an_older_version_is_restored_and_sealed(desk, tmp_path):
    """D90."""
    desk.add_note("ana", LOAN, "first")
    dump(desk, tmp_path / "copy")
    lines = (tmp_path / "copy").read_text().splitlines()
    older_copy = [json.dumps({"desk": 1}), *lines[1:-1], json.dumps({"rows": 3})]
    (tmp_path / "older").write_text("\n".join(older_copy) + "\n")
    other = SqliteDesk(tmp_path / "other.sqlite")
    assert restore(tmp_path / "older", other) == 3
    assert other.verify()["audit"] == 1
    assert bodies(other) == ["first"]


@pytest.mark.parametrize("at", range(1, 10))
def test_a_changed_copy_is_refused_whole(desk, tmp_path, at):
    """D90."""
    for text in ("first", "second", "third"):
        desk.add_note("ana", LOAN, text)
    dump(desk, tmp_path / "copy")
    lines = (tmp_path / "copy").read_text().splitlines(keepends=True)
    lines[at] = lines[at].replace("ana", "eve")
    (tmp_path / "copy").write_text("".join(lines))
    other = SqliteDesk(tmp_path / "other.sqlite")
    with pytest.raises(ImportRefused, match="is not as it was written"):
        restore(tmp_path / "copy", other)
    assert bodies(other) == []
    assert restore(tmp_path / "copy", other, damaged=True) == 9
    other.verify()


def test_a_damaged_desk_is_read_takes_no_write_and_is_mended_by_its_backup(desk, path, tmp_path):
    """D113."""
    for text in ("first", "second"):
        desk.add_note("ana", LOAN, text)
    dump(desk, tmp_path / "copy")
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE notes SET body = 'secand' WHERE body = 'second'")
        file.commit()
    found = desk.on_subject("ana", LOAN)
    assert [note.body for note in found.notes] == ["first", "secand"]
    assert "an entry does not read as it was written" in str(found.fault)
    with pytest.raises(DeskUnavailable, match="damaged and cannot be written now"):
        desk.add_note("ana", LOAN, "third")
    with pytest.raises(DeskUnavailable):
        dump(desk, tmp_path / "copy")
    assert dump(desk, tmp_path / "as it reads", damaged=True) == 6
    for one in path.parent.glob("desk.sqlite*"):
        one.unlink()
    with pytest.raises(DeskUnavailable):  # not looked at again yet
        restore(tmp_path / "copy", desk)
    assert desk.verify() == {}
    restore(tmp_path / "copy", desk)
    assert bodies(desk) == ["first", "second"]
    assert desk.fault() is None


def test_damage_is_found_in_the_background_and_again_once_it_is_mended(
    desk, path, monkeypatch, caplog
):
    """D113."""
    desk.add_note("ana", LOAN, "first")
    monkeypatch.setattr(healths, "_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(healths, "_AGAIN_SECONDS", 0.0)
    shutil.copy(path, path.with_name("whole"))
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE heads SET hash = hash || 'x'")
        file.commit()
    until(lambda: desk.fault() and "Watches and notes are damaged" in caplog.text)
    assert caplog.text.count("Watches and notes are damaged") == 1
    shutil.copy(path.with_name("whole"), path)
    until(lambda: desk.fault() is None)


def test_an_older_file_put_back_on_purpose_is_taken_once_its_head_is_gone(desk, path):
    """D113: the newest writes are missing, and it is said."""
    desk.add_note("ana", LOAN, "first")
    shutil.copy(path, path.with_name("earlier"))
    desk.add_note("ana", LOAN, "second")
    shutil.copy(path.with_name("earlier"), path)
    with pytest.raises(DeskUnavailable, match="missing at its end: 1 write"):
        desk.verify()
    path.with_name("desk.sqlite-head").unlink()
    desk.verify()
    desk.add_note("ana", LOAN, "third")
    assert [one.name for one in desk.every_entry(EVERY)] == [LOAN.name] * 2
    desk.verify()


def test_the_dashboard_looks_at_its_desk_when_it_starts(desk, path, monkeypatch, caplog):
    """D113; pages are served all the same."""
    from components.serving.application import application

    desk.add_note("ana", LOAN, "first")
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE notes SET body = 'fjrst'")
        file.commit()
    monkeypatch.setenv("CREDIT_ATLAS_DESK", str(path))
    application()
    until(lambda: "Watches and notes are damaged" in caplog.text)
    assert "damaged" in str(desk.fault())

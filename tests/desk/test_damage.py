"""A desk that was damaged: none of 120 damages goes unseen, none is a traceback (D112, D113)."""

import random
import shutil
import sqlite3
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

import pytest

from services.contract.desk import Seen, Subject
from services.contract.errors import CreditAtlasError, DeskUnavailable
from services.desk import head
from services.desk.copying import TABLES, dump
from services.desk.seals import plain
from services.desk.sqlite import SqliteDesk
from tests.desk.conforming import FOUND, HOTELS, LATER

SUBJECTS = [Subject(source="Embedded store", kind="loan", name=f"CA-{at:06}") for at in range(6)]
SEEN = Seen(snapshot_id="one", as_of=date(2026, 9, 30), facts={"dscr": 1.25})
USERS = ("ana", "ben", "Zoë")
TRIGGERS = ("audit_stays", "audit_grows", "audit_entries_stay", "audit_entries_grow",
            "seals_stay", "seals_grow")  # fmt: skip


def written(folder):
    """A desk of some 120 writes, the last of them in its log, as a kill would leave it."""
    folder.mkdir()
    chance, now = random.Random(7), datetime(2026, 11, 1, tzinfo=UTC)
    ticks = iter(range(10_000))
    desk = SqliteDesk(folder / "desk.sqlite", clock=lambda: now + timedelta(minutes=next(ticks)))
    notes = []

    def write(at):
        user, subject = chance.choice(USERS), chance.choice(SUBJECTS)
        if notes and at % 3 == 1:
            note = notes[chance.randrange(len(notes))]
            notes[notes.index(note)] = desk.edit_note(user, note.note_id, note.version, f"now {at}")
        elif notes and at % 11 == 5:
            note = notes.pop(chance.randrange(len(notes)))
            desk.delete_note(user, note.note_id, note.version)
        elif at % 3 == 2:
            desk.watch(user, subject, SEEN)
        else:
            notes.append(desk.add_note(user, subject, f"note {at} " + "x" * chance.randrange(900)))

    for at in range(70):
        write(at)
    for user in USERS:
        desk.save_search(user, "Hotels", HOTELS, FOUND, shared=user == "ana")
    shutil.copytree(folder, folder.with_name("earlier"))
    # An open reader keeps the log from being written back into the file.
    with_log = sqlite3.connect(folder / "desk.sqlite")
    with_log.execute("SELECT count(*) FROM notes").fetchone()
    for at in range(70, 100):
        write(at)
    found = desk.searches("ben", HOTELS.source)[0]
    desk.change_search("ben", found.search_id, 1, found=LATER)
    return with_log


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The desk with its log, and what it says."""
    folder = tmp_path_factory.mktemp("whole") / "desk"
    open_still = written(folder)
    shutil.copytree(folder, folder.with_name("copy"), ignore=shutil.ignore_patterns("*-shm"))
    open_still.close()
    return folder.with_name("copy")


def told(path):
    """All that a desk holds, as its pages show it, by reading the tables whole."""
    desk = SqliteDesk(path)
    answers = []
    for subject in SUBJECTS:
        answers += [desk.notes_of(subject), desk.audit_of(subject)]
    for user in USERS:
        answers += [desk.watched(user, HOTELS.source), desk.searches(user, HOTELS.source)]
    with desk._moment() as moment:
        for table in TABLES:
            rows = [plain(table, row) for row in moment.rows(f"SELECT * FROM {table}")]
            answers.append(sorted(map(str, rows)))
    return answers


def flipped(path, chance):
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def cut(path, chance):
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def zeros(path, chance):
    data = bytearray(path.read_bytes())
    at = chance.randrange(len(data))
    data[at : at + 512] = bytes(len(data[at : at + 512]))
    path.write_bytes(data)


def by_sql(path, *statements):
    """Direct SQL, past the triggers."""
    file = sqlite3.connect(path)
    made = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in made:
        file.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        assert file.execute(statement).rowcount != 0, statement
    for _, sql in made:
        file.execute(sql)
    file.commit()
    file.close()


def row_of(chance, table):
    return (
        f"rowid = (SELECT rowid FROM {table} ORDER BY rowid LIMIT 1 OFFSET {chance.randrange(9)})"
    )


def deleted(path, chance):
    table = chance.choice(("notes", "watches", "note_audit", "audit"))
    by_sql(path, f"DELETE FROM {table} WHERE {row_of(chance, table)}")


def last_deleted(path, chance):
    table = chance.choice(("note_audit", "audit"))
    last = f"SELECT entry FROM {table} ORDER BY entry DESC LIMIT {chance.randrange(1, 9)}"
    by_sql(path, f"DELETE FROM seals WHERE of = '{table}' AND entry IN ({last})",
           f"DELETE FROM {table} WHERE entry IN ({last})")  # fmt: skip


def changed(path, chance):
    table, column = chance.choice((("notes", "body"), ("note_audit", "body"), ("audit", "by"),
                                   ("watches", "seen"), ("notes", "author"), ("audit", "at"),
                                   ("watches", "owner_key")))  # fmt: skip
    by_sql(path, f"UPDATE {table} SET {column} = {column} || ' ' WHERE {row_of(chance, table)}")


def swapped(path, chance):
    """The texts of two entries, or two whole entries."""
    one, two = chance.sample(range(1, 60), 2)
    table = chance.choice(("audit", "note_audit"))
    by_sql(path, f"UPDATE {table} SET entry = -1 WHERE entry = {one}",
           f"UPDATE {table} SET entry = {one} WHERE entry = {two}",
           f"UPDATE {table} SET entry = {two} WHERE entry = -1")  # fmt: skip


def of_yesterday(path, chance):
    """A row as it was some writes ago, with the digest that it had."""
    earlier = path.parent.with_name("earlier") / path.name
    file = sqlite3.connect(path)
    file.execute("ATTACH ? AS earlier", (str(earlier),))
    sql = ("SELECT o.note_id FROM notes n JOIN earlier.notes o USING (note_id) "
           "WHERE n.version > o.version ORDER BY 1")  # fmt: skip
    found = [row[0] for row in file.execute(sql)]
    file.execute("REPLACE INTO notes SELECT * FROM earlier.notes WHERE note_id = ?",
                 (chance.choice(found),))  # fmt: skip
    file.commit()
    file.close()


def headless(path, chance):
    by_sql(path, f"DELETE FROM heads WHERE of = '{chance.choice(list(TABLES))}'")


def without_trigger(path, chance):
    file = sqlite3.connect(path)
    file.execute(f"DROP TRIGGER {chance.choice(TRIGGERS)}")
    file.close()


def log_of(path):
    return path.with_name(f"{path.name}-wal")


def log_lost(path, _):
    log_of(path).unlink()


def log_emptied(path, _):
    log_of(path).write_bytes(b"")


def file_lost(path, _):
    path.unlink()
    log_of(path).unlink()


def file_emptied(path, _):
    path.write_bytes(b"")
    log_of(path).unlink()


def put_back(path, _):
    """A copy of before in its place."""
    log_of(path).unlink()
    shutil.copy(path.parent.with_name("earlier") / path.name, path)


def head_flipped(path, chance):
    flipped(head.place(path), chance)


def after_the_log(path, damage, chance):
    """Damage of the file itself, once its log is written back."""
    sqlite3.connect(path).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    damage(path, chance)


DAMAGES = [
    *[(f"flip {at}", lambda path, chance: after_the_log(path, flipped, chance))
      for at in range(30)],
    *[(f"flip in the log {at}", lambda path, chance: flipped(log_of(path), chance))
      for at in range(14)],
    *[(f"zeros {at}", lambda path, chance: after_the_log(path, zeros, chance)) for at in range(8)],
    *[(f"cut {at}", lambda path, chance: after_the_log(path, cut, chance)) for at in range(8)],
    *[(f"log cut {at}", lambda path, chance: cut(log_of(path), chance)) for at in range(8)],
    *[(f"{damage.__name__} {at}", damage)
      for damage, times in ((deleted, 10), (last_deleted, 6), (changed, 12), (swapped, 8),
                            (of_yesterday, 3), (headless, 3), (without_trigger, 3),
                            (head_flipped, 2), (log_lost, 1), (log_emptied, 1), (file_lost, 1),
                            (file_emptied, 1), (put_back, 1))
      for at in range(times)],
]  # fmt: skip


def test_there_are_120_damages():
    assert len(DAMAGES) == 120


def test_a_desk_that_is_whole_is_said_to_be(whole, tmp_path):
    path = copied(whole, tmp_path)
    assert SqliteDesk(path).verify()["audit"] > 80
    assert told(path)


def copied(whole, tmp_path):
    for name in ("copy", "earlier"):
        shutil.copytree(whole.with_name(name), tmp_path / name)
    return tmp_path / "copy" / "desk.sqlite"


@pytest.mark.parametrize(("name", "damage"), DAMAGES, ids=[name for name, _ in DAMAGES])
def test_no_damage_is_silent(whole, tmp_path, name, damage):
    """It is told by `verify`, or changes nothing of what was written."""
    path = copied(whole, tmp_path)
    SqliteDesk(path).verify()
    before = told(path)
    shutil.rmtree(path.parent)
    shutil.copytree(whole, path.parent)
    damage(path, random.Random(name))
    desk = SqliteDesk(path)
    try:
        desk.verify()
    except DeskUnavailable as error:
        said = str(error)
        assert "\n" not in said
        assert "CREDIT_ATLAS_DESK" in said
        with pytest.raises(CreditAtlasError):
            desk.add_note("ana", SUBJECTS[0], "refused")
        assert isinstance(desk.fault(), DeskUnavailable)
        with suppress(DeskUnavailable, sqlite3.Error):  # what does not read is a sentence
            told(path)
        with pytest.raises(DeskUnavailable):
            dump(desk, tmp_path / "no copy")
    else:
        assert told(path) == before, "silent"

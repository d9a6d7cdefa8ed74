"""The desk over a real PostgreSQL: rights, migrations, time, faults (D87)."""

import socket
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime

import psycopg
import pytest
from pydantic import SecretStr

from services.contract.errors import DeskUnavailable, InvalidRequest, NoteConflict, SettingsInvalid
from services.database.connections import CONNECT_SECONDS, WAIT_SECONDS, Connection
from services.database.tables import MIGRATING
from services.desk.copying import dump, restore
from services.desk.migrations import scripts
from services.desk.sqlite import SqliteDesk
from services.settings import load
from services.sources import open_desk
from tests.desk.conforming import FOUND, HOTELS, LOAN, SEEN, bodies
from tests.desk.conforming_audit import EVERY
from tests.patience import SECONDS, until
from tests.servers import ROOT, free_port
from tests.team.postgres import PASSWORD
from tests.team.waits import waits


def sql(address, *statements):
    """Runs statements as the given user; the rows of the last."""
    with psycopg.connect(address.get_secret_value(), autocommit=True) as database:
        database.execute("SET search_path = credit_atlas")
        for statement in statements:
            found = database.execute(statement)
        return found.fetchall() if found.description else []


def waiting_for_locks(address):
    """How many sessions of this database wait for a lock that has a number."""
    count = (
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database "
        "WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()"
    )
    return sql(address, count)[0][0]


def twenty_more(desk, waited):
    waited.clear()
    assert len([fails_to(desk.notes_of, LOAN) for _ in range(20)]) == len(waited)
    return sum(waited)


def fails_to(read, *arguments):
    with pytest.raises(DeskUnavailable) as caught:
        read(*arguments)
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert PASSWORD not in shown
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_nothing_is_made_before_the_first_write(desk, address):
    assert desk.watched("ana", LOAN.source) == desk.notes_of(LOAN) == desk.audit_of(LOAN) == ()
    assert desk.searches("ana", LOAN.source) == ()
    assert sql(address, "SELECT to_regnamespace('credit_atlas')") == [(None,)]


def test_the_audit_takes_no_change_from_its_owner_and_none_from_a_role_that_may_write(
    desk, desks, address, postgres
):
    """D87, D91."""
    database = address.get_secret_value().rsplit("/", 1)[-1]
    sql(address, f"CREATE ROLE {database}_app LOGIN PASSWORD '{PASSWORD}'")
    app = postgres.address(database, f"{database}_app")
    assert desk.migrate(f"{database}_app") == (0, len(scripts("postgres")))
    other = desks(app)
    assert other.fault() is None
    note = other.add_note("ana", LOAN, "first")
    other.edit_note("ben", note.note_id, 1, "second")
    other.watch("ana", LOAN, SEEN)
    other.save_search("ana", "Hotels", HOTELS, FOUND)
    for statement in ("UPDATE note_audit SET body = ''", "DELETE FROM note_audit",
                      "TRUNCATE note_audit", "UPDATE audit SET by = ''", "DELETE FROM audit",
                      "TRUNCATE audit"):  # fmt: skip
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            sql(app, statement)
        # A superuser passes every grant: there the trigger stands.
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            sql(address, statement)
    for table in ("note_audit", "audit"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            sql(app, f"ALTER TABLE {table} DISABLE TRIGGER ALL")
    assert [event.body for event in desk.audit_of(LOAN)] == ["first", "second"]
    assert len(desk.entries(EVERY).items) == 4


def test_the_owner_of_the_tables_takes_old_entries_out_as_the_readme_says(
    desks, fresh_database, postgres
):
    """D91; the owner is no superuser."""
    address = fresh_database()
    database = address.get_secret_value().rsplit("/", 1)[-1]
    sql(address, f"CREATE ROLE {database}_owner LOGIN PASSWORD '{PASSWORD}'")
    sql(address, f"GRANT CREATE ON DATABASE {database} TO {database}_owner")
    owner = postgres.address(database, f"{database}_owner")
    for year in (2023, 2024):
        desk = desks(owner, clock=lambda year=year: datetime(year, 6, 1, tzinfo=UTC))
        desk.watch("ana", LOAN.model_copy(update={"name": f"{year}"}), None)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        sql(owner, "DELETE FROM audit")
    written = (ROOT / "services" / "desk" / "README.md").read_text(encoding="utf-8")
    recipe = written[written.index("    BEGIN;") : written.index("    COMMIT;")]
    with psycopg.connect(owner.get_secret_value()) as connection:
        connection.execute(recipe.replace("BEGIN;", "").encode())
    assert [one.at.year for one in desk.every_entry(EVERY)] == [2024]
    assert desk.verify()["audit"] == 1
    desk.see("ana", {LOAN.model_copy(update={"name": "2024"}): SEEN})
    assert desk.verify()["audit"] == 2
    for statement in ("DELETE FROM audit", "UPDATE audit SET by = ''"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            sql(owner, statement)
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            sql(address, statement)
    assert len(desk.watched("ana", LOAN.source)) == 2


def test_a_role_without_rights_is_told_who_has_to_migrate(desks, address, postgres):
    database = address.get_secret_value().rsplit("/", 1)[-1]
    sql(address, f"CREATE ROLE {database}_app LOGIN PASSWORD '{PASSWORD}'")
    desk = desks(postgres.address(database, f"{database}_app"))
    assert bodies(desk) == []
    assert "run 'creditatlas desk migrate' as their owner" in str(desk.fault())
    fails_to(desk.add_note, "ana", LOAN, "first")


def test_two_processes_migrate_at_once(address):
    words = [sys.executable, "-m", "services", "desk", "migrate"]
    environment = {"PATH": "/usr/bin:/bin", "CREDIT_ATLAS_DESK": address.get_secret_value()}
    running = [
        subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
        for _ in range(2)
    ]  # fmt: skip
    said = [one.communicate()[0] for one in running]
    assert [one.returncode for one in running] == [0, 0], said
    newest = len(scripts("postgres"))
    assert all(f"at migration {newest}" in one for one in said)
    numbers = sql(address, "SELECT number FROM migrations ORDER BY number")
    assert numbers == [(number,) for number in range(1, newest + 1)]


def test_a_migration_waits_for_another_one(opened, address):
    with psycopg.connect(address.get_secret_value(), autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", (MIGRATING,))
        threads = [threading.Thread(target=opened().migrate) for _ in range(4)]
        for one in threads:
            one.start()
        until(lambda: waiting_for_locks(address) == len(threads))
        assert sql(address, "SELECT to_regnamespace('credit_atlas')") == [(None,)]
        other.execute("SELECT pg_advisory_unlock_all()")
        for one in threads:
            one.join()
    assert sql(address, "SELECT count(*) FROM migrations") == [(len(scripts("postgres")),)]


def test_tables_of_an_older_version_are_brought_up_to_date_and_lose_nothing(desk, address):
    sql(
        address,
        "CREATE SCHEMA credit_atlas",
        "CREATE TABLE migrations (number int PRIMARY KEY, applied_at timestamptz DEFAULT now())",
        scripts("postgres")[0].encode(),
        "INSERT INTO migrations (number) VALUES (1)",
        "INSERT INTO watches VALUES ('ana', 'Embedded store', 'loan', 'CA-000001', now())",
    )
    assert [one.subject for one in desk.watched("ana", LOAN.source)] == [LOAN]
    assert desk.searches("ana", LOAN.source) == desk.entries(EVERY).items == ()
    desk.save_search("ana", "Hotels", HOTELS, FOUND)
    assert [one.subject for one in desk.watched("ana", LOAN.source)] == [LOAN]
    assert desk.verify() == {"note_audit": 0, "audit": 1, "watches": 1, "notes": 0,
                             "saved_searches": 1, "verdicts": 0, "cases": 0,
                             "feeds": 0}  # fmt: skip


def test_tables_of_a_newer_version_are_read_and_left_as_they_are(desk, address):
    desk.add_note("ana", LOAN, "first")
    sql(address, "INSERT INTO migrations (number) VALUES (99)")
    assert "a newer Credit Atlas made its tables" in fails_to(desk.add_note, "ana", LOAN, "second")
    assert "a newer Credit Atlas" in str(desk.fault())
    assert bodies(desk) == ["first"]


def test_a_database_that_takes_no_writes_is_read(desk, desks, address):
    desk.add_note("ana", LOAN, "first")
    name = address.get_secret_value().rsplit("/", 1)[-1]
    sql(address, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    other = desks(address)
    assert bodies(other) == ["first"]
    assert "can be read but not written now" in str(other.fault())
    assert "read-only transaction" in fails_to(other.add_note, "ana", LOAN, "second")


def test_a_statement_that_takes_too_long_ends_and_the_next_one_goes_through(opened, address):
    desk = opened(statement_seconds=0.3)
    desk.add_note("ana", LOAN, "first")
    with psycopg.connect(address.get_secret_value()) as other:
        other.execute("LOCK TABLE credit_atlas.notes IN ACCESS EXCLUSIVE MODE")
        # By the limit given here: by all others it would be told of the lock first.
        assert "statement timeout" in fails_to(desk.add_note, "ana", LOAN, "second")
        assert "statement timeout" in fails_to(desk.notes_of, LOAN)
        other.rollback()
    desk.add_note("ana", LOAN, "third")
    assert bodies(desk) == ["first", "third"]


def test_more_threads_than_connections_write_and_none_is_lost(desk, address):
    def write(at):
        for number in range(10):
            desk.add_note("ana", LOAN, f"{at} {number}")

    threads = [threading.Thread(target=write, args=(at,)) for at in range(20)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(bodies(desk)) == sorted(f"{at} {number}" for at in range(20)
                                          for number in range(10))  # fmt: skip
    count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'creditatlas'"
    assert sql(address, f"{count} AND datname = current_database()")[0][0] <= 8


def test_many_who_watch_at_once_stay_within_the_bound(opened, monkeypatch):
    monkeypatch.setattr("services.contract.desk.MOST_WATCHED", 5)
    refused, together = [], threading.Barrier(12)
    desks = [opened() for _ in range(12)]

    def watch(at):
        assert desks[at].fault() is None  # connected
        together.wait()
        try:
            desks[at].watch("ana", LOAN.model_copy(update={"name": f"{at}"}), None)
        except InvalidRequest:
            refused.append(at)

    threads = [threading.Thread(target=watch, args=(at,)) for at in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert (len(refused), len(opened().watched("ana", LOAN.source))) == (7, 5)


def test_what_one_owner_has_is_counted_by_one_at_a_time(desk, address):
    desk.migrate()
    with psycopg.connect(address.get_secret_value()) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s, hashtext('ana'))", (MIGRATING,))
        desk.watch("ben", LOAN, None)
        waiting = threading.Thread(target=desk.watch, args=("ana", LOAN, None))
        waiting.start()
        until(lambda: waiting_for_locks(address) == 1)
        other.rollback()
        waiting.join()
    assert len(desk.watched("ana", LOAN.source)) == 1


def test_one_of_many_who_edit_one_note_at_once_is_acknowledged(opened):
    note = opened().add_note("ana", LOAN, "first")
    acknowledged, refused = [], []

    def edit(at):
        try:
            opened().edit_note(f"{at}", note.note_id, 1, f"by {at}")
        except NoteConflict as error:
            refused.append(error.version)
        else:
            acknowledged.append(f"by {at}")

    threads = [threading.Thread(target=edit, args=(at,)) for at in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert bodies(opened()) == acknowledged
    assert (len(acknowledged), refused) == (1, [2] * 11)


def test_a_wrong_password_is_one_sentence_without_it(desks, address):
    wrong = SecretStr(address.get_secret_value().replace("w%3Frd", "wrong-word"))
    desk = desks(wrong)
    said = fails_to(desk.add_note, "ana", LOAN, "first")
    assert "password authentication failed" in said
    assert "wrong-word" not in said + repr(desk) + str(desk.fault())


def test_no_reason_that_a_database_gives_shows_the_password(desk):
    said = str(desk._connections.unavailable(f"connection failed: bad word {PASSWORD} given"))
    assert PASSWORD not in said
    assert "bad word *** given" in said


def test_a_database_that_is_not_there_is_waited_for_once(desks, monkeypatch):
    desk = desks(SecretStr(f"postgresql://owner@127.0.0.1:{free_port()}/desk"))
    assert fails_to(desk.notes_of, LOAN).endswith("/desk: Connection refused)")
    # A server that takes what is sent and never answers: the first call waits, the others do not.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        desk = desks(SecretStr(f"postgresql://owner@127.0.0.1:{silent.getsockname()[1]}/desk"))
        waited = waits(monkeypatch)
        assert "timeout" in fails_to(desk.notes_of, LOAN)
        assert sum(waited) == WAIT_SECONDS
        assert twenty_more(desk, waited) < 0.5


def test_a_database_that_is_frozen_is_waited_for_once_and_then_reads_again(
    desk, opened, postgres, monkeypatch
):
    desk.watch("ana", LOAN, None)
    with opened()._connections.one():  # a second connection, idle beside the first
        desk.notes_of(LOAN)
    waited = waits(monkeypatch)
    with postgres.frozen():
        assert fails_to(desk.notes_of, LOAN).endswith(": it does not answer)")
        assert waited == [CONNECT_SECONDS]  # for one of the two
        assert twenty_more(desk, waited) < 0.5

    def watched():
        with suppress(DeskUnavailable):
            return desk.watched("ana", LOAN.source)

    (watch,) = until(watched)
    assert watch.subject == LOAN


def test_a_statement_under_way_when_the_database_freezes_ends_in_a_sentence(
    opened, postgres, address, monkeypatch
):
    # Longer than the statement takes where nothing freezes.
    monkeypatch.setattr(Connection, "patience", 2.0)
    desk = opened()
    desk.watch("ana", LOAN, None)

    def asked():
        with desk._connections.one() as connection:
            connection.execute("SELECT pg_sleep(1.5)")

    sleeps = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    with (
        psycopg.connect(address.get_secret_value(), autocommit=True) as looking,
        ThreadPoolExecutor(1) as reader,
    ):
        under_way = reader.submit(asked)
        until(lambda: looking.execute(sleeps).fetchone())
        with postgres.frozen():
            assert "it does not answer" in str(under_way.exception(timeout=SECONDS))


def test_an_address_that_is_none_is_one_sentence_without_its_text():
    with pytest.raises(SettingsInvalid) as caught:
        open_desk(load(desk=f"postgresql://owner:{PASSWORD}@[no:host"))
    assert PASSWORD not in "".join(traceback.format_exception(caught.value))
    assert "CREDIT_ATLAS_DESK" in str(caught.value)


def test_the_settings_open_one_desk_for_each_address(address):
    settings = load(desk=address.get_secret_value())
    assert PASSWORD not in f"{settings!r} {settings.model_dump()} {settings.model_dump_json()}"
    desk = open_desk(settings)
    try:
        assert desk is open_desk(load(desk=address.get_secret_value()))
        assert desk.fault() is None
    finally:
        desk.close()


def test_what_was_written_on_one_machine_moves_to_the_team_and_back(desk, tmp_path):
    """D90."""
    alone = SqliteDesk(tmp_path / "desk.sqlite")
    note = alone.add_note("ana", LOAN, "first")
    alone.edit_note("ana", note.note_id, 1, "second")
    alone.watch("ana", LOAN, SEEN)
    alone.save_search("ana", "Hotels", HOTELS, FOUND, shared=True)
    dump(alone, tmp_path / "copy")
    restore(tmp_path / "copy", desk)
    for read, *arguments in (("notes_of", LOAN), ("audit_of", LOAN),
                             ("watched", "ana", LOAN.source),
                             ("searches", "ana", LOAN.source), ("entries", EVERY)):  # fmt: skip
        assert getattr(desk, read)(*arguments) == getattr(alone, read)(*arguments)
    dump(desk, tmp_path / "back")
    other = SqliteDesk(tmp_path / "other.sqlite")
    restore(tmp_path / "back", other)
    assert other.audit_of(LOAN) == alone.audit_of(LOAN)

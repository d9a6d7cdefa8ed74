"""The desk of a team: what direct SQL changes is noticed; round trips (D112, D114)."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import psycopg
import pytest
from pydantic import SecretStr

from components.desk.unfolding import named
from services.contract.errors import DeskUnavailable, RateLimited
from services.desk.copying import dump, restore
from services.desk.migrations import scripts
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from services.sources import StoreWorkspace
from tests.desk.acting import acting
from tests.desk.conforming import FOUND, HOTELS, LOAN, PARTY, SEEN, bodies
from tests.publishing import load_once


def direct(address, *statements):
    """Statements of a superuser, past the triggers."""
    with psycopg.connect(address.get_secret_value(), autocommit=True) as database:
        database.execute("SET search_path = credit_atlas")
        database.execute("SET session_replication_role = replica")
        for statement in statements:
            assert database.execute(statement).rowcount != 0


@pytest.fixture
def filled(desk):
    for at in range(9):
        note = desk.add_note("ana", LOAN, f"{at}")
    desk.edit_note("ben", note.note_id, 1, "edited")
    desk.watch("ana", LOAN, SEEN)
    desk.watch("ana", PARTY, None)
    desk.save_search("ana", "Hotels", HOTELS, FOUND)
    desk.verify()
    return desk


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE audit SET by = 'eve' WHERE entry = 3", "the audit, from entry 3 on"),
        ("DELETE FROM audit WHERE entry = 3", "the audit"),
        ("DELETE FROM audit WHERE entry > 9", "entries stand of"),
        ("DELETE FROM note_audit WHERE entry = 1", "texts of notes"),
        ("UPDATE note_audit SET body = 'x' WHERE entry = 10", "texts of notes"),
        ("UPDATE audit SET entry = 30 - entry WHERE entry IN (10, 11)", "the audit"),
        ("UPDATE audit SET detail = 'x', at = now() WHERE entry = 13", "the audit"),
        ("DELETE FROM notes WHERE body = '3'", "notes: 8 stand of 9"),
        ("UPDATE notes SET body = 'x' WHERE body = '3'", "does not read as it was written"),
        ("UPDATE notes SET body = '4' WHERE body = '3'", "does not read as it was written"),
        ("UPDATE watches SET owner_key = 'eve' WHERE kind = 'loan'", "(watches)"),
        ("DELETE FROM watches WHERE kind = 'loan'", "watches: 1 stand of 2"),
        ("UPDATE saved_searches SET shared = true", "(saved searches)"),
        ("UPDATE seals SET hash = 'x' WHERE entry = 4 AND of = 'audit'", "from entry 4 on"),
        ("DELETE FROM heads WHERE of = 'notes'", "the head of notes is missing"),
    ],
)
def test_direct_sql_is_noticed_and_stops_writing(filled, address, statement, said):
    """D112, D113."""
    direct(address, statement)
    with pytest.raises(DeskUnavailable) as caught:
        filled.verify()
    assert said in str(caught.value)
    assert "restore a backup" in str(filled.fault())
    assert len(bodies(filled)) >= 8
    with pytest.raises(DeskUnavailable, match="damaged and cannot be written"):
        filled.add_note("ana", LOAN, "refused")


def test_a_trigger_that_is_switched_off_is_noticed(filled, address):
    direct(address, "ALTER TABLE audit DISABLE TRIGGER audit_stays")
    with pytest.raises(DeskUnavailable, match="the trigger 'audit_stays' is switched off"):
        filled.verify()


def test_many_who_write_at_once_make_one_chain_and_no_write_is_lost(opened):
    """D112."""
    desks = [opened() for _ in range(4)]

    def write(at):
        for number in range(10):
            desks[at % 4].add_note(f"{at}", LOAN, f"{at} {number}")

    with ThreadPoolExecutor(12) as writers:
        list(writers.map(write, range(12)))
    assert sorted(bodies(desks[0])) == sorted(f"{at} {number}" for at in range(12)
                                              for number in range(10))  # fmt: skip
    assert desks[0].verify()["audit"] == 120


def test_a_user_has_one_pace_on_all_nodes(opened):
    """D117."""
    nodes = [acting(opened(most_a_minute=7), "ana", "analyst") for _ in range(3)]
    landed = []

    def write(at):
        with suppress(RateLimited):
            nodes[at % 3].add_note("ana", LOAN, f"{at}")
            landed.append(at)

    with ThreadPoolExecutor(6) as writers:
        list(writers.map(write, range(20)))
    assert len(landed) == len(bodies(opened())) == 7


def test_a_copy_that_came_from_one_machine_keeps_its_chain(tmp_path, filled):
    alone = SqliteDesk(tmp_path / "desk.sqlite")
    dump(filled, tmp_path / "copy")
    restore(tmp_path / "copy", alone)
    with alone._moment() as one, filled._moment() as two:
        heads = "SELECT * FROM heads ORDER BY of"
        assert [dict(row) for row in one.rows(heads)] == [dict(row) for row in two.rows(heads)]


def test_a_copy_is_taken_while_a_writer_waits(filled, address, tmp_path):
    """D114."""
    with psycopg.connect(address.get_secret_value()) as other:
        other.execute("SELECT * FROM credit_atlas.heads FOR UPDATE")
        assert dump(filled, tmp_path / "copy") > 20
        assert filled.fault() is None


def test_what_an_older_version_wrote_is_sealed_by_a_migration_and_found_under_any_spelling(
    desk, address
):
    """D112, D115."""
    names = "CREATE TABLE migrations (number int PRIMARY KEY, applied_at timestamptz DEFAULT now())"
    direct(
        address,
        "CREATE SCHEMA credit_atlas",
        names,
        *(script.encode() for script in scripts("postgres")[:3]),
        "INSERT INTO migrations (number) VALUES (1), (2), (3)",
        "INSERT INTO watches VALUES ('Ana', 'Embedded store', 'loan', 'CA-000001', now())",
        "INSERT INTO audit (at, by, role, action, name, detail) "
        "SELECT now(), 'ana', 'admin', 'watch', 'CA-1', '' FROM generate_series(1, 2500)",
    )
    assert [one.subject for one in desk.watched(" ANA ", LOAN.source)] == [LOAN]
    assert desk.migrate() == (3, len(scripts("postgres")))
    assert desk.verify()["audit"] == 2500
    desk.unwatch("ana", LOAN)
    assert desk.watched("Ana", LOAN.source) == ()
    direct(address, "UPDATE audit SET by = 'eve' WHERE entry = 2000")
    with pytest.raises(DeskUnavailable, match="the audit, from entry 2000 on"):
        desk.verify()


class Relay:
    """Passes bytes on to a server, and counts how often a client waited for it: a round trip is
    when it sends after the server has spoken.
    """

    def __init__(self, port):
        self.trips, self._to = 0, port
        self._open = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
                self._open += [client, server]
                spoke = threading.Event()
                spoke.set()
                for pair in ((client, server, spoke, True), (server, client, spoke, False)):
                    threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, source, target, spoke, of_client):
        with suppress(OSError):
            while data := source.recv(65_536):
                if of_client and spoke.is_set():
                    spoke.clear()
                    self.trips += 1
                elif not of_client:
                    spoke.set()
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self):
        for one in (self._listening, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@pytest.fixture
def relay(postgres):
    found = Relay(postgres.port)
    yield found
    found.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trips") / "store"
    load_once(folder, [demo.portfolio(loans=60)])
    return folder


@pytest.mark.usefixtures("visited_before")
def test_a_loan_page_waits_for_the_database_three_times_at_most(
    address, postgres, relay, desks, folder, visit, monkeypatch
):
    """D114; twelve before."""
    through = address.get_secret_value().replace(f":{postgres.port}/", f":{relay.port}/")
    loan = LOAN.model_copy(update={"source": StoreWorkspace.label, "name": "CA-000012"})
    desk = desks(SecretStr(through))
    desk.add_note("ana", loan, "first")
    desk.watch("ana", loan, None)
    # What is verified in the background waits by itself.
    monkeypatch.setattr("services.desk.health.Health.look", lambda *_: None)
    relay.trips = 0
    found = desk.on_subject("ana", loan)
    assert (len(found.notes), len(found.events), found.fault) == (1, 1, None)
    assert found.watch.subject == loan
    assert desk.fault() is None  # as pages ask behind a sign-in, before they offer a file
    assert relay.trips <= 3
    opened = {f"notes {named(loan)}": True}
    app = visit("pages/loan.py", folder, {"loan_number": "CA-000012"}, opened, desk=through)
    relay.trips = 0
    app.run()
    assert not app.exception
    assert any(one.value == "first" for one in app.text)
    assert relay.trips <= 3
    print(f"one loan page: {relay.trips} round trips")

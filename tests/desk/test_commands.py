"""The commands `creditatlas desk` as a user runs them (D90)."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime

from services.contract.audit import Deed
from services.desk.sqlite import SqliteDesk
from tests.commands import command, sentence
from tests.desk.acting import acting
from tests.desk.conforming import LOAN, bodies
from tests.servers import ROOT


def test_a_desk_is_dumped_and_restored_into_an_empty_one_only(tmp_path):
    SqliteDesk(tmp_path / "store" / "desk.sqlite").add_note("ana", LOAN, "first")
    done = command("desk", "dump", tmp_path / "copy", "--store", tmp_path / "store")
    assert done.stdout == f"3 rows in {tmp_path / 'copy'}\n", done.stderr
    other = {"CREDIT_ATLAS_DESK": str(tmp_path / "other.sqlite")}
    done = command("desk", "restore", tmp_path / "copy", **other)
    assert done.stdout == f"3 rows restored from {tmp_path / 'copy'}\n", done.stderr
    assert bodies(SqliteDesk(tmp_path / "other.sqlite")) == ["first"]
    assert "into an empty one" in sentence(command("desk", "restore", tmp_path / "copy", **other))
    assert "No such file" in sentence(command("desk", "restore", tmp_path / "none", **other))


def test_the_audit_is_printed_the_newest_first(tmp_path):
    """D91."""
    path = tmp_path / "store" / "desk.sqlite"

    def on(day):
        return SqliteDesk(path, clock=lambda: datetime(2026, 11, day, 9, 45, tzinfo=UTC))

    acting(on(20), "rita", "reader").watch("rita", LOAN, None)
    detail = "CSV, 12 rows of loans: Loans in Texas"
    acting(on(21), "anna", "analyst").record(
        "anna", Deed(action="export", kind="file", name="loans.csv", detail=detail)
    )
    party = LOAN.model_copy(update={"kind": "entity", "name": "A\x1b[2Jb\nc"})
    on(22).add_note("ada", party, "no text")
    words = ("desk", "audit", "--store", tmp_path / "store")
    done = command(*words)
    assert done.stdout.splitlines() == [
        "2026-11-22 09:45:00  ada (admin)  wrote a note: A\ufffd[2Jb\ufffdc, version 1",
        "2026-11-21 09:45:00  anna (analyst)  took a file away: loans.csv, " + detail,
        "2026-11-20 09:45:00  rita (reader)  began to watch: CA-000001",
    ], done.stderr
    lines = command(*words, "--since", "2026-11-21", "--json").stdout.splitlines()
    assert [(one["by"], one["action"]) for one in map(json.loads, lines)] == [
        ("ada", "add_note"),
        ("anna", "export"),
    ]
    assert "must be a date" in sentence(command(*words, "--since", "yesterday"))
    assert command("desk", "audit", "--store", tmp_path / "none").stdout == ""


def test_a_file_has_no_migrations_to_run_and_a_database_has_to_be_there(tmp_path):
    path = str(tmp_path / "desk.sqlite")
    assert "names no PostgreSQL" in sentence(command("desk", "migrate", CREDIT_ATLAS_DESK=path))
    address = "postgresql://ana:no-secret@127.0.0.1:1/desk"
    said = sentence(command("desk", "migrate", CREDIT_ATLAS_DESK=address))
    assert "127.0.0.1:1/desk: Connection refused" in said
    assert "no-secret" not in said


def test_a_database_without_psycopg_says_what_to_install():
    address = "postgresql://ana:no-secret@127.0.0.1:1/desk"
    script = "import sys; sys.modules['psycopg'] = None; from services.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "desk", "migrate"],
        cwd=ROOT,
        env={**os.environ, "CREDIT_ATLAS_DESK": address},
        capture_output=True,
        text=True,
        check=False,
    )
    said = sentence(done)
    assert "pip install --require-hashes -r services/shelf/deploy/requirements.txt" in said
    assert "no-secret" not in said


def test_verify_says_that_what_users_wrote_is_whole_or_what_is_damaged(tmp_path):
    """D113: by the same command as the store, whatever the store holds."""
    path = tmp_path / "desk.sqlite"
    SqliteDesk(path).add_note("ana", LOAN, "a word of ours")
    done = command("verify", "--store", tmp_path)
    assert f"The desk '{path}' is as it was written: 1 note audit, 1 audit" in done.stdout
    assert "run 'creditatlas demo'" in sentence(done)  # there is no snapshot
    assert command("demo", "--loans", 20, "--store", tmp_path).returncode == 0
    assert command("verify", "--store", tmp_path).returncode == 0
    data = bytearray(path.read_bytes())
    data[data.rindex(b"a word of ours")] ^= 1
    path.write_bytes(data)
    done = command("verify", "--store", tmp_path)
    said = sentence(done)
    assert "damaged and cannot be written now" in said
    assert "run 'creditatlas desk restore' with a backup" in said
    assert "Snapshot" in done.stdout
    assert "damaged" in sentence(command("desk", "dump", tmp_path / "copy", "--store", tmp_path))
    copy = command("desk", "dump", tmp_path / "copy", "--damaged", "--store", tmp_path)
    assert copy.returncode == 0, copy.stderr

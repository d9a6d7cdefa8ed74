"""A store that may only be read, as on a read-only mount: nothing is written to read it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services.contract.queries import EntityQuery, LoanQuery
from services.store.leases import Store
from tests.commands import inside, sentence
from tests.publishing import load
from tests.world import quay

ROOT = Path(__file__).parents[2]
#: Root may write anywhere: without its capabilities it is as everybody else.
AS_ANYBODY = ["setpriv", "--bounding-set=-all"] if os.geteuid() == 0 else []
READ = """
import sys
from pathlib import Path
from tests.store.test_read_only import answers, may_write
print(may_write(Path(sys.argv[1])), answers(Path(sys.argv[1])))
"""


def answers(folder):
    store = Store(folder)
    with store.lease() as source:
        found = (source.loans(LoanQuery()).total, source.entities(EntityQuery(name="quay")).total)
    store.close()
    return found


def may_write(folder):
    try:
        (folder / "probe").touch()
    except PermissionError:
        return False
    return True


def everything(folder):
    return {(path, path.stat().st_mtime_ns) for path in [folder, *folder.rglob("*")]}


HOLD = """
import sys, time, duckdb
held = duckdb.connect(sys.argv[1])
print("held", flush=True)
time.sleep(600)
"""


def test_a_database_that_another_program_writes_to_is_no_damaged_one(tmp_path):
    load(tmp_path, [quay()])
    [file] = tmp_path.glob("snap-*/atlas.duckdb")
    with subprocess.Popen([sys.executable, "-c", HOLD, file], stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        refused = inside("status", store=tmp_path)
        other.kill()
    assert sentence(refused) == (
        f"Another program (PID {other.pid}) has 'atlas.duckdb' of the store open for writing; "
        "close it there, and open such files read-only"
    )
    assert inside("verify", store=tmp_path).returncode == 0


def test_reading_leaves_nothing_in_the_store(tmp_path):
    load(tmp_path, [quay()])
    before = everything(tmp_path)
    loans, entities = answers(tmp_path)
    assert loans == 4
    assert entities > 0
    assert everything(tmp_path) == before


@pytest.mark.skipif(
    bool(AS_ANYBODY) and not shutil.which("setpriv"), reason="root may write anywhere"
)
def test_who_may_not_write_to_the_store_may_read_it(tmp_path):
    load(tmp_path, [quay()])
    expected = answers(tmp_path)
    folders = [tmp_path, *(path for path in tmp_path.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        command = [*AS_ANYBODY, sys.executable, "-c", READ, str(tmp_path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"False {expected}\n"

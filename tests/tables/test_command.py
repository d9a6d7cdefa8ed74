"""The commands that write open tables, as a user runs them on a folder, and what they cost."""

import subprocess
import sys

import pytest

from services.store.snapshot import current_id
from tests.shelf.small import opened
from tests.tables import stores
from tests.tables.test_tables import opened as table_of
from tests.test_architecture import ROOT

LOANS = 100_000
MOST_SECONDS, MOST_MIB = 60, 1_000


def command(*words, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "services", *map(str, words)],
        cwd=ROOT, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr if code else done.stdout


def test_publish_with_tables_and_tables_alone(tmp_path):
    store, shelf = tmp_path / "store", tmp_path / "shelf"
    stores.filled(store, {})
    said = command("publish", "--tables", "--to", shelf, "--store", store)
    assert said.index("rows written: loans ") < said.index("'production' moved to snapshot")
    assert "already" in command("tables", "--to", shelf, "--store", store)
    stores.add(store, {})
    first = opened(shelf).stands().snapshot_id
    assert "rows written: loans " in command("tables", "--to", shelf, "--store", store)
    assert opened(shelf).stands().snapshot_id == first != current_id(store)  # nobody was moved
    command("snapshots", "gc", "--on", shelf, "--hours", 0)
    assert table_of(shelf, "loans").to_pyarrow_table().num_rows


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    stores.filled(tmp_path / "store", {})
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "tables").write_text("a file stands in the way")
    said = command("tables", "--to", tmp_path / "shelf", "--store", tmp_path / "store", code=2)
    assert said.startswith(f"creditatlas: The shelf '{tmp_path}/shelf' ")
    assert said.count("\n") == 1


def test_no_other_command_loads_the_library():
    loaded = "import sys, services.cli; print('deltalake' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, check=True)
    assert said.stdout == b"False\n"


@pytest.mark.tools
def test_a_hundred_thousand_loans_in_bounded_time_and_memory(tmp_path):
    command("demo", "--loans", LOANS, "--store", tmp_path / "store")
    measured = (
        "import resource, sys, time; from services import cli\n"
        "began = time.perf_counter()\n"
        f"sys.argv = ['creditatlas', 'tables', '--to', {str(tmp_path / 'shelf')!r},"
        f" '--store', {str(tmp_path / 'store')!r}]\n"
        "try: cli.main()\n"
        "except SystemExit as ended: assert not ended.code\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "print(f'{time.perf_counter() - began} {peak}')"
    )
    done = subprocess.run(
        [sys.executable, "-c", measured], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, peak = map(float, done.stdout.splitlines()[-1].split())
    assert table_of(tmp_path / "shelf", "loans").count() == LOANS
    assert seconds < MOST_SECONDS
    assert peak < MOST_MIB

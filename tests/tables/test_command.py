"""The commands that write open tables, as a user runs them on a folder, and what they cost."""

import subprocess
import sys

import pytest

from services.store.snapshot import current_id
from tests.commands import said
from tests.shelf.small import opened
from tests.tables import stores
from tests.tables.test_tables import opened as table_of
from tests.test_architecture import ROOT

LOANS = 100_000
MOST_SECONDS, MOST_MIB = 60, 1_000


def test_publish_with_tables_and_tables_alone(tmp_path):
    store, shelf = tmp_path / "store", tmp_path / "shelf"
    stores.filled(store, {})
    told = said("publish", "--tables", "--to", shelf, "--store", store)
    assert told.index("rows written: loans ") < told.index("'production' moved to snapshot")
    assert "already" in said("tables", "--to", shelf, "--store", store)
    stores.add(store, {})
    first = opened(shelf).stands().snapshot_id
    assert "rows written: loans " in said("tables", "--to", shelf, "--store", store)
    assert opened(shelf).stands().snapshot_id == first != current_id(store)  # nobody was moved
    said("snapshots", "gc", "--on", shelf, "--hours", 0)
    assert table_of(shelf, "loans").to_pyarrow_table().num_rows


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    stores.filled(tmp_path / "store", {})
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "tables").write_text("a file stands in the way")
    told = said("tables", "--to", tmp_path / "shelf", "--store", tmp_path / "store", code=2)
    assert told.startswith(f"creditatlas: The shelf '{tmp_path}/shelf' ")
    assert told.count("\n") == 1


def test_no_other_command_loads_the_library():
    loaded = "import sys, services.cli; print('deltalake' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, check=True)
    assert said.stdout == b"False\n"


@pytest.mark.tools
def test_a_hundred_thousand_loans_in_bounded_time_and_memory(tmp_path):
    said("demo", "--loans", LOANS, "--store", tmp_path / "store")
    measured = (
        "import re, sys, time; from pathlib import Path; from services import cli\n"
        "began = time.perf_counter()\n"
        f"sys.argv = ['creditatlas', 'tables', '--to', {str(tmp_path / 'shelf')!r},"
        f" '--store', {str(tmp_path / 'store')!r}]\n"
        "try: cli.main()\n"
        "except SystemExit as ended: assert not ended.code\n"
        "status = Path('/proc/self/status').read_text()\n"  # of this program, not of what began it
        "peak = int(re.search(r'VmHWM:\\s+(\\d+)', status)[1]) / 1024\n"
        "print(f'{time.perf_counter() - began} {peak}')"
    )
    done = subprocess.run(
        [sys.executable, "-c", measured], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, peak = map(float, done.stdout.splitlines()[-1].split())
    assert table_of(tmp_path / "shelf", "loans").count() == LOANS
    assert seconds < MOST_SECONDS
    assert peak < MOST_MIB

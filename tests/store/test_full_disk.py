"""An import for which there is no room ends in one sentence; the store is as it was (D75)."""

import errno
import os
import resource
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from services.contract.errors import StoreFull
from services.contract.queries import LoanQuery
from services.names import index as name_index
from services.store import snapshot
from services.store.leases import Store
from tests.publishing import load, load_once
from tests.world import Sketch, info_of, quay


def book(number):
    sketch = Sketch(info_of("one"))
    sketch.loan(number)
    return sketch.portfolio()


def full(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def failing(name):
    """Path's method of that name, which fails for files of another name."""

    def fail(call):
        def method(path, *given, **how):
            return full() if path.name.startswith(name) else call(path, *given, **how)

        return method

    return fail


#: What an import does to the disk: whose call, its name, and what it does when there is no room.
STEPS = {
    "making the build folder": (Path, "mkdir", failing("build-")),
    "writing limits and spreads": (Path, "write_text", failing("tables.json")),
    "writing the graph's facts": (Path, "write_text", failing("graph.json")),
    "writing names": (name_index, "_write_names", lambda _: full),
    "finishing the name index": (Path, "write_text", failing("index.json")),
    "archiving": (pq, "write_table", lambda _: full),
    "writing the summary": (Path, "write_text", failing("snapshot.json")),
    "writing the overview": (Path, "write_text", failing("overview.json")),
    "writing checksums": (Path, "write_text", failing("checksums.json")),
    "flushing": (os, "fsync", lambda _: full),
    "naming the snapshot": (Path, "rename", failing("build-")),
    "writing the manifest": (Path, "write_text", failing("current.new")),
    "replacing the manifest": (Path, "replace", failing("current.new")),
}


@pytest.fixture
def store(tmp_path):
    load_once(tmp_path, [quay()])
    return tmp_path


def refused(folder, said):
    """What an import that fails leaves behind: nothing, and the store answers as before."""
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(StoreFull) as fault:
        load(folder, [book("new")])
    assert said in str(fault.value)
    assert str(fault.value).endswith("the store is as it was")
    assert "\n" not in str(fault.value)
    assert {path.name for path in folder.iterdir()} == before
    assert numbers(folder) == ["Q/1", "Q/2", "Q/3", "Q/4"]


def numbers(folder):
    store = Store(folder)
    with store.lease() as source:
        found = [loan.loan_number for loan in source.loans(LoanQuery()).items]
    store.close()
    return found


@pytest.mark.parametrize(
    "steps", [STEPS, *(pytest.param([one], marks=pytest.mark.long) for one in STEPS)],
    ids=["each after the other", *STEPS],
)  # fmt: skip
def test_a_disk_that_is_full_at_a_step_of_the_writer(store, monkeypatch, steps):
    for step in steps:
        owner, name, fault = STEPS[step]
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, fault(getattr(owner, name)))
            refused(store, "no room left")
    load(store, [book("new")])
    assert numbers(store)[-1] == "new"


@pytest.mark.parametrize("kib", [16, 300, 1000])
def test_a_database_that_may_not_grow(store, kib):
    """DuckDB fails on its own, as on a full disk: here at the largest file that a process may
    write.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (kib * 1024, hard))
    try:
        refused(store, "cannot be written")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_arrays_and_names_that_do_not_say_why_they_could_not_be_written(store, monkeypatch):
    """A cause that numpy does not name, and a kind that tantivy does not."""

    def short(*_):
        raise OSError("2500 requested and 114 written")

    def word(*_):
        raise ValueError("An IO error occurred: 'No space left on device (os error 28)'")

    with monkeypatch.context() as patched:
        patched.setattr(np, "save", short)
        refused(store, "2500 requested and 114 written")
        patched.setattr(snapshot, "_NO_ROOM", 2**62)
        refused(store, "no room left")
    with monkeypatch.context() as patched:
        patched.setattr(name_index, "_write_grams", word)
        refused(store, "no room left")

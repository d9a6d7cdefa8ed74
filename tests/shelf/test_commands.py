"""The commands of the shelf as a user runs them: words, exit codes, and no secrets."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from services.store.snapshot import current_id
from tests.commands import said
from tests.patience import until
from tests.publishing import load
from tests.shelf.small import opened, put
from tests.world import quay

ROOT = Path(__file__).parents[2]


@pytest.fixture
def small_pieces():
    """Of the usual size: commands in processes of their own read what is written here."""


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in ("STORE", "SHELF", "KEEP_SNAPSHOTS"):
        monkeypatch.delenv(f"CREDIT_ATLAS_{name}", raising=False)


def test_from_a_builder_to_a_node_and_back(builder, follower, tmp_path):
    shelf, old = tmp_path / "shelf", current_id(builder)
    out = said("publish", "--to", shelf, "--store", builder)
    assert f"Snapshot {old}: 0.0 MiB in" in out
    assert f"'production' moved to snapshot {old}" in out
    assert "nothing was moved" in said("publish", "--to", shelf, "--store", builder)
    follow = ("follow", "--from", shelf, "--once", "--node", "n1", "--store", follower)
    assert said(*follow) == f"{follower} reads snapshot {old}, 0.0 MiB fetched\n"
    assert said(*follow) == f"{follower} reads snapshot {old}\n"
    new = put(builder, {"a": b"new"})
    said("publish", "--to", shelf, "--store", builder)
    said(*follow)
    listed = said("snapshots", "list", "--on", shelf)
    assert f"production: {new} since " in listed
    assert f"production, node n1: reads {new}, has {old}, at " in listed
    assert said("snapshots", "use", old, "--on", shelf) == f"'production' moved to snapshot {old}\n"
    assert said(*follow) == f"{follower} reads snapshot {old}\n"
    out = said("snapshots", "gc", "--on", shelf, "--keep", 1, "--hours", 0)
    assert f"retired {new}" in out
    assert "snapshots that stay: 1" in out


def test_the_snapshots_of_a_store_are_listed(tmp_path):
    made = [load(tmp_path, [quay()]).snapshot_id for _ in range(2)]
    current, before = said("snapshots", "list", "--store", tmp_path).splitlines()
    assert current == f"{made[1]}  as of 2024-01-31             4 loans  current"
    assert before == f"{made[0]}  as of 2024-01-31             4 loans"


def test_without_a_shelf_the_snapshots_are_those_of_the_store(builder, monkeypatch):
    # A small snapshot says too little of itself to be listed.
    monkeypatch.setattr("services.shelf.commands._list_store", lambda folder: print(folder.name))
    old, new = current_id(builder), put(builder, {"a": b"new"})
    assert said("snapshots", "list", "--store", builder) == "builder\n"
    assert said("snapshots", "use", old, "--store", builder).endswith(f"reads snapshot {old}\n")
    assert current_id(builder) == old
    assert "has no snapshot 'x'" in said("snapshots", "use", "x", "--store", builder, code=2)
    (builder / f"build-{new}").mkdir()
    assert said("snapshots", "gc", "--keep", 1, "--store", builder) == f"{builder} keeps {old}\n"
    assert [path.name for path in builder.glob("*-*")] == [f"snap-{old}"]
    assert new not in said("snapshots", "gc", "--store", builder)


def test_a_store_that_cannot_be_written_is_a_sentence(builder, tmp_path):
    said("publish", "--to", tmp_path / "shelf", "--store", builder)
    (tmp_path / "file").write_text("no folder")
    words = ("follow", "--from", tmp_path / "shelf", "--once", "--store", tmp_path / "file/store")
    assert "cannot be written (Not a directory)" in said(*words, code=2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("publish", "--to", "gs://x"), "a folder, or an address such as s3://bucket/prefix"),
        (("publish", "--to", ""), "CREDIT_ATLAS_SHELF is blank"),
        (("publish", "--to", "shelf", "--environment", "a/b"), "cannot be the name of"),
        (("follow", "--from", "/nowhere", "--once"), "There is no shelf '/nowhere'"),
        (("follow", "--from", "shelf", "--once", "--node", "a b"), "cannot be the name of a node"),
        (("follow", "--from", "shelf", "--once"), "Nothing was published to 'production'"),
        (("snapshots", "use", "x", "--on", "shelf"), "it has none yet"),
        (("snapshots", "list", "--on", "s3://key:secret@bucket"), "s3://bucket/prefix and nothing"),
        (("snapshots", "list", "--store", "/nowhere"), "There is no data in the store"),
        (("publish", "--to", "shelf", "--store", "/nowhere"), "There is no data in the store"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    opened(tmp_path / "shelf")
    err = said(*words, code=2)
    assert sentence in err
    assert "secret" not in err


def test_a_server_that_refuses_or_is_not_there_is_a_sentence_without_the_keys(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDNEVERSHOWN")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "never-shown")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    words = ("snapshots", "list", "--on", "s3://bucket/x")
    assert "set AWS_ALLOW_HTTP=true" in said(*words, code=2)
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    err = said(*words, code=2)
    assert "The shelf 's3://bucket/x' does not answer" in err
    assert "NEVERSHOWN" not in err
    assert "never-shown" not in err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_follower_goes_on_after_trouble_and_ends_when_it_is_told(builder, tmp_path, how):
    shelf, store = tmp_path / "shelf", tmp_path / "node"
    environment = opened(shelf)
    words = ["follow", "--from", shelf, "--every", "0.1", "--store", store]
    # As a script leaves what it starts in the background: SIGINT is ignored.
    ignoring = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")
    with subprocess.Popen(
        [*ignoring, sys.executable, "-m", "services", *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as follows:
        try:
            assert "Nothing was published" in follows.stderr.readline()
            publishes = ("publish", "--to", shelf, "--wait-for", 1, "--patience", 60)
            assert "moved to snapshot" in said(*publishes, "--store", builder)
            assert follows.stdout.readline() == f"{store} reads snapshot {current_id(builder)}\n"
            # Further rounds, of which it says nothing here: it reports again after three of them.
            before = environment.reports()
            until(lambda: environment.reports() != before)
            follows.send_signal(how)
            out, err = follows.communicate(timeout=30)
        finally:
            follows.kill()
    assert follows.returncode == 130
    assert err == "creditatlas: stopped; what was fetched is not fetched again\n"
    assert out == ""

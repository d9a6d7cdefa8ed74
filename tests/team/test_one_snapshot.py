"""Readers ask the service without a break while snapshots are published and followed: every answer
is whole, and of one snapshot (D85).
"""

import json
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from services.api.keys import KeyFile
from services.importers import demo
from services.shelf.objects import Objects
from services.sources import StoreWorkspace
from services.store.leases import Store
from services.store.snapshot import current_id
from tests.patience import until
from tests.publishing import load
from tests.servers import command, free_port, service
from tests.team.object_store import BUCKET, object_store

pytestmark = pytest.mark.team

ROOT = Path(__file__).parents[2]
URL = f"s3://{BUCKET}/readers"
#: Loans of each snapshot: all totals differ.
LOANS = (400, 500, 600, 700)
ASKED = (
    *(f"/v1/loans?page={page}&per_page=50" for page in (1, 3, 8)),
    *(f"/v1/signals?page={page}&per_page=50" for page in (1, 2)),
    "/v1/entities?page=1&per_page=50&confidence_min=0.9",
)
READERS = 3


@pytest.fixture(scope="module")
def s3(tmp_path_factory):
    """The server, and this process's environment as everybody's who may use it."""
    with object_store(tmp_path_factory.mktemp("s3")) as store, pytest.MonkeyPatch.context() as set_:
        for name, value in store.environment.items():
            set_.setenv(name, value)
        Objects.at(f"s3://{BUCKET}").write("made", b"")  # makes the bucket
        yield store


def run(*words):
    """A command, to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "services", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def answer(address, path, key):
    """Status, and what of the answer is the snapshot's."""
    asked = Request(address + path, headers={"Authorization": f"Bearer {key}"})
    try:
        with urlopen(asked, timeout=30) as came:
            body = json.loads(came.read())
            status = came.status
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()
    del body["meta"]["request_id"]
    return status, json.dumps(body, sort_keys=True)


def expected(folder, builders):
    """What each snapshot answers, by path and answer, from the store that it was built in."""
    known = {path: {} for path in ASKED}
    for builder in builders:
        workspace = StoreWorkspace(Store(builder))
        home = folder / f"oracle-{builder.name}"
        home.mkdir()
        with service(home, {"production": workspace}) as oracle:
            for path in ASKED:
                status, said = answer(oracle.address, path, oracle.key())
                assert status == 200
                known[path][said] = builder.name
        workspace.close()
    # No two snapshots answer alike, so that an answer says which one it is of.
    assert all(len(answers) == len(builders) for answers in known.values())
    return known


def test_every_answer_is_of_one_snapshot_while_three_are_published(s3, tmp_path):
    assert s3.running
    builders = [tmp_path / f"s{at}" for at in range(len(LOANS))]
    for seed, (builder, loans) in enumerate(zip(builders, LOANS, strict=True), 1):
        load(builder, [demo.portfolio(loans=loans, seed=seed)])
    known = expected(tmp_path, builders)
    nodes = tmp_path / "node"
    run("publish", "--to", URL, "--store", builders[0])
    run("follow", "--from", URL, "--once", "--node", "n1", "--store", nodes)
    keys = KeyFile(tmp_path / "keys.json")
    key = keys.add("complete", "production")
    port = free_port()
    words = [
        *(sys.executable, "-m", "services", "serve", "--keys", str(tmp_path / "keys.json")),
        *("--port", str(port), "--store", str(nodes), "--sandbox-store", str(builders[0])),
        *("--rate-per-minute", "1000000", "--daily-quota", "10000000"),
    ]
    seen, wrong, stop = Counter(), [], threading.Event()

    def reading(at):
        newest = 0
        while not stop.is_set():
            for path in ASKED:
                status, said = answer(address, path, key)
                of = known[path].get(said)
                # Whole, of one snapshot, and never of one before that this reader has seen.
                if status != 200 or of is None or builders.index(tmp_path / of) < newest:
                    wrong.append((at, status, path, said[:300]))
                    return
                newest = builders.index(tmp_path / of)
                seen[of] += 1

    with command(words, port) as address:
        readers = [threading.Thread(target=reading, args=(at,)) for at in range(READERS)]
        follow = [sys.executable, "-m", "services", "follow", "--from", URL, "--every", "0.2"]
        follows = subprocess.Popen(
            [*follow, "--node", "n1", "--store", str(nodes)], cwd=ROOT, stdout=subprocess.DEVNULL
        )
        try:
            for reader in readers:
                reader.start()
            for builder in builders[1:]:
                waiting = ("--wait-for", 1, "--patience", 60)
                run("publish", "--to", URL, *waiting, "--store", builder)
                until(lambda one=builder: current_id(nodes) == current_id(one))
                until(lambda one=builder: seen[one.name] >= READERS * len(ASKED) or wrong)
        finally:
            stop.set()
            for reader in readers:
                reader.join()
            follows.terminate()
            assert follows.wait(30) == 130
    assert wrong == []
    assert set(seen) == {builder.name for builder in builders}
    print(f"{seen.total()} answers: {dict(seen)}")

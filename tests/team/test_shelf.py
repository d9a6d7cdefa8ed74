"""The shelf on a real S3 server (SeaweedFS): killed publishers and servers, damage, and readers who
ask while snapshots come (D83, D84).
"""

import os
import random
import signal
import subprocess
import sys
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from services.contract.errors import ShelfUnavailable
from services.shelf.objects import Objects
from services.shelf.shelf import Environment, Shelf
from services.store.snapshot import current_id
from tests.patience import until
from tests.shelf.small import contents, node, published, put, silent, turned
from tests.team.object_store import BUCKET, SECRET, object_store

pytestmark = pytest.mark.team

ROOT = Path(__file__).parents[2]
REFUSED = 2
#: Where a publisher of 22 objects is killed: 12 at a step, 8 at some time.
SEED = 11
OBJECTS = 22


@pytest.fixture(scope="module")
def s3(tmp_path_factory):
    """The server, and this process's environment as everybody's who may use it."""
    with object_store(tmp_path_factory.mktemp("s3")) as store, pytest.MonkeyPatch.context() as set_:
        for name, value in store.environment.items():
            set_.setenv(name, value)
        Objects.at(f"s3://{BUCKET}").write("made", b"")  # makes the bucket
        yield store


@pytest.fixture
def url(s3, request):
    assert s3.running
    return f"s3://{BUCKET}/{request.node.name.partition('[')[0][:60]}"


@pytest.fixture
def shelf(url):
    return Environment(Shelf(Objects.at(url)), "production")


def files(seed, count=20, size=4_000):
    """Files of a made-up snapshot, no two alike."""
    drawn = random.Random(seed)
    return {f"part/{at}": drawn.randbytes(size) for at in range(count)}


def command(*words):
    """A command that was begun, as a user begins it."""
    return subprocess.Popen(
        [sys.executable, "-m", "services", *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process, code=0):
    """What it said, once it has ended as it should; never a secret."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, err
    assert SECRET not in out + err
    assert "Traceback" not in err
    return out if code == 0 else err


def whole(shelf):
    """The snapshot at which an environment stands, every object of which is what it was."""
    move = shelf.stands()
    if move is None:
        return None
    for piece in shelf.shelf.manifest(move.snapshot_id).pieces():
        assert piece.holds(shelf.shelf.objects.read(piece.name))
    return move.snapshot_id


def test_publish_and_follow_by_the_commands(shelf, url, tmp_path):
    builder, follower = tmp_path / "builder", tmp_path / "follower"
    ended(command("demo", "--loans", 300, "--store", builder))
    assert "moved to snapshot" in ended(command("publish", "--to", url, "--store", builder))
    assert "0.0 MiB of them sent now" in ended(command("publish", "--to", url, "--store", builder))
    ended(command("follow", "--from", url, "--once", "--node", "n1", "--store", follower))
    snapshot_id = whole(shelf)
    assert contents(follower, snapshot_id) == contents(builder, snapshot_id)
    listed = ended(command("snapshots", "list", "--on", url))
    assert f"production, node n1: reads {snapshot_id}" in listed
    assert "as it was written" in ended(command("verify", "--store", follower))


def kills():
    drawn = random.Random(SEED)
    steps = [
        (drawn.choice(["before", "after"]), str(step))
        for step in [*drawn.sample(range(OBJECTS), 9), OBJECTS, OBJECTS + 1, OBJECTS + 1]
    ]
    return [*steps, *(("seconds", f"{drawn.uniform(0.0, 0.3):.3f}") for _ in range(8))]


@pytest.fixture(scope="module")
def killed(s3, tmp_path_factory):
    """A builder and a shelf on which a publisher is killed again and again."""
    assert s3.running
    builder = tmp_path_factory.mktemp("killed") / "builder"
    put(builder, files("first"))
    url = f"s3://{BUCKET}/killed"
    shelf = Environment(Shelf(Objects.at(url)), "production")
    published(shelf, builder)
    return builder, shelf, url


@pytest.mark.parametrize(("when", "point"), kills())
def test_a_publisher_that_is_killed_leaves_a_whole_snapshot_and_the_next_completes(
    killed, when, point
):
    builder, shelf, url = killed
    before = whole(shelf)
    new = put(builder, files(f"{when} {point}"))
    done = subprocess.run(
        [sys.executable, Path(__file__).parent / "killed_publisher.py", builder, url, when, point],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert whole(shelf) in {before, new}
    published(shelf, builder)
    assert whole(shelf) == new
    assert published(shelf, builder).sent == 0


def test_the_last_of_the_killed_is_followed_byte_by_byte(killed, tmp_path):
    builder, shelf, _ = killed
    snapshot_id = turned(shelf, tmp_path).reads
    assert contents(tmp_path, snapshot_id) == contents(builder, snapshot_id)


def test_of_two_publishers_one_wins_and_the_other_says_who(shelf, url, tmp_path):
    stores = [tmp_path / name for name in ("one", "two")]
    ids = [put(store, files(store.name)) for store in stores]
    running = [
        command("publish", "--to", url, "--wait-for", 1, "--patience", 60, "--store", store)
        for store in stores
    ]
    follower = node(shelf, tmp_path / "follower")

    def offered():
        assert all(one.poll() is None for one in running)
        return len(shelf.offers(after=0)) == len(ids)

    until(offered)
    # Each waits for a node, and this one has both.
    with pytest.raises(Exception, match="Nothing was published"):
        follower.turn(silent)
    said = [(one.communicate(timeout=60), one.returncode) for one in running]
    (won,) = [at for at, (_, code) in enumerate(said) if code == 0]
    (_, err), code = said[1 - won]
    assert code == REFUSED
    assert f"moved it to {ids[won]}" in err
    assert whole(shelf) == ids[won]
    came = follower.turn(silent)
    assert (came.reads, came.received) == (ids[won], 0)


@pytest.mark.parametrize("how", ["flipped", "cut", "missing"])
def test_damage_on_the_server_is_one_sentence_and_the_node_keeps_what_it_has(
    shelf, url, tmp_path, how
):
    builder, follower = tmp_path / "builder", tmp_path / "follower"
    put(builder, files(how))
    published(shelf, builder, mend=True)
    turned(shelf, follower)
    before = current_id(follower)
    new = put(builder, {"a": random.Random(how).randbytes(9_000)})
    published(shelf, builder)
    pieces = shelf.shelf.manifest(new).pieces()
    (name,) = [piece.name for piece in pieces if piece.path == "a"]
    content = shelf.shelf.objects.read(name)
    if how == "missing":
        shelf.shelf.objects.delete([name])
    else:
        wrong = content[:-1] if how == "cut" else content[:-1] + bytes([content[-1] ^ 1])
        shelf.shelf.objects.write(name, wrong)
    said = ended(command("follow", "--from", url, "--once", "--store", follower), code=REFUSED)
    assert said.count("\n") == 1
    assert name in said
    assert "--mend" in said
    assert current_id(follower) == before
    assert contents(follower, before) == contents(builder, before)
    ended(command("publish", "--to", url, "--mend", "--store", builder))
    assert turned(shelf, follower).reads == new


def allocated(store):
    """Bytes that fetches have filled; none where they move to their place just now."""
    found = (path for path in store.glob("incoming/*-*/**/*") if path.is_file())
    try:
        return sum(path.stat().st_blocks * 512 for path in found)
    except FileNotFoundError:
        return 0


def fetches(store, before, follows):
    """Whether a follower has begun to fetch more than there was before, or has ended."""
    return allocated(store) > before or follows.poll() is not None


def test_a_follower_that_is_killed_leaves_its_readers_alone_and_goes_on(shelf, url, tmp_path):
    builder, follower = tmp_path / "builder", tmp_path / "follower"
    put(builder, {"a": b"old"})
    old = published(shelf, builder).snapshot_id
    turned(shelf, follower)
    new = put(builder, files("large", count=60, size=1_000_000))
    size = published(shelf, builder).size
    drawn, killed = random.Random(SEED), 0
    for _ in range(5):
        before = allocated(follower)
        follows = command("follow", "--from", url, "--once", "--store", follower)
        until(partial(fetches, follower, before, follows))
        time.sleep(drawn.uniform(0.0, 0.05))
        follows.kill()
        follows.communicate()
        killed += follows.returncode == -signal.SIGKILL
        assert current_id(follower) in {old, new}
        reads = current_id(follower)
        assert contents(follower, reads) == contents(builder, reads)
    assert killed > 0
    came = turned(shelf, follower)
    assert came.reads == new
    assert came.received < size
    assert contents(follower, new) == contents(builder, new)


def test_a_volume_server_that_is_killed_during_a_follow(s3, shelf, url, tmp_path, monkeypatch):
    builder, follower = tmp_path / "builder", tmp_path / "follower"
    put(builder, {"a": b"old"})
    old = published(shelf, builder).snapshot_id
    turned(shelf, follower)
    new = put(builder, files("large", count=30, size=400_000))
    size = published(shelf, builder).size
    fetched = []
    # The gateway answers so late as its own patience is long; this test does not wait for that.
    monkeypatch.setattr("services.shelf.objects._ONE_OBJECT", timedelta(seconds=5))
    monkeypatch.setattr("services.shelf.objects._RETRIES", 0)
    hasty = Environment(Shelf(Objects.at(url)), "production")

    def watched(_, part):
        if part > 0.3 and not fetched:
            fetched.append(part)
            s3.kill("volume")

    try:
        with pytest.raises(ShelfUnavailable, match="does not answer") as fault:
            node(hasty, follower).turn(watched)
        assert str(fault.value).isprintable()
        assert current_id(follower) == old
        assert [path.name for path in follower.glob("snap-*")] == [f"snap-{old}"]
    finally:
        s3.start("volume")
        s3.wait()
    came = turned(shelf, follower)
    assert came.reads == new
    assert came.received < 0.75 * size
    assert contents(follower, new) == contents(builder, new)


@pytest.mark.parametrize("ask", ["publish", "follow", "list"])
def test_a_bucket_that_is_not_there_is_said(s3, tmp_path, ask):  # noqa: ARG001 - the server
    url, store = "s3://nobody-made-this/shelf", tmp_path / "store"
    put(store, {"a": b"new"})
    words = {
        "publish": ("publish", "--to", url, "--store", store),
        "follow": ("follow", "--from", url, "--once", "--store", tmp_path / "follower"),
        "list": ("snapshots", "list", "--on", url),
    }[ask]
    assert "has no such bucket; create it" in ended(command(*words), code=REFUSED)

"""What publishing puts on a shelf, a folder here: each object once; the environment moves last
(D85, D190).
"""

import os
from datetime import UTC, datetime

import pytest

from services.contract.errors import (
    NodesNotReady,
    NotFound,
    SettingsInvalid,
    ShelfDamaged,
    ShelfUnavailable,
    StoreDamaged,
    StoreMissing,
)
from services.shelf.objects import Objects
from services.shelf.publishing import use
from services.shelf.sealed import NodeReport
from services.store.snapshot import current_id, folder_of
from tests.shelf.small import LONG_AGO, contents, objects, opened, published, put, silent, turned


def aged(paths):
    """Files as they will be in some days."""
    for path in paths:
        then = path.stat().st_mtime - LONG_AGO.total_seconds()
        os.utime(path, (then, then))


def test_a_snapshot_is_published_whole_and_the_environment_stands_at_it(builder, shelf):
    done = published(shelf, builder)
    assert done.moved
    assert done.snapshot_id == current_id(builder) == shelf.stands().snapshot_id
    files = contents(builder, done.snapshot_id)
    assert done.size == sum(map(len, files.values()))
    manifest = shelf.shelf.manifest(done.snapshot_id)
    assert {file.path: file.bytes for file in manifest.files} == {
        name: len(content) for name, content in files.items()
    }
    assert (manifest.loans, manifest.sources) == (3, ("Small",))


def test_publishing_twice_sends_nothing_and_moves_nothing(builder, shelf):
    first = published(shelf, builder)
    # Two of the three pieces of "a" are the same bytes, and so one object.
    assert first.sent == first.size - 1_000
    again = published(shelf, builder)
    assert (again.sent, again.moved) == (0, False)
    assert shelf.step() == 1


def test_two_snapshots_share_the_pieces_that_they_share(builder, shelf):
    published(shelf, builder)
    before = objects(shelf.shelf.objects.folder)
    put(builder, {"renamed": b"a" * 2_500, "deep/b": bytes(range(256)) * 9 + b"more"})
    done = published(shelf, builder)
    new = [one for one in objects(shelf.shelf.objects.folder) if one not in before]
    assert done.sent == sum(path.stat().st_size for path in new)
    # The end of "deep/b", the summary and the checksums.
    assert done.sent < done.size - 4_000


def test_what_was_sent_before_a_publisher_died_is_not_sent_again(builder, shelf):
    done = published(shelf, builder)
    folder = shelf.shelf.objects.folder
    (folder / f"snapshots/{done.snapshot_id}.json").unlink()
    lost = objects(folder)[0]
    size = lost.stat().st_size
    lost.unlink()
    assert published(shelf, builder).sent == size


def test_an_object_that_no_manifest_names_and_may_be_removed_is_sent_again(builder, shelf):
    done = published(shelf, builder)
    folder = shelf.shelf.objects.folder
    (folder / f"snapshots/{done.snapshot_id}.json").unlink()
    aged(objects(folder))
    assert published(shelf, builder).sent == done.sent


def test_a_cut_object_is_replaced_and_a_flipped_one_where_that_is_asked(builder, shelf):
    done = published(shelf, builder)
    cut, flipped, *_ = objects(shelf.shelf.objects.folder)
    was = [cut.read_bytes(), flipped.read_bytes()]
    cut.write_bytes(was[0][:-1])
    flipped.write_bytes(bytes([was[1][0] ^ 1]) + was[1][1:])
    assert published(shelf, builder).sent == len(was[0])
    assert published(shelf, builder, mend=True).sent == len(was[1])
    assert [cut.read_bytes(), flipped.read_bytes()] == was
    assert published(shelf, builder, mend=True).sent == 0
    assert shelf.stands().snapshot_id == done.snapshot_id


def test_a_damaged_snapshot_is_not_published(builder, shelf):
    path = folder_of(builder, current_id(builder)) / "a"
    was = path.read_bytes()
    path.write_bytes(b"b" + was[1:])
    with pytest.raises(StoreDamaged, match="'a' of snapshot"):
        published(shelf, builder)
    assert shelf.step() == 0
    assert shelf.shelf.snapshots() == {}
    # What was sent until then is sound; once the snapshot is so again only the rest is sent.
    sent = objects(shelf.shelf.objects.folder)
    path.write_bytes(was)
    assert published(shelf, builder).objects > len(sent)
    pieces = {one.name: one for one in shelf.shelf.manifest(current_id(builder)).pieces()}
    for one in sent:
        name = one.relative_to(shelf.shelf.objects.folder).as_posix()
        assert pieces[name].holds(one.read_bytes())


def test_nothing_is_sent_where_what_is_on_the_shelf_already_is_damaged_here(builder, shelf):
    published(shelf, builder)
    before = objects(shelf.shelf.objects.folder)
    put(builder, {"a": b"a" * 2_500, "new": os.urandom(9_000)})
    path = folder_of(builder, current_id(builder)) / "a"
    path.write_bytes(b"b" + path.read_bytes()[1:])
    with pytest.raises(StoreDamaged, match=r"'a' of snapshot .* is not as it was written"):
        published(shelf, builder)
    assert shelf.step() == 1
    assert objects(shelf.shelf.objects.folder) == before


def test_an_empty_store_has_nothing_to_publish(tmp_path, shelf):
    with pytest.raises(StoreMissing):
        published(shelf, tmp_path / "nothing")


def test_the_environment_moves_only_when_enough_nodes_are_ready(builder, shelf, follower):
    with pytest.raises(NodesNotReady, match=r"0 of 1 nodes .*no node has ever reported") as fault:
        published(shelf, builder, wait_for=1, patience=0)
    assert str(fault.value).count("\n") == 0
    assert shelf.stands() is None
    # A node fetches what is offered, but reads nothing of it yet.
    with pytest.raises(StoreMissing):
        turned(shelf, follower)
    assert list(follower.glob("snap-*")) == []
    assert published(shelf, builder, wait_for=1, patience=0).moved
    came = turned(shelf, follower)
    assert (came.reads, came.switched) == (current_id(builder), True)
    assert shelf.offers(after=0) == []


def test_nodes_that_are_missing_are_named_with_what_they_said(builder, shelf, follower):
    published(shelf, builder)
    turned(shelf, follower)
    report = {"reads": None, "every": 1.0}
    shelf.report(NodeReport(node="full", at=datetime.now(UTC), problem="no room", **report))
    shelf.report(NodeReport(node="gone", at=datetime.now(UTC) - LONG_AGO, **report))
    new = put(builder, {"a": b"new"})
    with pytest.raises(NodesNotReady) as fault:
        published(shelf, builder, wait_for=3, patience=0)
    said = str(fault.value)
    assert "full is missing (no room)" in said
    assert "gone has been silent since" in said
    assert "n1 is missing" in said
    assert shelf.stands().snapshot_id != new


def test_a_node_that_was_ready_and_is_silent_since_does_not_count(builder, shelf):
    at = datetime.now(UTC) - LONG_AGO
    shelf.report(NodeReport(node="old", reads=current_id(builder), at=at, every=1.0))
    with pytest.raises(NodesNotReady, match="old has been silent"):
        published(shelf, builder, wait_for=1, patience=0)


def test_using_an_older_snapshot_moves_only_to_one_that_is_whole(builder, shelf):
    old = published(shelf, builder).snapshot_id
    put(builder, {"a": b"new"})
    new = published(shelf, builder).snapshot_id
    assert use(shelf, old, progress=silent)
    assert not use(shelf, old, progress=silent)
    assert [move.snapshot_id for move in shelf.moves()] == [old, new, old]
    with pytest.raises(NotFound, match="has no snapshot '20200101-000000-abcdef'") as fault:
        use(shelf, "20200101-000000-abcdef", progress=silent)
    assert old in str(fault.value)
    assert new in str(fault.value)
    (lost,) = [path for path in objects(shelf.shelf.objects.folder) if path.read_bytes() == b"new"]
    lost.unlink()
    with pytest.raises(ShelfDamaged, match=f"{lost.name}' on the shelf .* is missing"):
        use(shelf, new, progress=silent)
    assert shelf.stands().snapshot_id == old


def test_environments_stand_apart(builder, shelf, tmp_path):
    published(shelf, builder)
    staging = opened(tmp_path / "shelf", "staging")
    assert staging.stands() is None
    new = put(builder, {"a": b"new"})
    published(staging, builder)
    assert staging.stands().snapshot_id == new != shelf.stands().snapshot_id
    assert shelf.shelf.environments() == ["production", "staging"]


@pytest.mark.parametrize("name", ["", "../up", "a/b", "a b", "x" * 65, ".", "\n"])
def test_a_name_that_would_lead_elsewhere_is_refused(shelf, name):
    with pytest.raises(SettingsInvalid, match=r"cannot be the name of an environment"):
        opened(shelf.shelf.objects.folder, name)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("gs://bucket", "a folder, or an address such as s3://bucket/prefix"),
        ("s3://", "a folder, or an address such as s3://bucket/prefix"),
        ("s3://key:word@bucket/x", "s3://bucket/prefix and nothing else"),
        ("/nowhere/at/all", "There is no shelf '/nowhere/at/all'"),
        ("file:///nowhere/at/all", "There is no shelf '/nowhere/at/all'"),
    ],
)
def test_an_address_that_cannot_be_a_shelf_is_refused(url, said):
    with pytest.raises(ShelfUnavailable, match=said) as fault:
        Objects.at(url)
    assert "word" not in str(fault.value)

"""A node reads what its environment stands at, or what it read before, and nothing else (D83)."""

import errno
import os
import shutil
from types import SimpleNamespace

import pytest

from services.contract.errors import (
    ShelfDamaged,
    ShelfUnavailable,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreMissing,
)
from services.contract.queries import LoanQuery
from services.shelf import fetching
from services.shelf.publishing import use
from services.store.leases import Store
from services.store.snapshot import FILE_FORMAT, INCOMING, LEAVING, current_id, folder_of
from services.store.snapshot import published as kept
from tests.publishing import load
from tests.shelf.small import (
    contents,
    node,
    objects,
    opened,
    published,
    put,
    silent,
    turned,
)
from tests.world import Sketch, info_of, quay


def test_a_node_has_what_was_published_byte_by_byte(builder, shelf, follower):
    done = published(shelf, builder)
    came = turned(shelf, follower)
    assert (came.reads, came.switched) == (done.snapshot_id, True)
    assert current_id(follower) == done.snapshot_id
    assert contents(follower, done.snapshot_id) == contents(builder, done.snapshot_id)


def test_a_second_look_fetches_nothing(builder, shelf, follower):
    published(shelf, builder)
    turned(shelf, follower)
    came = turned(shelf, follower)
    assert (came.switched, came.received) == (False, 0)


def test_what_the_snapshot_before_has_is_not_fetched(builder, shelf, follower):
    published(shelf, builder)
    turned(shelf, follower)
    new = put(builder, {"a": b"a" * 2_500, "deep/b": bytes(range(256)) * 9 + b"more"})
    published(shelf, builder)
    shared = 2_500 + 2_000  # "a" whole, two pieces of "deep/b"
    came = turned(shelf, follower)
    size = sum(map(len, contents(builder, new).values()))
    assert came.received == size - shared
    assert contents(follower, new) == contents(builder, new)


def test_a_fetch_that_was_cut_goes_on_where_it_stopped(builder, shelf, follower):
    done = published(shelf, builder)
    lost = max(objects(shelf.shelf.objects.folder), key=lambda path: path.stat().st_size)
    content = lost.read_bytes()
    lost.unlink()
    with pytest.raises(ShelfDamaged, match=f"{lost.name}' on the shelf .* is missing"):
        turned(shelf, follower)
    assert list(follower.glob("snap-*")) == []
    # All others came, whichever came first; but for those that the fault kept from being begun.
    lost.write_bytes(content)
    came = turned(shelf, follower)
    assert len(content) <= came.received < done.size
    assert contents(follower, done.snapshot_id) == contents(builder, done.snapshot_id)


def test_readers_see_nothing_of_a_snapshot_that_is_being_fetched(builder, shelf, follower):
    old = published(shelf, builder).snapshot_id
    turned(shelf, follower)
    new = put(builder, {"a": os.urandom(9_000)})
    published(shelf, builder)
    seen = []

    def looking(_, part):
        seen.append(part)
        assert current_id(follower) == old
        assert [path.name for path in follower.glob("snap-*")] == [f"snap-{old}"]

    node(shelf, follower).turn(looking)
    assert len(seen) > 5
    assert current_id(follower) == new
    assert list((follower / INCOMING).glob("*-*")) == []


def test_a_lease_of_before_answers_whole_while_the_node_goes_on(tmp_path, shelf, follower):
    builder = tmp_path / "books"
    load(builder, [quay()])
    published(shelf, builder)
    turned(shelf, follower)
    store = Store(follower)
    with store.lease() as old:
        before = old.loans(LoanQuery())
        for number in ("first", "second"):
            sketch = Sketch(info_of(number))
            sketch.loan(number)
            load(builder, [sketch.portfolio()])
            published(shelf, builder)
            turned(shelf, follower, keep=1)
        assert len(list(follower.glob("snap-*"))) == 1
        assert old.loans(LoanQuery()) == before
        with store.lease() as new:
            assert new.loans(LoanQuery()).total == before.total + 2
    store.close()


def test_an_older_snapshot_that_is_still_here_is_gone_back_to(builder, shelf, follower):
    old = published(shelf, builder).snapshot_id
    turned(shelf, follower)
    new = put(builder, {"a": b"new"})
    published(shelf, builder)
    turned(shelf, follower)
    use(shelf, old, progress=silent)
    came = turned(shelf, follower)
    assert (came.reads, came.switched, came.received) == (old, True, 0)
    assert kept(follower) == [old, new]


def test_one_that_does_not_read_here_any_more_is_fetched_again(builder, shelf, follower):
    old = published(shelf, builder).snapshot_id
    turned(shelf, follower)
    put(builder, {"a": b"new"})
    published(shelf, builder)
    turned(shelf, follower)
    path = folder_of(follower, old) / "a"
    path.write_bytes(path.read_bytes()[:-1] + b"b")
    use(shelf, old, progress=silent)
    assert turned(shelf, follower).received == 500
    assert contents(follower, old) == contents(builder, old)


def test_a_snapshot_that_was_killed_while_it_was_published_here_is_published(
    builder, shelf, follower
):
    done = published(shelf, builder)
    half = folder_of(follower, done.snapshot_id)
    half.mkdir(parents=True)
    (half / "a").write_bytes(b"half")
    (follower / LEAVING).write_text(f"{done.snapshot_id}\n")  # as its writer said before
    assert turned(shelf, follower).reads == done.snapshot_id
    assert contents(follower, done.snapshot_id) == contents(builder, done.snapshot_id)


def test_an_import_on_a_node_does_not_stay(builder, shelf, follower):
    done = published(shelf, builder)
    turned(shelf, follower)
    put(follower, {"a": b"not of this environment"})
    came = turned(shelf, follower)
    assert (came.reads, came.received) == (done.snapshot_id, 0)


@pytest.mark.parametrize(("by", "said"), [(1, "upgrade Credit Atlas"), (-1, "creditatlas rebuild")])
def test_a_snapshot_of_another_format_is_refused_before_anything_is_fetched(
    builder, shelf, follower, monkeypatch, by, said
):
    published(shelf, builder)
    turned(shelf, follower)
    before = current_id(follower)
    with monkeypatch.context() as patched:
        patched.setattr("services.store.checksums.FILE_FORMAT", FILE_FORMAT + by)
        put(builder, {"a": os.urandom(5_000)}, file_format=FILE_FORMAT + by)
        published(shelf, builder)
    with pytest.raises(
        StoreDamaged, match=f"format {FILE_FORMAT + by}, here {FILE_FORMAT}.*{said}"
    ):
        turned(shelf, follower)
    assert current_id(follower) == before
    assert list((follower / INCOMING).glob("*-*")) == []
    (report,) = shelf.reports()
    assert (report.reads, "another version" in report.problem) == (before, True)


def test_an_environment_to_which_nothing_was_published_says_so(shelf, follower):
    with pytest.raises(StoreMissing, match=r"Nothing was published to 'production' .* yet"):
        turned(shelf, follower)


def test_a_disk_that_cannot_hold_it_is_said_before_anything_is_fetched(
    builder, shelf, follower, monkeypatch
):
    published(shelf, builder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000))
    with pytest.raises(StoreFull, match=r"needs 0 MiB more in .* where 0 MiB are left"):
        turned(shelf, follower)
    assert contents(follower, "x") == {}
    assert list((follower / INCOMING).glob("*-*")) == []


def test_a_disk_that_becomes_full_is_a_sentence_and_is_given_back(
    builder, shelf, follower, monkeypatch
):
    published(shelf, builder)
    turned(shelf, follower)
    before = current_id(follower)
    put(builder, {"a": os.urandom(9_000)})
    new = published(shelf, builder).snapshot_id

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(fetching, "_put", full)
        with pytest.raises(StoreFull, match=r"no room left .* the store is as it was"):
            turned(shelf, follower)
    assert current_id(follower) == before
    assert list((follower / INCOMING).glob("*-*")) == []
    assert turned(shelf, follower).reads == new


def test_two_followers_do_not_fetch_into_one_store(builder, shelf, follower):
    published(shelf, builder)
    other = node(shelf, follower, "n2")

    def meanwhile(*_):
        with pytest.raises(StoreBusy, match="Another 'creditatlas follow'"):
            other.turn(silent)

    node(shelf, follower).turn(meanwhile)
    assert [report.node for report in shelf.reports()] == ["n1"]


def test_a_node_that_may_not_report_follows_all_the_same(builder, shelf, follower, monkeypatch):
    done = published(shelf, builder)

    def refused(_):
        raise ShelfUnavailable("read only")

    monkeypatch.setattr(shelf, "report", refused)
    assert turned(shelf, follower).reads == done.snapshot_id


def test_what_was_offered_and_did_not_come_is_removed(builder, shelf, follower):
    published(shelf, builder)
    follows = node(shelf, follower)
    follows.turn(silent)
    offered = put(builder, {"a": os.urandom(3_000)})
    staging = opened(shelf.shelf.objects.folder, "staging")
    published(staging, builder)
    shelf.offer(offered, after=1)
    follows.turn(silent)
    (report,) = shelf.reports()
    assert offered in report.ready
    assert [path.name for path in (follower / INCOMING).glob("*-*")] == [offered]
    shelf.withdraw(offered)
    follows.turn(silent)
    assert list((follower / INCOMING).glob("*-*")) == []
    assert shelf.reports()[0].ready == ()


def test_an_offer_that_is_here_moves_at_once_and_is_fetched_once(builder, shelf, follower):
    published(shelf, builder)
    follows = node(shelf, follower)
    follows.turn(silent)
    offered = put(builder, {"a": os.urandom(3_000)})
    with pytest.raises(Exception, match="0 of 1 nodes"):
        published(shelf, builder, wait_for=1, patience=0)
    assert follows.turn(silent).received > 3_000
    assert published(shelf, builder, wait_for=1, patience=0).moved
    came = follows.turn(silent)
    assert (came.reads, came.received) == (offered, 0)


def test_a_snapshot_whose_objects_are_named_otherwise_is_refused_in_a_sentence(
    builder, shelf, follower
):
    # D190
    done = published(shelf, builder)
    manifest = shelf.shelf.manifest(done.snapshot_id)
    before = manifest.model_copy(update={"block": 0})
    shelf.shelf.objects.write(f"snapshots/{done.snapshot_id}.json", before.sealed())
    with pytest.raises(StoreDamaged, match="named its objects otherwise; publish it again"):
        turned(shelf, follower)
    assert published(shelf, builder).sent == 0
    assert turned(shelf, follower).reads == done.snapshot_id

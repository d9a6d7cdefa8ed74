"""`snapshots gc` on a shelf: what an environment needs stays, whatever others do meanwhile
(D86).
"""

import os
import tempfile
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.errors import CreditAtlasError, ShelfDamaged
from services.shelf.collecting import collect
from services.shelf.publishing import use
from services.shelf.shelf import Environment
from tests.shelf.small import LONG_AGO, contents, objects, opened, published, put, silent, turned
from tests.tiers import examples


def aged(folder, by=LONG_AGO):
    """Everything on a shelf as it will be in some days."""
    for path in folder.rglob("*"):
        if path.is_file():
            then = path.stat().st_mtime - by.total_seconds()
            os.utime(path, (then, then))


@pytest.fixture
def three(builder, shelf):
    """Three snapshots, published one after the other, some days ago."""
    made = [published(shelf, builder).snapshot_id]
    for at in range(2):
        put(builder, {"a": b"a" * 2_500, "own": bytes([at]) * 1_700})
        made.append(published(shelf, builder).snapshot_id)
    aged(shelf.shelf.objects.folder)
    return made


def test_snapshots_go_in_two_steps(three, shelf, builder, follower):
    first = collect(shelf.shelf, keep=2)
    assert first.retired == (three[0],)
    assert (first.objects, first.freed) == (0, 0)
    aged(shelf.shelf.objects.folder, timedelta(hours=25))
    before = objects(shelf.shelf.objects.folder)
    second = collect(shelf.shelf, keep=2)
    assert second.objects == len(before) - len(objects(shelf.shelf.objects.folder)) > 0
    assert second.freed > 2_000
    assert set(second.snapshots) == set(three[1:])
    assert turned(shelf, follower).reads == three[2]
    assert contents(follower, three[2]) == contents(builder, three[2])
    use(shelf, three[1], progress=silent)


def test_at_once_where_nobody_publishes(three, shelf):
    done = collect(shelf.shelf, keep=1, unnamed_for=timedelta(0))
    assert set(done.retired) == set(three[:2])
    assert done.objects > 0
    assert done.waiting == 0
    assert list((shelf.shelf.objects.folder / "retired").glob("*")) == []


def test_what_is_young_or_offered_stays(three, shelf, builder):
    put(builder, {"a": b"young"})
    young = published(opened(shelf.shelf.objects.folder, "staging"), builder).snapshot_id
    shelf.offer(three[0], after=3)
    assert set(collect(shelf.shelf, keep=1).snapshots) == {three[0], three[2], young}


def test_a_manifest_that_does_not_read_stops_it(three, shelf):
    path = shelf.shelf.objects.folder / f"snapshots/{three[0]}.json"
    path.write_bytes(path.read_bytes()[:-9])
    before = objects(shelf.shelf.objects.folder)
    with pytest.raises(ShelfDamaged):
        collect(shelf.shelf, keep=1, unnamed_for=timedelta(0))
    assert objects(shelf.shelf.objects.folder) == before
    assert len(shelf.shelf.snapshots()) == 3


def test_a_snapshot_that_was_moved_to_while_it_was_retired_comes_back(three, shelf, follower):
    collect(shelf.shelf, keep=1)
    shelf.move(three[0], after=3)
    assert turned(shelf, follower).reads == three[0]
    assert three[0] in collect(shelf.shelf, keep=1).snapshots
    assert not use(shelf, three[0], progress=silent)


@pytest.mark.usefixtures("three")
def test_what_a_killed_writer_left_in_a_folder_goes(shelf):
    left = shelf.shelf.objects.folder / "objects/ab/abcdef#1"
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"half")
    collect(shelf.shelf, keep=3)
    assert left.exists()
    aged(shelf.shelf.objects.folder)
    collect(shelf.shelf, keep=3)
    assert not left.exists()


STEPS = st.lists(
    st.tuples(st.sampled_from(["build", "publish", "use", "gc", "wait"]), st.integers(0, 3)),
    min_size=3,
    max_size=14,
)


@examples(15, 40)
@given(STEPS)
def test_an_environment_always_stands_at_a_whole_snapshot(steps):
    """Two builders and two environments; days pass between any two steps, or do not."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home, "shelf")
        places = [opened(folder, name) for name in ("production", "staging")]
        builders = [Path(home, f"builder{at}") for at in range(2)]
        for at, builder in enumerate(builders):
            put(builder, {"shared": b"s" * 1_500, "own": bytes([at])})
        for at, (step, how) in enumerate(steps):
            place, builder = places[how % 2], builders[how // 2]
            with suppress(CreditAtlasError):
                if step == "build":
                    put(builder, {"shared": b"s" * 1_500, "own": bytes([at]) * 1_200})
                elif step == "publish":
                    published(place, builder)
                elif step == "use":
                    known = sorted(place.shelf.snapshots())
                    use(place, known[how % len(known)] if known else "none", progress=silent)
                elif step == "gc":
                    collect(place.shelf, keep=1 + how // 2)
                else:
                    aged(folder, timedelta(hours=(7, 13, 25, 72)[how]))
            for one in places:
                whole(one)


def whole(place: Environment):
    """All that an environment stands at is on the shelf."""
    move = place.stands()
    if move is not None:
        there = place.shelf.pieces()
        for piece in place.shelf.manifest(move.snapshot_id).pieces():
            assert there[piece.name].size == piece.size

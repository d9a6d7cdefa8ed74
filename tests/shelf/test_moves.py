"""Where an environment stands: numbered steps, each created once, so that one of several publishers
wins and the others say who did (D84).
"""

import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.errors import ShelfDamaged, ShelfMoved, ShelfUnavailable
from services.shelf.publishing import publish
from tests.shelf.small import opened, published, put, turned
from tests.tiers import seeds

IDS = [f"20260930-00000{at}-abcdef" for at in range(10)]


@pytest.mark.parametrize("turn", seeds(4, 10))
def test_of_many_publishers_at_once_one_wins_and_the_others_name_it(tmp_path, turn):
    shelves = [opened(tmp_path / f"shelf{turn}") for _ in range(8)]

    def publisher(at):
        try:
            return shelves[at].move(IDS[at], after=0)
        except ShelfMoved as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        ended = list(pool.map(publisher, range(8)))
    (won,) = [one for one in ended if not isinstance(one, str)]
    assert shelves[0].stands() == won
    for said in ended:
        if isinstance(said, str):
            assert f"{won.by} moved it to {won.snapshot_id}" in said


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=30))
def test_steps_are_one_line_in_whatever_order_publishers_look_and_move(done):
    """Three publishers, each of which looks, or moves on from where it looked."""
    with tempfile.TemporaryDirectory() as folder:
        publishers = [opened(folder) for _ in range(3)]
        looked, line = [0, 0, 0], []
        for who, moves in done:
            if not moves:
                looked[who] = publishers[who].step()
            elif looked[who] == len(line):
                publishers[who].move(IDS[who], after=looked[who])
                line.append(IDS[who])
            else:
                with pytest.raises(ShelfMoved, match=line[-1]):
                    publishers[who].move(IDS[who], after=looked[who])
        assert [move.snapshot_id for move in publishers[0].moves()] == line[::-1]


def test_a_publisher_is_refused_when_another_moved_while_it_sent(builder, shelf):
    published(shelf, builder)
    ours = put(builder, {"a": b"ours"})

    def meanwhile(stage, _):
        if stage == "sending" and shelf.step() == 1:
            shelf.move(IDS[0], after=1)

    with pytest.raises(ShelfMoved, match=f"moved it to {IDS[0]}"):
        publish(shelf, builder, progress=meanwhile)
    assert shelf.stands().snapshot_id == IDS[0]
    assert ours in shelf.shelf.snapshots()


def test_a_store_that_writes_over_what_was_to_be_created_is_refused(builder, shelf, monkeypatch):
    def over(name, content):
        shelf.shelf.objects.write(name, content)
        return True

    monkeypatch.setattr(shelf.shelf.objects, "create", over)
    with pytest.raises(ShelfUnavailable, match="does not know conditional writes"):
        published(shelf, builder)
    assert shelf.step() == 0
    folder = shelf.shelf.objects.folder / "environments"
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_a_step_that_does_not_read_is_said_and_gone_on_from(builder, shelf, follower):
    published(shelf, builder)
    turned(shelf, follower)
    (step,) = (shelf.shelf.objects.folder / "environments/production/moves").iterdir()
    step.write_bytes(step.read_bytes().replace(b"-", b"+", 1))
    with pytest.raises(ShelfDamaged, match=r"moves/00000001.json' on the shelf .* not as it was"):
        turned(shelf, follower)
    assert published(shelf, builder).moved
    assert shelf.step() == 2
    assert not turned(shelf, follower).switched

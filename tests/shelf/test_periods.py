"""Periods on a shelf and on its nodes (D163): sent once, fetched once, on a node's disk once."""

from services.store.checksums import verify
from services.store.snapshot import current_id, folder_of, tidy
from tests.shelf.small import published, put, turned

JULY = {"periods/july/rows.parquet": b"july" * 900, "periods/july/period.json": b"{}"}
AUGUST = {"periods/august/rows.parquet": bytes(at % 251 for at in range(4_200))}


def test_a_new_month_sends_fetches_and_stores_itself_alone(tmp_path, shelf, follower):
    builder = tmp_path / "months"
    put(builder, {"atlas": b"1" * 1_500, **JULY})
    published(shelf, builder)
    turned(shelf, follower)
    first = folder_of(follower, current_id(follower))
    put(builder, {"atlas": b"2" * 1_500, **JULY, **AUGUST})
    done = published(shelf, builder)
    assert done.sent == done.size - sum(map(len, JULY.values()))
    turn = turned(shelf, follower)
    assert turn.switched
    assert turn.received == done.sent
    second = folder_of(follower, current_id(follower))
    for name, content in {**JULY, **AUGUST}.items():
        assert (second / name).read_bytes() == content
    for name in JULY:
        assert (second / name).samefile(first / name)
    tidy(follower, keep=1)
    assert not first.exists()
    assert verify(second)


def test_a_period_that_changed_on_a_node_is_fetched_again(tmp_path, shelf, follower):
    builder = tmp_path / "months"
    put(builder, JULY)
    published(shelf, builder)
    turned(shelf, follower)
    (path,) = follower.glob("snap-*/periods/july/rows.parquet")
    path.write_bytes(b"x" * path.stat().st_size)
    put(builder, {**JULY, **AUGUST})
    published(shelf, builder)
    turned(shelf, follower)
    assert verify(folder_of(follower, current_id(follower)))

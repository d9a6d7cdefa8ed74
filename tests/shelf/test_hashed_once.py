"""Every byte of a snapshot is hashed once when it is published, and once on a node (D190)."""

import os
from collections import Counter
from hashlib import sha256

import pytest

from services.store import checksums
from services.store.snapshot import SUMMARY, current_id
from tests.shelf.small import contents, published, put, turned

JULY = {"periods/july/rows.parquet": os.urandom(3_300)}


@pytest.fixture
def hashed(monkeypatch):
    """How often each block was hashed since it was last asked."""
    counted = Counter()

    def counting(content=b""):
        counted[bytes(content)] += 1
        return sha256(content)

    monkeypatch.setattr(checksums, "sha256", counting)

    def since(files):
        size = checksums.BLOCK
        found = [
            counted.get(content[at : at + size], 0)
            for name, content in files.items()
            if name not in {SUMMARY, checksums.FILE}
            for at in range(0, len(content), size)
        ]
        counted.clear()
        return found

    return since


def test_each_block_is_hashed_once_by_the_publisher_and_once_by_the_node(
    tmp_path, shelf, follower, hashed
):
    builder = tmp_path / "months"
    first = put(builder, {"atlas": os.urandom(4_700), "graph": os.urandom(2_000), **JULY})
    was = contents(builder, first)
    hashed({})
    published(shelf, builder)
    assert hashed(was) == [1] * (10 + 4 + 7)
    published(shelf, builder)
    assert hashed(was) == [1] * 21
    turned(shelf, follower)
    assert hashed(was) == [1] * 21

    # The next month: one file is other, one goes on, one is shared.
    grown = {"atlas": os.urandom(4_700), "graph": was["graph"] + os.urandom(900), **JULY}
    put(builder, grown)
    is_now = contents(builder, current_id(builder))
    hashed({})
    done = published(shelf, builder)
    assert hashed(is_now) == [1] * (10 + 6 + 7)
    assert turned(shelf, follower).received == done.sent
    both = hashed({"now": b"", **is_now, "was": was["atlas"]})
    assert both == [1] * 23 + [0] * 10

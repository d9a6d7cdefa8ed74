"""A store, a shelf and a node, in folders."""

import pytest

from services.shelf import manifest
from services.store import checksums
from tests.shelf.small import PIECE, opened, put


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(checksums, "BLOCK", PIECE // 2)
    monkeypatch.setattr(manifest, "BLOCKS", 2)


@pytest.fixture
def builder(tmp_path):
    """A store with one snapshot of some pieces."""
    store = tmp_path / "builder"
    put(store, {"a": b"a" * 2_500, "deep/b": bytes(range(256)) * 9, "empty": b""})
    return store


@pytest.fixture
def shelf(tmp_path):
    return opened(tmp_path / "shelf")


@pytest.fixture
def follower(tmp_path):
    return tmp_path / "follower"

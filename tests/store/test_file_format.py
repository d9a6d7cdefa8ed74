"""A snapshot of another layout is refused in a sentence; today's has all tables (D149, D150)."""

import json

import pytest

from services.contract.errors import StoreDamaged
from services.importers import demo
from services.store import checksums
from services.store.leases import Store
from services.store.snapshot import FILE_FORMAT, SUMMARY
from tests.publishing import load


def test_a_store_without_tables_of_families_is_of_an_older_format_and_refused(tmp_path):
    """Format 9 had no such tables: read as if it had, every family would fail without a word."""
    load(tmp_path, [demo.portfolio(loans=20)])
    (summary,) = tmp_path.glob(f"snap-*/{SUMMARY}")
    written = json.loads(summary.read_text(encoding="utf-8"))
    assert written["file_format"] == FILE_FORMAT == 23
    (summary.parent / checksums.FILE).unlink()  # which there were none of then
    summary.write_text(json.dumps(written | {"file_format": 9}), encoding="utf-8")
    with (
        pytest.raises(StoreDamaged, match=r"another version of Credit Atlas .*rebuild"),
        Store(tmp_path).lease(),
    ):
        pass

"""What a snapshot says of itself when it was written before some of it was said at all."""

from datetime import UTC, date, datetime

import pytest

from services.contract.snapshot_info import LoadedSource, Snapshot

SOURCE = {
    "key": "demo",
    "importer": "demo",
    "title": "Demonstration",
    "publisher": "nobody",
    "terms": "none",
    "as_of": date(2026, 9, 30),
    "provenance": "synthetic",
}
SNAPSHOT = {
    "snapshot_id": "s1",
    "as_of": date(2026, 9, 30),
    "built_at": datetime(2026, 10, 1, tzinfo=UTC),
    "loans": 10,
    "properties": 11,
    "entities": 12,
    "edges": 13,
    "signals": 14,
    "rejected": 15,
    "signals_by_severity": {"critical": 14},
    "signals_by_type": {"rate_pressure": 14},
    "sources": (),
    "rates": (),
}


def snapshot(**more):
    return Snapshot(**{**SNAPSHOT, **more})


def test_a_source_that_says_no_counts_has_none():
    found = LoadedSource(**SOURCE).model_dump(exclude={"extra"})
    assert found == {
        **SOURCE,
        "files": (),
        "sha256": (),
        "records_read": 0,
        "seed": None,
        "loans": 0,
        "book_value": None,
        "properties": 0,
        "entities": 0,
        "edges": 0,
        "signals": 0,
        "rejected": 0,
        "unmapped": {},
    }


def test_a_snapshot_that_says_no_more_is_of_no_format_that_is_read():
    found = snapshot().model_dump(exclude={"extra"})
    assert found == {
        **SNAPSHOT,
        "rests_on": (),
        "file_format": 0,
        "rule_coverage": (),
        "rules": (),
        "counted_by_source": {},
        "book_value": 0,
        "spreads": (),
        "weighted_coupon": None,
    }


@pytest.mark.parametrize(
    ("told", "whole"),
    [
        ({}, True),
        ({"loans": 10, "signals": 14}, True),
        ({"loans": 9, "signals": 14}, True),
        ({"loans": 11, "signals": 14}, False),
        ({"loans": 10, "signals": 15}, False),
        ({"signals": 15}, False),
        ({"entities": 99}, True),  # a list that no mirror holds
    ],
)
def test_a_mirror_is_whole_when_it_holds_what_its_api_counts(told, whole):
    assert snapshot(counted_by_source=told).whole is whole


@pytest.mark.parametrize(
    ("provenances", "synthetic"),
    [((), False), (("reported",), False), (("reported", "synthetic"), True), (("derived",), False)],
)
def test_a_snapshot_is_made_up_when_a_source_of_it_is(provenances, synthetic):
    sources = tuple(LoadedSource(**{**SOURCE, "provenance": word}) for word in provenances)
    assert snapshot(sources=sources).synthetic is synthetic

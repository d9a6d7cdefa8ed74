"""What is known of earlier dates, of a store and of mirrors: a book just imported has one period of
each source, which says of a loan what its record says (D163, D168).
"""

from collections import Counter

import pytest

from services.contract.errors import NotFound
from services.contract.history import (
    ChangeQuery,
    HeatQuery,
    HistoryQuery,
    SeenQuery,
    TrendQuery,
)
from services.contract.vocabulary import SEVERE_OR_WORSE, SEVERITIES

#: Column of a row -> fact of the loan.
FACTS = {
    "balance": "book_value", "interest_rate": "interest_rate", "maturity_date": "maturity_date",
    "payment_status": "payment_status", "workout": "workout", "modification": "modification",
    "defeasance": "defeasance", "dscr": "dscr", "income_basis": "income_basis", "noi": "noi",
    "ncf": "ncf", "occupancy": "occupancy", "value": "value", "value_date": "value_date",
}  # fmt: skip


def owing(held):
    return [row for row in held.oracle.rows if (row["book_value"] or 0) > 0]


def test_each_source_has_a_period_of_its_date(held):
    found = held.source.periods()
    counted = Counter(row["info"].key for row in held.oracle.rows)
    assert {one.source: one.loans for one in found} == counted
    assert all(one.counts for one in found)
    dates = {row["info"].key: row["info"].as_of for row in held.oracle.rows}
    assert {one.source: one.as_of for one in found} == dates
    assert [one.as_of for one in found] == sorted(one.as_of for one in found)


def test_the_line_of_any_loan_has_what_its_record_says(held):
    for number, row in list(held.oracle.by_number.items())[::5]:
        (said,) = held.source.history(number, HistoryQuery()).rows
        assert said.as_of == row["info"].as_of
        for name, fact in FACTS.items():
            assert getattr(said, name) == row[fact], (number, name)
    with pytest.raises(NotFound):
        held.source.history("no such loan", HistoryQuery())


def test_signals_of_a_mirror_are_those_of_its_source(held):
    if not held.mirrored:
        pytest.skip("a store scores each source by itself")
    found = {}
    for row, one, _ in held.oracle.found:
        if one["severity"] in SEVERITIES[1:]:
            found.setdefault(row["loan_number"], {})[one["signal_type"]] = one["severity"]
    for number in list(held.oracle.by_number)[::5]:
        (said,) = held.source.history(number, HistoryQuery()).rows
        assert dict(said.signals) == found.get(number, {})


def test_nothing_changed_since_the_only_date(held):
    until = max(row["info"].as_of for row in held.oracle.rows)
    found = held.source.changes(ChangeQuery(since=until, until=until))
    assert (found.found.total, found.counts) == (0, ())
    assert found.compared == len(held.oracle.rows)
    assert all(one.before == one.after for one in found.moves)
    assert held.source.newest_changes().until == until


def test_a_cell_lists_its_loans_and_a_file_has_them(held):
    """D173."""
    until = max(row["info"].as_of for row in held.oracle.rows)
    query = ChangeQuery(since=until, until=until)
    for one in held.source.changes(query).moves:
        cell = query.model_copy(
            update={"severity_before": (one.before,), "severity_after": (one.after,)}
        )
        assert held.source.changes(cell).found.total == one.loans
        assert sum(batch.num_rows for batch in held.source.change_batches(cell)) == one.loans
    (nothing,) = held.source.change_batches(query)
    assert nothing.num_rows == 0


def test_of_what_was_seen_as_of_the_only_date_nothing_is_compared(held):
    days = {row["loan_number"]: row["info"].as_of for row in held.oracle.rows}
    seen = tuple(sorted(days.items()))[:100]
    assert held.source.events_since(SeenQuery(seen=seen)) == {}


def test_the_trend_of_one_month_is_its_book(held):
    found = held.source.trends(TrendQuery())
    assert sum(one.loans for one in found.points) == len(owing(held))
    assert sum(one.balance for one in found.points) == sum(one["book_value"] for one in owing(held))
    by_type = held.source.trends(TrendQuery(by="property_type"))
    assert Counter({one.word: 0 for one in by_type.points}) | sum(
        (Counter({one.word: one.loans}) for one in by_type.points), Counter()
    ) == Counter(row["property_type"] for row in owing(held))
    for one in found.points:
        assert sum(one.severity_loans.values()) == one.loans
        assert set(one.severity_loans) == {"defeased", "none", *SEVERITIES[1:]}


def test_the_map_of_one_month_has_every_state(held):
    found = held.source.heat_over_time(HeatQuery())
    states = Counter()
    for one in found.points:
        states[one.state] += one.of_loans
        assert one.loans <= one.of_loans
    assert states == Counter(row["property_state"] for row in owing(held))
    few = held.source.heat_over_time(HeatQuery(at_least="critical"))
    assert sum(one.loans for one in few.points) <= sum(one.loans for one in found.points)
    assert SEVERE_OR_WORSE[0] == "severe"

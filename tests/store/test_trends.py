"""Sums by month (D176), roll rates (D178), notes (D181), stages (D183): each point, roll and state
counted from the rows.
"""

from datetime import date

import pytest

from services.contract.history import HeatQuery, TrendQuery
from services.contract.scope import Scope
from services.store.leases import Store
from tests import oracle_trends
from tests.book_by_month import filled
from tests.publishing import load
from tests.world import RATES, Sketch, info_of

OF = {"property_type": "property_type", "vintage": "vintage"}
JAN, FEB = date(2024, 2, 29), date(2024, 3, 29)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return filled(tmp_path_factory.mktemp("trends") / "store")


def word(row, by):
    if by == "all" or row[OF[by]] is None:
        return None
    return str(row[OF[by]])


@pytest.mark.parametrize("by", ["all", "property_type", "vintage"])
@pytest.mark.parametrize(
    "where", [{}, {"state": ("TX",)}, {"property_type": ("office", "retail")}, {"deal": ("quay",)}]
)
def test_every_point_is_what_its_rows_count(source, found, by, where):
    true = {}
    chosen = {key: rows for key, rows in found.items() if key[0] in where.get("deal", key[0])}
    for month, rows in oracle_trends.monthly(chosen).items():
        matching = [
            row
            for row in rows
            if all(row[name] in where.get(name, [row[name]]) for name in ("state", "property_type"))
        ]
        for one in {word(row, by) for row in oracle_trends.owing(matching)}:
            there = [row for row in matching if word(row, by) == one]
            true[month, one] = oracle_trends.point(there)
    points = source.trends(TrendQuery(by=by, **where)).points
    assert {(one.month, one.word) for one in points} == set(true)
    for one in points:
        said = one.model_dump(exclude={"month", "word"})
        expected = true[one.month, one.word]
        for name in ("dscr", "occupancy"):
            assert said.pop(name) == pytest.approx(expected.pop(name))
        assert said == expected, (one.month, one.word)
    assert len({one.month for one in points}) == (2 if "deal" in where else 3)


def test_every_roll_is_what_became_of_its_loans(source, found):
    """D169."""
    rolls = source.trends(TrendQuery()).rolls
    true = oracle_trends.rolls(found)
    assert {(one.month, one.before, one.after) for one in rolls} == set(true)
    for one in rolls:
        sums = true[one.month, one.before, one.after]
        assert one.model_dump(exclude={"month", "before", "after"}) == dict(sums)
    assert sum(one.special_loans for one in rolls) > 3


def set_of(found):
    return Scope.of("set", tuple(sorted(found)), "the set", "0123456789abcdef")


def test_of_a_scope_s_loans_sums_are_made_as_those_of_all_are(source, found):
    """D233: of all numbers what was written; of a source's numbers what the deal says."""
    numbers = {row["loan_number"] for rows in found.values() for row in rows}
    quay = {row["loan_number"] for key, rows in found.items() if key[0] == "quay" for row in rows}
    assert 0 < len(quay) < len(numbers)
    for by in ("all", "property_type", "vintage"):
        assert source.trends(TrendQuery(by=by, scope=set_of(numbers))) == source.trends(
            TrendQuery(by=by)
        )
        some = source.trends(TrendQuery(by=by, scope=set_of(quay)))
        deal = source.trends(TrendQuery(by=by, deal=("quay",)))
        assert (some.points, some.rolls) == (deal.points, deal.rolls)
    heat = HeatQuery(at_least="moderate")
    assert source.heat_over_time(
        heat.model_copy(update={"scope": set_of(numbers)})
    ) == source.heat_over_time(heat)


def test_points_and_rolls_of_some_loans_are_what_their_rows_count(source, found):
    numbers = sorted({row["loan_number"] for rows in found.values() for row in rows})[::2]
    some = {
        key: [row for row in rows if row["loan_number"] in numbers] for key, rows in found.items()
    }
    answer = source.trends(TrendQuery(scope=set_of(numbers)))
    months = oracle_trends.monthly(some).items()
    true = {month: oracle_trends.point(rows) for month, rows in months if oracle_trends.owing(rows)}
    assert {one.month: (one.loans, one.balance) for one in answer.points} == {
        month: (one["loans"], one["balance"]) for month, one in true.items()
    }
    rolls = oracle_trends.rolls(some)
    assert {(one.month, one.before, one.after): one.loans for one in answer.rolls} == {
        key: sums["loans"] for key, sums in rolls.items()
    }


@pytest.mark.parametrize("least", ["moderate", "severe", "critical"])
def test_every_state_of_every_month_is_what_its_rows_count(source, found, least):
    answer = source.heat_over_time(HeatQuery(at_least=least))
    true = {
        (month, state): figures
        for month, rows in oracle_trends.monthly(found).items()
        for state, figures in oracle_trends.heat(rows, least).items()
    }
    points = {
        (one.month, one.state): one.model_dump(exclude={"month", "state"}) for one in answer.points
    }
    assert points == true
    assert list(answer.months) == sorted({month for month, _ in true})


def test_two_dates_of_four_loans_counted_by_hand(tmp_path):
    """Of 100 owed 40 is 30 days late, then 60; 20 goes from 90 days into default; 10 ends."""
    paths = {  # balance, status, special servicing since; then the same a month later
        "a": ((40_000_000, "1", None), (40_000_000, "2", FEB)),
        "b": ((30_000_000, "0", None), (29_000_000, "0", None)),
        "c": ((20_000_000, "3", JAN), (20_000_000, "5", JAN)),
        "d": ((10_000_000, "0", None), (0, "0", None)),
    }
    made = []
    for at, day in enumerate((JAN, FEB)):
        sketch = Sketch(info_of("four", day))
        for number, said in paths.items():
            balance, status, since = said[at]
            occupied = {"a": 0.5, "b": 1.0}.get(number)
            sketch.loan(number, book_value=balance, payment_status=status,
                        special_servicing_since=since, occupancy=occupied, dscr=None)  # fmt: skip
        made.append(sketch.portfolio())
    load(tmp_path, made, rates=RATES)
    store = Store(tmp_path)
    with store.lease() as source:
        trends = source.trends(TrendQuery())
    store.close()
    first, second = trends.points
    names = ("loans", "balance", "delinquent_loans", "delinquent_balance", "late_60_loans",
             "late_60_balance", "late_90_loans", "late_90_balance", "special_loans",
             "special_balance", "dscr", "dscr_loans", "occupancy_loans")  # fmt: skip
    assert [getattr(first, name) for name in names] == [
        4, 100_000_000, 2, 60_000_000, 1, 20_000_000, 1, 20_000_000, 1, 20_000_000, None, 0, 2,
    ]  # fmt: skip
    assert [getattr(second, name) for name in names] == [
        3, 89_000_000, 2, 60_000_000, 2, 60_000_000, 1, 20_000_000, 2, 60_000_000, None, 0, 2,
    ]  # fmt: skip
    assert first.occupancy == pytest.approx(50 / 70)  # (40 x 50 % + 30 x 100 %) / 70
    assert second.occupancy == pytest.approx(49 / 69)
    assert [tuple(one.model_dump().values()) for one in trends.rolls] == [
        (date(2024, 3, 1), "current", "current", 1, 30_000_000, 0, 0),
        (date(2024, 3, 1), "current", "ended", 1, 10_000_000, 0, 0),
        (date(2024, 3, 1), "30 days", "60 days", 1, 40_000_000, 1, 40_000_000),
        (date(2024, 3, 1), "90 days", "default", 1, 20_000_000, 0, 0),
    ]

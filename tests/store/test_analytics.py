"""Aggregates and other reads beyond the six, by hand; all of them meet the oracle in
conformance/test_analytics.
"""

from datetime import date, timedelta

import pytest

from services.contract.aggregates import Share
from services.contract.loan_filter import LoanFilter
from services.store.leases import Store
from tests.exported import loan_table
from tests.publishing import load
from tests.world import AS_OF, DAYS, RATES, Sketch, info_of

TEN_MILLION = 10_000_000


@pytest.fixture
def totals_of(tmp_path):
    """Totals of a book with the given loans, each a dict of facts."""

    def ask(*loans, as_of=AS_OF):
        sketch = Sketch(info_of("one", as_of))
        for at, facts in enumerate(loans):
            sketch.loan(f"L{at}", **facts)
        snapshot = load(tmp_path, [sketch.portfolio()], rates=RATES)
        store = Store(tmp_path)
        with store.lease() as source:
            found = source.totals()
        store.close()
        assert found.weighted_coupon == pytest.approx(snapshot.weighted_coupon)
        return found

    return ask


def test_headline_figures_of_the_book_by_hand(store_source):
    # D10, D26
    totals = store_source.totals()
    assert totals.as_of == AS_OF == date(2024, 2, 29)
    # Eight of DAYS from 2024-02-29 to 2025-02-28, "needy", and two each of "ard", "slip",
    # "extended in vain" and "short": of legal maturities there would be ten more (D156).
    assert totals.matures_12_months == Share(loans=17, book_value=17 * TEN_MILLION)
    # Three more of DAYS up to 2026-02-28, gap-0 to gap-6, and term-0 to term-3.
    assert totals.matures_24_months == Share(loans=31, book_value=31 * TEN_MILLION)
    # Two of DAYS, and both of "past", whose legal maturity is in 2034.
    assert totals.past_maturity == Share(loans=4, book_value=4 * TEN_MILLION)
    assert totals.no_maturity_date == Share(loans=2, book_value=TEN_MILLION)  # one has no balance
    assert totals.states == 6  # TX NY CA DC PR GU
    assert totals.outside_map == Share(loans=5, book_value=4 * TEN_MILLION)  # D0 A6 ZZ, two null
    # "diamond" (payment status), "gap-6" (rate pressure), "needy" (maturity, stress).
    assert totals.critical_confirmed == Share(loans=3, book_value=3 * TEN_MILLION)
    assert totals.critical.loans < totals.critical_signals


@pytest.mark.parametrize(
    ("as_of", "in_12_months", "in_24_months"),
    [
        (date(2024, 2, 29), date(2025, 2, 28), date(2026, 2, 28)),
        (date(2023, 2, 28), date(2024, 2, 28), date(2025, 2, 28)),
        (date(2022, 2, 28), date(2023, 2, 28), date(2024, 2, 28)),  # not the 29th
        (date(2024, 12, 31), date(2025, 12, 31), date(2026, 12, 31)),
    ],
)
def test_windows_count_calendar_months_and_both_of_their_ends(
    totals_of, as_of, in_12_months, in_24_months
):
    # D26
    def around(day):
        return [{"maturity_date": day + timedelta(by)} for by in (-1, 0, 1)]

    totals = totals_of(*around(as_of), *around(in_12_months), *around(in_24_months), as_of=as_of)
    assert totals.past_maturity.loans == 1  # the day before the as-of date
    assert totals.matures_12_months.loans == 2 + 2
    assert totals.matures_24_months.loans == 2 + 3 + 2


def test_a_loan_past_maturity_counts_unless_nothing_is_owed(totals_of):
    past = {"maturity_date": date(2020, 1, 1)}
    totals = totals_of(*({**past, "book_value": dollars} for dollars in (None, 0, -3, 1, 5)))
    assert totals.past_maturity == Share(loans=4, book_value=3)
    assert totals.book == Share(loans=5, book_value=3)


def test_weighted_figures_weigh_by_book_value_and_skip_what_is_missing(totals_of):
    totals = totals_of(
        {"book_value": 1, "interest_rate": 4.0},
        {"book_value": 3, "interest_rate": 8.0, "property_type": "multifamily"},
        {"book_value": None, "interest_rate": 100.0},
        {"book_value": 99, "interest_rate": None},
    )
    assert totals.weighted_coupon == pytest.approx(7.0)
    # Offices at 4.50 + 2.45, multifamily at 4.50 + 2.05.
    assert totals.weighted_refi_rate == pytest.approx((6.95 + 3 * 6.55) / 4)


def test_weighted_figures_are_null_where_nothing_weighs(totals_of):
    totals = totals_of({"book_value": 0}, {"book_value": None}, {"interest_rate": None})
    assert totals.weighted_coupon is None
    assert totals.weighted_refi_rate is None


def test_the_wall_holds_every_loan_with_a_maturity_date_once(store_source):
    wall = store_source.maturity_wall()
    totals = store_source.totals()
    # "defeased", both of the book value 0, six that have ended, and two each of "taken over",
    # "treasuries", "repaid" and "level".
    undated = totals.no_maturity_date.loans
    assert sum(one.loans for one in wall) == totals.book.loans - undated - 17
    quarters = [one.quarter for one in wall]
    assert quarters == sorted(quarters)
    assert len({(one.quarter, one.overdue, one.rate_pressure) for one in wall}) == len(wall)


def test_quarters_of_the_wall_begin_on_their_first_day(store_source):
    loans: dict[date, int] = {}
    for one in store_source.maturity_wall():
        loans[one.quarter] = loans.get(one.quarter, 0) + one.loans
    assert loans[date(2024, 1, 1)] == 4  # 02-28, 02-29, 03-01, 03-31
    assert loans[date(2024, 4, 1)] == 2  # 04-01, and "needy"
    assert loans[date(2024, 10, 1)] == 1  # 12-31
    assert loans[date(2025, 1, 1)] == 4  # 01-01, 02-27, 02-28, 03-01
    assert loans[date(2100, 1, 1)] == 1
    assert len(DAYS) == 18


def test_the_table_for_export_holds_all_pages(store_source, oracle):
    for query in (LoanFilter(page=3), LoanFilter(lender="bank", per_page=1)):
        numbers = [row["loan_number"] for row in oracle.loan_table(query)]
        assert loan_table(store_source, query)["loan_number"].to_pylist() == numbers


def test_loans_written_most_like_an_unknown_one(store_source, oracle):
    assert list(store_source.near_loans("diamon", 1)) == ["diamond"]
    for unknown in ("day-99", "", "\U0001f600", "zzz", "a/1"):
        near = list(store_source.near_loans(unknown, 4))
        assert len(near) == len(set(near)) <= 4
        assert set(near) <= set(oracle.by_number)

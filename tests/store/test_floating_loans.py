"""Floating loans in a scenario (D280): a book typed by hand. The index is the SOFR of 3.62 % that
is in use at the as-of date; every margin is 4.38 %; every loan owes $10 million, interest only.
"""

from datetime import date

import pytest

from services.contract.aggregates import Share
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import MovedFilter, Scenario
from services.signals.rescoring import RulesRescorer
from services.store import scenarios
from tests.publishing import load_once
from tests.signals.healthy import AS_OF, FACTS
from tests.world import Sketch, info_of

ALL = LoanFilter()
LASTS, OVER = date(2027, 6, 30), date(2026, 9, 29)
FLOATS = {"rate_type": "2", "rate_index": "Q", "rate_margin": 4.38, "interest_rate": 8.0}
#: Facts; then the coupon now, 100 bp higher, without bought caps 100 bp higher, and 100 bp lower.
LOANS = {
    "free": ({}, (8.00, 9.00, 9.00, 7.00)),
    "below its strike": ({"cap_strike": 4.0, "cap_expires": LASTS}, (8.00, 8.38, 9.00, 7.00)),
    # 3.00 + 4.38; SOFR tells that the index is 62 bp over the strike.
    "at its strike": (
        {"cap_strike": 3.0, "cap_expires": LASTS, "interest_rate": 7.38},
        (7.38, 7.38, 9.00, 7.00),
    ),
    "cap ends today": ({"cap_strike": 3.62, "cap_expires": AS_OF}, (8.00, 8.00, 9.00, 7.00)),
    "cap ended yesterday": ({"cap_strike": 3.0, "cap_expires": OVER}, (8.00, 9.00, 9.00, 7.00)),
    "cap without an end": ({"cap_strike": 4.0}, (8.00, 8.38, 9.00, 7.00)),
    # The note pays 8.00 %, the cap pays 62 bp of it back.
    "rate of the note": ({"cap_strike": 3.0, "cap_expires": LASTS}, (7.38, 7.38, 9.00, 7.00)),
    "at its floor": ({"rate_floor": 8.5, "interest_rate": 8.5}, (8.50, 9.00, 9.00, 8.50)),
    # The floor is over strike and margin, 7.38 %: the cap saves nothing until the index passes it.
    "floor over its strike": (
        {"cap_strike": 3.0, "cap_expires": LASTS, "rate_floor": 8.2, "interest_rate": 8.2},
        (8.20, 8.20, 9.00, 8.20),
    ),
    "floor is its strike": (
        {"cap_strike": 3.0, "cap_expires": LASTS, "rate_floor": 7.38, "interest_rate": 7.38},
        (7.38, 7.38, 9.00, 7.38),
    ),
    "actual/360": ({"accrual_method": "3"}, (8.00, 9.00, 9.00, 7.00)),
    "under its own cap": ({"rate_cap": 8.5}, (8.00, 8.50, 8.50, 7.00)),
    "at a floor, LIBOR": ({"rate_floor": 8.0, "rate_index": "G"}, (8.00, 8.00, 8.00, 8.00)),
    "no type, a margin": ({"rate_type": None, "rate_index": None}, (8.00, 9.00, 9.00, 7.00)),
    "no DSCR": ({"dscr": None}, (8.00, 9.00, 9.00, 7.00)),
}
NOT_THESE = {
    "fixed": {"rate_type": "1", "interest_rate": 8.0},
    "defeased": {**FLOATS, "defeasance": "F"},
    "ended": {**FLOATS, "book_value": 0, "disposition": "paid off at maturity"},
}


def covered(number, coupon):
    """$1,000,000 over a year's interest: $100,000 for each percent, more where days are counted."""
    days = 365 / 360 if LOANS[number][0].get("accrual_method") == "3" else 1
    return 10 / (coupon * days)


def book():
    sketch = Sketch(info_of("floating", AS_OF))
    for number, (facts, coupons) in LOANS.items():
        dscr = covered(number, coupons[0])
        then = {"underwritten_ncf": 1_000_000, "underwritten_dscr": dscr}
        own = {"ncf": 1_000_000, "dscr": dscr, **FLOATS, **facts}
        sketch.loan(number, **FACTS | then | own)
    for number, facts in NOT_THESE.items():
        sketch.loan(number, **FACTS | facts)
    return sketch.portfolio()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The store that the fixture `source` opens."""
    where = tmp_path_factory.mktemp("floating")
    load_once(where, [book()])
    return where


@pytest.mark.parametrize("shift", [100, -100])
def test_coupon_and_coverage_of_each_loan(source, shift):
    reader = source.reader
    found = scenarios.rescored(reader, RulesRescorer(), Scenario(rate_short=shift)).floaters
    numbers = reader.graph.names(found.loans.tolist())
    assert set(numbers) == set(LOANS)
    for at, number in enumerate(numbers):
        now, higher, uncapped, lower = LOANS[number][1]
        for stage, coupon in ((found.now, now), (found.then, higher if shift > 0 else lower)):
            assert stage.coupon[at] == pytest.approx(coupon), number
            if number != "no DSCR":
                assert stage.dscr[at] == pytest.approx(covered(number, coupon)), number
        if shift > 0:
            assert found.uncapped.coupon[at] == pytest.approx(uncapped), number


def test_floating_loans_are_counted_by_coverage_and_by_what_holds_them(source):
    found = source.what_if(ALL, Scenario.of(rates=100)).floating
    assert (found.loans, found.book_value) == (15, 150_000_000)

    def ten_million(loans):
        return Share(loans=loans, book_value=10_000_000 * loans)

    assert found.now.coupon == pytest.approx((10 * 8.00 + 3 * 7.38 + 8.50 + 8.20) / 15)
    assert found.then.coupon == pytest.approx(
        (6 * 9 + 2 * 8.38 + 3 * 7.38 + 8.5 + 8.2 + 2 * 8) / 15
    )
    assert found.uncapped.coupon == pytest.approx((13 * 9 + 8.5 + 8) / 15)
    # Below 1.25x is a coupon over 8.00 %: 8.20, 8.38, 8.50 and 9.00; one of them has no DSCR. By
    # actual/360 it is 8.00 % too.
    assert [one.thin for one in (found.now, found.then, found.uncapped)] == [
        *(ten_million(3), ten_million(9), ten_million(13)),
    ]
    assert found.then.uncovered == ten_million(0)
    assert [one.at_floor for one in (found.now, found.then)] == [ten_million(4), ten_million(3)]
    assert [one.at_cap for one in (found.now, found.then, found.uncapped)] == [
        *(ten_million(5), ten_million(8), ten_million(1)),
    ]


def test_a_scenario_of_nothing_leaves_them_as_they_are(source):
    found = source.what_if(ALL, Scenario())
    assert found.floating.then == found.floating.now
    assert found.worse.loans == found.better.loans == 0


def test_loans_whose_coupon_cannot_move_are_said(source):
    why = "that float without a coupon, or at a floor or cap without a known index"
    missed = dict(source.what_if(ALL, Scenario(rate_short=25)).out_of_reach)
    assert missed[why] == Share(loans=1, book_value=10_000_000)
    assert why not in dict(source.what_if(ALL, Scenario(rate_5=25)).out_of_reach)


def test_a_book_without_floating_loans_has_none(source):
    fixed = source.what_if(LoanFilter(find="fixed"), Scenario.of(rates=100))
    assert (fixed.loans, fixed.floating) == (1, None)


def test_what_the_coupon_moves_is_graded_again(source):
    """It is short at refinance, moderate; at 9.25 % its DSCR is 1.08x, elevated."""
    moved = source.moved_loans(MovedFilter(find="free"), Scenario(rate_short=125)).items
    assert [(one.severity_before, one.severity_after) for one in moved] == [
        ("moderate", "elevated")
    ]

"""The headline of the book: each figure under its own label."""

from datetime import UTC, date, datetime

import pytest
from streamlit.testing.v1 import AppTest

from services.contract.aggregates import FoundTotals, Share, Slice, Totals, Weighted, WorstSeverity
from services.contract.maturities import LeftOut
from services.contract.snapshot_info import RateUsed, Snapshot, SpreadsUsed
from tests.pages.screen import headlines, said

TOTALS = Totals(
    as_of=date(2026, 9, 30),
    book=Share(loans=1_500, book_value=2_000_000_000),
    notes=1_500,
    weighted_coupon=4.25,
    weighted_refi_rate=6.75,
    matures_12_months=Share(loans=120, book_value=346_000_000),
    matures_24_months=Share(loans=310, book_value=780_000_000),
    past_maturity=Share(loans=11, book_value=25_000_000),
    no_maturity_date=Share(loans=2, book_value=1_000_000),
    critical_signals=95,
    critical=Share(loans=80, book_value=160_000_000),
    critical_confirmed=Share(loans=30, book_value=40_000_000),
    states=40,
    outside_map=Share(loans=0, book_value=0),
    dispositions=(),
)
SNAPSHOT = Snapshot(
    snapshot_id="s",
    as_of=date(2026, 9, 30),
    built_at=datetime(2026, 10, 1, tzinfo=UTC),
    loans=1_500,
    properties=0,
    entities=0,
    edges=0,
    signals=0,
    rejected=0,
    signals_by_severity={},
    signals_by_type={},
    sources=(),
    rates=(
        RateUsed(series="DGS5", day=date(2026, 9, 10), percent=4.75),
        RateUsed(series="DGS7", day=date(2026, 9, 10), percent=4.80),
        RateUsed(series="DGS10", day=date(2026, 8, 31), percent=4.85),
    ),
)


@pytest.fixture(autouse=True)
def no_other_pages(monkeypatch):
    """Links lead to pages, which a script of a test has none of."""
    monkeypatch.setattr("components.frame.links.link", lambda *_, **__: None)


#: Loans with an ownership chain, without which nothing is said of how sure it is.
CHAINED = WorstSeverity(
    severity="critical", loans=80, book_value=160_000_000, dollars_short=0,
    by_tier=(Slice(word="confirmed", loans=30, book_value=40_000_000),),
)  # fmt: skip


FOUND = FoundTotals(
    records=1_500,
    loans=1_500,
    notes=1_500,
    book_value=2_000_000_000,
    coupon=Weighted(mean=4.25, coverage=1.0),
    dscr=Weighted(mean=1.692, coverage=0.9),
    ltv=Weighted(mean=0.5784, coverage=0.899),
    debt_yield=Weighted(mean=10.4, coverage=0.9),
    dollars_short=0,
    short_loans=0,
    matures_12_months=Share(loans=120, book_value=346_000_000),
    matures_24_months=Share(loans=310, book_value=780_000_000),
    dispositions=(),
    by_horizon=(),
    left_out=(),
)


def found(left):
    return FOUND.model_copy(update={"left_out": tuple(left)})


def page(totals, found, snapshot, severities):
    from components.overview import headline

    headline.book(totals, found, snapshot, severities)


def shown(totals=TOTALS, snapshot=SNAPSHOT, left=(), severities=(CHAINED,)):
    """Label -> (value, second line, help)."""
    app = AppTest.from_function(
        page,
        kwargs={
            "totals": totals,
            "found": found(left),
            "snapshot": snapshot,
            "severities": severities,
        },
    ).run()
    assert not app.exception
    return headlines(app)


def test_every_figure_stands_under_its_own_label():
    found = shown()
    assert {label: figures[:2] for label, figures in found.items()} == {
        "Book value": ("$2.00B", "1,500 loans"),
        "Matures in 12 months": ("17.3%", "$346.0M · 120 loans"),
        "Matures in 24 months": ("39.0%", "$780.0M · 310 loans"),
        "Weighted coupon": ("4.25%", "refi 6.75% · +250 bp"),
        "Critical loans": ("80", "$160.0M · 25.0% confirmed"),
    }
    assert found["Matures in 12 months"][2] == (
        "From 30 Sep 2026. By effective maturity: the anticipated repayment date where there is "
        "one, else maturity as extended. Only loans that somebody must refinance count. Loans "
        "past maturity are counted apart: 11 ($25.0M)."
    )
    assert "reference rates of 31 Aug 2026, 10 Sep 2026." in found["Weighted coupon"][2]
    assert found["Critical loans"][2].startswith("With 95 critical signals;")


@pytest.mark.parametrize(
    ("coupon", "refi", "expected"),
    [
        (None, None, ("—", "refi — · —")),
        (4.25, None, ("4.25%", "refi — · —")),
        (None, 6.75, ("—", "refi 6.75% · —")),
        (7.0, 6.5, ("7.00%", "refi 6.50% · −50 bp")),
    ],
)
def test_a_gap_needs_both_rates_and_keeps_its_sign(coupon, refi, expected):
    rated = TOTALS.model_copy(update={"weighted_coupon": coupon, "weighted_refi_rate": refi})
    assert shown(rated)["Weighted coupon"][:2] == expected


def test_an_empty_book_has_no_shares_and_no_day_of_rates():
    nothing = Share(loans=0, book_value=0)
    empty = {name: nothing for name, value in TOTALS if isinstance(value, Share)}
    found = shown(TOTALS.model_copy(update=empty), SNAPSHOT.model_copy(update={"rates": ()}))
    assert found["Matures in 12 months"][:2] == ("—", "$0 · 0 loans")
    assert found["Critical loans"][1] == "$0 · — confirmed"
    assert "reference rates of no date." in found["Weighted coupon"][2]


def beneath(left=(), spreads=()):
    snapshot = SNAPSHOT.model_copy(update={"spreads": spreads})
    kwargs = {"totals": TOTALS, "found": found(left), "snapshot": snapshot, "severities": ()}
    app = AppTest.from_function(page, kwargs=kwargs).run()
    assert not app.exception
    return said(app)


def test_what_maturities_leave_out_is_said_in_one_line():
    left = (
        LeftOut(word="defeased in full", loans=3, book_value=60_000_000),
        LeftOut(word="REO", loans=2, book_value=44_100_000),
    )
    assert "Left out of maturities: 3 defeased, 2 REO, $104.1M." in beneath(left)
    assert "Left out" not in beneath()


@pytest.mark.parametrize(("fits", "months"), [(True, 18), (False, 48)])
def test_spreads_that_do_not_fit_the_day_are_named(fits, months):
    used = SpreadsUsed(day=date(2025, 12, 31), fitted="97 loans", months_off=months, fits=fits)
    words = beneath(spreads=(used,))
    assert ("Spreads are of 31 Dec 2025 (97 loans), 48 months from the as-of date" in words) != fits

"""Room for NOI to fall, underwriting mark-up by seller and the A/B screen on pages (D285)."""

import csv
from datetime import date

import pytest

from tests.pages.ledger_reading import column, rows
from tests.pages.screen import headlines, links, said, tables
from tests.publishing import load_once
from tests.signals.healthy import AS_OF, FACTS
from tests.world import Sketch, info_of

MADE = date(2026, 7, 1)
#: NOI of before the loan $1,000,000, underwritten at so many percent more, by seller.
MARKED = {"Dock Bank": (5, 10, 15, 40), "Pier Capital": (0, 2)}
HIDDEN = {"filed_debt_service": 938_250}
#: 2.78 million of underwritten NCF at 2.00x is the debt service of $20 million.
PART = {"structure": "A1", "underwritten_ncf": 2_780_000, "filed_debt_service": 2_780_000}
ROOM, MARKUP, OVER = (
    "Room for NOI to fall", "Underwriting mark-up", "Filed over implied",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    sketch = Sketch(info_of("by hand", AS_OF))
    for lender, percents in MARKED.items():
        for markup in percents:
            then = {"noi": 1_000_000, "underwritten_noi": 10_000 * (100 + markup)}
            facts = {"origination_date": MADE, "lender_normalized": lender, **then}
            sketch.loan(f"{lender[:4]} {markup}", **FACTS | facts)
    healthy = {"lender_normalized": "Pier Capital", "filed_debt_service": 695_000}
    sketch.loan("healthy", **FACTS | healthy)
    sketch.loan("short", **FACTS | healthy | {"dscr": 0.8})
    sketch.loan("even", **FACTS | healthy | {"dscr": 1.0})
    sketch.loan("hidden", **FACTS | healthy | HIDDEN)
    # Stated to be fixed, whatever stands beside it.
    sketch.loan("fixed", **FACTS | healthy | HIDDEN | {"rate_type": "1", "rate_margin": 3.0})
    sketch.loan("floats", **FACTS | healthy | HIDDEN | {"rate_margin": 3.0})
    sketch.loan("part", **FACTS | healthy | PART)
    where = tmp_path_factory.mktemp("screens")
    load_once(where, [sketch.portfolio()])
    return where


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("healthy", "2.00x underwritten · NOI may fall 48.3% to 1.00x"),
        ("short", "2.00x underwritten · NOI has to rise 24.1% to 1.00x ◆ severe"),
        ("even", "2.00x underwritten · NOI may fall 0.0% to 1.00x ▲ elevated"),
        ("Dock 5", "2.00x underwritten"),
    ],
)
def test_the_dscr_of_a_loan_says_how_far_noi_may_fall(loan, number, says):
    app = loan(number)
    assert not app.exception
    assert headlines(app)["DSCR"].of_what == says


@pytest.mark.parametrize(
    ("number", "warned"),
    [("hidden", True), ("healthy", False), ("fixed", True), ("floats", False)],
)
def test_a_loan_that_pays_for_more_than_its_debt_says_so(loan, number, warned):
    text = "The debt service filed is 1.35x what the debt known pays: there may be further debt"
    assert (text in said(loan(number))) == warned


def test_a_part_whose_whole_debt_follows_from_it_says_that_alone(loan):
    shown = said(loan("part"))
    assert "what the debt known pays" not in shown
    assert "DSCR was underwritten on the senior notes alone and is filed on all debt" in shown


def test_the_a_b_screen_is_a_filter(loans):
    app = loans(min_over_implied="1.1", columns="underwriting", order="-filed_over_implied")
    assert "Loans with debt service filed over implied of at least 1.10x: 3" in said(app)
    found = [(row["Loan"], row[ROOM], row[OVER]) for row in rows(app, "Loan", ROOM, OVER)]
    assert found == [
        ("part", "48.3%", "2.00x"), ("fixed", "48.3%", "1.35x"), ("hidden", "48.3%", "1.35x"),
    ]  # fmt: skip


def test_the_smallest_room_comes_first(loans):
    app = loans(max_noi_room="30", columns="underwriting", order="noi_room")
    assert "with a room for NOI to fall of at most 30.00%: 2" in said(app)
    assert column(app, ROOM) == ["24.1% short of 1.00x", "0.0%"]


def test_a_mark_up_is_a_filter(loans):
    app = loans(min_markup="10", columns="underwriting", order="-underwritten_markup")
    assert column(app, MARKUP) == ["40.0%", "15.0%", "10.0%"]


def test_loans_by_lender_lead_to_the_mark_ups_of_each(loans, folder, visit, pressed):
    name = "Underwriting mark-up by lender"
    assert name in " ".join(links(loans(by="lender")))
    assert name not in " ".join(links(loans(by="state")))
    assert name not in " ".join(links(loans(by="lender", find="healthy")))
    app = visit(
        "pages/explore.py", folder, {"show": "boxes", "x": "underwritten_markup", "by": "lender"}
    )
    assert not app.exception
    found = {row["Lender"]: row for row in tables(app)["Underwriting mark-up by lender"]}
    named = ("Loans", "Without", "P25", "Median", "P75")
    assert {lender: tuple(row[head] for head in named) for lender, row in found.items()} == {
        "Dock Bank": ("4", "—", "8.8%", "12.5%", "21.3%"),
        "Pier Capital": ("2", "7", "0.5%", "1.0%", "1.5%"),
        "All": ("6", "7", "2.8%", "7.5%", "13.8%"),
    }
    assert "Limits of Underwriting mark-up: UW-1 moderate: at or over 10.0%" in said(app)
    (name,) = [one for one in pressed if "mark-up" in one and one.endswith(".csv")]
    written = pressed[name]().decode("utf-8-sig")
    lines = [line for line in written.splitlines() if not line.startswith("#")]
    medians = {row["lender"]: row["underwritten_markup_median"] for row in csv.DictReader(lines)}
    assert {lender: float(one) for lender, one in medians.items()} == {
        "Dock Bank": pytest.approx(0.125),
        "Pier Capital": pytest.approx(0.01),
    }

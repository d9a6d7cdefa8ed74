"""Watchlist triggers on pages (D283): the card of a loan, the list, its filter and its groups."""

import csv
from datetime import date

import pytest

from services.contract.watch_triggers import named
from tests.pages.ledger_reading import addresses, column, ledgers
from tests.pages.screen import headings, said, table
from tests.publishing import load_once
from tests.signals.healthy import AS_OF, FACTS
from tests.world import Sketch, info_of

#: Loan -> what sets it apart from a healthy one, and what the card says of each code.
LOANS = {
    "late": ({"payment_status": "1"}, {"1A": "1: 30-59 days delinquent"}),
    "thin": (
        {"dscr": 1.05, "underwritten_dscr": 1.5},
        {"1E": "DSCR 1.05x", "1F": "DSCR 1.05x; underwritten 1.50x"},
    ),
    # Filed on all debt, underwritten on the A note: income is compared.
    "part": (
        {
            "structure": "A2", "dscr": 1.2, "underwritten_dscr": 3.0, "ncf": 700_000,
            "filed_debt_service": 1_400_000, "accrual_method": "1",
        },
        {"1F": "DSCR 1.20x; income 50.0% of the underwritten"},
    ),
    "floating": (
        {"dscr": 0.9, "underwritten_dscr": 1.1, "noi": 1_160_000, "rate_type": "2"},
        {"1E": "DSCR 0.90x", "1G": "DSCR 0.90x; NOI 80.0% of the underwritten"},
    ),
    "empty": ({"occupancy": 0.5}, {"4A": "50.0%; underwritten 95.0%"}),
    "rolling": (
        {},
        {
            "4C": "Grocer, 31.0% of the area, 1 Mar 2027",
            "4D": "Grocer, 31.0% of the area, 1 Mar 2027; Nails, 6.0% of the area, 30 Mar 2027",
        },
    ),
    # Leases of under 5 % each, of one tenant; the whole loan is not known, the note is large.
    "chain": (
        {"structure": "PP", "underwritten_dscr": None, "book_value": 31_000_000},
        {"4C": "CHEMIST, 32.0% of the area, 1 Apr 2027 to 8 Apr 2027"},
    ),
    "due": ({"maturity_date": date(2026, 11, 30)}, {"5A": "30 Nov 2026, in 2 mo"}),
}  # fmt: skip
TREATED = {"payment_status": "3", "special_servicing_since": date(2026, 5, 1), "dscr": None}
FILED = "By what is filed"
CARD, GROUPS = "Watchlist triggers", "Loans by watchlist trigger"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    sketch = Sketch(info_of("by hand", AS_OF))
    for number, (facts, _) in LOANS.items():
        sketch.loan(number, **FACTS | facts)
        sketch.lease(number, "Baker", 20_000, date(2033, 12, 31))
    sketch.lease("rolling", "Grocer", 31_000, date(2027, 3, 1))
    sketch.lease("rolling", "Nails", 6_000, date(2027, 3, 30))
    for at in range(8):
        sketch.lease("chain", "Chemist" if at else "CHEMIST", 4_000, date(2027, 4, 1 + at))
    sketch.loan("healthy", **FACTS)
    sketch.lease("healthy", "Baker", 20_000, date(2033, 12, 31))
    sketch.loan("treated", **FACTS | TREATED)
    sketch.loan("taken", **FACTS | TREATED | {"workout": "7"})
    where = tmp_path_factory.mktemp("triggers")
    load_once(where, [sketch.portfolio()])
    return where


@pytest.mark.parametrize("number", LOANS)
def test_the_card_of_a_loan_says_what_each_code_was_found_by(loan, number):
    app = loan(number)
    assert not app.exception
    assert CARD in headings(app, 3)
    found = {row["Trigger"]: row[FILED] for row in table(app, FILED) or ()}
    assert found == {named(code): what for code, what in LOANS[number][1].items()}
    assert "the servicer's own list may differ." in said(app)
    assert "Not testable without" not in said(app)


@pytest.mark.parametrize("number", ["healthy", "taken"])
def test_without_a_trigger_there_is_no_card(loan, number):
    assert CARD not in headings(loan(number), 3)


def test_what_cannot_be_tested_says_for_want_of_what(loan):
    shown = said(loan("treated"))
    income = "a statement of at least six months (of a hotel twelve) and underwriting: 1E, 1F."
    assert f"Not testable without {income}" in shown
    assert "Not testable without the rentable area and a dated lease: 4C, 4D." in shown
    assert (
        "In special servicing, so off the watchlist: the special servicer reports on it." in shown
    )


def test_a_filter_and_a_set_of_columns(loans):
    app = loans(trigger="1F,4A", columns="watchlist")
    assert "Loans on which watchlist trigger 1F or 4A holds: 3" in said(app)
    assert {*column(app, "Loan")} == {"thin", "part", "empty"}
    assert {*column(app, "Computed triggers")} == {"1E | 1F", "1F", "4A"}


def test_groups_by_trigger_overlap_and_lead_to_their_loans(loans, pressed):
    app = loans(by="trigger")
    counts = {"1A": 2, "1E": 2, "1F": 2, "1G": 1, "4A": 1, "4C": 2, "4D": 1, "5A": 1}
    listed = {row["Watchlist trigger"]: row["Loans"] for row in ledgers(app)[GROUPS]}
    assert listed == {named(code): str(count) for code, count in counts.items()}
    shown = said(app)
    assert "A loan is under each trigger that holds. Not testable: 1E on 1 loan, 1F on" in shown
    assert "HHI" not in shown
    assert any("trigger=1G" in one for one in addresses(app, GROUPS))
    written = pressed["credit-atlas-loans-by-trigger.csv"]().decode("utf-8-sig")
    lines = [line for line in written.splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    assert {row["trigger"] for row in rows} == {*counts}
    assert sum(int(row["loans"]) for row in rows) == sum(counts.values())


def test_nothing_holds_on_a_healthy_loan(loans):
    app = loans(by="trigger", find="healthy")
    assert "No watchlist trigger that can be tested holds on any of these loans." in said(app)


def test_groups_by_trigger_have_no_second_attribute(loans):
    app = loans(by="trigger", across="state")
    assert not app.exception
    assert GROUPS in ledgers(app)


def test_a_code_that_there_is_not_is_refused(loans):
    assert "Parameter 'trigger' is '9Z' but must be '1A'" in said(loans(trigger="9Z"))

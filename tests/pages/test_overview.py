"""The Overview: every row and bar leads to the loans that it counts, and says what they sum to.

D97 and D98.
"""

from itertools import pairwise
from urllib.parse import parse_qsl

import pytest

from components.kit.formatting import count, money
from components.overview import gap
from services.contract.aggregates import FigureClass
from services.contract.loan_filter import LoanFilter
from services.contract.queries import parse
from services.importers import demo
from tests.pages.ledger_reading import addresses, ledgers, open_row
from tests.pages.screen import said, table
from tests.publishing import load

STRESS, GAP, WORST = "Loans by their worst signal", "Loans by gap to the refi rate", "Loans"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("overview")
    load(folder, [demo.portfolio(loans=600)])
    return folder


#: The tables beside the charts, opened.
OPEN = {"wall_as_table": True, "gap_as_table": True}


@pytest.fixture
def app(folder, visit):
    found = visit("pages/overview.py", folder, {}, OPEN)
    assert not found.exception
    return found


def leads_to(source, href):
    """Totals of the loans that a link of the page finds."""
    return source.loan_totals(parse(LoanFilter, dict(parse_qsl(href.partition("?")[2]))))


def test_a_table_beside_a_chart_is_drawn_once_it_is_opened(folder, visit):
    app = visit("pages/overview.py", folder)
    assert [one.label for one in app.expander] == ["The same as a table"] * 2
    assert GAP not in ledgers(app)
    (wall,) = set(ledgers(visit("pages/overview.py", folder, {}, OPEN))) - set(ledgers(app)) - {GAP}
    assert wall.startswith("Maturity wall")


def test_each_severity_leads_to_its_loans_and_says_their_dollars(app, source):
    rows, links = ledgers(app)[STRESS], addresses(app, STRESS)
    assert rows[-1]["Worst signal"] == "no signal"
    for row, href in zip(rows, links, strict=True):
        found = leads_to(source, href)
        assert row["Loans"] == count(found.loans)
        assert row["Book value"] == money(found.book_value)
        assert row["Short at refinance"] == money(found.dollars_short)
    every = sum(int(row["Loans"].replace(",", "")) for row in rows)
    assert every == source.snapshot().loans


def test_what_matures_soon_leads_to_its_loans_by_months_not_by_days(app, source):
    links = [one.proto for one in app.get("page_link")]
    asked = [one.query_string for one in links if "matures_within" in one.query_string]
    assert asked == [f"matures_within={months}&order=maturity_date" for months in (12, 24)]
    totals = source.totals()
    for query, due in zip(asked, (totals.matures_12_months, totals.matures_24_months), strict=True):
        found = leads_to(source, f"loans?{query}")
        assert (found.loans, found.book_value) == (due.loans, due.book_value)
        assert 0 < found.loans < source.snapshot().loans


def test_the_parts_of_a_row_by_tier_are_those_of_its_loans(app, source):
    worst = ledgers(app)[STRESS][0]
    loans = source.loans_found(
        LoanFilter(severity=("critical",), per_page=100), ("book_value", "confidence_tier")
    )
    assert loans.total <= 100
    book = [(one.values["confidence_tier"], one.values["book_value"] or 0) for one in loans.items]
    whole = sum(value for _, value in book)
    confirmed = sum(value for tier, value in book if tier == "confirmed")
    assert worst["Confirmed"] == f"{100 * confirmed / whole:.1f}%"
    assert f"{worst['Confirmed']} of it on confirmed ownership chains" in said(app)


def test_each_class_of_the_gap_leads_to_its_loans(app, source):
    rows, links = ledgers(app)[GAP], addresses(app, GAP)
    assert [row["Refi rate less coupon"] for row in rows[:3]] == [
        "under \N{MINUS SIGN}100 bp", "\N{MINUS SIGN}100 to 0 bp", "0 to 50 bp",
    ]  # fmt: skip
    for row, href in zip(rows, links, strict=True):
        if row["Refi rate less coupon"] != "not known":
            assert row["Loans"] == count(leads_to(source, href).loans), row


def test_a_loan_at_or_just_below_the_end_of_a_class_is_found_once():
    """Ends of filters count in: 100 bp begins a class, 99.9999 bp is of the one before (D142)."""
    asked = [
        parse(LoanFilter, gap.params(FigureClass(
            low=low, high=high, loans=0, book_value=0, dollars_short=0
        )))
        for low, high in pairwise((None, *gap.ENDS, None))
    ]  # fmt: skip
    for end in gap.ENDS:
        for value in (end, end - 0.0001, end + 0.0001):
            within = [
                one
                for one in asked
                if (one.min_gap is None or one.min_gap <= value)
                and (one.max_gap is None or value <= one.max_gap)
            ]
            assert len(within) == 1, value


def test_the_worst_twenty_are_the_first_of_all_loans_by_their_worst_signal(app, source):
    expected = source.loans_found(LoanFilter(order="-worst_severity", per_page=25), ())
    listed = [row["Loan"] for row in ledgers(app)[WORST]]
    assert listed == [one.loan_number for one in expected.items][:20]
    opened = open_row(app, WORST)
    assert opened.query_params["loan_number"] == listed[0]


def test_concentration_is_that_of_the_whole_book(app, source):
    for by, caption in (
        ("lender", "Loans by lender"),
        ("sponsor", "Loans by sponsor"),
        ("state", "Loans by state"),
        ("property_type", "Loans by property type"),
    ):
        expected = source.loan_ranking(LoanFilter(), by, 10)
        rows = ledgers(app)[caption]
        assert [row["Loans"] for row in rows] == [count(one.loans) for one in expected.groups]
        assert f"HHI {expected.hhi:,.0f}" in said(app)


def test_what_could_not_be_tested_is_said_with_its_reason(app, source):
    lacking = [one for one in source.rule_coverage() if one.not_testable]
    assert len(lacking) > 3
    found = table(app, "Mostly because")
    assert sorted(row["Rule"] for row in found) == sorted(
        f"{one.rule} {one.title}" for one in lacking
    )
    assert all(len(row["Mostly because"]) > 3 for row in found)

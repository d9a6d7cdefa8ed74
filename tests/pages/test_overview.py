"""The Overview: every row and bar leads to the loans that it counts, and says what they sum to.
A pool is not shown what tells none of its loans apart (D254).

D97 and D98.
"""

from datetime import date
from itertools import pairwise
from types import SimpleNamespace
from urllib.parse import parse_qsl

import pytest

from components.kit.formatting import count, money
from components.overview import gap, hero, severity_mix, wall
from services.contract.aggregates import FigureClass, MaturityBucket, Slice, WorstSeverity
from services.contract.loan_filter import LoanFilter
from services.contract.queries import parse
from services.importers import demo
from tests.pages.ledger_reading import addresses, ledgers, open_row
from tests.pages.screen import headlines, said, table
from tests.publishing import load_once

STRESS, GAP, WORST = "Loans by their worst signal", "Loans by gap to the refi rate", "Loans"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("overview")
    load_once(folder, [demo.portfolio(loans=600)])
    return folder


#: The tables beside the charts, opened.
OPEN = {"wall_as_table": True, "gap_as_table": True, "severities_as_table": True}


@pytest.fixture
def app(folder, visit):
    found = visit("pages/overview.py", folder, {}, OPEN)
    assert not found.exception
    return found


def leads_to(source, href):
    """Totals of the loans that a link of the page finds."""
    return source.loan_totals(parse(LoanFilter, dict(parse_qsl(href.partition("?")[2]))))


def test_it_says_first_how_much_is_in_trouble_and_which_loan_to_open(app, source):
    bad = parse(LoanFilter, {"severity": "severe,critical"})
    among, book = source.loan_totals(bad), source.loan_totals(LoanFilter())
    share = 100 * among.book_value / book.book_value
    assert (
        f"{among.loans} of {book.loans} loans have a severe or critical signal: "
        f"{money(among.book_value)}, {share:.1f}% of book value."
    ) in said(app)
    due = source.loan_totals(parse(LoanFilter, {"matures_within": "12"}))
    short = f"{money(due.dollars_short)} short at refinance."
    assert f"{money(due.book_value)} matures within 12 months, {short}" in said(app)
    (link,) = [one.proto for one in app.get("page_link") if one.proto.label.startswith("Worst")]
    assert f"loans/{link.query_string}" == addresses(app, WORST)[0].replace("loan?", "loans/")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([], "No loan is here."),
        ([("none", 3, 90)], "None of 3 loans has a severe or critical signal."),
        (
            [("critical", 1, 30), ("low", 3, 90)],
            "1 of 4 loans has a severe or critical signal: $30, 25.0% of book value.",
        ),
    ],
)
def test_trouble_in_a_sentence(found, expected):
    rows = [
        WorstSeverity(severity=word, loans=loans, book_value=book, dollars_short=0, by_tier=())
        for word, loans, book in found
    ]
    assert hero.troubled(rows) == expected


def test_a_table_beside_a_chart_is_drawn_once_it_is_opened(folder, visit):
    app = visit("pages/overview.py", folder)
    assert [one.label for one in app.expander] == ["The same as a table"] * 3
    assert not {GAP, STRESS} & set(ledgers(app))
    opened = set(ledgers(visit("pages/overview.py", folder, {}, OPEN))) - set(ledgers(app))
    (wall,) = opened - {GAP, STRESS}
    assert wall.startswith("Maturity wall")


def test_each_severity_leads_to_its_loans_and_says_their_dollars(app, source):
    rows, links = ledgers(app)[STRESS], addresses(app, STRESS)
    without = [row["Worst signal"] for row in rows[4:]]
    assert without == ["no signal", "defeased", "nothing owed"]
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
    assert asked == [f"matures_within={months}&order=effective_maturity" for months in (12, 24)]
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
            low=low, high=high, loans=0, book_value=0, dollars_short=0, by_worst=()
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


def test_the_worst_ten_are_the_first_of_all_loans_by_their_worst_signal(app, source):
    expected = source.loans_found(LoanFilter(order="-worst_severity", per_page=25), ())
    listed = [row["Loan"] for row in ledgers(app)[WORST]]
    assert listed == [one.loan_number for one in expected.items][:10]
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


def test_a_headline_figure_is_one_link_to_what_it_counts(app, source):
    links = {one.proto.label: one.proto.query_string for one in app.get("page_link")}
    assert {
        "Book value", "Matures in 12 months", "Matures in 24 months",
        "Weighted coupon", "Critical loans",
    } <= links.keys()  # fmt: skip
    critical = leads_to(source, f"loans?{links['Critical loans']}")
    found = headlines(app)["Critical loans"]
    assert found.value == str(critical.loans)
    of_what = found.of_what
    assert of_what.startswith(f"{money(critical.book_value)} · ")


def test_tiers_are_said_only_where_a_loan_has_a_chain():
    def one(tier):
        part = Slice(word=tier, loans=1, book_value=9)
        return WorstSeverity(
            severity="critical", loans=1, book_value=9, dollars_short=4, by_tier=(part,)
        )

    assert severity_mix.heading([one(None)]) == "Worst signal of each loan"
    sure = "Worst signal of each loan, and how sure its ownership is"
    assert severity_mix.heading([one(None), one("probable")]) == sure


def test_a_book_that_matures_in_one_quarter_has_no_wall(monkeypatch):
    def bucket(**further):
        return MaturityBucket(
            quarter=date(2030, 10, 1), rate_pressure=None, loans=2, book_value=9,
            dollars_short=0, **further,
        )  # fmt: skip

    shown = []
    monkeypatch.setattr(wall, "_shown", lambda *_: shown.append("wall"))
    dated = SimpleNamespace(no_maturity_date=SimpleNamespace(loans=0))
    once = [bucket(overdue=False, fell_due=False)]
    wall.panel(once, dated)
    assert shown == []
    assert wall.in_one(once, dated) == "All loans mature in one quarter: 2030 Q4."
    past = [bucket(overdue=True, fell_due=False)]
    wall.panel(past, dated)
    assert shown == ["wall"]
    assert wall.in_one(past, dated) == ""

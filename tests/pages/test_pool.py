"""The Overview of a pool: what it says first, what it is made up of, and where each part leads.

D264.
"""

import json
from itertools import groupby
from urllib.parse import parse_qsl

import pytest

from components.kit.formatting import count, money, share
from components.loans import columns, rule_rows
from components.overview import pool as pool_page
from services.contract.aggregates import FoundLoan, WorstSeverity
from services.contract.loan_filter import LoanFilter
from services.contract.properties import PropertyFilter
from services.contract.queries import parse
from services.contract.records import Signal, SignalComponent
from services.importers import demo
from services.store.leases import Store
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import headings, headlines, said, sent_to
from tests.publishing import load_once

STRATA = {
    "Loans by Book value": "book_value",
    "Loans by Coupon": "interest_rate",
    "Loans by DSCR": "dscr",
    "Loans by LTV": "ltv",
    "Loans by Debt yield": "debt_yield",
}
WORDS = {"Loans by Property type": "property_type", "Loans by Lender": "lender_normalized"}
FIRST, LARGEST = "Loans to read first", "Largest loans"


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pool")
    load_once(folder, [demo.portfolio(loans=120)])
    return folder


@pytest.fixture(scope="module")
def held(pool):
    opened = Store(pool)
    with opened.lease() as source:
        yield source
    opened.close()


@pytest.fixture
def app(pool, visit):
    found = visit("pages/overview.py", pool)
    assert not found.exception
    return found


@pytest.fixture(scope="module")
def loans(held):
    """Every loan of the pool, as an export has it."""
    named = ("loan_number", "book_value", "worst_severity", *STRATA.values(), *WORDS.values())
    return [one for batch in held.loan_batches(LoanFilter(), tuple(dict.fromkeys(named)))
            for one in batch.to_pylist()]  # fmt: skip


def found_by(source, href):
    return source.loan_totals(parse(LoanFilter, dict(parse_qsl(href.partition("?")[2]))))


@pytest.mark.parametrize(("caption", "column"), STRATA.items())
def test_each_class_leads_to_its_loans(app, held, loans, caption, column):
    values = [one[column] for one in loans]
    rows, hrefs = ledgers(app)[caption], addresses(app, caption)
    assert sum(int(row["Loans"]) for row in rows) == len(values) == 120
    for row, href in zip(rows, hrefs, strict=True):
        if next(iter(row.values())) == "not known":
            assert row["Loans"] == str(values.count(None))
        else:
            assert row["Loans"] == count(found_by(held, href).loans), row


@pytest.mark.parametrize(("caption", "column"), WORDS.items())
def test_each_group_is_one_of_the_largest_and_leads_to_its_loans(app, held, loans, caption, column):
    dollars = {
        word: sum(one["book_value"] or 0 for one in of)
        for word, of in groupby(sorted(loans, key=lambda one: one[column]), lambda one: one[column])
    }
    rows, hrefs = ledgers(app)[caption], addresses(app, caption)
    whole = sum(dollars.values())
    largest = sorted(dollars.values(), reverse=True)[:6]
    assert [row["Share"] for row in rows] == [share(one, whole) for one in largest]
    for row, href, one in zip(rows, hrefs, largest, strict=True):
        found = found_by(held, href)
        assert (count(found.loans), found.book_value) == (row["Loans"], one)


def test_bars_are_parted_by_the_worst_signal(app, loans):
    (sent,) = (json.loads(one.proto.json) for one in app.get("bidi_component")
               if '"Loans by DSCR"' in one.proto.json)  # fmt: skip
    bad = sent["rows"][0]  # under 1.00x
    under = [one for one in loans if one["dscr"] is not None and one["dscr"] < 1]
    whole = sum(one["book_value"] for one in under)
    (stack,) = (one for one in bad["stacks"] if one)
    drawn = dict(stack)
    full = sum(drawn.values())
    for word in ("critical", "severe", "elevated", "moderate"):
        of_word = sum(one["book_value"] for one in under if one["worst_severity"] == word)
        assert drawn.get(word, 0) / full == pytest.approx(of_word / whole, abs=0.01)


def test_it_says_first_how_large_it_is_and_its_worst_loan(app, held, loans):
    assert headings(app, 1) == ["Overview"]  # made up: no deal
    critical = sum(one["worst_severity"] == "critical" for one in loans)
    properties = held.property_totals(PropertyFilter()).properties
    whole = sum(one["book_value"] or 0 for one in loans)
    assert critical > 1
    begins = f"120 loans, {money(whole)}, {properties} properties; {critical} are critical, first "
    assert begins in said(app)
    (link,) = (one for one in app.get("page_link") if one.proto.label.startswith("Worst"))
    first = addresses(app, FIRST)[0].partition("=")[2]
    assert dict(parse_qsl(link.proto.query_string))["loan_number"] == first


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        ([("moderate", 3)], "none is severe or critical"),
        ([], "none is severe or critical"),
        ([("critical", 1), ("severe", 4)], "one is critical: Elm Court, $9.0M, $2.0M short"),
        ([("severe", 4)], "4 are severe, first Elm Court, $9.0M, $2.0M short"),
    ],
)  # fmt: skip
def test_the_worst_there_is_in_words(severities, expected):
    first = FoundLoan(loan_number="7", values={"book_value": 9_000_000, "dollars_short": 2_000_000})
    graded = [
        WorstSeverity(severity=word, loans=loans, book_value=0, dollars_short=0, by_tier=())
        for word, loans in severities
    ]
    assert (
        pool_page.worst_of(graded, first, {"7": "Elm Court"}).removesuffix(" at refinance")
        == expected
    )


def test_its_figures_are_means_with_how_many_lie_beyond(app, loans):
    figures = headlines(app)
    for label, column, write in (
        ("DSCR", "dscr", lambda mean: f"{mean:.2f}x"),
        ("LTV", "ltv", lambda mean: f"{100 * mean:.1f}%"),
        ("Debt yield", "debt_yield", lambda mean: f"{mean:.1f}%"),
    ):
        known = [(one[column], one["book_value"]) for one in loans if one[column] is not None]
        mean = sum(value * book for value, book in known) / sum(book for _, book in known)
        assert figures[label].value == write(mean), label
    under = sum(one["dscr"] is not None and one["dscr"] < 1 for one in loans)
    over = sum(one["ltv"] is not None and one["ltv"] >= 0.7 for one in loans)
    assert under > 0 < over
    assert figures["DSCR"].of_what == f"{under} under 1.00x"
    assert figures["LTV"].of_what == f"{over} at 70% or more"


def test_a_spread_holds_every_known_loan_between_the_ends(app, loans):
    known = [one["dscr"] for one in loans if one["dscr"] is not None]
    (drawn,) = (
        part for one in app.get("html") for part in one.proto.body.split('class="spread"')[1:]
        if f"{min(known):.2f}x to {max(known):.2f}x".replace("-", "\N{MINUS SIGN}") in part
    )  # fmt: skip
    told = drawn.partition(": ")[2].partition('"')[0]
    counts = [int(one) for one in told.split(", ")]
    assert (len(counts), sum(counts)) == (10, len(known))


def test_each_severity_is_a_link_to_its_loans(app, held, loans):
    links = {one.proto.label: one.proto.query_string for one in app.get("page_link")}
    for word in ("critical", "severe"):
        of_word = [one for one in loans if one["worst_severity"] == word]
        (at,) = (query for label, query in links.items() if label.endswith(f" {word}"))
        assert found_by(held, f"loans?{at}").loans == len(of_word)
        (figure,) = (one for label, one in headlines(app).items() if label.endswith(f" {word}"))
        assert figure.value == money(sum(one["book_value"] for one in of_word))


def test_the_loans_to_read_first_say_what_rules_found(app, held):
    rows = ledgers(app)[FIRST]
    expected = held.loans_found(LoanFilter(order="-worst_severity", per_page=5), ()).items
    assert [row["Loan"] for row in rows] == [one.loan_number for one in expected]
    for row in rows:
        assert row["Why"] == rule_rows.why(held.signals_of(row["Loan"]), 110)
        assert row["Why"]


def signal(*components):
    return Signal(
        loan_number="7", signal_type="stress_indicator", severity="critical", description="",
        components=tuple(components),
    )  # fmt: skip


def part(rule, title, severity, value=None, limit=None):
    return SignalComponent(rule=rule, title=title, severity=severity, value=value, limit=limit)


def test_why_is_the_worst_of_the_rules_that_there_is_room_for():
    found = [
        signal(part("LV-1", "LTV", "moderate", 0.72, 0.7)),
        signal(
            part("ST-1", "Status and workout", "severe"),
            part("CV-1", "DSCR in place", "critical", 0.87, 1.0),
        ),
    ]
    every = "DSCR in place 0.87x (limit 1.00x); Status and workout; LTV 72% (limit 70%)"
    assert rule_rows.why(found, 110) == every
    assert rule_rows.why(found, len(every)) == every
    short = "DSCR in place 0.87x (limit 1.00x); Status and workout"
    assert rule_rows.why(found, len(every) - 1) == short
    assert rule_rows.why(found, 1) == "DSCR in place 0.87x (limit 1.00x)"
    assert rule_rows.why([], 110) == ""


def test_the_ten_largest_are_the_ten_largest(app, loans):
    largest = sorted(loans, key=lambda one: (-(one["book_value"] or 0), one["loan_number"]))[:10]
    assert [row["Loan"] for row in ledgers(app)[LARGEST]] == [one["loan_number"] for one in largest]
    held, whole = (sum(one["book_value"] or 0 for one in some) for some in (largest, loans))
    assert f"Ten largest: {money(held)}, {share(held, whole)}" in headings(app, 2)


def test_the_map_holds_all_dollars_of_what_it_draws(app, held):
    (sent,) = sent_to(app, "atlas_places")
    drawn = [one for batch in held.property_batches(PropertyFilter())
             for one in batch.to_pylist() if one["longitude"] is not None]  # fmt: skip
    places = {(one["state"], one["longitude"], one["latitude"]) for one in drawn}
    assert len(sent["points"]) == len(places)
    for one in sent["points"]:
        route, _, asked = one["href"].partition("?")
        assert route in {"loan", "map"}
        if route == "loan":
            assert dict(parse_qsl(asked))["loan_number"] in {at["loan_number"] for at in drawn}


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [(None, None), (1.25, None), (1.249, "weak"), (1.0, "weak"), (0.999, "bad"), (-1.4, "bad")],
)
def test_coverage_is_tinted_by_its_limits(ratio, expected):
    assert columns.coverage(ratio) == expected


def test_a_large_book_is_no_pool(tmp_path, visit):
    load_once(tmp_path, [demo.portfolio(loans=401)])
    app = visit("pages/overview.py", tmp_path)
    assert not {*STRATA, FIRST, LARGEST} & ledgers(app).keys()
    assert "Matures in 12 months" in headlines(app)

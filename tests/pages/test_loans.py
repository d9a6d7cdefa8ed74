"""The Loans page: its filters, orders, columns, totals, rankings and comparison."""

import pytest

from components.loans.columns import PRESETS
from services.contract.loan_filter import LoanFilter
from services.importers import demo
from tests.pages.field_reading import ADD, fields, options
from tests.pages.ledger_reading import addresses, column, ledgers, open_row, rows, send
from tests.pages.screen import headlines, said
from tests.publishing import load_once


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loans")
    load_once(folder, [demo.portfolio(loans=400)])
    return folder


@pytest.fixture
def opened(folder, visit):
    return lambda **params: visit("pages/loans.py", folder, params)


def numbers(source, **query):
    """The whole result, from the store itself."""
    return [
        one.loan_number
        for page in range(1, 6)
        for one in source.loans_found(LoanFilter(**query, page=page, per_page=100), ()).items
    ]


def test_the_question_of_the_ten_largest_is_one_address(opened, source):
    """The ten Texas or California office loans due in three years that are most short."""
    asked = {
        "state": "TX,CA",
        "property_type": "office,retail",
        "maturity_before": "2029-10-01",
        "order": "-dollars_short",
        "columns": "refinance",
    }
    app = opened(**asked)
    assert not app.exception
    expected = numbers(source, **{k: v for k, v in asked.items() if k != "columns"})
    assert column(app, "Loan") == expected[:25]
    assert "in California or Texas, with a legal maturity before 1 Oct 2029" in said(app)
    assert app.query_params["order"] == "-dollars_short"


def test_a_press_on_a_head_orders_the_whole_result_from_its_first_page(opened, source):
    app = send(opened(page="2"), "Loans", "ordered", "book_value")
    assert app.query_params["order"] == "-book_value"
    assert "page" not in app.query_params
    assert column(app, "Loan") == numbers(source, order="-book_value")[:25]
    app = send(app, "Loans", "ordered", "book_value")
    assert column(app, "Loan") == numbers(source, order="book_value")[:25]
    app = send(app, "Loans", "ordered", "book_value")
    assert "order" not in app.query_params


@pytest.mark.parametrize("name", PRESETS)
def test_a_set_of_columns_shows_each_of_them(name, opened):
    app = opened(columns=name)
    assert not app.exception
    heads = list(rows(app, "Loan")[0])
    assert len(heads) == len(set(heads)) >= len(PRESETS[name]) + 3


def test_a_list_begins_with_what_is_wrong_and_by_how_much(opened):
    """Fourth look: the severity beside what the loan is, then the figures that explain it."""
    app = opened()
    assert list(rows(app, "Loan")[0]) == [
        *("Loan", "Property type", "City", "Worst signal", "Short at refinance", "DSCR", "LTV"),
        *("Book value", "Matures", "Due", "Sponsor"),
    ]  # fmt: skip


def test_columns_of_ones_own_come_in_their_order_and_unknown_ones_are_left_out(opened):
    heads = list(rows(opened(columns="sponsor,ltv,no_such"), "Loan")[0])
    assert heads == ["Loan", "Property type", "City", "Sponsor", "LTV"]


def test_every_value_of_a_filter_says_how_many_loans_it_would_find(opened, source):
    app = opened(state="TX", defeased="no")
    counted = {
        one.word: one.loans for one in source.loan_counts(LoanFilter(defeased=False), "state")
    }
    assert f"TX Texas · {counted['TX']}" in options(app, "state")
    of_type = source.loan_counts(LoanFilter(state="TX", defeased=False), "property_type")
    offices = next(one.loans for one in of_type if one.word == "office")
    assert f"Office · {offices}" in options(app, "property_type")


def test_a_filter_of_the_address_is_in_sight_with_the_other_end_of_its_range(opened):
    app = opened(min_ltv="65", max_dscr="1.2", special_servicing="no")
    ends = {name: fields(app)[name]["value"] for name in ("min_ltv", "max_ltv", "max_dscr")}
    assert ends == {"min_ltv": "65", "max_ltv": "", "max_dscr": "1.2"}
    assert fields(app)["special_servicing"]["chosen"] == ["no"]
    assert "LTV" not in options(app, ADD)
    assert "Debt yield" in options(app, ADD)
    for said_of in ("an LTV of at least 65.00%", "a DSCR of at most 1.20x",
                    "not known to be in special servicing"):  # fmt: skip
        assert said_of in said(app)


def test_totals_are_those_of_the_result(opened, source):
    app = opened(state="TX")
    totals = source.loan_totals(LoanFilter(state="TX"))
    shown = headlines(app)
    assert shown["Book value"].of_what == f"{totals.loans} loans"
    assert shown["DSCR"].value == f"{totals.dscr.mean:.2f}x"
    assert shown["Short at refinance"].of_what == f"{totals.short_loans} loans"


@pytest.mark.parametrize(
    "by",
    [
        "lender",
        "sponsor",
        "state",
        "city",
        "property_type",
        "vintage",
        "quarter",
        "year",
        "severity",
    ],
)
def test_each_row_of_a_ranking_leads_to_just_its_loans(by, opened, source):
    app = opened(by=by, min_balance="1000000")
    assert not app.exception
    (caption,) = (one for one in ledgers(app) if one.startswith("Loans by"))
    listed = ledgers(app)[caption]
    known = [at for at, row in enumerate(listed) if next(iter(row.values())) != "Not known"]
    for at in known[:4]:
        total = sum(one.loans for one in source.loan_counts(
            LoanFilter(**query_of(addresses(app, caption)[at])), "defeased"))  # fmt: skip
        assert listed[at]["Loans"] == str(total)
    assert not open_row(app, caption, known[0]).exception


def query_of(address):
    from urllib.parse import parse_qsl

    left = {"by", "columns", "map", "compare"}
    return {
        name: tuple(value.split(",")) if name in {"state", "property_type", "city"} else value
        for name, value in parse_qsl(address.partition("?")[2])
        if name not in left
    }


def test_numbers_in_the_address_are_a_set_of_loans(opened, source):
    first, second = numbers(source)[:2]
    app = opened(numbers=f"{second},{first},nope", state="TX,CA,NY,FL")
    assert not app.exception
    asked = {"numbers": (first, second, "nope"), "state": ("TX", "CA", "NY", "FL")}
    expected = numbers(source, **asked)
    assert [row["Loan"] for row in ledgers(app).get("Loans", [])] == expected
    assert "of a set of 3 numbers" in said(app)
    assert app.query_params["numbers"] == f"{second},{first},nope"

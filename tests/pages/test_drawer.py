"""A loan beside the list of loans, and what is selected in it."""

from html import escape

import pytest

from services.contract.loan_filter import LoanFilter
from services.importers import demo
from tests.pages.ledger_reading import column, send
from tests.pages.screen import headings, headlines, said
from tests.publishing import load_once


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawer")
    load_once(folder, [demo.portfolio(loans=120)])
    return folder


@pytest.fixture
def opened(folder, visit):
    return lambda **params: visit("pages/loans.py", folder, params)


def test_a_click_on_a_row_shows_the_loan_beside_the_list(opened, source):
    app = opened()
    third = column(app, "Loan")[2]
    app = send(app, "Loans", "shown", third)
    assert app.query_params["loan"] == third
    assert len(column(app, "Loan")) == 25
    (one,) = source.loans_found(
        LoanFilter(numbers=(third,)), ("property_name", "worst_severity")
    ).items
    assert one.values["property_name"] in headings(app, 2)
    assert "3 of 25 on this page" in said(app)
    assert {"DSCR", "LTV", "Debt yield"} <= set(headlines(app))
    worst = [one for one in source.signals_of(third) if one.severity == "critical"]
    shown = "".join(one.proto.body for one in app.get("html"))
    assert any(escape(one.description) in shown for one in worst)


def test_a_loan_with_a_lead_alone_has_no_signal_and_what_contagion_says(opened, source):
    # D279
    asked = LoanFilter(rule=("CT-1",), severity=("none",), order="-contagion")
    first = source.loans_found(asked, ()).items[0].loan_number
    (signal,) = source.signals_of(first)
    app = opened(loan=first, rule="CT-1", severity="none")
    assert f"No signal. {signal.description}" in said(app)


def test_the_buttons_go_through_the_list_and_close(opened):
    numbers = column(opened(), "Loan")
    app = opened(loan=numbers[0])
    assert app.button(key="Loan before").disabled
    app = app.button(key="Loan after").click().run()
    assert app.query_params["loan"] == numbers[1]
    app = app.button(key="close drawer").click().run()
    assert "loan" not in app.query_params
    assert "on this page" not in said(app)


def test_a_loan_that_nobody_knows_is_said_to_be_unknown(opened):
    app = opened(loan="CA-999999")
    assert not app.exception
    assert "No loan is numbered 'CA-999999'." in said(app)
    # What a browser says is shown only of rows that it was sent.
    app = send(opened(), "Loans", "shown", "CA-999999")
    assert "loan" not in app.query_params


def test_selected_loans_have_a_bar_with_what_can_be_done(opened, source):
    app = opened()
    numbers = column(app, "Loan")[:3]
    app = send(app, "Loans", "ticked", numbers)
    assert not app.exception
    assert "3 selected" in said(app)
    total = source.loan_totals(LoanFilter(numbers=tuple(numbers))).book_value
    assert f"${total / 1e6:,.1f}M" in said(app)
    assert {"Compare 3 loans", "Plot", "Map"} <= {one.proto.label for one in app.get("page_link")}
    app = app.button(key="watch selection").click().run()
    assert "3 loans are on your watchlist." in said(app)
    app = app.button(key="clear selection").click().run()
    assert "selected" not in said(app)
    assert "compare" not in app.query_params


def test_more_loans_than_fit_side_by_side_are_not_compared(opened):
    app = opened()
    app = send(app, "Loans", "ticked", column(app, "Loan")[:6])
    assert "6 selected" in said(app)
    assert "Compare takes 5" in said(app)

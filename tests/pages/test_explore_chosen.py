"""The loans that a reader draws around in a plot (D128, D137)."""

import pytest

from services.contract.distributions import Plot
from services.contract.loan_filter import LoanFilter
from services.importers import demo
from tests.every_loan import every_loan
from tests.pages.field_reading import filled
from tests.pages.ledger_reading import column
from tests.pages.plot_reading import chart, chosen_in, in_box
from tests.pages.screen import headings, headlines, links, said
from tests.publishing import load_once

BOX = {"box": "0.5,0.7,1.2,1.6", "clip": "no"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chosen")
    load_once(folder, [demo.portfolio(loans=400)])
    return folder


@pytest.fixture
def opened(folder, visit):
    def run(held=(), /, **params):
        app = visit("pages/explore.py", folder, params, dict(held))
        assert not app.exception
        return app

    return run


@pytest.fixture(scope="module")
def rows(source):
    """Every loan of the book as raw values."""
    return [dict(one.values) for one in every_loan(source, ("dscr", "ltv", "book_value"))]


def test_a_box_lists_the_loans_in_it_with_totals_and_opens_them_as_a_result(opened, rows):
    plot = Plot("ltv", "dscr", clip=False)
    held = chosen_in(LoanFilter(), plot, "box", (0.5, 0.7), (1.2, 1.6))
    app = opened(held, clip="no")
    inside = [
        r for r in rows
        if None not in (r["ltv"], r["dscr"]) and 0.5 <= r["ltv"] <= 0.7 and 1.2 <= r["dscr"] <= 1.6
    ]  # fmt: skip
    assert f"Chosen in the plot: {len(inside)} loans" in headings(app, 2)
    assert headlines(app)["Book value"].of_what == f"{len(inside)} loans"
    listed = column(app, "Loan")
    assert len(listed) == min(25, len(inside))
    assert set(listed) <= {r["loan_number"] for r in inside}
    assert "Open as result" in links(app)
    (kept,) = app.session_state["sets of loans"].values()
    assert set(kept) == {r["loan_number"] for r in inside}


def test_the_chosen_loans_are_ordered_by_the_head_of_a_column_and_exported(opened, rows):
    largest = sorted(
        (r for r in rows if r["loan_number"] in in_box(rows)), key=lambda r: -r["book_value"]
    )
    app = opened(box="0.5,0.7,1.2,1.6", clip="no", order="-book_value")
    assert column(app, "Loan") == [r["loan_number"] for r in largest[:25]]
    assert app.query_params["order"] == "-book_value"
    assert f"The first 25 of {len(largest)}; the file has all." in said(app)
    assert f"Export all {len(largest)}" in said(app)
    assert "order" not in opened(clip="no").query_params


def test_a_lasso_lists_the_loans_of_its_outline(opened, rows):
    triangle = (0.4, 0.8, 0.6), (1.0, 1.2, 2.0)
    held = chosen_in(LoanFilter(), Plot("ltv", "dscr", clip=False), "lasso", *triangle)
    opened_set = opened(held, clip="no").session_state["sets of loans"]
    (kept,) = opened_set.values()

    def side(x1, y1, x2, y2, x, y):
        return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) > 0

    a, b, c = zip(*triangle, strict=True)
    expected = {
        r["loan_number"]
        for r in rows
        if None not in (r["ltv"], r["dscr"])
        if len({side(*p, *q, r["ltv"], r["dscr"]) for p, q in ((a, b), (b, c), (c, a))}) == 1
    }
    assert len(expected) > 10
    assert set(kept) == expected


def test_an_outline_around_nothing_says_so(opened):
    held = chosen_in(LoanFilter(), Plot("ltv", "dscr", clip=True), "box", (90, 91), (90, 91))
    assert "No loan lies within the outline." in said(opened(held))


def test_loans_at_none_are_chosen_as_others_are(opened, rows):
    without = {r["loan_number"] for r in rows if r["dscr"] is None and r["ltv"] is not None}
    least = min(r["dscr"] for r in rows if r["dscr"] is not None) - 0.01
    held = chosen_in(LoanFilter(), Plot("ltv", "dscr"), "box", (0, 9), (-9, least))
    app = opened(held, clip="no")
    assert f"Chosen in the plot: {len(without)} loans" in headings(app, 2)


def test_a_box_in_the_address_is_drawn_and_lists_its_loans(opened, rows):
    """D137."""
    app = opened(**BOX)
    (drawn,) = chart(app)["layout"]["selections"]
    assert (drawn["x0"], drawn["x1"], drawn["y0"], drawn["y1"]) == (0.5, 0.7, 1.2, 1.6)
    assert f"Chosen in the plot: {len(in_box(rows))} loans" in headings(app, 2)
    (kept,) = app.session_state["sets of loans"].values()
    assert set(kept) == in_box(rows)
    assert app.query_params["box"] == "0.5,0.7,1.2,1.6"
    app = filled(app, "state", ["TX"])  # the same box around other loans
    assert app.query_params["box"] == "0.5,0.7,1.2,1.6"
    app = filled(app, "x", ["Coupon"])
    assert "box" not in app.query_params
    assert not any(one.startswith("Chosen") for one in headings(app, 2))


def test_corners_of_a_box_may_come_in_any_order(opened, rows):
    app = opened(box="0.7,0.5,1.6,1.2", clip="no")
    assert f"Chosen in the plot: {len(in_box(rows))} loans" in headings(app, 2)


def test_a_link_with_a_lasso_lists_its_loans_and_clearing_it_leaves_the_address(opened, rows):
    corners = "0.49999,1.199,0.70001,1.199,0.70001,1.601,0.49999,1.601"
    app = opened(lasso=corners, clip="no")
    assert f"Chosen in the plot: {len(in_box(rows))} loans" in headings(app, 2)
    (drawn,) = chart(app)["layout"]["selections"]
    assert (drawn["type"], drawn["path"]) == (
        "path", "M0.49999,1.199L0.70001,1.199L0.70001,1.601L0.49999,1.601Z",
    )  # fmt: skip
    (clear,) = (one for one in app.button if one.label == "Clear the selection")
    app = clear.click().run()
    assert "lasso" not in app.query_params
    assert not any(one.startswith("Chosen") for one in headings(app, 2))


@pytest.mark.parametrize("lasso", ["1,2,3,4", "1,2,3,4,5", "a,b,c,d,e,f", ",".join(["1"] * 122)])
def test_a_lasso_that_is_none_is_said(lasso, visit, folder):
    app = visit("pages/explore.py", folder, {"lasso": lasso})
    assert "lasso" in said(app)
    assert not app.get("plotly_chart")

"""A loan among its peers, on its own page (D129, D281)."""

from datetime import date

import pytest

from components.explore.peers import place
from services.contract.distributions import Standing
from services.importers import demo
from tests.every_loan import every_loan
from tests.pages.screen import headings, links, said, tables
from tests.publishing import load_once

NAMES = ("ltv", "property_type", "property_state", "origination_date", "defeasance", "book_value")

#: How the page says the two ends of a figure that is bad where it is high.
ENDS = {0: "best", 100: "worst"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers")
    load_once(folder, [demo.portfolio(loans=400)])
    return folder


@pytest.fixture(scope="module")
def rows(source):
    """Every loan of the book as raw values."""
    return [dict(one.values) for one in every_loan(source, NAMES)]


def alike(own, rows):
    """The loans of its type and about its year that owe: of its state, where that is enough."""
    year = own["origination_date"].year
    found = [
        r for r in rows
        if r["property_type"] == own["property_type"]
        and r["defeasance"] != "F"
        and r["book_value"] != 0
        and r["origination_date"]
        and date(year - 1, 1, 1) <= r["origination_date"] <= date(year + 1, 12, 31)
    ]  # fmt: skip
    there = [r for r in found if r["property_state"] == own["property_state"]]
    return there if len(there) >= 30 else found


def among(own, peers):
    """How many of its peers have an LTV, and what share of the others has a lower one."""
    known = [r["ltv"] for r in peers if r["ltv"] is not None]
    return len(known), 100 * sum(one < own["ltv"] for one in known) / (len(known) - 1)


@pytest.mark.parametrize("at_an_end", [True, False])
def test_a_loan_stands_among_its_peers_on_its_own_page(at_an_end, folder, visit, rows):
    whole = [r for r in rows if r["property_type"] and r["origination_date"] and r["ltv"]
             and r["defeasance"] != "F"]  # fmt: skip
    own = next(r for r in whole if (among(r, alike(r, rows))[1] in ENDS) == at_an_end)
    peers = alike(own, rows)
    known, part = among(own, peers)
    app = visit("pages/loan.py", folder, {"loan_number": own["loan_number"]})
    listed = {row["Figure"]: row for row in tables(app)["Its place among peers"]}
    said_place, of = listed["LTV"]["Its place"].split(" of ")
    if at_an_end:
        assert (said_place, of) == (ENDS[part], str(known))
    else:
        assert said_place.startswith("worse than ")
        assert abs(float(said_place.removeprefix("worse than ").rstrip("%")) - part) <= 0.501
        assert of == str(known - 1)
    assert f"Among {len(peers)} {own['property_type']} loans" in said(app)
    assert "See them, with this loan marked" in links(app)


def test_a_defeased_loan_has_no_peers(folder, visit, rows):
    own = next(r for r in rows if r["defeasance"] == "F" and r["property_type"])
    app = visit("pages/loan.py", folder, {"loan_number": own["loan_number"]})
    assert not app.exception
    assert "Among its peers" not in headings(app, 3)


@pytest.mark.parametrize(
    ("figure", "percentile", "loans", "said_place"),
    [
        # A low DSCR and a high LTV are bad; of a coupon neither end is.
        ("dscr", 0, 9, "worst of 9"),
        ("dscr", 100, 9, "best of 9"),
        ("dscr", 62.5, 9, "better than 63% of 8"),
        ("ltv", 62.5, 9, "worse than 63% of 8"),
        ("ltv", 0, 2, "best of 2"),
        ("interest_rate", 50, 3, "higher than 50% of 2"),
        ("interest_rate", 100, 3, "highest of 3"),
        ("dscr", None, 3, "—"),
    ],
)
def test_a_place_says_which_side_is_bad(figure, percentile, loans, said_place):
    one = Standing(figure=figure, value=1.0, percentile=percentile, loans=loans, median=1.0)
    assert place(one) == said_place

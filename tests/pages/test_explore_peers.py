"""A loan among its peers, on its own page (D129)."""

from datetime import date

import pytest

from services.importers import demo
from tests.every_loan import every_loan
from tests.pages.screen import links, said, tables
from tests.publishing import load_once

NAMES = ("ltv", "property_type", "property_state", "origination_date")

#: How the page says the two ends.
ENDS = {0: "lowest", 100: "highest"}


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
    """The loans of its type and about its year: of its state, where that is enough."""
    year = own["origination_date"].year
    found = [
        r for r in rows
        if r["property_type"] == own["property_type"]
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
    whole = [r for r in rows if r["property_type"] and r["origination_date"] and r["ltv"]]
    own = next(r for r in whole if (among(r, alike(r, rows))[1] in ENDS) == at_an_end)
    peers = alike(own, rows)
    known, place = among(own, peers)
    app = visit("pages/loan.py", folder, {"loan_number": own["loan_number"]})
    listed = {row["Figure"]: row for row in tables(app)["Percentiles among peers"]}
    said_place, of = listed["LTV"]["Percentile"].split(" of ")
    if at_an_end:
        assert said_place == ENDS[place]
    else:
        assert abs(float(said_place.removeprefix("P")) - place) <= 0.501
    assert of == str(known)
    assert f"Among {len(peers)} {own['property_type']} loans" in said(app)
    assert "See them, with this loan marked" in links(app)

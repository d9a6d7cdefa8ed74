"""A loan among its peers, on its own page (D129)."""

from datetime import date

import pytest

from services.importers import demo
from tests.every_loan import every_loan
from tests.pages.screen import links, said, tables
from tests.publishing import load_once

NAMES = ("ltv", "property_type", "property_state", "origination_date")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers")
    load_once(folder, [demo.portfolio(loans=400)])
    return folder


@pytest.fixture(scope="module")
def rows(source):
    """Every loan of the book as raw values."""
    return [dict(one.values) for one in every_loan(source, NAMES)]


def test_a_loan_stands_among_its_peers_on_its_own_page(folder, visit, rows):
    own = next(r for r in rows if r["property_type"] and r["origination_date"] and r["ltv"])
    year = own["origination_date"].year
    alike = [
        r for r in rows
        if r["property_type"] == own["property_type"]
        and r["origination_date"]
        and date(year - 1, 1, 1) <= r["origination_date"] <= date(year + 1, 12, 31)
    ]  # fmt: skip
    there = [r for r in alike if r["property_state"] == own["property_state"]]
    alike = there if len(there) >= 30 else alike
    app = visit("pages/loan.py", folder, {"loan_number": own["loan_number"]})
    listed = {row["Figure"]: row for row in tables(app)["Percentiles among peers"]}
    known = [r["ltv"] for r in alike if r["ltv"] is not None]
    place = 100 * sum(one < own["ltv"] for one in known) / (len(known) - 1)
    assert abs(float(listed["LTV"]["Percentile"].lstrip("P")) - place) <= 0.501
    assert listed["LTV"]["Loans with it"] == str(len(known))
    assert f"Among {len(alike)} {own['property_type']} loans" in said(app)
    assert "See them, with this loan marked" in links(app)

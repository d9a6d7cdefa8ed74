"""The Tenants page: tenants and leases as they are listed, bars by year, files and addresses."""

from datetime import date

import pytest

from components.tenants import expiry
from services.contract.queries import parse
from services.contract.tenants import TenantFilter, YearOfLeases
from services.importers import demo
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import said, sent_to
from tests.publishing import load_once

PAGE = "pages/tenants.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tenants") / "store"
    load_once(folder, [demo.portfolio(loans=300)])
    return folder


def bars(app):
    (found,) = sent_to(app, "atlas_bars")
    return found["bars"]


def test_the_largest_tenants_come_first_and_each_leads_to_its_leases(page, source):
    app = page()
    totals, found = source.tenant_totals(TenantFilter()), source.tenants(TenantFilter())
    assert f"Tenants of all loans: {totals.tenants:,}" in said(app)
    rows = ledgers(app)["Tenants"]
    assert [row["Tenant"] for row in rows] == [one.tenant for one in found.items]
    assert [row["Square feet"] for row in rows] == [f"{one.square_feet:,}" for one in found.items]
    name = found.items[0].tenant
    address = addresses(app, "Tenants")[0]
    leases = page(tenant=f'"{name}"', look="leases")
    assert f'Leases of all loans, named "{name}": {found.items[0].leases}' in said(leases)
    assert address.startswith("tenants?tenant=%22")
    assert address.endswith("%22&look=leases")
    assert {row["Tenant"] for row in ledgers(leases)["Leases"]} == {name}


def test_leases_that_expire_within_a_time_are_listed_the_first_to_end_first(page, source):
    app = page(look="leases", leases_within="12")
    found = source.tenancies(TenantFilter(leases_within=12))
    assert f"expiring within 12 months of the as-of date: {found.total}" in said(app)
    first = found.items[0]
    assert addresses(app, "Leases")[0] == f"loan?loan_number={first.loan_number}"
    assert (
        sum(one["parts"][0]["value"] for one in bars(app))
        == source.tenant_totals(TenantFilter(leases_within=12)).square_feet
    )


def test_each_bar_leads_to_its_leases_and_all_bars_are_all_dated_leases(page, source):
    app = page({"years_as_table": True})
    totals = source.tenant_totals(TenantFilter())
    listed = 0
    for one in bars(app):
        query = dict(part.split("=") for part in one["href"].partition("?")[2].split("&"))
        assert query.pop("look") == "leases"
        found = source.tenant_totals(parse(TenantFilter, query))
        assert found.square_feet == sum(part["value"] for part in one["parts"])
        listed += found.leases
    assert listed == totals.leases - totals.undated
    rows = ledgers(app)["Leases by the year in which they expire"]
    assert [row["Expires"] for row in rows] == [one["label"] for one in bars(app)]
    assert sum(int(row["Leases"]) for row in rows) == listed


def test_years_between_have_a_bar_too_and_those_far_ahead_share_one():
    years = [
        YearOfLeases(year=year, leases=leases, square_feet=100 * leases)
        for year, leases in ((None, 1), (2027, 2), (2029, 3), (2035, 4), (2036, 5), (2050, 6))
    ]
    spans = expiry._spans(years, date(2026, 9, 30))
    assert [(one.label, one.leases) for one in spans] == [
        *(("Expired", 1), ("2027", 2), ("2028", 0), ("2029", 3)),
        *((str(year), 0) for year in range(2030, 2035)),
        *(("2035", 4), ("Later", 11)),
    ]
    assert (spans[0].first, spans[0].last) == (None, date(2026, 9, 29))
    assert (spans[-1].first, spans[-1].last) == (date(2036, 1, 1), None)
    this_year = expiry._spans([YearOfLeases(year=2026, leases=1, square_feet=1)], date(2026, 9, 30))
    assert [(one.first, one.last) for one in this_year] == [(date(2026, 9, 30), date(2026, 12, 31))]


def test_another_look_begins_in_its_own_order(page):
    app = page(order="-book_value")
    app.button_group[0].set_value("leases").run()
    assert app.query_params == {"look": "leases"}


def test_nothing_that_matches_and_no_tenant_at_all_are_told_apart(page):
    app = page(tenant="no such tenant")
    assert "Tenants of all loans, named “no such tenant”: none." in said(app)
    app = page(page="99")
    assert "only" in said(app) or "last" in said(app)

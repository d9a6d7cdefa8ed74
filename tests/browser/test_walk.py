"""Chromium walks every page: no exception, no console error, no request to any other host, and
axe-core finds nothing, light and dark.

Pins S36 and S37 of components/README.md.
"""

from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe

from services.contract.families import FamilyFilter
from services.contract.queries import EntityQuery, LoanQuery
from services.store.leases import Store
from tests.browser.conftest import Tab
from tests.tiers import turns

pytestmark = pytest.mark.browser

#: Pages by name: path, and the heading that it has.
PAGES = {
    "overview": ("/", "Overview"),
    "loans": ("/loans?state=TX", "Loans"),
    "map": ("/map", "Map"),
    "map, hexagons": ("/map?layer=hexagons", "Map"),
    "map, columns": ("/map?layer=columns", "Map"),
    "explore": ("/explore?state=TX&box=0.4,0.7,1,2", "Explore"),
    "explore, cells": (
        "/explore?x=book_value&y=interest_rate&log=x&colour=property_type", "Explore",
    ),
    "explore, boxes": ("/explore?show=boxes&by=lender&loan={loan}", "Explore"),
    "explore, histogram": ("/explore?show=histogram&x=debt_yield", "Explore"),
    "explore, vintages": ("/explore?show=vintages", "Explore"),
    "loan": ("/loan?loan_number={loan}", "{called}"),
    "loan, map": ("/loan?loan_number={loan}&on_map=yes", "{called}"),
    "signals": ("/signals", "Signals"),
    "signals, moderate": ("/signals?severity=moderate", "Signals"),
    "watchlist": ("/watchlist", "Watchlist"),
    "cases": ("/cases", "Cases"),
    "calendar": ("/calendar", "Calendar"),
    "calendar, month": ("/calendar?look=month&month=2026-12", "Calendar"),
    "tenants": ("/tenants", "Tenants"),
    "leases": ("/tenants?look=leases&leases_within=24", "Tenants"),
    "what if": ("/what_if?rates=100&noi=-10&cap=50&rates_2=-100&rate_5_2=50", "What if"),
    "entities": ("/entities?name=capital", "Entities"),
    "entity": ("/entity?entity_name={entity}", "{party}"),
    "sponsors": ("/sponsors", "Sponsors"),
    "family": ("/family?entity_name={entity}", "{party}"),
    "family, map": ("/family?entity_name={entity}&on_map=yes", "{party}"),
    "capital graph": ("/capital_graph?loan_number={loan}&depth=3", "Capital graph"),
    "connection": ("/connection?from_loan={loan}&to_entity={entity}", "Connection"),
    "track record": ("/track_record", "Track record"),
    "sources": ("/sources", "Sources"),
    "check sheet": ("/check_sheet", "Check sheet"),
    "access": ("/access", "Your access"),
}  # fmt: skip


def records(folder: Path) -> dict[str, str]:
    """A loan and the head of the largest family of a store, else an entity, for addresses."""
    store = Store(folder)
    try:
        with store.lease() as source:
            loan = source.loans(LoanQuery(per_page=1)).items[0].loan_number
            heads = source.families(FamilyFilter()).items
            entity = heads or source.entities(EntityQuery(per_page=1)).items
            called = source.loan(loan).extended.get("property_name") or loan
            names = {"loan": loan, "entity": entity[0].entity_name}
            shown = {"called": called, "party": names["entity"]}
            return {name: quote(one) for name, one in names.items()} | shown
    finally:
        store.close()


def clean(tab: Tab, heading: str) -> None:
    """The page is whole: its heading, no exception, nothing that a tab should not have seen."""
    tab.page.wait_for_load_state("networkidle")
    assert tab.page.locator("h1").first.inner_text() == heading
    assert tab.page.locator("[data-testid=stException]").count() == 0
    assert "could not be drawn" not in tab.text()
    assert tab.faults == []


#: Streamlit gives the page buttons of two tables one name, and takes no other.
ALIKE = 'landmark-unique: <div role="navigation" aria-label="Pagination"'


def violations(tab: Tab) -> list[str]:
    found = [
        f"{violation['id']}: {node['html'][:140]}"
        for violation in Axe().run(tab.page).response["violations"]
        for node in violation["nodes"]
    ]
    return [one for one in found if not one.startswith(ALIKE)]


@pytest.mark.parametrize(("name", "dark", "width"), turns(PAGES, [False, True], [1440, 1024, 420]))
def test_a_page_is_whole_and_axe_finds_nothing(
    name, dark, width, open_tab, demo_server, demo_store
):
    path, heading = (part.format(**records(demo_store)) for part in PAGES[name])
    tab = open_tab(demo_server, dark=dark, width=width)
    tab.go(path)
    clean(tab, heading)
    assert violations(tab) == []


#: Pages that draw something else of a filing than of made-up loans.
OF_A_FILING = {"overview", "loans", "map", "explore", "loan", "signals", "entity", "sources"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=() if one in OF_A_FILING else pytest.mark.long) for one in PAGES],
)
def test_a_page_over_a_filing_is_whole(name, open_tab, filing_server, filing_store):
    path, heading = (part.format(**records(filing_store)) for part in PAGES[name])
    if name == "overview":
        heading = "BANK5 2025-5YR19"  # a pool goes by its deal (D264)
    tab = open_tab(filing_server, dark=True, width=900)
    tab.go(path)
    clean(tab, heading)

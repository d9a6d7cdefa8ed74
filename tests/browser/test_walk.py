"""Chromium walks every page: no exception, no console error, no request to any other host.

Pins S36 of components/README.md.
"""

from pathlib import Path
from urllib.parse import quote

import pytest

from services.contract.queries import EntityQuery, LoanQuery
from services.store.leases import Store

pytestmark = pytest.mark.browser

PAGES = {
    "overview": ("/", "Overview"),
    "loans": ("/loans?state=TX", "Loans"),
    "loans_map": ("/loans?map=cities", "Loans"),
    "map": ("/map", "Map"),
    "map_cells": ("/map?layer=hexagons", "Map"),
    "explore": ("/explore", "Explore"),
    "explore_boxes": ("/explore?show=boxes&by=state", "Explore"),
    "explore_vintages": ("/explore?show=vintages", "Explore"),
    "loan": ("/loan?loan_number={loan}", "Loan"),
    "signals": ("/signals", "Signals"),
    "signals_cities": ("/signals?map=cities&severity=moderate", "Signals"),
    "watchlist": ("/watchlist", "Watchlist"),
    "what_if": ("/what_if?rates=100&noi=-10&cap=50&rates_2=-100", "What if"),
    "entities": ("/entities", "Entities"),
    "entity": ("/entity?entity_name={entity}", "Entity"),
    "sponsors": ("/sponsors", "Sponsors"),
    "family": ("/family?entity_name={entity}", "Family"),
    "capital_graph": ("/capital_graph?loan_number={loan}&depth=3", "Capital graph"),
    "connection": ("/connection?from_loan={loan}&to_entity={entity}", "Connection"),
    "track_record": ("/track_record", "Track record"),
    "sources": ("/sources", "Sources"),
}
#: Dark on the demonstration is what the accessibility tests open.
LOOKS = {"demo": {"dark": False, "width": 1440}, "filing": {"dark": True, "width": 900}}


def first(store: Path, what: str) -> str:
    """The first loan number or entity name of a store, as an address writes it."""
    opened = Store(store)
    try:
        with opened.lease() as source:
            if what == "loan":
                return quote(source.loans(LoanQuery(per_page=1)).items[0].loan_number)
            return quote(source.entities(EntityQuery(per_page=1)).items[0].entity_name)
    finally:
        opened.close()


@pytest.mark.parametrize("data", LOOKS)
@pytest.mark.parametrize("name", PAGES)
def test_page_opens_clean(name, data, open_tab, request):
    store = request.getfixturevalue(f"{data}_store")
    path, heading = PAGES[name]
    for what in ("loan", "entity"):
        if f"{{{what}}}" in path:
            path = path.replace(f"{{{what}}}", first(store, what))
    tab = open_tab(request.getfixturevalue(f"{data}_server"), **LOOKS[data])
    tab.go(path)
    tab.page.wait_for_load_state("networkidle")
    assert tab.page.locator("h1").first.inner_text() == heading
    assert tab.page.locator("[data-testid=stException]").count() == 0
    assert "could not be drawn" not in tab.text()
    assert tab.faults == []

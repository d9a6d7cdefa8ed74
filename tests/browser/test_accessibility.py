"""axe-core over every page, light and dark: nothing is allowed.

Pins S37 of components/README.md.
"""

from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe

from services.contract.families import FamilyFilter
from services.store.leases import Store

pytestmark = pytest.mark.browser

PATHS = {
    "overview": "/",
    "loans": "/loans?state=TX",
    "map": "/map",
    "map, columns": "/map?layer=columns",
    "loan": "/loan?loan_number=CA-000012",
    "signals": "/signals",
    "watchlist": "/watchlist",
    "cases": "/cases",
    "calendar": "/calendar",
    "calendar of a month": "/calendar?look=month&month=2026-12",
    "what if": "/what_if?rates=100&noi=-10&rates_2=-100&rate_5_2=50",
    "sources": "/sources",
    "your access": "/access",
    "track record": "/track_record",
    "entities": "/entities?name=capital",
    "capital graph": "/capital_graph?loan_number=CA-000012",
    "connection": "/connection?from_loan=CA-000012&to_entity=Ellerdale%20Bank%20and%20Trust",
    "explore": "/explore?state=TX&box=0.4,0.7,1,2",
    "explore in cells": "/explore?x=book_value&y=interest_rate&log=x&colour=property_type",
    "explore boxes": "/explore?show=boxes&by=lender&loan=CA-000012",
    "explore histogram": "/explore?show=histogram&x=debt_yield",
    "explore vintages": "/explore?show=vintages",
    "sponsors": "/sponsors",
    "family": "/family?entity_name={head}",
    "family, map": "/family?entity_name={head}&on_map=yes",
    "loan, map": "/loan?loan_number=CA-000012&on_map=yes",
}


def head(folder):
    """The sponsor with the largest family."""
    store = Store(folder)
    with store.lease() as source:
        name = source.families(FamilyFilter()).items[0].entity_name
    store.close()
    return name


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", PATHS)
def test_axe_finds_nothing_that_is_ours(name, dark, demo_server, demo_store, open_tab):
    tab = open_tab(demo_server, dark=dark)
    tab.go(PATHS[name].format(head=quote(head(demo_store))))
    found = [
        f"{violation['id']}: {node['html'][:140]}"
        for violation in Axe().run(tab.page).response["violations"]
        for node in violation["nodes"]
    ]
    assert found == []

"""All of the dashboard below a path of a site, in a browser (D273)."""

import json
import re
from urllib.request import Request, urlopen

import pytest

from services.api.keys import KeyFile
from tests.servers import up

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def key(folder):
    return KeyFile(folder / "keys.json").add("complete", "production")


@pytest.fixture(scope="module")
def below(demo_store, folder, key):
    keys = KeyFile(folder / "keys.json")
    assert keys.find(key)
    settings = {
        "CREDIT_ATLAS_KEYS": str(keys.path),
        "CREDIT_ATLAS_DESK": str(folder / "desk.sqlite"),
    }
    base = "/bank/atlas"
    with up(demo_store, "--api", "--base-path", base, **settings) as address:
        yield address + base


def test_links_rows_the_search_box_and_back_stay_below_the_path(below, open_tab):
    tab = open_tab(below)
    tab.go("/loans?state=TX")
    row = tab.page.locator(".atlas-ledger tbody a").first
    number = row.get_attribute("href").split("loan_number=")[1]
    row.click()
    tab.page.wait_for_url(f"{below}/loan?loan_number={number}")
    tab.settled()
    tab.page.go_back()
    tab.page.wait_for_url(f"{below}/loans?state=TX")
    tab.settled()
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("signals")
    tab.page.locator(".atlas-search [role=option]", has_text="Signals").first.click()
    tab.page.wait_for_url(f"{below}/signals*")
    tab.settled()
    links = tab.page.locator("a[href]").evaluate_all(
        "all => all.map(one => new URL(one.getAttribute('href'), location.href).href)"
    )
    assert [one for one in links if not one.startswith(f"{below}/")] == []
    assert tab.faults == []


def test_a_deep_link_a_file_and_a_drawing_come_from_below_the_path(below, open_tab):
    tab = open_tab(below)
    tab.go("/entities?name=capital")
    with tab.page.expect_download() as told:
        tab.page.get_by_role("button", name="CSV").click()
    assert told.value.path().read_bytes().count(b"\n") > 1
    tab.go("/explore")
    tab.page.wait_for_selector(".js-plotly-plot .points")
    tab.go("/")
    assert tab.page.locator("h1").inner_text() == "Overview"
    assert tab.faults == []


def test_addresses_that_pages_give_to_programs_answer(below, key, open_tab):
    tab = open_tab(below)
    tab.go("/loans?state=TX&property_type=office")
    tab.page.get_by_role("button", name="API call").click()
    curl = tab.page.locator("code", has_text="curl").first.inner_text()
    asked = re.search(r"http[^'\" ]+", curl)[0]
    assert asked.startswith(f"{below}/v1/loans?")
    with urlopen(Request(asked, headers={"Authorization": f"Bearer {key}"})) as answer:
        found = json.load(answer)
    assert {one["property_state"] for one in found["data"]} == {"TX"}
    tab.go("/calendar")
    tab.page.get_by_role("button", name="Feed").click()
    tab.page.get_by_role("button", name="Make an address").click()
    feed = tab.page.locator("code", has_text=".ics").inner_text()
    assert feed.startswith(f"{below}/feeds/")
    with urlopen(feed) as answer:
        assert answer.read().startswith(b"BEGIN:VCALENDAR")
    assert tab.faults == []

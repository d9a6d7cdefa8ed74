"""The bar under a list, in a real browser: pages, rows a page, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def bar(tab):
    return tab.page.get_by_role("navigation", name="Paging")


def test_a_page_is_turned_and_the_address_says_which(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    said = tab.page.locator(".atlas-paging p")
    expect(said).to_have_text("1 to 25 of 1,500")
    names = bar(tab).get_by_role("button").all_text_contents()
    assert names == ["‹", "1", "2", "60", "›"]
    expect(bar(tab).get_by_role("button", name="Previous page")).to_be_disabled()
    bar(tab).get_by_role("button", name="Next page").focus()
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**page=2**")
    expect(said).to_have_text("26 to 50 of 1,500")
    tab.settled()
    # The focus stays on the button, so that Enter turns on.
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**page=3**")
    expect(said).to_have_text("51 to 75 of 1,500")
    tab.settled()
    assert bar(tab).get_by_role("button").all_text_contents() == [
        *("‹", "1", "2", "3", "4", "60", "›")
    ]
    bar(tab).get_by_role("button", name="Page 60").click()
    expect(said).to_have_text("1,476 to 1,500 of 1,500")
    expect(bar(tab).get_by_role("button", name="Next page")).to_be_disabled()
    tab.page.go_back()
    expect(said).to_have_text("51 to 75 of 1,500")
    assert tab.faults == []


def test_more_rows_a_page_begin_at_the_first(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?page=3")
    tab.page.get_by_role("combobox", name="Rows a page").select_option("100")
    tab.page.wait_for_url(re.compile(r"/loans\?per_page=100$"))
    expect(tab.page.locator(".atlas-paging p")).to_have_text("1 to 100 of 1,500")
    tab.settled()
    assert tab.page.locator("tbody tr").count() == 100
    # Another page of the app begins with rows of its own.
    tab.page.get_by_role("link", name="Signals", exact=True).click()
    expect(tab.page.locator("h1")).to_have_text("Signals")
    tab.settled()
    assert tab.page.url == f"{demo_server}/signals"
    assert tab.faults == []

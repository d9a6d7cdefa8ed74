"""The bar under a list, in a real browser: pages, rows a page, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_navigation import link

pytestmark = pytest.mark.browser


def bar(tab):
    return tab.page.locator(".st-key-paging-by-page")


def test_a_page_is_turned_and_the_address_says_which(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    said = bar(tab).locator(".atlas-caption")
    expect(said).to_have_text("1 to 25 of 1,500")
    before, after = (
        bar(tab).get_by_role("button", name=name) for name in ("Previous page", "Next page")
    )
    expect(before).to_be_disabled()
    after.focus()
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**page=2**")
    expect(said).to_have_text("26 to 50 of 1,500")
    tab.settled()
    # The focus stays on the button, so that Enter turns on.
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**page=3**")
    expect(said).to_have_text("51 to 75 of 1,500")
    tab.settled()
    before.click()
    tab.page.wait_for_url("**page=2**")
    expect(said).to_have_text("26 to 50 of 1,500")
    tab.settled()
    bar(tab).get_by_role("button", name="60").click()
    expect(said).to_have_text("1,476 to 1,500 of 1,500")
    expect(after).to_be_disabled()
    tab.page.go_back()
    expect(said).to_have_text("26 to 50 of 1,500")
    assert tab.faults == []


def test_more_rows_a_page_begin_at_the_first(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?page=3")
    tab.page.get_by_role("radio", name="100 rows").click()
    tab.page.wait_for_url(re.compile(r"/loans\?per_page=100$"))
    expect(bar(tab).locator(".atlas-caption")).to_have_text("1 to 100 of 1,500")
    tab.settled()
    assert tab.page.locator("tbody tr:visible").count() == 100
    # Another page of the app begins with rows of its own.
    link(tab, "Signals").click()
    expect(tab.page.locator("h1")).to_have_text("Signals")
    tab.settled()
    assert tab.page.url == f"{demo_server}/signals"
    assert tab.faults == []

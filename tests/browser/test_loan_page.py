"""The loan page in a real browser: its calculator keeps what is typed, by keyboard too."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_journeys import params

pytestmark = pytest.mark.browser
LOAN = "/loan?loan_number=CA-000012"


def verdict(tab):
    """The calculator's line in bold."""
    return tab.page.locator(".atlas-lead", has_text=re.compile("binds|Not testable")).first


def test_an_input_goes_to_the_address_and_survives_a_reload(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(LOAN)
    tab.page.get_by_role("spinbutton", name="NOI in dollars").fill("2500000")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**noi=2500000**")
    tab.settled()
    before = verdict(tab).inner_text()
    tab.page.reload()
    tab.settled()
    assert verdict(tab).inner_text() == before
    assert params(tab) == {"loan_number": "CA-000012", "noi": "2500000"}
    tab.page.get_by_text("Back to the loan's own figures").click()
    expect(tab.page.get_by_text("These are the loan's own figures")).to_be_visible()
    tab.settled()
    assert params(tab) == {"loan_number": "CA-000012"}
    assert tab.faults == []


def test_keyboard_alone_reaches_an_input_and_steps_it(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(LOAN + "&min_dscr=1.25")
    tab.page.get_by_role("spinbutton", name="Amortisation in years").focus()
    tab.page.keyboard.press("Tab")
    expect(tab.page.get_by_role("spinbutton", name="Min DSCR")).to_be_focused()
    tab.page.keyboard.press("ArrowUp")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**min_dscr=1.3**")


def test_tables_and_inputs_fit_a_narrow_window(demo_server, open_tab):
    tab = open_tab(demo_server, width=900)
    tab.go(LOAN)
    wide = tab.page.evaluate(
        """() => [...document.querySelectorAll('.atlas-table table')]
          .map(one => [one.caption.textContent,
            one.scrollWidth > one.closest('.atlas-table').clientWidth + 1])"""
    )
    assert len(wide) > 5
    assert [name for name, beyond in wide if beyond] == []

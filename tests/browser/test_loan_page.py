"""The loan page in a real browser: its calculator keeps what is typed, by keyboard too."""

import re

import pytest
from playwright.sync_api import expect

from services.contract.queries import SignalQuery
from services.store.leases import Store
from tests.browser.test_journeys import params
from tests.patience import until

pytestmark = pytest.mark.browser
LOAN = "/loan?loan_number=CA-000012"
OPENED = LOAN + "&sizing=yes"
#: "Lakeshore Orchard Office Campus".
LONG_NAME = "CA-001122"


def verdict(tab):
    """The calculator's line in bold."""
    return tab.page.locator(".atlas-lead", has_text=re.compile("binds|Not testable")).first


def test_an_input_goes_to_the_address_and_survives_a_reload(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(LOAN)
    tab.page.get_by_text("Size a new loan").click()
    tab.page.get_by_role("spinbutton", name="NOI in dollars").fill("2500000")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**noi=2500000**")
    tab.settled()
    before = verdict(tab).inner_text()
    tab.page.reload()
    tab.settled()
    assert verdict(tab).inner_text() == before
    assert params(tab) == {"loan_number": "CA-000012", "noi": "2500000", "sizing": "yes"}
    tab.page.get_by_text("Back to the loan's own figures").click()
    expect(tab.page.get_by_text("These are the loan's own figures")).to_be_visible()
    tab.settled()
    assert params(tab) == {"loan_number": "CA-000012", "sizing": "yes"}
    assert tab.faults == []


def test_keyboard_alone_reaches_an_input_and_steps_it(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(OPENED + "&min_dscr=1.25")
    tab.page.get_by_role("spinbutton", name="Amortisation in years").focus()
    tab.page.keyboard.press("Tab")
    expect(tab.page.get_by_role("spinbutton", name="Min DSCR")).to_be_focused()
    tab.page.keyboard.press("ArrowUp")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**min_dscr=1.3**")


def test_tables_and_inputs_fit_a_narrow_window(demo_server, open_tab):
    tab = open_tab(demo_server, width=900)
    tab.go(OPENED)
    tab.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    wide = tab.page.evaluate(
        """() => [...document.querySelectorAll('.atlas-table table')]
          .map(one => [one.caption.textContent,
            one.scrollWidth > one.closest('.atlas-table').clientWidth + 1])"""
    )
    assert len(wide) > 5
    assert [name for name, beyond in wide if beyond] == []


def test_the_name_stays_in_sight_and_links_lead_to_the_parts(demo_server, open_tab):
    """D262: the head is stuck under the band, and a part is not hidden behind it, however long
    the name is.
    """
    tab = open_tab(demo_server, width=1024)
    tab.go(f"/loan?loan_number={LONG_NAME}")
    tab.page.locator("h1").evaluate("one => one.textContent += ' and Annex'.repeat(9)")
    tab.page.get_by_role("navigation", name="Parts of this page").get_by_text("Refinance").click()
    heading = tab.page.locator("#refinance")
    expect(heading).to_be_in_viewport()
    name = tab.page.locator("h1")
    expect(name).to_be_in_viewport()
    head = tab.page.locator(".st-key-record")

    def below():
        box = head.bounding_box()
        return heading.bounding_box()["y"] > box["y"] + box["height"]

    until(below)
    names = ("Notes", "Case", "Memo", "Sources")
    buttons = [head.get_by_role("button", name=re.compile(one)) for one in names]
    assert len({one.bounding_box()["y"] for one in buttons}) == 1
    assert params(tab) == {"loan_number": LONG_NAME}


def test_a_rule_opens_by_keyboard(demo_server, demo_store, open_tab):
    with Store(demo_store).lease() as source:
        found = source.signals(SignalQuery(severity="critical", per_page=100)).items
    number = next(one.loan_number for one in found if "CV-1" in {c.rule for c in one.components})
    tab = open_tab(demo_server)
    tab.go(f"/loan?loan_number={number}")
    rule = tab.page.locator(".atlas-rules summary", has_text="DSCR in place")
    rule.focus()
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_text("CV-1 reads", exact=False)).to_be_visible()
    assert tab.faults == []

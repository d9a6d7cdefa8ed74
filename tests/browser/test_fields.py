"""The filters of a page in a real browser: picked, typed, wrong, taken away, by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_journeys import params

pytestmark = pytest.mark.browser


def box(tab, label, role="combobox"):
    return tab.page.get_by_role(role, name=label, exact=True)


def test_words_are_picked_by_keyboard_and_the_list_stays_for_the_next(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    state = box(tab, "State")
    state.focus()
    tab.page.keyboard.type("texas")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**state=TX**")
    tab.settled()
    expect(state).to_have_attribute("aria-expanded", "true")
    tab.page.keyboard.type("calif")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(re.compile("state=CA(%2C|,)TX"))
    tab.settled()
    tab.page.keyboard.press("Escape")
    expect(state).to_have_attribute("aria-expanded", "false")
    expect(state).to_have_value("CA California +1")
    tab.page.get_by_role("button", name="Clear State").click()
    tab.page.wait_for_url(re.compile("/loans$"))
    expect(state).to_have_value("")
    assert tab.faults == []


@pytest.mark.parametrize(
    ("typed", "address", "shown"),
    [
        ("2.5m", "2500000", "2,500,000"),
        ("$1,250,000", "1250000", "1,250,000"),
        ("1.2bn", "1200000000", "1,200,000,000"),
        ("750k", "750000", "750,000"),
        ("0", "0", "0"),
    ],
)
def test_dollars_are_typed_as_analysts_write_them(typed, address, shown, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?page=2")
    field = box(tab, "Book value from", "spinbutton")
    field.fill(typed)
    field.press("Enter")
    tab.page.wait_for_url(f"**min_balance={address}")
    tab.settled()
    assert params(tab) == {"min_balance": address}
    expect(field).to_have_value(shown)


def test_a_figure_that_was_stepped_to_is_asked_for_once_the_field_is_left(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/what_if?rates=100")
    rates = tab.page.get_by_role("spinbutton", name="Rates in bp", exact=True).first
    expect(rates).to_have_attribute("aria-valuenow", "100")
    rates.focus()
    tab.page.keyboard.press("ArrowUp")
    tab.page.keyboard.press("ArrowUp")
    expect(rates).to_have_value("150")
    tab.page.keyboard.press("Tab")
    tab.page.wait_for_url("**rates=150**")
    tab.settled()
    expect(rates).to_have_attribute("aria-valuenow", "150")
    assert tab.faults == []


def test_words_are_picked_and_fields_cleared_by_mouse(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?min_balance=2500000")
    field = box(tab, "Book value from", "spinbutton")
    expect(field).to_have_attribute("aria-valuenow", "2500000")
    tab.page.get_by_role("button", name="Clear Book value from").click()
    tab.page.wait_for_url(re.compile("/loans$"))
    tab.settled()
    expect(field).to_have_value("")
    expect(field).not_to_have_attribute("aria-valuenow", "2500000")
    box(tab, "State").click()
    listed = tab.page.get_by_role("listbox", name="State")
    listed.get_by_role("option", name="TX Texas").click()
    tab.page.wait_for_url("**state=TX**")
    tab.settled()
    # The list of a field that takes several stays open; a second click on a word lets go of it.
    texas = listed.get_by_role("option", name="TX Texas")
    expect(texas).to_have_attribute("aria-selected", "true")
    listed.get_by_role("option", name="CA California").click()
    tab.page.wait_for_url(re.compile("state=CA(%2C|,)TX"))
    tab.settled()
    listed.get_by_role("option", name="CA California").click()
    tab.page.wait_for_url(re.compile("state=TX$"))
    tab.settled()
    tab.page.get_by_role("heading", name="Loans").click()
    expect(listed).to_be_hidden()
    expect(box(tab, "State")).to_have_value("TX Texas")
    assert tab.faults == []


@pytest.mark.parametrize("typed", ["lots", "-5", "2.5mmm", "1e999", "٣", "2000000000000"])
def test_what_is_no_such_number_is_not_asked_for_and_said(typed, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?min_balance=1000000")
    field = box(tab, "Book value from", "spinbutton")
    field.fill(typed)
    field.press("Enter")
    expect(tab.page.get_by_role("alert")).to_have_text("A number from 0 to 1,000,000,000,000")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value(typed)
    assert params(tab) == {"min_balance": "1000000"}


def test_a_day_is_asked_for_once_its_year_is_typed(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    box(tab, "Legal maturity before", "textbox").focus()
    tab.page.keyboard.type("06302028")
    tab.page.wait_for_url("**maturity_before=2028-06-30")
    tab.settled()
    assert "with a legal maturity before 30 Jun 2028" in tab.text()


def test_a_browser_that_goes_back_shows_the_former_filters(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX")
    lender = box(tab, "Lender", "textbox")
    lender.fill("life")
    lender.press("Enter")
    tab.page.wait_for_url("**lender=life**")
    tab.settled()
    tab.page.go_back()
    expect(lender).to_have_value("")
    expect(box(tab, "State")).to_have_value("TX Texas")

"""An analyst's question, answered in one screen: typed, ordered, opened, come back from."""

import re

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect
from pypdf import PdfReader

from services.contract.loan_filter import LoanFilter
from services.store.leases import Store
from tests.browser.test_journeys import numbers, params

pytestmark = pytest.mark.browser


def choose(tab, label, text):
    """Picks an option of a filter with several values, by typing."""
    box = tab.page.get_by_role("combobox", name=label)
    box.click()
    box.fill(text)
    tab.page.get_by_role("option", name=re.compile(text)).first.click()
    tab.page.keyboard.press("Escape")
    tab.settled()


def listed(tab):
    """The loans of the table, top to bottom."""
    return numbers(tab.page.locator("table[aria-label], table").locator("tbody th a"))


def test_the_texas_offices_most_short_are_typed_ordered_opened_and_come_back_to(
    demo_server, demo_store, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/loans?columns=refinance")
    choose(tab, "State", "Texas")
    choose(tab, "Property type", "Office")
    tab.page.wait_for_url("**property_type=office**")
    tab.page.locator("th button", has_text="Short at refinance").click()
    tab.page.wait_for_url("**order=-dollars_short**")
    tab.settled()
    assert params(tab) == {
        "columns": "refinance", "state": "TX", "property_type": "office",
        "order": "-dollars_short",
    }  # fmt: skip
    with Store(demo_store).lease() as source:
        query = LoanFilter(state="TX", property_type="office", order="-dollars_short")
        expected = [one.loan_number for one in source.loans_found(query, ()).items]
    assert listed(tab) == expected
    head = tab.page.get_by_role("columnheader", name=re.compile("Short at refinance"))
    expect(head).to_have_attribute("aria-sort", "descending")
    tab.page.get_by_role("link", name=re.compile(expected[0])).click()
    tab.page.wait_for_url("**/loan?loan_number=**")
    tab.settled()
    tab.page.get_by_text("Back to search").click()
    tab.page.wait_for_url("**/loans?**order=-dollars_short**")
    tab.settled()
    assert listed(tab) == expected
    assert tab.faults == []


def test_a_filter_is_added_by_keyboard_and_survives_a_reload(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    tab.page.get_by_role("combobox", name="Add filter").focus()
    tab.page.keyboard.type("DSCR")
    tab.page.keyboard.press("Enter")
    tab.page.get_by_role("spinbutton", name="DSCR to").fill("1.2")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**max_dscr=1.2**")
    tab.settled()
    said = tab.page.get_by_text("a DSCR of at most 1.20x").first.inner_text()
    tab.page.reload()
    tab.settled()
    assert tab.page.get_by_text("a DSCR of at most 1.20x").first.inner_text() == said
    assert tab.faults == []


def test_a_choice_changes_the_counts_of_the_other_filters_and_stays_chosen(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    choose(tab, "State", "Texas")
    tab.page.wait_for_url("**state=TX**")
    choose(tab, "Worst signal", "critical")
    tab.page.wait_for_url("**severity=critical**")
    choose(tab, "State", "California")
    tab.page.wait_for_url(re.compile("state=CA(%2C|,)TX"))
    tab.settled()
    assert "with a critical signal at worst" in tab.text()
    assert params(tab) == {"state": "CA,TX", "severity": "critical"}


def test_loans_are_grouped_in_two_clicks_and_a_group_leads_to_its_loans(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?rate_pressure=severe,critical")
    tab.page.get_by_role("combobox", name="Group by").click()
    tab.page.get_by_role("option", name="Lender", exact=True).click()
    tab.page.wait_for_url("**by=lender**")
    tab.settled()
    first = tab.page.get_by_role("table", name="Loans by lender").locator("tbody tr").first
    name, loans = first.locator("a").inner_text(), first.locator("td").first.inner_text()
    first.locator("a").click()
    tab.page.wait_for_url("**lender_of_loan=**")
    tab.settled()
    assert f"lent by “{name}”" in tab.text()
    assert re.search(rf": {loans}\b", tab.text())
    assert tab.faults == []


def test_ticked_loans_are_compared_side_by_side(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    boxes = tab.page.get_by_role("checkbox", name=re.compile("Select CA-"))
    boxes.nth(0).check()
    tab.page.wait_for_url("**compare=**")
    tab.settled()
    boxes.nth(1).check()
    tab.page.get_by_text("Compare 2 loans").click()
    tab.page.wait_for_url("**/compare?loans=**")
    tab.settled()
    tab.page.get_by_text("Only what differs").click()
    tab.page.wait_for_url("**differing=yes**")
    tab.settled()
    assert "2 loans side by side" in tab.text()
    tab.page.get_by_text(re.compile("^Debt: . of . differ")).wait_for()
    tab.page.get_by_role("link", name="Remove").first.click()
    tab.page.get_by_text("1 loan side by side").wait_for()
    tab.settled()
    assert params(tab).keys() == {"loans", "differing"}
    assert tab.faults == []


def test_a_report_of_the_result_is_made_and_taken_away(demo_server, open_tab, tmp_path):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX&property_type=office")
    with tab.page.expect_download() as coming:
        tab.page.get_by_role("button", name="Report").click()
    file = tmp_path / "report.pdf"
    coming.value.save_as(file)
    paper = "".join(page.extract_text() for page in PdfReader(file).pages)
    assert "Office loans in Texas" in paper
    assert listed(tab)[0].startswith("CA-")
    assert tab.faults == []


def to(tab, target, most=200):
    """Presses Tab until the element has the focus."""
    for _ in range(most):
        if target.evaluate("one => one === document.activeElement"):
            return
        tab.page.keyboard.press("Tab")
    raise AssertionError("the Tab key never comes to it")


def test_search_order_open_compare_and_export_by_keyboard_alone(demo_server, open_tab, tmp_path):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX")
    page = tab.page
    # Order.
    to(tab, page.locator("th button", has_text="Book value"))
    page.keyboard.press("Enter")
    page.wait_for_url("**order=-book_value**")
    tab.settled()
    expected = listed(tab)
    # Open, and come back.
    to(tab, page.get_by_role("link", name=re.compile(expected[0])))
    page.keyboard.press("Enter")
    page.wait_for_url("**/loan?loan_number=**")
    tab.settled()
    to(tab, page.locator("a", has_text="Back to search"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/loans?**order=-book_value**")
    tab.settled()
    assert listed(tab) == expected
    # Take away: a file with the loans in this order.
    to(tab, page.get_by_role("button", name="XLSX"))
    with page.expect_download() as coming:
        page.keyboard.press("Enter")
    file = tmp_path / "loans.xlsx"
    coming.value.save_as(file)
    book = load_workbook(file, read_only=True)
    rows = list(book["Loans"].iter_rows(values_only=True))
    assert [row[0] for row in rows[1 : len(expected) + 1]] == expected
    # Tick two, and compare them.
    boxes = page.get_by_role("checkbox", name=re.compile("Select CA-"))
    to(tab, boxes.nth(0))
    page.keyboard.press("Space")
    page.wait_for_url("**compare=**")
    tab.settled()
    to(tab, boxes.nth(1))
    page.keyboard.press("Space")
    page.wait_for_url(re.compile("compare=.*(%2C|,)"))
    tab.settled()
    to(tab, page.locator("a", has_text="Compare 2 loans"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare?loans=**")
    tab.settled()
    assert "2 loans side by side" in tab.text()
    # Search from anywhere.
    page.keyboard.press("/")
    page.keyboard.type(expected[2])
    page.get_by_role("option", name=re.compile(expected[2])).first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**loan_number={expected[2]}**")
    assert tab.faults == []


def test_a_row_opens_the_loan_beside_the_list_and_keys_go_through_it(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    rows = tab.page.locator(".atlas-ledger tbody tr")
    names = [rows.nth(at).locator("th").inner_text().split("\n")[0] for at in range(3)]
    drawer = tab.page.locator(".st-key-drawer h2")
    rows.nth(0).locator("td").nth(3).click()
    expect(drawer).to_have_text(names[0])
    tab.settled()
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowDown")
    expect(drawer).to_have_text(names[2])
    tab.settled()
    number = rows.nth(2).get_attribute("data-record")
    assert f"loan={number}" in tab.page.url
    expect(rows.nth(2)).to_have_attribute("aria-current", "true")
    tab.page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    tab.settled()
    assert "loan=" not in tab.page.url
    tab.page.keyboard.press("Space")
    expect(drawer).to_have_text(names[2])
    tab.settled()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("h1")).to_have_text(names[2])
    assert f"loan_number={number}" in tab.page.url
    assert tab.faults == []

"""What an analyst does, in a real browser: deep links, filters, rows, the map, the way back."""

import re
from io import BytesIO
from urllib.parse import parse_qs, urlsplit

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def numbers(links) -> list[str]:
    """The loan numbers of links of a table, which stand under the names of the properties."""
    return [words.split("\n")[-1] for words in links.all_inner_texts()]


def params(tab) -> dict[str, str]:
    return {key: values[-1] for key, values in parse_qs(urlsplit(tab.page.url).query).items()}


def test_a_deep_link_to_a_fresh_server_shows_frame_and_second_page(server_on, demo_store, open_tab):
    with server_on(demo_store) as address:
        tab = open_tab(address)
        tab.go("/loans?state=TX&page=2")
        assert "Sources" in tab.page.get_by_role("navigation", name="Pages").text_content()
        assert "Loans in Texas" in tab.text()
        assert "26 to 50 of" in tab.text()
        assert params(tab) == {"state": "TX", "page": "2"}
        assert tab.page.locator("[role=dialog]").count() == 0
        assert tab.faults == []


def test_an_address_at_fault_gives_a_sentence_and_no_rows(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?stat=TX")
    assert "Unknown parameter 'stat'; did you mean 'state'?" in tab.text()
    assert tab.page.get_by_role("table").count() == 0
    tab.page.get_by_text("Show all").click()
    tab.page.get_by_role("table", name="Loans").wait_for()


def test_a_row_opens_the_loan_and_the_way_back_keeps_the_filters(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX&page=2")
    tab.page.locator("tbody a").first.click()
    tab.page.wait_for_url("**/loan?loan_number=**")
    tab.settled()
    assert "Signals and the rules behind them" in tab.text()
    tab.page.get_by_text("Back to search").click()
    tab.page.wait_for_url("**/loans?**state=TX**")
    tab.settled()
    assert params(tab) == {"state": "TX", "page": "2"}
    assert "26 to 50 of" in tab.text()
    assert tab.faults == []


def test_a_click_on_a_state_filters_everything_and_a_reload_keeps_it(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/signals?severity=critical")
    every = tab.page.get_by_text("Critical signals:").inner_text()
    tab.page.get_by_role("link", name=re.compile("^Texas;")).click()
    tab.page.wait_for_url("**state=TX**")
    tab.settled()
    chosen = tab.page.get_by_text("Critical signals in Texas:").inner_text()
    assert chosen != every
    tab.page.reload()
    tab.settled()
    assert tab.page.get_by_text("Critical signals in Texas:").inner_text() == chosen
    assert params(tab) == {"severity": "critical", "state": "TX"}
    assert tab.faults == []


def test_keyboard_alone_reaches_a_filter_and_sets_it(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    lender = tab.page.get_by_role("textbox", name="Lender")
    passed = 0
    while not lender.evaluate("box => box === document.activeElement"):
        tab.page.keyboard.press("Tab")
        passed += 1
        assert passed < 100, "the Tab key goes round the page and never comes to the filter"
    tab.page.keyboard.type("bank")
    expect(lender).to_have_value("bank")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**lender=bank**")


def test_a_filing_says_no_resolved_chain(filing_server, open_tab):
    tab = open_tab(filing_server)
    tab.go("/loans")
    tab.page.locator("tbody a").first.click()
    tab.page.wait_for_url("**/loan?loan_number=**")
    tab.settled()
    assert "No resolved chain" in tab.text()


def test_csv_holds_every_match(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX")
    total = int(tab.page.get_by_text("Loans in Texas:").inner_text().split(":")[1].replace(",", ""))
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="CSV").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if not line.startswith(("#", '"#'))]
    assert rows[0].startswith('"loan_number"') or rows[0].startswith("loan_number")
    assert len(rows) == total + 1
    assert any("Loans in Texas" in line for line in lines[:8])


def test_a_workbook_is_taken_by_keyboard_and_no_toolbar_lies_over_its_button(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX")
    tab.page.get_by_role("button", name="CSV").focus()
    tab.page.keyboard.press("Tab")
    with tab.page.expect_download() as download:
        tab.page.keyboard.press("Enter")
    book = load_workbook(BytesIO(download.value.path().read_bytes()))
    total = int(tab.page.get_by_text("Loans in Texas:").inner_text().split(":")[1].replace(",", ""))
    assert book["About"]["B2"].value == "Loans in Texas"
    assert book["Loans"].max_row == total + 1
    tab.go("/track_record")
    charts = tab.page.get_by_test_id("stPlotlyChart").all()
    assert charts
    for chart in charts:
        chart.hover()
        with tab.page.expect_download():
            tab.page.get_by_role("button", name="CSV", exact=True).click()


def test_from_a_state_to_the_map_to_a_loan_by_clicks_only_and_a_reload_keeps_it(
    demo_server, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/signals")
    assert "Severe or critical signals:" in tab.text() or "Critical or severe" in tab.text()
    tab.page.locator("[data-testid=stMain] tbody a", has_text="TX").first.click()
    tab.page.wait_for_url("**state=TX**")
    tab.settled()
    # One map (D270): the link carries what was asked.
    tab.page.get_by_role("link", name="Properties on the map").click()
    tab.page.wait_for_url("**/map**")
    tab.settled()
    assert params(tab) == {"state": "TX", "severity": "critical,severe"}
    lead = "Loans in Texas, with a critical or severe signal at worst:"
    found = tab.page.get_by_text(lead).first.inner_text()
    tab.page.reload()
    tab.settled()
    assert tab.page.get_by_text(lead).first.inner_text() == found
    worst = tab.page.locator("table", has_text="Position").locator("tbody tr").first
    assert ", TX" in worst.inner_text()
    worst.locator("a").first.click()
    tab.page.wait_for_url("**/loan?loan_number=**")
    tab.settled()
    assert "Signals and the rules behind them" in tab.text()
    assert tab.faults == []


def test_a_cell_of_a_matrix_filters_by_state_and_type(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/signals?measure=loans")
    cell = tab.page.get_by_role("link", name=re.compile("^TX, Office: "))
    # For a tab of its own: the browser puts the address together.
    at_state = "signals?measure=loans&state=TX"
    assert cell.get_attribute("href") == f"{at_state}&property_type=office"
    heads = tab.page.locator(".atlas-matrix tbody th a", has_text=re.compile("^TX$"))
    assert [one.get_attribute("href") for one in heads.all()] == [at_state] * 2
    cell.click()
    tab.page.wait_for_url("**property_type=office**")
    tab.settled()
    assert params(tab) == {"measure": "loans", "state": "TX", "property_type": "office"}
    # By keyboard: to the neighbour with a figure, and open it.
    tab.page.get_by_role("link", name=re.compile("^TX, Office: ")).focus()
    tab.page.keyboard.press("ArrowLeft")
    said = tab.page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert said.startswith("TX, Retail: ")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**property_type=retail**")
    assert tab.faults == []


def test_the_decisions_are_drawn_once_they_are_opened(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/sources")
    assert tab.page.get_by_text("Two field variants").count() == 0
    tab.page.get_by_text("What the specification leaves open").click()
    tab.page.get_by_text("Two field variants").wait_for()
    assert tab.faults == []

"""The ways into a page by keyboard and by a click: past the band, to a part of it, to its loans."""

import pytest

pytestmark = pytest.mark.browser

_FOCUSED = "() => document.activeElement.innerText.trim().split('\\n')[0]"


@pytest.mark.parametrize(
    ("page", "leads"),
    # The first table of Signals has a row a state, which shows its signals.
    [("/loans", "**loan_number=*"), ("/signals", "**state=*"), ("/entities", "**_name=*")],
)
def test_the_first_row_is_within_fifteen_presses(page, leads, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(page)
    first = tab.page.locator(".atlas-ledger tbody a").first.inner_text().split("\n")[0]
    for _ in range(5):
        tab.page.keyboard.press("Tab")
        if tab.page.evaluate("() => document.activeElement.matches('.skip')"):
            break
    tab.page.keyboard.press("Enter")
    assert tab.page.evaluate(_FOCUSED) == first
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(leads)
    assert tab.faults == []


def test_a_part_of_a_long_page_is_reached_from_the_band(demo_server, lender, open_tab):
    tab = open_tab(demo_server)
    tab.go(f"/loan?loan_number={lender[1]}")
    asked = tab.page.url
    menu = tab.page.get_by_role("button", name="On this page")
    menu.click()
    parts = tab.page.get_by_role("list", name="Parts of this page")
    assert "Ownership chain" in parts.inner_text()
    parts.get_by_role("link", name="Ownership chain").click()
    heading = tab.page.get_by_role("heading", name="Ownership chain")
    tab.page.wait_for_function("() => document.activeElement.matches('.atlas-heading')")
    assert heading.evaluate("one => one === document.activeElement")
    assert 40 < heading.bounding_box()["y"] < 120
    assert menu.get_attribute("aria-expanded") == "false"
    assert tab.page.url == asked
    assert tab.faults == []


def test_a_headline_figure_opens_its_loans_wherever_it_is_pressed(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/")
    card = tab.page.locator(".st-key-linked-figure-due-12")
    card.locator(".value").click(force=True)
    tab.page.wait_for_url("**/loans?matures_within=12**")
    assert tab.faults == []


def test_the_worst_loan_is_named_before_anybody_scrolls(demo_server, open_tab):
    for width in (1440, 420):
        tab = open_tab(demo_server, width=width)
        tab.go("/")
        worst = tab.page.get_by_role("link", name="Worst loan:")
        box = worst.bounding_box()
        assert box["y"] + box["height"] < 900
        size = worst.locator("p").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        assert size >= 16
        cut = "one => one.scrollWidth > one.clientWidth"
        assert not worst.locator("p").evaluate(cut)
        # Its reason takes a few lines, and all that it needs once it is reached.
        why = tab.page.locator("[class*=st-key-hero-] .atlas-why")
        short = why.bounding_box()["height"]
        assert short < 130
        why.focus()
        assert why.bounding_box()["height"] > short

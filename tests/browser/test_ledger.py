"""The table of records in a real browser: links, keyboard, order, ticks, hostile names, paper.

Pins S13 of components/README.md and D271.
"""

from urllib.parse import parse_qs, quote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.hostile import WORDS
from tests.servers import dashboard
from tests.tiers import turns

pytestmark = pytest.mark.browser

SHEET = "tests/browser/ledger_sheet.py"
#: Pixels of a sheet of A4 between the margins of a printer.
PAPER = 718
#: Headers of a table that are not whole within a width, by label.
BEYOND = """([table, width]) => [...table.querySelectorAll('th[scope=col]')]
  .filter(one => one.getBoundingClientRect().right > width + 1).map(one => one.textContent)"""
FOCUSED = "() => document.activeElement.textContent || document.activeElement.ariaLabel"


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    with dashboard(tmp_path_factory.mktemp("none"), SHEET) as address:
        yield address


@pytest.fixture
def opened(sheet, open_tab):
    """A tab at the sheet."""

    def run(path="/", **looks):
        tab = open_tab(sheet, **looks)
        tab.go(path)
        tab.page.get_by_role("table", name="Loans").locator("tbody tr").nth(39).wait_for()
        return tab

    return run


def asked(tab, name):
    return parse_qs(urlsplit(tab.page.url).query).get(name, [None])[-1]


def column(tab, label, table="Loans"):
    """The words of one column, from the top."""
    found = tab.page.get_by_role("table", name=table)
    at = found.locator("thead th").all_text_contents().index(label)
    return found.locator(f"tbody tr > :nth-child({at + 1})").all_text_contents()


def test_a_click_opens_the_record_in_this_tab_and_back_returns(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX&page=2")
    link = tab.page.locator("tbody a").nth(3)
    name, number = link.inner_text().split("\n")
    tab.page.evaluate("() => { window.same = true; }")
    link.click()
    tab.page.wait_for_url(f"**/loan?loan_number={number}")
    tab.settled()
    assert tab.page.evaluate("() => window.same"), "the app was loaded again"
    assert tab.page.locator("h1").first.inner_text().startswith(name)
    tab.page.go_back()
    tab.page.wait_for_url("**/loans?**")
    tab.settled()
    assert asked(tab, "state") == "TX"
    assert asked(tab, "page") == "2"
    assert tab.faults == []


@pytest.mark.parametrize("how", [{"modifiers": ["Control"]}, {"button": "middle"}])
def test_a_modified_click_belongs_to_the_browser(how, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX")
    link = tab.page.locator("tbody a").first
    (_, number), here = link.inner_text().split("\n"), tab.page.url
    with tab.page.context.expect_page() as opened:
        link.click(**how)
    other = opened.value
    other.wait_for_url(f"**/loan?loan_number={number}")
    other.get_by_text("Signals and the rules behind them").wait_for()
    assert tab.page.url == here


def test_links_stay_below_the_path_that_the_app_is_served_under(sheet, opened):
    tab = opened()
    assert tab.page.locator("tbody a").first.evaluate("one => one.href") == (
        f"{sheet}/loan?loan_number=CA-000000"
    )
    below = "one => new URL(one.getAttribute('href'), 'http://x/atlas/loans?state=TX').href"
    assert tab.page.locator("tbody a").first.evaluate(below) == (
        "http://x/atlas/loan?loan_number=CA-000000"
    )


def test_the_keyboard_orders_walks_and_opens(demo_server, opened, open_tab):
    tab = opened()
    head = tab.page.get_by_role("columnheader", name="Book value, USD")
    button = head.get_by_role("button")
    passed = 0
    while not button.evaluate("one => one === document.activeElement"):
        tab.page.keyboard.press("Tab")
        passed += 1
        assert passed < 20, "the Tab key never comes to the head"
    for order, first in (("descending", "39,000"), ("ascending", "0"), ("none", "0")):
        tab.page.keyboard.press("Enter")
        expect(head).to_have_attribute("aria-sort", order)
        assert column(tab, "Book value, USD")[0] == first
        assert tab.page.evaluate(FOCUSED) == "Book value, USD", "the focus is lost"
    assert asked(tab, "order") is None
    tab.page.keyboard.press("Tab")  # the first box
    tab.page.keyboard.press("ArrowDown")
    assert tab.page.evaluate(FOCUSED) == "Compare CA-000001"
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate(FOCUSED) == "CA-000001"
    for key, now in (("ArrowDown", 2), ("ArrowDown", 3), ("ArrowUp", 2)):
        tab.page.keyboard.press(key)
        assert tab.page.evaluate(FOCUSED) == f"CA-{now:06}"
    other = open_tab(demo_server)
    other.go("/loans")
    other.page.locator("tbody a").nth(1).focus()
    other.page.keyboard.press("ArrowDown")
    leads_to = other.page.evaluate("() => document.activeElement.getAttribute('href')")
    other.page.keyboard.press("Enter")
    other.page.wait_for_url(f"**/{leads_to}")


def test_the_button_of_a_row_acts_on_its_record_alone(opened):
    tab = opened()
    tab.page.get_by_role("button", name="Watch CA-000003", exact=True).click()
    tab.page.wait_for_url("**watched=CA-000003**")
    tab.settled()
    assert asked(tab, "order") is None
    assert tab.faults == []


def test_an_order_stands_in_the_address_and_survives_a_reload(opened):
    tab = opened()
    tab.page.get_by_role("button", name="Lender").click()
    tab.page.wait_for_url("**order=lender**")
    tab.page.get_by_role("button", name="Lender").click()
    tab.page.wait_for_url("**order=-lender**")
    tab.page.reload()
    head = tab.page.get_by_role("columnheader", name="Lender")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert column(tab, "Lender")[0] == "Lender h"


def test_boxes_tick_no_more_than_may_be_compared(opened):
    tab = opened("/?compare=CA-000003")
    box = tab.page.get_by_role("checkbox", name="Compare CA-000003", exact=True)
    expect(box).to_be_checked()
    for at in (5, 7):
        tab.page.get_by_role("checkbox", name=f"Compare CA-{at:06}", exact=True).check()
    tab.page.wait_for_url("**CA-000007**")
    assert asked(tab, "compare") == "CA-000003,CA-000005,CA-000007"
    other = tab.page.get_by_role("checkbox", name="Compare CA-000001", exact=True)
    expect(other).to_be_disabled()
    box.uncheck()
    tab.page.wait_for_url(lambda url: "CA-000003" not in url)
    expect(other).to_be_enabled()


def test_hostile_names_are_words_and_their_links_lead_to_them(opened):
    tab = opened()
    dialogs = []
    tab.page.on("dialog", lambda one: (dialogs.append(one), one.dismiss()))
    # The browser finds no line break or invisible sign in a name, and nor does a reader.
    names = [*WORDS, "\ufffdgnp.exe", "long" * 2500]
    assert column(tab, "Name", "Names") == names
    assert column(tab, "Again", "Names") == names
    table = tab.page.get_by_role("table", name="Names")
    assert set(table.evaluate("one => [...one.querySelectorAll('*')].map(a => a.tagName)")) == {
        "CAPTION", "THEAD", "TBODY", "TR", "TH", "TD", "A", "SPAN",
    }  # fmt: skip
    links = table.locator("a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert links[:-2] == [f"entity?entity_name={quote(name, safe='')}" for name in WORDS]
    assert table.locator("th[scope=col]").nth(1).get_attribute("title") == WORDS[3]
    assert (table.locator("tbody tr").last.bounding_box() or {})["height"] < 100
    assert dialogs == []
    assert tab.faults == []


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("/loans?state=TX", ["Loan", "Worst signal", "Short at refinance"]),
        ("/signals", ["Loan", "Severity", "Book value"]),
        ("/", ["Loan", "Worst signal", "Short at refinance"]),
    ],
)
def test_in_a_narrow_window_name_severity_and_an_amount_are_in_view(
    path, first, demo_server, open_tab
):
    tab = open_tab(demo_server, width=420)
    tab.go(path)
    name = "Signals" if "signals" in path else "Loans"
    table = tab.page.get_by_role("table", name=name, exact=True)
    heads = table.locator("th[scope=col]:not(.tick)").all_text_contents()[:3]
    assert heads == first
    assert not set(heads) & set(table.evaluate(f"one => ({BEYOND})([one, 420])"))
    # The rest is behind a bar of the table's own; the number stays where it is.
    assert tab.page.evaluate("() => document.documentElement.scrollWidth") <= 420
    table.evaluate("one => { one.parentElement.scrollLeft = 300; }")
    place = table.locator("tbody a").first.bounding_box()
    assert 0 <= place["x"] < 60


def test_the_head_of_a_long_table_stays_in_view(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?per_page=100")
    tab.page.locator("tbody a").nth(70).scroll_into_view_if_needed()
    head = tab.page.locator("thead th").first.bounding_box()
    bar = tab.page.locator(".atlas-navigation").bounding_box()
    assert head["y"] == pytest.approx(bar["y"] + bar["height"], abs=1)


@pytest.mark.parametrize("path", ["/loans?state=TX", "/signals", "/", "/entities?name=capital"])
def test_on_paper_no_column_and_no_row_is_cut(path, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(path)
    tab.page.emulate_media(media="print")
    tab.page.set_viewport_size({"width": PAPER, "height": 1000})
    tab.settled()
    table = tab.page.locator("table:has(a)").last
    assert table.evaluate(f"one => ({BEYOND})([one, {PAPER}])") == []
    cut = """one => [...one.querySelectorAll('*'), one.parentElement].filter(each =>
      getComputedStyle(each).overflowY !== 'visible' && each.scrollHeight > each.clientHeight + 1
      && each.tagName !== 'CAPTION').map(each => each.outerHTML.slice(0, 200))"""
    assert table.evaluate(cut) == []


@pytest.mark.parametrize(("dark", "width"), turns([False, True], [1440, 420]))
def test_axe_finds_nothing(dark, width, opened):
    tab = opened("/?order=-book_value&compare=CA-000003", dark=dark, width=width)
    found = Axe().run(tab.page, context=".atlas-ledger").response["violations"]
    assert [(one["id"], node["html"][:140]) for one in found for node in one["nodes"]] == []

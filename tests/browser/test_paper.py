"""Pages on paper, as the browser prints them: whole, dark on white, in few sheets (D271)."""

import io

import pytest
from pypdf import PdfReader

from tests.tiers import turns

pytestmark = pytest.mark.browser

LOAN = "/loan?loan_number=CA-000012"
PATHS = ["/", LOAN, "/explore", "/map", "/signals", "/capital_graph?loan_number=CA-000012"]
#: Words in a light colour that stand on nothing but the sheet.
PALE = """() => {
  const walker = document.createTreeWalker(document.querySelector('.stApp'), NodeFilter.SHOW_TEXT);
  const bare = one => !one
    || getComputedStyle(one).backgroundColor === 'rgba(0, 0, 0, 0)' && bare(one.parentElement);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement: one } = walker.currentNode;
    if (!data.trim() || !one.checkVisibility() || one.closest('svg, style')) continue;
    const [red, green, blue] = getComputedStyle(one).color.match(/[0-9.]+/g).map(Number);
    if (red + green + blue > 500 && bare(one)) found.push(data.trim().slice(0, 60));
  }
  return found;
}"""
#: What is pressed or written in; the heads of a table say how it is ordered.
PRESSED = """() => [...document.querySelectorAll(
  'button, input, select, textarea, summary:not(.atlas-rules *)')]
  .filter(one => one.checkVisibility() && !one.closest('thead, details[open]'))
  .map(one => one.outerHTML.slice(0, 120))"""
ENDS = """() => [...document.querySelectorAll('.atlas-bars .stage > svg')].map(
  one => Math.round(Math.max(...[...one.querySelectorAll('a')].map(bar => bar.getBBox().x))))"""


def printed(tab):
    """The sheets of the page on screen, A4."""
    return PdfReader(io.BytesIO(tab.page.pdf(format="A4"))).pages


def words(sheets):
    return [" ".join(sheet.extract_text().split()) for sheet in sheets]


@pytest.mark.parametrize(("path", "dark"), turns(PATHS, [False, True]))
def test_nothing_is_pressed_on_paper_and_its_words_are_dark(path, dark, demo_server, open_tab):
    tab = open_tab(demo_server, dark=dark)
    tab.go(path)
    tab.page.emulate_media(media="print")
    assert tab.page.evaluate(PRESSED) == []
    assert tab.page.evaluate(PALE) == []


def test_a_sheet_names_the_product_and_its_place_and_says_of_what_date_it_is(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/")
    found = words(printed(tab))
    assert len(found) <= 6
    for at, one in enumerate(found, 1):
        assert "Credit Atlas" in one
        assert f"{at} / {len(found)}" in one
    assert "As of 30 Sep 2026" in found[0]
    # No sheet is empty but for its margin.
    assert min(map(len, found)) > 100


def test_the_wall_fits_the_sheet_and_the_window_has_it_back(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/")
    before = tab.page.evaluate(ENDS)
    labels = tab.page.locator(".atlas-bars:has([aria-label^='Maturity wall']) a").evaluate_all(
        "all => all.map(one => one.dataset.name)"
    )
    on_paper = " ".join(words(printed(tab)))
    assert [one for one in labels if one not in on_paper] == []
    assert tab.page.evaluate(ENDS) == before


def test_a_long_table_has_its_heads_on_every_sheet(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?per_page=100")
    found = words(printed(tab))
    assert len(found) > 2
    for one in found:
        assert "Loan Property type City Worst signal Short at refinance DSCR" in one


@pytest.mark.parametrize("path", ["/explore", "/map"])
def test_a_chart_is_made_as_small_as_the_sheet(path, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(path)
    chart = tab.page.locator(".stPlotlyChart, .stDeckGlJsonChart")
    wide = chart.bounding_box()["width"]
    tab.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    tab.page.emulate_media(media="print")
    smaller = chart.evaluate(
        "one => Number(getComputedStyle(one.closest('.stElementContainer')).zoom)"
    )
    assert smaller * wide == pytest.approx(670, abs=1)


def test_a_loan_is_three_sheets_with_its_signals(demo_server, open_tab):
    tab = open_tab(demo_server, dark=True)
    tab.go(LOAN)
    found = words(printed(tab))
    assert len(found) <= 3
    tab.page.emulate_media(media="print")
    for heading in tab.page.locator(".atlas-heading:visible").all_inner_texts():
        assert heading in " ".join(found)

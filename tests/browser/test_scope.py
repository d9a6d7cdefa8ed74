"""A lasso saved as a set: its link shows another visitor the same loans, on every page (D231,
D240).
"""

import re
from pathlib import Path

import pytest

from tests.browser.conftest import Tab
from tests.browser.test_explore import SELECTED, draw
from tests.browser.test_navigation import link

pytestmark = pytest.mark.browser
CORNERS = [(0.3, 0.3), (0.8, 0.3), (0.8, 0.9), (0.3, 0.9), (0.3, 0.31)]


def save(tab: Tab, name: str) -> None:
    """Saves what is drawn under a name, by the keyboard."""
    tab.page.get_by_role("button", name="Save as set").click()
    box = tab.page.get_by_label("Name of the set")
    box.fill(name)
    box.press("Tab")
    tab.page.get_by_role("button", name="Save the set").click()
    tab.page.get_by_text(f"Saved as “{name}”").wait_for()
    tab.settled()


def choose(tab: Tab, name: str) -> None:
    tab.page.get_by_role("button", name="Scope").click()
    tab.page.get_by_role("link", name=name).click()
    tab.page.wait_for_function("() => location.search.includes('scope=')")
    tab.settled()


def test_a_lasso_saved_as_a_set_is_read_by_its_link_in_another_session(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/explore?state=TX,CA,NY")
    tab.page.wait_for_selector(".js-plotly-plot .scatterlayer .point")
    tab.page.locator('[data-attr="dragmode"][data-val="lasso"]').click()
    draw(tab, CORNERS)
    tab.page.get_by_role("heading", name="Chosen in the plot").wait_for()
    tab.settled()
    chosen = tab.page.evaluate(SELECTED)
    assert chosen > 10
    save(tab, "Lasso <b>of</b> mine")
    tab.go("/loans")
    choose(tab, "Lasso <b>of</b> mine")
    said = f"Loans within the set “Lasso <b>of</b> mine”: {chosen}"
    tab.page.get_by_text(said).wait_for()
    other = open_tab(demo_server)
    other.go(tab.page.url.removeprefix(demo_server))
    other.page.get_by_text(said).wait_for()
    # Every link of the page goes on in it: the band, and a row of the list.
    link(other, "Overview").click()
    other.page.get_by_role("heading", name="Overview").wait_for()
    other.settled()
    assert "scope=set" in other.page.url
    assert re.search(rf"\b{chosen} loans", other.text())
    assert other.faults == tab.faults == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1440, 420])
def test_the_head_says_the_scope_and_fits(demo_server, open_tab, dark, width, tmp_path):
    tab = open_tab(demo_server, dark=dark, width=width)
    tab.go("/?scope=watched")
    assert "Scope: Watched by you" in tab.text()
    tab.page.get_by_role("button", name="Scope").click()
    tab.page.get_by_role("button", name="Everything").wait_for()
    tab.settled()
    tab.page.screenshot(path=Path(tmp_path) / f"scope-{width}-{'dark' if dark else 'light'}.png")
    wide = tab.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= width
    tab.page.get_by_role("button", name="Everything").click()
    tab.page.wait_for_function("() => !location.search.includes('scope=')")
    assert tab.faults == []

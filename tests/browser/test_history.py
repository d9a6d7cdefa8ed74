"""The History panel in a real Chromium: closed it loads nothing; open, mouse and keys read it."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests import history_book as book
from tests.publishing import load_once
from tests.servers import dashboard
from tests.tiers import turns

pytestmark = pytest.mark.browser

PLOT = ".js-plotly-plot .main-svg"


@pytest.fixture(scope="module")
def history_server(tmp_path_factory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("history") / "store"
    load_once(folder, book.portfolios(), rates=book.RATES)
    with dashboard(folder) as address:
        yield address


def violations(tab):
    return [
        f"{one['id']}: {node['html'][:140]}"
        for one in Axe().run(tab.page).response["violations"]
        for node in one["nodes"]
    ]


def test_it_is_opened_by_keyboard_hovered_dragged_and_reset(history_server, open_tab):
    tab = open_tab(history_server)
    asked = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.go("/loan?loan_number=L1")
    assert not any("Plotly" in url for url in asked)
    switch = tab.page.get_by_role("switch", name="Show the history")
    switch.focus()
    tab.page.keyboard.press("Space")
    tab.page.wait_for_selector(PLOT)
    tab.settled()
    assert "history=yes" in tab.page.url
    # The second filing of the balance, the first line of the drawing.
    mark = tab.page.locator(".js-plotly-plot .scatterlayer .points path.point").nth(8)
    tab.page.wait_for_function("() => document.querySelectorAll('path.point').length > 20")
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    card = tab.page.locator(".js-plotly-plot .hoverlayer")
    card.get_by_text("As of").first.wait_for()
    said = card.text_content()
    assert "File: one 2024-" in said
    assert "<b>x</b>" in said  # as written: no element
    assert tab.page.locator(".js-plotly-plot .hoverlayer b").count() == 0
    panel = tab.page.locator(".js-plotly-plot .nsewdrag").nth(1)
    panel.scroll_into_view_if_needed()
    drag = panel.bounding_box()
    middle = drag["y"] + drag["height"] / 2
    ends = [(drag["x"] + part * drag["width"], middle) for part in (0.3, 0.9)]
    tab.drag(*ends, steps=10)
    tab.page.wait_for_function("() => location.search.includes('since=2024-0')")
    tab.settled()
    assert "until=2024-0" in tab.page.url
    tab.page.get_by_role("button", name="All dates").focus()
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_function("() => !location.search.includes('since=')")
    tab.settled()
    assert tab.page.get_by_text("The loan went into special servicing.").count() == 1
    assert tab.faults == []


PANELS = ["/loan?loan_number=L1", f"/family?entity_name={book.FAMILY}", "/compare?loans=L1,L2,M1"]


@pytest.mark.parametrize(("path", "dark"), turns(PANELS, [False, True]))
def test_axe_finds_nothing_in_an_open_history(path, dark, history_server, open_tab):
    tab = open_tab(history_server, dark=dark)
    tab.go(f"{path}&history=yes")
    tab.page.wait_for_selector(PLOT)
    tab.settled()
    assert violations(tab) == []
    assert tab.faults == []

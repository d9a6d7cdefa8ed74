"""Explore in a real Chromium: a plot is drawn, and a box drawn in it lists its loans."""

import pytest

pytestmark = pytest.mark.browser

#: How many loans Plotly itself holds for selected.
SELECTED = """() => document.querySelector('.js-plotly-plot').data
    .reduce((sum, trace) => sum + (trace.selectedpoints || []).length, 0)"""
LEFT, TOP, RIGHT, BOTTOM = 0.3, 0.3, 0.8, 0.9


def draw(tab, corners):
    """Drags the mouse over the plot, from corner to corner in parts of its width and height."""
    box = tab.page.locator(".nsewdrag").first.bounding_box()
    points = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners]
    tab.page.mouse.move(*points[0])
    tab.page.mouse.down()
    for point in points[1:]:
        tab.page.mouse.move(*point, steps=12)
    tab.page.mouse.up()


@pytest.mark.parametrize("tool", ["box", "lasso"])
@pytest.mark.parametrize("axes", ["", "&x=book_value&log=x"])
def test_what_is_drawn_around_loans_lists_them_and_opens_them(tool, axes, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(f"/explore?state=TX,CA,NY{axes}")
    tab.page.wait_for_selector(".js-plotly-plot .scatterlayer .point")
    corners = [(LEFT, TOP), (RIGHT, BOTTOM)]
    if tool == "lasso":
        tab.page.locator('[data-attr="dragmode"][data-val="lasso"]').click()
        corners = [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM), (LEFT, TOP + 0.01)]
    draw(tab, corners)
    heading = tab.page.get_by_role("heading", name="Chosen in the plot")
    heading.wait_for()
    tab.settled()
    chosen = tab.page.evaluate(SELECTED)
    assert chosen > 10
    assert heading.inner_text() == f"Chosen in the plot: {chosen} loans"
    assert tab.page.locator("table caption", has_text="Loans").count() >= 1
    tab.page.get_by_role("link", name="Open as result").click()
    tab.page.get_by_text(f"Loans of a set of {chosen} numbers: {chosen}").wait_for()
    assert tab.faults == []

"""The map of properties is drawn, clicked and, where there is no WebGL, replaced (D126)."""

import io
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import watched
from tests.browser.test_accessibility import head

pytestmark = pytest.mark.browser


def canvas_of(tab):
    return tab.page.locator("[data-testid=stDeckGlJsonChart] canvas").first


@pytest.mark.parametrize("layer", ["points", "hexagons", "columns"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_map_is_drawn(layer, dark, demo_server, open_tab):
    from PIL import Image

    tab = open_tab(demo_server, dark=dark)
    tab.go(f"/map?layer={layer}")
    tab.page.wait_for_timeout(1_500)  # the canvas is no part of the document that settles
    with Image.open(io.BytesIO(canvas_of(tab).screenshot())) as drawn:
        assert len(drawn.convert("RGB").getcolors(1 << 20)) > 50  # no blank one
    assert tab.faults == []


def test_a_click_on_a_cell_chooses_it(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/map?layer=hexagons&size=wide&state=NY,CA")
    tab.page.wait_for_timeout(1_500)
    box = canvas_of(tab).bounding_box()
    tip = tab.page.locator(".deck-tooltip")
    for down in range(30, 80, 4):
        for across in range(10, 90, 2):
            tab.page.mouse.move(
                box["x"] + box["width"] * across / 100, box["y"] + box["height"] * down / 100
            )
            tab.page.wait_for_timeout(30)
            if tip.count() and tip.is_visible() and "loans" in tip.inner_text():
                break
        else:
            continue
        break
    said = tip.inner_text()
    tab.page.mouse.down()
    tab.page.mouse.up()
    expect(tab.page.get_by_text("Show all", exact=True)).to_be_visible()
    tab.settled()
    assert "cell=wide." in tab.page.url
    assert f": {said.split()[1]}" in tab.text()
    assert tab.faults == []


def test_a_narrow_page_shows_all_of_the_map(demo_server, open_tab):
    tab = open_tab(demo_server, width=420)
    tab.go("/map?state=CA,NY")
    tab.page.wait_for_timeout(2_500)  # the page says how wide it is once the map is there
    from PIL import Image

    with Image.open(io.BytesIO(canvas_of(tab).screenshot())) as drawn:
        at = drawn.convert("RGB").load()
        spots = ((x, y) for x in range(drawn.width) for y in range(drawn.height))
        dots = [x for x, y in spots if at[x, y][0] > 180 and at[x, y][2] < 110]
        assert min(dots) < 0.3 * drawn.width  # severe and elevated ones, on both coasts
        assert max(dots) > 0.7 * drawn.width
    assert tab.faults == []


def test_the_map_of_a_family_is_drawn_once_it_is_opened(demo_server, demo_store, open_tab):
    tab = open_tab(demo_server)
    tab.go(f"/family?entity_name={quote(head(demo_store))}")
    loaded = (
        "performance.getEntriesByType('resource').filter(one => /DeckGl/.test(one.name)).length"
    )
    assert tab.page.evaluate(loaded) == 0
    tab.page.get_by_text("Show the map").click()
    canvas_of(tab).wait_for()
    tab.settled()
    assert tab.page.evaluate(loaded) > 0
    assert "on_map=yes" in tab.page.url
    assert tab.faults == []


def test_without_webgl_cities_stand_in_its_place(chromium, browser, demo_server):
    flags = ["--headless", "--no-sandbox", "--disable-quic", "--disable-webgl", "--disable-3d-apis"]
    with browser.browser_type.launch(executable_path=chromium, args=flags) as without:
        tab = watched(without, demo_server)
        tab.page.goto(f"{demo_server}/map")
        expect(tab.page.get_by_text("This browser has no WebGL")).to_be_visible()
        tab.settled()
        assert tab.page.locator(".atlas-linked a").count() > 20
        assert tab.page.locator("[data-testid=stDeckGlJsonChart]").count() == 0
        # Where the drawing came before the answer that there is no WebGL, deck.gl says so too.
        assert [one for one in tab.faults if "WebGL context" not in one] == []

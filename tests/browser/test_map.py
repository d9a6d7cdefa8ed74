"""The map of properties is drawn, clicked and, where there is no WebGL, replaced (D126)."""

import io

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import framed, watched
from tests.browser.test_walk import records
from tests.patience import until
from tests.tiers import turns

pytestmark = pytest.mark.browser


def canvas_of(tab):
    return tab.page.locator("[data-testid=stDeckGlJsonChart] canvas").first


def picture_of(tab):
    """The canvas, which is no part of the document that settles."""
    from PIL import Image

    with Image.open(io.BytesIO(canvas_of(tab).screenshot())) as drawn:
        return drawn.convert("RGB")


def colours_of(tab):
    return len(picture_of(tab).getcolors(1 << 20))


@pytest.mark.parametrize(("layer", "dark"), turns(["points", "hexagons", "columns"], [False, True]))
def test_the_map_is_drawn(layer, dark, demo_server, open_tab):
    tab = open_tab(demo_server, dark=dark)
    tab.go(f"/map?layer={layer}")
    until(lambda: colours_of(tab) > 50)  # no blank one
    assert tab.faults == []


def test_a_click_on_a_cell_chooses_it(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/map?layer=hexagons&size=wide&state=NY,CA")
    until(lambda: colours_of(tab) > 50)
    box = canvas_of(tab).bounding_box()
    tip = tab.page.locator(".deck-tooltip")
    for down in range(30, 80, 4):
        for across in range(10, 90, 2):
            tab.page.mouse.move(
                box["x"] + box["width"] * across / 100, box["y"] + box["height"] * down / 100
            )
            framed(tab)
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

    def on_both_coasts():  # once the page has said how wide it is
        drawn = picture_of(tab)
        at = drawn.load()
        spots = ((x, y) for x in range(drawn.width) for y in range(drawn.height))
        dots = [x for x, y in spots if at[x, y][0] > 180 and at[x, y][2] < 110]
        # Severe and elevated ones.
        return dots and min(dots) < 0.3 * drawn.width and max(dots) > 0.7 * drawn.width

    until(on_both_coasts)
    assert tab.faults == []


def test_the_map_of_a_family_is_drawn_once_it_is_opened(demo_server, demo_store, open_tab):
    tab = open_tab(demo_server)
    tab.go(f"/family?entity_name={records(demo_store)['entity']}")
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
        tab = watched(without.new_context(), demo_server)
        tab.page.goto(f"{demo_server}/map")
        expect(tab.page.get_by_text("This browser has no WebGL")).to_be_visible()
        tab.settled()
        assert tab.page.locator(".atlas-linked a").count() > 20
        assert tab.page.locator("[data-testid=stDeckGlJsonChart]").count() == 0
        # Where the drawing came before the answer that there is no WebGL, deck.gl says so too.
        assert [one for one in tab.faults if "WebGL context" not in one] == []

"""The map is drawn, clicked, moved and, where there is no WebGL, replaced (D126, D261)."""

import io
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Error, expect

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


def at_rest(tab):
    """The canvas as bytes, once two of them are the same."""
    seen = [b""]

    def rests():
        seen.append(picture_of(tab).tobytes())
        return seen[-1] == seen[-2]

    until(rests)
    return seen[-1]


def colours_of(tab):
    return len(picture_of(tab).getcolors(1 << 20))


@pytest.mark.parametrize(("layer", "dark"), turns(["points", "hexagons"], [False, True]))
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


def pointed_at(tab):
    """What the card of a mark says, once the mouse has found one."""
    box, tip = canvas_of(tab).bounding_box(), tab.page.locator(".deck-tooltip")
    for down in range(30, 80, 4):
        for across in range(10, 90):
            tab.page.mouse.move(
                box["x"] + box["width"] * across / 100, box["y"] + box["height"] * down / 100
            )
            framed(tab)
            if tip.count() and tip.is_visible() and "DSCR" in tip.inner_text():
                return tip.inner_text()
    raise AssertionError("no mark has a card")


def test_the_card_of_a_point_names_its_property(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/map?state=TX,CA,NY")
    until(lambda: colours_of(tab) > 50)
    name, where, figures, worst = pointed_at(tab).removeprefix("\u200b").split("\n")
    number = where.split(", ")[0]
    assert figures.startswith("$")
    assert worst.endswith(("by ZIP", "by city"))
    tab.go(f"/loan?loan_number={number}")
    assert name.removesuffix("…") in tab.text()
    assert tab.faults == []


def test_the_wheel_scrolls_the_page_and_zooms_the_map_with_control_as_the_buttons_do(
    demo_server, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/map")
    until(lambda: colours_of(tab) > 50)
    tab.page.mouse.move(0, 0)
    before = at_rest(tab)
    top = canvas_of(tab).bounding_box()["y"]
    canvas_of(tab).hover()
    tab.page.mouse.wheel(0, 200)
    until(lambda: canvas_of(tab).bounding_box()["y"] < top - 100)
    tab.page.mouse.wheel(0, -200)
    until(lambda: canvas_of(tab).bounding_box()["y"] == top)
    tab.page.mouse.move(0, 0)
    until(lambda: picture_of(tab).tobytes() == before)
    tab.page.get_by_role("button", name="Zoom in").press("Enter")
    until(lambda: picture_of(tab).tobytes() != before)
    zoomed = at_rest(tab)
    canvas_of(tab).hover()
    tab.page.keyboard.down("Control")
    tab.page.mouse.wheel(0, -300)
    tab.page.keyboard.up("Control")
    until(lambda: picture_of(tab).tobytes() != zoomed)
    assert tab.faults == []


def moved(tab):
    """The address, once a map that was dragged has rested; dragged again where it was not ready."""
    before, box = tab.page.url, canvas_of(tab).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def dragged():
        tab.drag((x, y), (x + 120, y), steps=6)
        try:
            tab.page.wait_for_url(lambda url: url != before, timeout=5_000)
        except Error:  # of time
            return False
        return True

    until(dragged)
    tab.settled()
    return tab.page.url


def sides(address):
    return [float(one) for one in parse_qs(urlsplit(address).query)["view"][0].split(",")]


def test_a_map_that_is_moved_is_in_the_address_and_a_link_shows_it_again(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/map")
    until(lambda: colours_of(tab) > 50)
    first = sides(moved(tab))
    second = sides(moved(tab))
    # To the right: what shows lies farther west, and is as wide.
    assert second[0] < first[0] < 0
    assert second[2] - second[0] == pytest.approx(first[2] - first[0], abs=0.01)
    said = tab.page.get_by_text("in view").inner_text()
    assert int(said.split()[0].replace(",", "")) > 0
    address = tab.page.url
    tab.page.get_by_role("button", name="Show all").press("Enter")
    tab.page.wait_for_url(lambda url: "view=" not in url)
    other = open_tab(demo_server)
    other.go(address.removeprefix(demo_server))
    assert other.page.get_by_text("in view").inner_text() == said
    assert sides(other.page.url) == second
    assert tab.faults == other.faults == []


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


def test_without_webgl_a_point_for_each_place_replaces_it(chromium, browser, demo_server):
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

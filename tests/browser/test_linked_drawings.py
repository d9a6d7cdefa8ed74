"""Drawings of links: bars, states and places read, walked and followed by mouse and by keyboard."""

import re
from itertools import pairwise
from math import dist

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.patience import until
from tests.tiers import turns

pytestmark = pytest.mark.browser

#: From where to where the words of each bar stand, and whether they are turned.
PLACES = """links => links.map(link => {
  const words = [...link.querySelectorAll('text')];
  const boxes = words.map(one => one.getBoundingClientRect());
  return { left: Math.min(...boxes.map(one => one.left)),
           right: Math.max(...boxes.map(one => one.right)),
           turned: words.some(one => one.hasAttribute('transform')) };
})"""


def wall(tab):
    """The maturity wall of the Overview."""
    tab.go("/")
    return tab.page.get_by_role("group", name=re.compile("^Maturity wall"))


def counted(text):
    """The loans of a bar, added up from what it says of its parts."""
    return sum(int(one.replace(",", "")) for one in re.findall(r"([\d,]+) loans?\b", text))


def test_a_bar_says_what_it_holds_and_leads_to_its_loans(demo_server, open_tab):
    tab = open_tab(demo_server)
    bar = wall(tab).get_by_role("link", name=re.compile("^2028 Q2;"))
    bar.hover()
    said = tab.page.locator(".atlas-bars .tip:visible").inner_text()
    assert said.splitlines()[0].strip() == "2028 Q2"
    assert said.split() == bar.get_attribute("aria-label").replace("; ", "\n").split()
    bar.click()
    tab.page.wait_for_url("**/loans?due_after=2028-03-31**")
    tab.settled()
    assert f": {counted(said):,}" in tab.text()
    tab.page.go_back()
    tab.page.wait_for_selector(".atlas-bars a")
    assert tab.faults == []


def test_the_keyboard_walks_the_bars_and_opens_one(demo_server, open_tab):
    tab = open_tab(demo_server)
    links = wall(tab).get_by_role("link")
    # One bar is in the order of the Tab key.
    assert [one.get_attribute("tabindex") for one in links.all()].count("0") == 1
    links.first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "ArrowLeft"):
        tab.page.keyboard.press(key)
    focused = tab.page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert focused == links.nth(links.count() - 2).get_attribute("aria-label")
    assert tab.page.locator(".atlas-bars .tip:visible").count() == 1
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**/loans?due_after=**")
    tab.settled()
    assert f": {counted(focused):,}" in tab.text()
    assert tab.faults == []


def test_bars_are_drawn_anew_for_a_narrow_window(demo_server, open_tab):
    tab = open_tab(demo_server)
    drawn = wall(tab)
    for width in (420, 1440):
        tab.page.set_viewport_size({"width": width, "height": 900})
        until(lambda: right_of(drawn.get_by_role("link").last) <= right_of(drawn) + 1)
        # The words of one bar do not touch those of the next: turned, they need the height of
        # their letters.
        places = drawn.get_by_role("link").evaluate_all(PLACES)
        for before, after in pairwise(places):
            assert after["left"] >= (before["left"] + 10 if before["turned"] else before["right"])
    assert tab.faults == []


def test_arrow_keys_go_from_state_to_state_and_enter_filters(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/signals?severity=critical,severe")
    at = tab.page.get_by_role("link", name=re.compile("^Oregon;"))
    at.focus()
    passed = []
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp"):
        tab.page.keyboard.press(key)
        label = tab.page.evaluate("() => document.activeElement.getAttribute('aria-label')")
        passed.append(label.partition(";")[0])
    assert passed == ["California", "Nevada", "Utah", "Idaho"]
    said = tab.page.locator(".atlas-states .tip:visible").inner_text()
    assert said.startswith("Idaho")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**state=ID**")
    tab.settled()
    assert "signals in Idaho" in tab.text()
    # The focus stays on the state; a second Enter lets go of it.
    focused = tab.page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("Idaho")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_function("() => !location.search.includes('state=')")
    assert tab.faults == []


def map_of_places(tab):
    """On the Overview of a pool."""
    tab.go("/")
    drawn = tab.page.get_by_role("group", name=re.compile("^Map of the properties by place"))
    drawn.scroll_into_view_if_needed()
    return drawn


def middle_of(mark):
    box = mark.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def right_of(mark):
    # A mark that was found and has just been drawn again has no place.
    box = until(mark.bounding_box)
    return box["x"] + box["width"]


def place_in(drawn, mark):
    """Where a mark begins within its drawing."""
    home, box = drawn.bounding_box(), mark.bounding_box()
    return {side: box[side] - home[side] for side in ("x", "y")}


def distance(one, other):
    """Pixels between the middles of two marks."""
    return dist(middle_of(one), middle_of(other))


def test_a_place_leads_to_its_loan_and_the_way_back_to_the_map(pool_server, open_tab):
    tab = open_tab(pool_server)
    links = map_of_places(tab).get_by_role("link").all()
    place = next(one for one in links if one.get_attribute("href").startswith("loan?"))
    number = place.get_attribute("href").partition("=")[2]
    place.focus()
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(f"**loan_number={number}")
    tab.settled()
    assert number in tab.text()
    assert tab.faults == []


def test_the_keyboard_walks_the_places_and_zooms(pool_server, open_tab):
    tab = open_tab(pool_server)
    drawn = map_of_places(tab)
    places = drawn.get_by_role("link")
    assert [one.get_attribute("tabindex") for one in places.all()].count("0") == 1
    first, second = places.nth(0), places.nth(1)
    first.focus()
    seen = {first.get_attribute("aria-label")}
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight"):
        tab.page.keyboard.press(key)
        seen.add(tab.page.evaluate("() => document.activeElement.getAttribute('aria-label')"))
    assert len(seen) >= 3
    second.focus()
    before = distance(first, second)
    for _ in range(3):
        tab.page.keyboard.press("+")
    until(lambda: distance(first, second) == pytest.approx(1.5**3 * before, rel=0.05))
    # Points keep their size, and one that a key goes to comes into view.
    stage = drawn.bounding_box()
    for _ in range(6):
        tab.page.keyboard.press("ArrowLeft")
    it = tab.page.locator(".atlas-places a:focus")
    until(lambda: stage["x"] <= middle_of(it)[0] <= stage["x"] + stage["width"])
    tab.page.keyboard.press("0")
    until(lambda: distance(first, second) == pytest.approx(before, rel=0.05))
    assert tab.faults == []


def test_the_map_of_places_is_dragged_without_opening_what_lies_under_it(pool_server, open_tab):
    tab = open_tab(pool_server)
    drawn = map_of_places(tab)
    place = drawn.get_by_role("link").first
    before, home, address = place.bounding_box(), drawn.bounding_box(), tab.page.url
    at = middle_of(place)
    tab.drag(at, (at[0] - 30, at[1] - 20), steps=3)
    until(lambda: until(place.bounding_box)["x"] - before["x"] == pytest.approx(-30, abs=3))
    until(lambda: until(place.bounding_box)["y"] - before["y"] == pytest.approx(-20, abs=3))
    assert tab.page.url == address
    # The page scrolls past a map that is not in use; one that is, is zoomed by the wheel.
    tab.page.evaluate("() => document.activeElement.blur()")
    tab.page.mouse.wheel(0, 120)
    until(lambda: until(place.bounding_box)["width"] == pytest.approx(before["width"], abs=1))
    tab.page.locator(".atlas-places").get_by_role("button", name="Show all").click()
    for side in ("x", "y"):
        there = pytest.approx(before[side] - home[side], abs=1)
        until(lambda side=side, there=there: place_in(drawn, place)[side] == there)
    assert tab.faults == []


@pytest.mark.parametrize(
    ("drawing", "scheme"),
    turns([(wall, ".atlas-bars"), (map_of_places, ".atlas-places")], ["light", "dark"]),
)
def test_axe_finds_nothing_in_a_drawing(pool_server, open_tab, drawing, scheme):
    drawn, inside = drawing
    tab = open_tab(pool_server)
    tab.page.emulate_media(color_scheme=scheme)
    drawn(tab).wait_for()
    found = Axe().run(tab.page, context=inside).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []

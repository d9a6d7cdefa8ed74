"""Drawings of links: bars and states read, walked and followed by mouse and by keyboard."""

import re
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = pytest.mark.browser


def wall(tab):
    """The maturity wall of the Overview."""
    tab.go("/")
    return tab.page.get_by_role("group", name=re.compile("^Maturity wall"))


def counted(text):
    """The loans of a bar, added up from what it says of its parts."""
    return sum(int(one.replace(",", "")) for one in re.findall(r"([\d,]+) loans", text))


def test_a_bar_says_what_it_holds_and_leads_to_its_loans(demo_server, open_tab):
    tab = open_tab(demo_server)
    bar = wall(tab).get_by_role("link", name=re.compile("^2028 Q2;"))
    bar.hover()
    said = tab.page.locator(".atlas-bars .tip:visible").inner_text()
    assert said.splitlines()[0].strip() == "2028 Q2"
    assert said.split() == bar.get_attribute("aria-label").replace("; ", "\n").split()
    bar.click()
    tab.page.wait_for_url("**/loans?maturity_after=2028-03-31**")
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
    tab.page.wait_for_url("**/loans?maturity_after=**")
    tab.settled()
    assert f": {counted(focused):,}" in tab.text()
    assert tab.faults == []


def test_bars_are_drawn_anew_for_a_narrow_window(demo_server, open_tab):
    tab = open_tab(demo_server)
    drawn = wall(tab)
    for width in (420, 1440):
        tab.page.set_viewport_size({"width": width, "height": 900})
        tab.page.wait_for_timeout(300)
        box, last = drawn.bounding_box(), drawn.get_by_role("link").last.bounding_box()
        assert last["x"] + last["width"] <= box["x"] + box["width"] + 1
        words = drawn.locator("a text").all()
        # Their words do not touch: where they are turned they need a line's height each.
        places = [one.bounding_box()["x"] for one in words]
        assert min(b - a for a, b in pairwise(places)) >= 10
    assert tab.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_bars(demo_server, open_tab, scheme):
    tab = open_tab(demo_server)
    tab.page.emulate_media(color_scheme=scheme)
    wall(tab).wait_for()
    found = Axe().run(tab.page, context=".atlas-bars").response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


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

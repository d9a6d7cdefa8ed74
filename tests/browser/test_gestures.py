"""What mouse, wheel, fingers and single keys do to drawings and to the search box: the handlers of
our scripts that no other browser test calls, each with its effect.
"""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import framed
from tests.browser.test_capital_graph import VIEW
from tests.browser.test_linked_drawings import distance, map_of_places, wall
from tests.browser.test_navigation import link
from tests.patience import until

pytestmark = pytest.mark.browser

SCALE = "() => Number(/scale\\((.*)\\)/.exec(({})())[1])".replace("{}", VIEW)


@pytest.fixture
def board(demo_server, open_tab, lender):
    """A tab at the board of the largest lender."""
    tab = open_tab(demo_server)
    tab.go(f"/capital_graph?entity_name={quote(lender[0])}&depth=1")
    tab.page.locator(".atlas-graph .stage").scroll_into_view_if_needed()
    return tab


def pressed(tab, *keys):
    """Presses keys, then waits for the frame in which a drawing follows."""
    for key in keys:
        tab.page.keyboard.press(key)
    framed(tab)


def pinched(tab, box, apart, wider):
    """Two fingers `apart` pixels from each other in a box, which go as far as `wider` pixels."""
    session = tab.page.context.new_cdp_session(tab.page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind, *across):
        points = [
            {"x": x + sign * half, "y": y, "id": at} for at, (sign, half) in enumerate(across)
        ]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    halves = [apart / 2 + step * (wider - apart) / 16 for step in range(9)]
    touch("touchStart", (-1, halves[0]), (1, halves[0]))
    for half in halves[1:]:
        touch("touchMove", (-1, half), (1, half))
    touch("touchEnd")
    framed(tab)


def test_a_tooltip_goes_with_the_mouse_and_with_the_focus(demo_server, open_tab):
    tab = open_tab(demo_server)
    bars = wall(tab)
    tip = tab.page.locator(".atlas-bars:has([aria-label^='Maturity wall']) .tip")
    bars.get_by_role("link").nth(1).hover()
    expect(tip).to_be_visible()
    tab.page.get_by_role("heading", level=1).hover()
    expect(tip).to_be_hidden()
    bars.get_by_role("link").nth(1).focus()
    expect(tip).to_be_visible()
    pressed(tab, "Tab")
    expect(tip).to_be_hidden()
    assert tab.faults == []


def test_a_state_and_a_cell_say_what_they_hold_under_the_mouse(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/signals?measure=loans")
    for drawn, name in (("states", "^Texas;"), ("matrix", "^TX, Office: ")):
        mark = tab.page.locator(f".atlas-{drawn}").get_by_role("link", name=re.compile(name)).first
        mark.hover()
        said = tab.page.locator(f".atlas-{drawn} .tip:visible").inner_text()
        parts = re.split("; |: ", mark.get_attribute("aria-label"))
        assert said.split() == " ".join(parts).split()
    assert tab.faults == []


def test_a_move_of_a_scenario_says_its_figure_and_enter_lists_it(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/what_if?rates=100&noi=-10&measure=loans")
    cells = tab.page.locator(".atlas-matrix td a")
    cells.first.focus()
    pressed(tab, "ArrowDown")
    assert not cells.first.evaluate("one => one === document.activeElement")
    focused = tab.page.locator(".atlas-matrix a:focus")
    loans = focused.inner_text()
    said = tab.page.locator(".atlas-matrix .tip:visible").inner_text()
    parts = re.split("; |: ", focused.get_attribute("aria-label"))
    assert said.split() == " ".join(parts).split()
    pressed(tab, "Enter")
    tab.page.wait_for_url("**move=**")
    tab.settled()
    assert re.search(rf"in scenario 1: {loans}\b", tab.text())
    assert tab.faults == []


def test_a_map_in_use_is_zoomed_by_wheel_fingers_and_buttons(pool_server, open_tab):
    tab = open_tab(pool_server)
    drawn = map_of_places(tab)
    # The last lies on top.
    one, other = (drawn.get_by_role("link").nth(at) for at in (0, -1))
    other.hover()
    said = tab.page.locator(".atlas-places .tip:visible").inner_text()
    assert said.split() == other.get_attribute("aria-label").replace("; ", " ").split()
    # Else a link that is dragged would be carried away.
    carried = (
        "one => one.dispatchEvent(new DragEvent('dragstart', {bubbles: true, cancelable: true}))"
    )
    assert not other.evaluate(carried)
    before = distance(one, other)
    buttons = tab.page.locator(".atlas-places")
    buttons.get_by_role("button", name="Zoom in").click()
    until(lambda: distance(one, other) == pytest.approx(1.5 * before, rel=0.05))
    buttons.get_by_role("button", name="Zoom out").click()
    until(lambda: distance(one, other) == pytest.approx(before, rel=0.05))
    # A click beside the places takes the map into use: the wheel zooms it, and the page stays.
    box = drawn.bounding_box()
    tab.page.mouse.click(box["x"] + 8, box["y"] + 8)
    place = other.bounding_box()
    tab.page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    tab.page.mouse.wheel(0, -400)
    wider = 1.0015**400 * before
    until(lambda: distance(one, other) == pytest.approx(wider, rel=0.05))
    until(lambda: until(other.bounding_box)["y"] == pytest.approx(place["y"], abs=2))
    pressed(tab, "0")
    pinched(tab, box, 80, 160)
    until(lambda: distance(one, other) == pytest.approx(2 * before, rel=0.2))
    pressed(tab, "0", "=", "-")
    until(lambda: distance(one, other) == pytest.approx(before, rel=0.05))
    assert tab.faults == []


def test_the_graph_is_zoomed_by_keys_wheel_and_buttons(board):
    page = board.page
    whole = page.evaluate(SCALE)
    page.locator(".atlas-graph .node[tabindex='0']").focus()
    pressed(board, "+")
    until(lambda: page.evaluate(SCALE) == pytest.approx(1.25 * whole))
    pressed(board, "-", "-")
    until(lambda: page.evaluate(SCALE) == pytest.approx(whole / 1.25))
    pressed(board, "0")
    until(lambda: page.evaluate(SCALE) == pytest.approx(whole))
    stage = page.locator(".atlas-graph .stage").bounding_box()
    page.mouse.move(stage["x"] + 40, stage["y"] + 40)
    page.mouse.wheel(0, -200)
    until(lambda: page.evaluate(SCALE) == pytest.approx(1.0015**200 * whole))
    page.get_by_role("button", name="Show the whole drawing").click()
    page.get_by_role("button", name="Zoom out").click()
    until(lambda: page.evaluate(SCALE) == pytest.approx(whole / 1.25))
    assert board.faults == []


def test_a_node_under_the_mouse_says_what_it_is_and_what_is_not_beside_it_fades(board):
    page = board.page
    tip, faint = page.locator(".atlas-graph .tip"), page.locator(".atlas-graph .node.faint")
    every = page.locator(".atlas-graph .node")
    loan = page.locator(".atlas-graph .node[aria-label*=' (CA-']").first
    loan.hover()
    said = tip.inner_text()
    lines = [one for one in map(str.strip, said.splitlines()) if one]
    assert ", ".join(lines) == loan.get_attribute("aria-label")
    # Around a lender each loan has one edge, to it.
    expect(faint).to_have_count(every.count() - 2)
    page.get_by_role("heading", level=1).hover()
    expect(tip).to_be_hidden()
    expect(faint).to_have_count(0)
    line = page.locator(".atlas-graph g:has(> path.edge)").first
    line.dispatch_event("pointerenter", {"clientX": 100, "clientY": 100})
    expect(tip).to_be_visible()
    assert tip.inner_text() != ""
    line.dispatch_event("pointerleave")
    expect(tip).to_be_hidden()
    assert board.faults == []


def test_a_click_chooses_a_node_and_one_beside_them_none(board):
    page = board.page
    chosen = page.locator(".atlas-graph .node[aria-pressed=true]")
    before = chosen.count() and chosen.get_attribute("aria-label")
    stage = page.locator(".atlas-graph .stage").bounding_box()
    page.mouse.click(stage["x"] + 3, stage["y"] + 3)
    assert page.evaluate("() => document.activeElement.matches('.atlas-graph .node')")
    # The focus is drawn where a key brought it, and goes with it.
    pressed(board, "ArrowRight")
    expect(page.locator(".atlas-graph .focus")).to_have_count(1)
    page.get_by_role("searchbox", name="Find on the board").focus()
    expect(page.locator(".atlas-graph .focus")).to_have_count(0)
    assert (chosen.count() and chosen.get_attribute("aria-label")) == before
    loan = page.locator(".atlas-graph .node[aria-label*=' (CA-']").nth(2)
    name = loan.get_attribute("aria-label")
    loan.locator("path").first.click()
    expect(chosen).to_have_attribute("aria-label", name)
    assert board.faults == []


def test_escape_takes_the_letters_of_the_board_away(board):
    box = board.page.get_by_role("searchbox", name="Find on the board")
    box.fill("no such name")
    expect(board.page.locator(".atlas-graph output")).to_have_text("0 found")
    assert board.page.locator(".atlas-graph .node:not(.faint)").count() == 0
    box.press("Escape")
    expect(box).to_have_value("")
    expect(board.page.locator(".atlas-graph output")).to_have_text("")
    assert board.page.locator(".atlas-graph .node.faint").count() == 0
    assert board.faults == []


def test_the_search_box_opens_closes_and_is_left(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    box = tab.page.get_by_role("combobox", name=re.compile("^Search"))
    found = tab.page.locator("#atlas-search-list")
    options = found.get_by_role("option")
    # In a field the slash is a letter.
    field = tab.page.get_by_role("textbox", name="Lender", exact=True)
    field.focus()
    pressed(tab, "/")
    expect(field).to_have_value("/")
    field.fill("")
    tab.page.get_by_role("heading", level=1).click()
    pressed(tab, "/")
    expect(box).to_be_focused()
    tab.page.keyboard.type("CA-0001")
    expect(options.first).to_be_visible()
    expect(options.first).to_have_attribute("aria-selected", "true")
    pressed(tab, "ArrowDown", "ArrowUp", "ArrowUp")  # round to the last
    expect(options.last).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", options.last.get_attribute("id"))
    pressed(tab, "Escape")
    expect(found).to_be_hidden()
    expect(box).not_to_be_focused()
    # Fewer than two letters close it; so does a click elsewhere.
    box.fill("CA-0002")
    expect(options.first).to_be_visible()
    box.fill("C")
    expect(found).to_be_hidden()
    box.fill("CA-0003")
    expect(options.first).to_be_visible()
    tab.page.get_by_role("heading", level=1).click()
    expect(found).to_be_hidden()
    box.fill("zzqxv")
    expect(found).to_be_visible()
    assert options.count() == 0
    box.fill("CA-000012")
    option = found.get_by_role("option", name=re.compile("CA-000012"))
    option.click()
    tab.page.wait_for_url("**/loan?loan_number=CA-000012")
    expect(box).to_have_value("")
    assert tab.faults == []


def test_a_page_that_is_left_leaves_no_second_handler_of_the_slash(demo_server, open_tab):
    """The band is drawn again on each page; what its script returned has ended the one before."""
    tab = open_tab(demo_server)
    tab.page.add_init_script("""
      window.slashes = 0;
      const [add, remove] = [document.addEventListener, document.removeEventListener];
      document.addEventListener = function (kind, ...rest) {
        if (kind === "keydown" && rest[0].name === "slash") window.slashes += 1;
        return add.call(this, kind, ...rest);
      };
      document.removeEventListener = function (kind, ...rest) {
        if (kind === "keydown" && rest[0]?.name === "slash") window.slashes -= 1;
        return remove.call(this, kind, ...rest);
      };
    """)
    tab.go("/loans")
    link(tab, "Signals").click()
    expect(tab.page.locator("h1")).to_have_text("Signals")
    tab.settled()
    assert tab.page.evaluate("() => window.slashes") == 1
    assert tab.faults == []


def test_a_drawing_that_is_left_watches_its_width_no_more(demo_server, open_tab, lender):
    tab = open_tab(demo_server)
    tab.page.add_init_script("""
      window.watching = 0;
      const { observe, disconnect } = ResizeObserver.prototype;
      ResizeObserver.prototype.observe = function (one, ...rest) {
        if (one.matches(".atlas-graph .stage")) { this.ours = true; window.watching += 1; }
        return observe.call(this, one, ...rest);
      };
      ResizeObserver.prototype.disconnect = function () {
        if (this.ours) { this.ours = false; window.watching -= 1; }
        return disconnect.call(this);
      };
    """)
    tab.go(f"/capital_graph?entity_name={quote(lender[0])}&depth=1")
    assert tab.page.evaluate("() => window.watching") == 1
    link(tab, "Sources").click()
    expect(tab.page.locator("h1")).to_have_text("Sources")
    tab.settled()
    tab.page.wait_for_function("() => window.watching === 0")
    assert tab.faults == []


def test_a_saved_drawing_is_let_go_of_in_the_browsers_memory(demo_server, open_tab, lender):
    tab = open_tab(demo_server)
    # What waits for ten seconds waits for a twentieth of one.
    tab.page.add_init_script("""
      window.kept = new Set();
      window.made = 0;
      const { setTimeout: later, URL: { createObjectURL: make, revokeObjectURL: drop } } = window;
      window.setTimeout = (does, ms, ...rest) => later(does, ms === 10_000 ? 50 : ms, ...rest);
      URL.createObjectURL = (blob) => {
        const address = make.call(URL, blob);
        if (blob.type.startsWith("image/")) {
          window.made += 1;
          window.kept.add(address);
        }
        return address;
      };
      URL.revokeObjectURL = (address) => { window.kept.delete(address); drop.call(URL, address); };
    """)
    tab.go(f"/capital_graph?entity_name={quote(lender[0])}&depth=1")
    for kind in ("SVG", "PNG"):
        with tab.page.expect_download():
            tab.page.get_by_role("button", name=f"as {kind}").click()
    # A PNG is drawn from an SVG first.
    tab.page.wait_for_function("() => window.made === 3 && window.kept.size === 0")
    assert tab.faults == []

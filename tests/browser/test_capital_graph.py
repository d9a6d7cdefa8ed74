"""The drawing of the capital graph in use: what stays where it is, what the keyboard reaches."""

import json
import re
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect

from tests.browser.test_journeys import params

pytestmark = pytest.mark.browser

#: Name of each node -> where it is seen in the stage.
PLACES = """() => {
  const stage = document.querySelector('.atlas-graph .stage').getBoundingClientRect();
  return Object.fromEntries([...document.querySelectorAll('.atlas-graph .node')].map(one => {
    // Where its shape is drawn around: the middle of a shape differs with what the node is.
    const at = one.querySelector('path').getScreenCTM();
    const name = one.getAttribute('aria-label').split(',')[0];
    return [name, [at.e - stage.x, at.f - stage.y]];
  }));
}"""
VIEW = "() => document.querySelector('.atlas-graph svg > g').getAttribute('transform')"
LABELS = """() => [...document.querySelectorAll('.atlas-graph .stage svg > g:last-child text')]
  .map(one => one.getBoundingClientRect()).map(r => [r.left, r.top, r.right, r.bottom])"""


def expanded(tab):
    """Expands the first relation that can be."""
    undo = tab.page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    tab.page.locator(".st-key-graph_expand_0 button").click()
    expect(undo).to_be_enabled()
    tab.settled()


@pytest.mark.parametrize("layout", ["rings", "layers"])
def test_expanding_moves_no_placed_node_and_keeps_the_zoom(layout, demo_server, open_tab, lender):
    name, loan = lender
    tab = open_tab(demo_server)
    tab.go(f"/capital_graph?loan_number={loan}&depth=2&layout={layout}")
    before = tab.page.evaluate(PLACES)
    tab.page.get_by_role("button", name="Zoom in").click()
    stage = tab.page.locator(".atlas-graph .stage").bounding_box()
    tab.drag(*((stage["x"] + x, stage["y"] + y) for x, y in ((30, 30), (90, 50))), steps=4)
    tab.page.locator(f'.atlas-graph .node[aria-label^="{name},"]').focus()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".node[aria-pressed=true]")).to_have_attribute(
        "aria-label", re.compile(f"^{re.escape(name)},")
    )
    tab.settled()
    view, zoomed = tab.page.evaluate(VIEW), tab.page.evaluate(PLACES)
    expanded(tab)
    after = tab.page.evaluate(PLACES)
    assert len(after) >= len(before) + 20
    assert len({*map(tuple, after.values())}) == len(after)
    assert tab.page.evaluate(VIEW) == view
    shift = [after[one][at] - zoomed[one][at] for one in zoomed for at in (0, 1)]
    assert max(map(abs, shift)) < 0.5
    # Grown by the button, and moved by the mouse: the view is not that of the beginning.
    assert zoomed != before
    assert tab.faults == []


def test_no_label_covers_another(demo_server, open_tab, lender):
    tab = open_tab(demo_server)
    tab.go(f"/capital_graph?entity_name={lender[0]}&depth=1")
    boxes = tab.page.evaluate(LABELS)
    assert len(boxes) > 30
    touching = [
        (a, b)
        for at, a in enumerate(boxes)
        for b in boxes[:at]
        if min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 2
    ]
    assert touching == []


def test_the_keyboard_walks_from_node_to_node_and_chooses_one(demo_server, open_tab, lender):
    tab = open_tab(demo_server)
    tab.go(f"/capital_graph?entity_name={lender[0]}&depth=1")
    root = tab.page.locator(".atlas-graph .node[tabindex='0']")
    expect(root).to_have_count(1)
    root.focus()
    tab.page.keyboard.press("ArrowRight")
    focused = tab.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert re.search(r" \(CA-\d+\), Loan", focused)
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".node[aria-pressed=true]")).to_have_attribute("aria-label", focused)
    tab.settled()
    assert focused.split(" (CA-")[0] in tab.text()
    # The drawing was rebuilt, and the reader is where they were.
    assert tab.page.evaluate("document.activeElement.getAttribute('aria-label')") == focused


def test_a_name_is_found_on_the_board(demo_server, open_tab, lender):
    name, loan = lender
    tab = open_tab(demo_server)
    tab.go(f"/capital_graph?entity_name={name}&depth=1")
    box = tab.page.get_by_role("searchbox", name="Find on the board")
    box.fill(loan.lower())
    expect(tab.page.locator(".atlas-graph output")).to_have_text("1 found")
    box.press("Enter")
    expect(tab.page.locator(".node[aria-pressed=true]")).to_have_attribute(
        "aria-label", re.compile(rf" \({loan}\),")
    )
    tab.settled()
    expect(tab.page.locator(".atlas-graph output")).to_have_text("1 of 1 found")
    assert tab.page.locator(".node:not(.faint)").count() == 1


def test_layout_and_letters_are_in_the_address_and_survive_a_reload(demo_server, open_tab, lender):
    name, _ = lender
    tab = open_tab(demo_server)
    tab.go(f"/capital_graph?entity_name={name}&depth=1")
    rings = tab.page.evaluate(PLACES)
    tab.page.get_by_role("radio", name="Layers").click()
    tab.page.wait_for_url("**layout=layers**")
    tab.settled()
    box = tab.page.get_by_role("textbox", name="Find in the paths")
    box.fill("CA-0000")
    box.press("Enter")
    tab.page.wait_for_url("**find=CA-0000**")
    tab.settled()
    assert params(tab) == {
        "entity_name": name, "depth": "1", "layout": "layers", "find": "CA-0000",
    }  # fmt: skip
    layers = tab.page.evaluate(PLACES)
    assert layers != rings
    tab.page.reload()
    tab.settled()
    again = tab.page.evaluate(PLACES)
    assert max(abs(again[one][at] - layers[one][at]) for one in layers for at in (0, 1)) < 0.5
    assert "go through a name with" in tab.text()


def test_the_drawing_is_saved_as_it_is_seen(demo_server, open_tab, lender, tmp_path):
    name, _ = lender
    tab = open_tab(demo_server)
    tab.go(f"/capital_graph?entity_name={name}&depth=1")
    for kind in ("SVG", "PNG"):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=f"as {kind}").click()
        path = tmp_path / download.value.suggested_filename
        assert path.name == f"credit-atlas-capital-graph.{kind.lower()}"
        download.value.save_as(path)
    found = ET.parse(tmp_path / "credit-atlas-capital-graph.svg")  # noqa: S314  (our own file)
    words = {one.text for one in found.iter() if one.tag.endswith("}text")}
    assert {f"Capital around {name}", "Loan", "Capital source"} <= words
    assert any("as of 2026-09-30" in str(word) for word in words)
    loans = tab.page.locator(".atlas-graph .node[aria-label*=' (CA-']")
    labels = loans.evaluate_all("all => all.map((one) => one.ariaLabel.split(' (CA-')[0])")
    assert words & set(labels)
    picture = (tmp_path / "credit-atlas-capital-graph.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(picture) > 20_000
    for label, suffix in (("GraphML", "graphml"), ("JSON", "json"), ("CSV", "csv")):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=label, exact=True).click()
        path = tmp_path / f"edges.{suffix}"
        download.value.save_as(path)
        assert path.stat().st_size > 1_000
    assert json.loads((tmp_path / "edges.json").read_text("utf-8"))["graph"]["snapshot"]
    assert tab.faults == []


def test_two_ends_are_found_and_connected(demo_server, open_tab, lender):
    name, loan = lender
    tab = open_tab(demo_server)
    tab.go(f"/connection?from_loan={loan}")
    box = tab.page.get_by_role("textbox", name="connected to")
    box.fill(name)
    box.press("Enter")
    tab.page.get_by_role("link", name=re.compile(f"^{re.escape(name)}")).first.click()
    tab.page.wait_for_url("**to_entity=**")
    tab.settled()
    assert params(tab) == {"from_loan": loan, "to_entity": name}
    expect(box).to_have_value("")  # it was found
    assert re.search(r"(connections?|best).* within 6 edges|there are more", tab.text())
    expect(tab.page.locator(".atlas-graph .node")).not_to_have_count(0)
    tab.page.get_by_role("link", name="The other way round").click()
    tab.page.wait_for_url("**from_entity=**")
    tab.settled()
    assert params(tab) == {"to_loan": loan, "from_entity": name}
    assert tab.faults == []

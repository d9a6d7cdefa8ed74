"""The map of Signals played through its months: by mouse, by keyboard, and what a reload keeps."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.book_by_month import filled
from tests.patience import until
from tests.servers import dashboard

pytestmark = pytest.mark.browser

LABELS = ["Feb 2024", "Mar 2024", "Apr 2024", "Now: 30 Apr 2024"]

#: Every text that an element shows from now on, in order: a month may pass between two looks.
HEARD = """element => {
  const heard = [];
  new MutationObserver(() => {
    if (heard.at(-1) !== element.textContent) heard.push(element.textContent);
  }).observe(element, { childList: true, characterData: true, subtree: true });
  return heard;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with dashboard(filled(tmp_path_factory.mktemp("play") / "store")) as address:
        yield address


def colours(tab):
    """What each state is filled with."""
    return tab.page.eval_on_selector_all(
        ".atlas-states a",
        "all => all.map(one => [one.dataset.name, one.firstChild.getAttribute('fill')])",
    )


def stepped(tab, key, label):
    """Presses a key on the slider, and waits for the month that it goes to."""
    tab.page.keyboard.press(key)
    expect(tab.page.locator(".player output")).to_have_text(label)


def test_the_map_plays_through_its_months_and_stops(server, open_tab):
    tab = open_tab(server)
    tab.go("/signals?severity=any")
    bar = tab.page.get_by_role("group", name="Date of the map")
    slider, said = bar.get_by_role("slider"), bar.locator("output")
    expect(said).to_have_text(LABELS[3])
    # Play begins at the first month, goes through all of them and stops by itself.
    heard = tab.page.evaluate_handle(HEARD, said.element_handle())
    bar.get_by_role("button", name="Play").click()
    until(lambda: heard.json_value()[-1:] == LABELS[3:])
    expect(bar.get_by_role("button", name="Play")).to_be_visible()
    assert heard.json_value() == LABELS
    # Pause stops where it is, and only then does the address say the month.
    bar.get_by_role("button", name="Play").click()
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    assert "month" not in tab.page.url
    bar.get_by_role("button", name="Pause").click()
    tab.page.wait_for_url(re.compile("month=2024-0[234]"))
    # By keyboard it plays on, and ends where it stops.
    slider.focus()
    stepped(tab, "End", LABELS[3])
    heard = tab.page.evaluate_handle(HEARD, said.element_handle())
    tab.page.keyboard.press("Space")
    until(lambda: heard.json_value()[-1:] == LABELS[3:])
    expect(bar.get_by_role("button", name="Play")).to_be_visible()
    assert heard.json_value() == LABELS
    # A hand on it moves it at once, however late the answers to earlier months are.
    bar.get_by_role("button", name="One date back").click()
    expect(said).to_have_text(LABELS[2])
    tab.page.wait_for_url("**month=2024-04**")
    tab.settled()
    expect(said).to_have_text(LABELS[2])
    assert tab.faults == []


def test_the_map_is_stepped_and_kept(server, open_tab):
    tab = open_tab(server)
    tab.go("/signals?severity=any")
    bar = tab.page.get_by_role("group", name="Date of the map")
    slider, said = bar.get_by_role("slider"), bar.locator("output")
    expect(said).to_have_text(LABELS[3])
    today = colours(tab)
    # By keyboard.
    slider.focus()
    stepped(tab, "Home", LABELS[0])
    stepped(tab, "ArrowRight", LABELS[1])
    stepped(tab, "ArrowLeft", LABELS[0])
    stepped(tab, "End", LABELS[3])
    stepped(tab, "ArrowDown", LABELS[2])
    stepped(tab, "ArrowUp", LABELS[3])
    assert slider.get_attribute("aria-valuetext") == LABELS[3]
    assert colours(tab) == today
    # By its buttons, and by dragging.
    bar.get_by_role("button", name="One date back").click()
    expect(said).to_have_text(LABELS[2])
    bar.get_by_role("button", name="One date on").click()
    kept = bar.element_handle()
    slider.fill("1")
    expect(said).to_have_text(LABELS[1])
    tab.page.wait_for_url("**month=2024-03**")
    tab.settled()
    march = colours(tab)
    # An answer draws on the slider that is there: a new one would not know of a hand on it since.
    assert kept.evaluate("bar => bar.isConnected")
    assert march != today
    assert "by state, Mar 2024" in tab.text()
    texas = tab.page.get_by_role("link", name=re.compile("^Texas;"))
    figures = texas.get_attribute("aria-label")
    assert "of the book value" in figures
    # A reload, and Back, keep it.
    tab.page.reload()
    tab.settled()
    expect(said).to_have_text(LABELS[1])
    assert colours(tab) == march
    assert texas.get_attribute("aria-label") == figures
    # A line of each state beside it.
    assert tab.page.locator(".atlas-ledger .line path:not([d=''])").count() > 3
    assert tab.faults == []


#: Notes the milliseconds that the page waits between two steps.
PACES = """() => {
  window.paces = [];
  const begun = window.setInterval;
  window.setInterval = (step, pace, ...more) => {
    window.paces.push(pace);
    return begun(step, pace, ...more);
  };
}"""


@pytest.mark.parametrize(("motion", "pace"), [("no-preference", 450), ("reduce", 1_200)])
def test_who_wants_less_motion_gets_it_slower(server, open_tab, motion, pace):
    tab = open_tab(server)
    tab.page.emulate_media(reduced_motion=motion)
    tab.go("/signals?month=2024-02")
    tab.page.evaluate(PACES)
    bar = tab.page.get_by_role("group", name="Date of the map")
    heard = tab.page.evaluate_handle(HEARD, bar.locator("output").element_handle())
    bar.get_by_role("button", name="Play").click()
    until(lambda: LABELS[1] in heard.json_value())
    assert pace in tab.page.evaluate("window.paces")
    assert tab.faults == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_what_is_shown_over_time(server, open_tab, dark):
    tab = open_tab(server, dark=dark)
    for path in ("/signals?month=2024-03", "/?trends=yes", "/?trends=yes&by=vintage&form=table"):
        tab.go(path)
        found = [
            f"{violation['id']}: {node['html'][:140]}"
            for violation in Axe().run(tab.page).response["violations"]
            for node in violation["nodes"]
        ]
        assert found == [], path
    assert tab.faults == []

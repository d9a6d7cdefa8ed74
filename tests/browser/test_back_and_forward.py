"""Pages opened, left, and gone back to, faster than they are drawn: the address stays true (D256).

A page writes its query to the address while it is drawn. The browser may stand on another page by
then, and on a busy server often does.
"""

import random

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.test_journeys import params
from tests.browser.test_screening import choose
from tests.patience import until
from tests.tiers import seeds

pytestmark = pytest.mark.browser

#: Addresses that their pages leave as they are.
ADDRESSES = [
    "loans?state=TX",
    "signals?severity=severe",
    "entities?name=capital",
    "explore?state=TX",
    "sponsors",
    "loans",
    "loan?loan_number=CA-000012",
]
#: Between two steps, in milliseconds: a page takes about 200.
WAITS = [0, 0, 5, 30, 120, 300]
STEPS = 14
#: Takes steps as a reader does, by links and by the browser's Back and Forward.
WALK = """async steps => {
  for (const [how, wait] of steps) {
    if (typeof how === "number") {
      const gone = new Promise((done, none) => {
        addEventListener("popstate", done, { once: true });
        setTimeout(() => none(new Error(`no way to go from ${location}`)), 20000);
      });
      history.go(how);
      await gone;
    } else {
      history.pushState(null, "", how);
      dispatchEvent(new PopStateEvent("popstate"));
    }
    await new Promise(done => setTimeout(done, wait));
  }
}"""


def walk(draw, server):
    """Steps at random, and what the browser's history holds after them, with the place in it."""
    history, at, steps = [f"{server}/loans"], 0, []
    for _ in range(STEPS):
        how = draw.choice(["link", "link", "back", "back", "forward"])
        if how == "back" and at > 0:
            at -= 1
            steps.append([-1, draw.choice(WAITS)])
        elif how == "forward" and at < len(history) - 1:
            at += 1
            steps.append([1, draw.choice(WAITS)])
        else:
            address = draw.choice(ADDRESSES)
            history = [*history[: at + 1], f"{server}/{address}"]
            at += 1
            steps.append([f"/{address}", draw.choice(WAITS)])
    return steps, history, at


@pytest.mark.parametrize("seed", seeds(2, 200))
def test_no_address_comes_that_nobody_asked_for(seed, demo_server, open_tab):
    steps, history, at = walk(random.Random(seed), demo_server)
    tab = open_tab(demo_server)
    tab.go("/loans")
    tab.page.evaluate(WALK, steps)
    for place in [at, *reversed(range(at)), *range(1, len(history))]:
        if place != at:
            tab.page.evaluate(WALK, [[place - at, 0]])
        at = place
        until(lambda: tab.page.url == history[at], 20)  # noqa: B023 - asked at once
        tab.settled()
        assert tab.page.url == history[at]
    assert tab.faults == []


#: What Streamlit does when a message of a run arrives that was left: at once, as on a busy server.
LATE = """([opened, write, url]) => {
  history.pushState(null, "", opened);
  dispatchEvent(new PopStateEvent("popstate"));
  history[write]({}, "", url);
  return location.pathname + location.search;
}"""


@pytest.mark.parametrize(
    ("write", "url"),
    [
        ("pushState", "/explore?name=capital"),
        ("replaceState", "/explore?name=capital"),  # the query of a page that was left
        ("pushState", "/entities?name=capital"),  # a page that was left begins to be drawn
    ],
)
def test_what_a_page_writes_that_was_left_is_dropped(write, url, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/entities?name=capital")
    before = tab.page.evaluate("history.length")
    assert tab.page.evaluate(LATE, ["/explore", write, url]) == "/explore"
    tab.settled()
    assert tab.page.url == f"{demo_server}/explore"
    assert tab.page.evaluate("history.length") == before + 1
    assert tab.faults == []


def test_a_query_of_a_page_that_comes_is_not_written_behind_that_of_the_page_on_screen(
    demo_server, open_tab
):
    """Streamlit writes the query of a page that it was sent to before the page itself."""
    tab = open_tab(demo_server)
    tab.go("/signals?state=TX")
    tab.page.evaluate(
        """() => {
          document.title = "Entities\t/signals?name=capital\t/entities";
          history.pushState({}, "", "/signals?name=capital");
        }"""
    )
    assert tab.page.url == f"{demo_server}/signals?state=TX"
    assert tab.page.title() == "Entities"
    tab.page.evaluate("history.pushState({}, '', '/entities?name=capital')")
    assert tab.page.url == f"{demo_server}/entities?name=capital"


@pytest.mark.parametrize(
    ("start", "opens", "leads"),
    [
        ("/loans?state=TX", ".atlas-ledger tbody a", "/loan?loan_number="),
        ("/loan?loan_number=none", "Open the loan", "/loan?loan_number=CA-000012"),
        ("/entity?entity_name=none", "Search names", "/entities?name=capital"),
        ("/?within=state%3DTX", ".atlas-ledger tbody a", "/loan?loan_number="),
        ("/what_if?rates=100", ".atlas-matrix tbody a", "/what_if?rates=100&move="),
    ],
)
def test_what_is_opened_is_one_step_of_the_history(start, opens, leads, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(start)
    start, before = tab.page.url, tab.page.evaluate("history.length")
    if opens.startswith("."):
        tab.page.locator(opens).first.click()
    else:
        tab.page.get_by_role("textbox").last.fill(leads.rpartition("=")[2])
        tab.page.get_by_role("button", name=opens).click()
    until(lambda: leads in tab.page.evaluate("location.href"))
    tab.settled()
    assert tab.page.evaluate("history.length") == before + 1
    opened = tab.page.url
    tab.page.go_back()
    until(lambda: tab.page.url == start)
    tab.settled()
    tab.page.go_forward()
    until(lambda: tab.page.url == opened)
    tab.settled()
    assert (tab.page.url, tab.faults) == (opened, [])


class Slow:
    """The line from the server, which keeps what it sends while it `holds`."""

    def __init__(self, page):
        self.holds, self.held = False, []
        page.route_web_socket("**/_stcore/stream", self._opened)

    def _opened(self, browser):
        self.browser, server = browser, browser.connect_to_server()
        browser.on_message(server.send)
        server.on_message(self._came)

    def _came(self, sent):
        if self.holds:
            self.held.append(sent)
        else:
            self.browser.send(sent)

    def has_a_run(self):
        return any(ForwardMsg.FromString(one).HasField("script_finished") for one in self.held)

    def goes_on(self):
        self.holds = False
        for sent in self.held:
            self.browser.send(sent)


def test_a_page_gone_back_to_before_the_other_came_is_filtered_as_it_was(demo_server, open_tab):
    """What was left writes nothing, and its query is not taken for that of the page on screen."""
    tab = open_tab(demo_server)
    line = Slow(tab.page)
    tab.go("/loans?state=TX")
    line.holds, before = True, tab.page.evaluate("history.length")
    tab.page.evaluate(WALK, [["/entities?name=capital", 0]])
    until(lambda: tab.page.evaluate("1") and line.has_a_run())
    tab.page.evaluate(WALK, [[-1, 0]])
    line.goes_on()
    until(lambda: tab.page.title().startswith("Loans"))
    tab.settled()
    assert tab.page.url == f"{demo_server}/loans?state=TX"
    assert tab.page.evaluate("history.length") == before + 1
    choose(tab, "Property type", "Office")
    until(lambda: params(tab) == {"state": "TX", "property_type": "office"})
    tab.page.go_back()
    until(lambda: tab.page.url == f"{demo_server}/loans?state=TX")
    tab.settled()
    assert tab.faults == []


@pytest.mark.parametrize(
    ("opened", "written"),
    [
        ("loans?page=1", "loans"),
        ("loans?state=tx&page=1&per_page=25", "loans?state=TX"),
    ],
)
def test_an_address_that_its_page_writes_otherwise_is_one_step(
    opened, written, demo_server, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/signals")
    before = tab.page.evaluate("history.length")
    tab.page.evaluate(WALK, [[f"/{opened}", 0]])
    until(lambda: tab.page.evaluate("location.href") == f"{demo_server}/{written}")
    tab.settled()
    assert tab.page.evaluate("history.length") == before + 1
    # What a reader then does is a step of its own.
    choose(tab, "Property type", "Office")
    until(lambda: params(tab).get("property_type") == "office")
    tab.page.go_back()
    until(lambda: tab.page.url == f"{demo_server}/{written}")
    tab.page.go_back()
    until(lambda: tab.page.url == f"{demo_server}/signals")
    tab.settled()
    assert tab.faults == []

"""A real Chromium against real servers: one on the demonstration store, one on a filing.

Where there is no Chromium the tests are skipped and say so; where the environment has
ATLAS_BROWSER_TESTS=required, as in CI, they fail instead.
"""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from services.contract.queries import PathQuery
from services.store.leases import Store
from tests.servers import ROOT, dashboard

FILING = ROOT.parent / "shared/data/sec-absee/BANK5_2025-5YR19__rpt_2025-12-11.xml"
SAMPLE = ROOT / "tests/importers/sample_2025-1__mixed.xml"
#: A guard against a page that hangs, milliseconds: no test is about how long a page takes.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)
#: Resolves when the page has drawn its last element, its script has ended, no animation runs and
#: nothing has changed in fifteen frames: on a slow machine frames take as long as changes do.
SETTLED = """() => new Promise(resolve => {
  const ended = '[data-testid=stApp][data-test-script-state=notRunning]';
  const unfinished = '[data-stale=true], [data-testid=stSkeleton]';
  const ready = () => document.querySelector('.st-key-page-end')
    && document.querySelector(ended) && !document.querySelector(unfinished)
    && document.getAnimations().every(one => one.playState !== 'running');
  let still = 0;
  const watch = new MutationObserver(() => { still = 0; });
  watch.observe(document.body, {subtree: true, childList: true, characterData: true});
  const frame = () => {
    still = ready() ? still + 1 : 0;
    if (still < 15) requestAnimationFrame(frame);
    else { watch.disconnect(); resolve(); }
  };
  frame();
})"""


def fill(folder: Path, *arguments: str) -> Path:
    command = [sys.executable, "-m", "services", *arguments, "--store", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory) -> Path:
    return fill(tmp_path_factory.mktemp("demo") / "store", "demo", "--loans", "1500")


@pytest.fixture(scope="session")
def filing_store(tmp_path_factory) -> Path:
    """The genuine filing where it is at hand, else our own made-up sample of one."""
    path = FILING if FILING.exists() else SAMPLE
    return fill(tmp_path_factory.mktemp("filing") / "store", "import", "sec-absee", str(path))


@pytest.fixture(scope="session")
def lender(demo_store):
    """The largest lender of the demonstration store, and one of its loans."""
    store = Store(demo_store)
    with store.lease() as source:
        (one,) = source.reader.rows(
            "SELECT entity_name FROM entities WHERE kind = 'lender'"
            " ORDER BY related_loan_count DESC LIMIT 1"
        )
        path = source.paths(PathQuery(entity_name=one[0], depth=1))[0].paths[0]
    store.close()
    (edge,) = path.edges
    return one[0], edge.source


@pytest.fixture(scope="session")
def demo_server(demo_store) -> Iterator[str]:
    with dashboard(demo_store) as address:
        yield address


@pytest.fixture(scope="session")
def filing_server(filing_store) -> Iterator[str]:
    with dashboard(filing_store) as address:
        yield address


@dataclass
class Tab:
    """A browser tab that remembers what it should not have seen."""

    page: Page
    address: str
    faults: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)
        self.settled()

    def settled(self) -> None:
        """Waits until the page is drawn and at rest."""
        self.page.wait_for_selector(".st-key-page-end", state="attached")
        self.page.evaluate(SETTLED)

    def text(self) -> str:
        return self.page.inner_text("[data-testid=stMain]")


def watched(browser: Browser, address: str, *, dark: bool = False, width: int = 1440) -> Tab:
    """A tab that notes console errors, exceptions on the page and requests to any other host."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
    )
    context.set_default_timeout(PATIENCE)
    tab = Tab(context.new_page(), address)
    host = address.removeprefix("http://")

    def on_request(request) -> None:
        url = request.url
        if not url.startswith(("data:", "blob:")) and url.split("/")[2] != host:
            tab.faults.append(f"request to another host: {url[:120]}")

    def on_console(message) -> None:
        # A deep link makes Streamlit look for itself under the page's path first.
        probing = "/_stcore/" in message.location.get("url", "")
        if message.type == "error" and not probing:
            tab.faults.append(f"console: {message.text[:200]}")

    tab.page.on("request", on_request)
    tab.page.on("console", on_console)
    tab.page.on("pageerror", lambda error: tab.faults.append(f"exception: {error}"))
    return tab


@pytest.fixture
def open_tab(browser) -> Iterator:
    """Opens watched tabs, and closes them after the test."""
    tabs: list[Tab] = []

    def opened(address: str, **looks) -> Tab:
        tabs.append(watched(browser, address, **looks))
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.page.context.close()


@pytest.fixture
def server_on():
    """Starts a fresh server on a store: for what only the first visitor sees."""
    return dashboard

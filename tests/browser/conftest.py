"""A real Chromium against real servers: one on the demonstration store, one on a filing.

Where there is no Chromium the tests are skipped and say so; where the environment has
ATLAS_BROWSER_TESTS=required, as in CI, they fail instead.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from services.contract.queries import PathQuery
from services.store.leases import Store
from tests.commands import filled
from tests.servers import ROOT, dashboard

#: Where failed tests leave their pictures.
FAILURES = ROOT / "build/failures"
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


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory) -> Path:
    return filled(tmp_path_factory.mktemp("demo") / "store", "demo", "--loans", "1500")


@pytest.fixture(scope="session")
def filing_store(tmp_path_factory) -> Path:
    """The genuine filing where it is at hand, else our own made-up sample of one."""
    path = FILING if FILING.exists() else SAMPLE
    return filled(tmp_path_factory.mktemp("filing") / "store", "import", "sec-absee", str(path))


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
def pool_server(tmp_path_factory) -> Iterator[str]:
    """On a book so small that its Overview is that of a pool."""
    store = filled(tmp_path_factory.mktemp("pool") / "store", "demo", "--loans", "300")
    with dashboard(store) as address:
        yield address


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

    def look(self, *, dark: bool) -> None:
        """Dark or light, as the system of the visitor asks for it."""
        self.page.emulate_media(color_scheme="dark" if dark else "light")

    def drag(self, *points: tuple[float, float], steps: int) -> None:
        """Drags the mouse from the first point to the others, with so many moves to each."""
        start, *others = points
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for point in others:
            self.page.mouse.move(*point, steps=steps)
        self.page.mouse.up()

    def text(self) -> str:
        return self.page.inner_text("[data-testid=stMain]")


def own_desk(store: Path, folder: Path) -> Path:
    """A copy of a store with a desk of its own."""
    return Path(shutil.copytree(store, folder, ignore=shutil.ignore_patterns("desk.sqlite*")))


def framed(tab: Tab) -> None:
    """Waits for two frames: what an event asks for is drawn, or begun, in the first."""
    tab.page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def watched(context: BrowserContext, address: str, *, dark: bool = False, width: int = 1440) -> Tab:
    """A tab that notes console errors, exceptions on the page and requests to any other host."""
    tab = Tab(context.new_page(), address)
    tab.page.set_default_timeout(PATIENCE)
    tab.page.set_viewport_size({"width": width, "height": 900})
    tab.look(dark=dark)
    host = address.split("/")[2]

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


@pytest.fixture(scope="session")
def context(browser) -> Iterator[BrowserContext]:
    """What the tabs of all tests share, so that scripts and fonts are loaded once."""
    shared = browser.new_context()
    yield shared
    shared.close()


@pytest.fixture
def open_tab(context) -> Iterator:
    """Opens watched tabs of a visitor who was never there, and closes all after the test."""
    context.clear_cookies()

    def opened(address: str, **looks) -> Tab:
        return watched(context, address, **looks)

    yield opened
    for page in context.pages:
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")
        page.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """A failed test leaves a picture of each page that it had open, and says where."""
    report = yield
    shared = item.funcargs.get("context") if isinstance(item, pytest.Function) else None
    if call.when == "call" and report.failed and shared is not None:
        FAILURES.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"\W+", "_", item.nodeid)[-120:]
        for at, page in enumerate(shared.pages):
            path = FAILURES / f"{name}_{at}.png"
            with suppress(Error):  # a page that has crashed
                page.screenshot(path=path)
                report.sections.append(("Picture", f"{path}\n{page.url}"))
    return report


@pytest.fixture
def server_on():
    """Starts a fresh server on a store: for what only the first visitor sees."""
    return dashboard

"""A real Chromium against real servers: one on the demonstration store, one on a filing.

Where there is no Chromium the tests are skipped and say so; where the environment has
CREDIT_ATLAS_BROWSER_TESTS=required, as in CI, they fail instead.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.streamlit_server import FLAGS, ROOT, chromium_path, serving

FILING = ROOT.parent / "shared/data/sec-absee/BANK5_2025-5YR19__rpt_2025-12-11.xml"
SAMPLE = ROOT / "tests/importers/sample_2025-1__mixed.xml"
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
END = ".st-key-page-end"


@pytest.fixture(scope="session")
def chromium() -> str:
    found = chromium_path()
    if not found:
        said = (
            "there is no Chromium on this machine; install Debian's 'chromium' to run these tests"
        )
        if os.environ.get("CREDIT_ATLAS_BROWSER_TESTS") == "required":
            pytest.fail(said)
        pytest.skip(said)
    return found


@pytest.fixture(scope="session")
def browser(chromium) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


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
def demo_server(demo_store) -> Iterator[str]:
    with serving(demo_store) as address:
        yield address


@pytest.fixture(scope="session")
def filing_server(filing_store) -> Iterator[str]:
    with serving(filing_store) as address:
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
        """Waits until the page has drawn its last element."""
        self.page.wait_for_selector(END, state="attached", timeout=60_000)
        self.page.wait_for_selector(IDLE, timeout=60_000)
        self.page.wait_for_timeout(250)

    def text(self) -> str:
        return self.page.inner_text("[data-testid=stMain]")


def watched(browser: Browser, address: str, *, dark: bool = False, width: int = 1440) -> Tab:
    """A tab that notes console errors, exceptions on the page and requests to any other host."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
    )
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
    return serving

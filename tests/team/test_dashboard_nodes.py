"""A browser on one of two nodes behind the HAProxy configuration that ships: its node is killed,
the other takes it, and the address restores the view.

Pins S12 of components/README.md.
"""

import subprocess
import sys
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE, SETTLED
from tests.chromium import chromium_path, started
from tests.patience import until
from tests.servers import ROOT, command, free_port
from tests.team.conftest import missing
from tests.team.test_balancer import answers, configured

pytestmark = pytest.mark.team


class Node:
    """The dashboard on one machine of two."""

    def __init__(self, store):
        self.port = free_port()
        words = [sys.executable, "-m", "services", "up", "--port", str(self.port)]
        self.running = subprocess.Popen(
            [*words, "--store", str(store)], cwd=ROOT, stdout=subprocess.DEVNULL
        )

    def kill(self):
        self.running.kill()
        self.running.wait()


def settled(page):
    page.wait_for_selector(".st-key-page-end", state="attached")
    page.evaluate(SETTLED)


def test_where_the_node_of_an_open_browser_is_killed_the_address_restores_its_view(
    haproxy, store, tmp_path
):
    if chromium_path() is None:
        missing("there is no Chromium here; install Debian's 'chromium' to run this test")
    with ExitStack() as running:
        nodes = [Node(store), Node(store)]
        for node in nodes:
            running.callback(node.kill)
        for node in nodes:
            answers(200, f"http://127.0.0.1:{node.port}", "/readyz")
        places = ("192.0.2.11:8501", "192.0.2.12:8501")
        ports = dict(zip(places, (node.port for node in nodes), strict=True))
        path, front = configured(tmp_path, ports)
        address = running.enter_context(
            command([haproxy, "-db", "-f", str(path)], front, health="/loans")
        )
        answers(200, address, "/loans")
        browser = running.enter_context(started(chromium_path()))
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{address}/loans?state=TX&order=-book_value")
        settled(page)
        lead = page.locator("p.atlas-lead").first.inner_text()
        assert lead.startswith("Loans in Texas")
        first = page.get_by_role("table", name="Loans").locator("tbody tr").first.inner_text()
        # It stays with its node, request after request.
        own = node_of(context)
        for _ in range(3):
            page.reload()
            settled(page)
            assert node_of(context) == own
        nodes[own].kill()
        until(lambda: node_of(context) != own)
        settled(page)
        # The open page goes on: the first press on a head is answered by the other node, and the
        # address says so.
        page.get_by_role("columnheader", name="Book value").get_by_role("button").click()
        expect(page.get_by_role("table", name="Loans").locator("tbody tr").first).not_to_have_text(
            first
        )
        page.wait_for_url("**/loans?state=TX&order=book_value")
        assert page.locator("p.atlas-lead").first.inner_text() == lead
        page.reload()
        settled(page)
        assert node_of(context) == 1 - own
        expect(page.locator("p.atlas-lead").first).to_have_text(lead)


def node_of(context):
    """Which node the browser's cookie names."""
    (name,) = [one["value"] for one in context.cookies() if one["name"] == "creditatlas_node"]
    return ["n1", "n2"].index(name)

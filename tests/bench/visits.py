"""Repeat visits of every page in Chromium, and redraws of a full board, beside an empty page.

`python -m tests.bench.visits [--visits N]`. A visit is over when the page has drawn its last
element and the server is idle. Exit code 1 where a target is missed; nothing is measured without
Chromium.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page
from rich.console import Console

from services.store.leases import Store
from tests.bench.figures import Figure, print_table
from tests.chromium import chromium_path, started
from tests.servers import ROOT, dashboard

#: Page -> (address, seconds that a repeat visit may take).
VISITS = {
    "overview": ("/", 1.3),
    "loans": ("/loans?state=TX", 1.3),
    "loan": ("/loan?loan_number=CA-000012", 1.3),
    "signals, map of states": ("/signals?severity=critical", 2.2),
    "signals, map of cities": ("/signals?map=cities", 2.2),
    "entities": ("/entities?name=capital", 1.3),
    "entity": ("/entity?entity_name=Coral%20Bay%20Realty%20Partners", 1.3),
    "capital graph": ("/capital_graph?loan_number=CA-000012", 1.6),
    "connection": ("/connection?from_loan=CA-000012&to_loan=CA-000013", 1.3),
    "sources": ("/sources", 1.3),
}
EMPTY = (
    "import streamlit as st\n"
    "st.text(st.segmented_control('Layout', ('rings', 'layers'), default='rings'))\n"
    "with st.container(key='page-end'):\n"
    "    st.html('<span></span>')\n"
)


def visit(page: Page, address: str) -> float:
    """Seconds until the page stands."""
    page.goto("about:blank")
    start = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(".st-key-page-end", state="attached", timeout=60_000)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    return time.perf_counter() - start


def measured(page: Page, name: str, address: str, visits: int, target: float | None) -> Figure:
    """The median of some repeat visits; the first is not counted."""
    visit(page, address)
    taken = [visit(page, address) for _ in range(visits)]
    detail = {"median": 1000 * statistics.median(taken), "slowest": 1000 * max(taken)}
    limit = None if target is None else 1000 * target
    return Figure("visit", name, detail["median"], "ms", limit, detail=detail)


#: Nodes on the board that is redrawn, and seconds that a redraw may take.
NODES, REDRAW = 300, 0.7
FULL = "() => document.querySelectorAll('.atlas-graph .node').length >= 300"


def full_board(page: Page, address: str, store: Path) -> None:
    """Opens the board of a large lender, with at least 300 nodes on it."""
    opened = Store(store)
    with opened.lease() as source:
        name = source._reader.rows(
            "SELECT entity_name FROM entities ORDER BY related_loan_count DESC LIMIT 1"
        )[0][0]
    opened.close()
    visit(page, f"{address}/capital_graph?entity_name={quote(name)}&depth=1")
    page.locator(".st-key-graph_more button").click()
    page.wait_for_function(FULL)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")


def redraws(page: Page, name: str, drawn: str, times: int, target: float | None) -> Figure:
    """The median time from a click on a layout until it is drawn; `drawn` says of one when."""
    taken = []
    for at in range(times + 1):
        layout = ("layers", "rings")[at % 2]
        start = time.perf_counter()
        page.get_by_role("radio", name=re.compile(layout, re.IGNORECASE)).click()
        page.wait_for_selector(drawn.format(layout), state="attached", timeout=60_000)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        taken.append(time.perf_counter() - start)
        page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    taken = taken[1:]  # the first is not counted
    detail = {"median": 1000 * statistics.median(taken), "slowest": 1000 * max(taken)}
    limit = None if target is None else 1000 * target
    return Figure("redraw", name, detail["median"], "ms", limit, detail=detail)


def main() -> int:
    """Measures, prints, and says by its code whether a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=9)
    visits = parser.parse_args().visits
    chromium = chromium_path()
    if chromium is None:
        print("there is no Chromium on this machine: visits are not measured")
        return 0
    with tempfile.TemporaryDirectory() as folder, started(chromium) as browser:
        store, empty = Path(folder) / "store", Path(folder) / "empty.py"
        empty.write_text(EMPTY, encoding="utf-8")
        fill = [sys.executable, "-m", "services", "demo", "--store", str(store)]
        subprocess.run(fill, cwd=ROOT, check=True, capture_output=True)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        with dashboard(store, str(empty)) as blank, dashboard(store) as address:
            figures = [measured(page, "an empty Streamlit page", blank, visits, None)]
            visit(page, address)
            for name, (path, target) in VISITS.items():
                figures.append(measured(page, name, address + path, visits, target))
            figures.append(measured(page, "the empty page again", blank, visits, None))
            text = "[data-testid=stText]:has-text('{}')"
            figures.append(redraws(page, "an empty Streamlit page", text, visits, None))
            full_board(page, address, store)
            board = ".atlas-graph svg[data-key^='{}']"
            figures.append(redraws(page, f"{NODES} nodes of a board", board, visits, REDRAW))
    print_table(figures, Console(width=140))
    print(f"load average {os.getloadavg()[0]:.1f}")
    return int(any(figure.met is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())

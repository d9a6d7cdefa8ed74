"""First and repeat visits of every page in Chromium, redraws of a full board, beside an empty page.

`python -m tests.bench.visits [--visits N]`. A visit is over when the page has drawn its last
element, its charts too, and the server is idle. A first visit comes with an empty cache, over a
link of 10 Mbit/s and 40 ms; a page may take twice what the empty page takes that is served the same
way, with the time that its own compressed bundle takes on that link; a repeat visit twice the empty
page's and under a second, both in turns. Explore and Map draw by libraries of megabytes: their
floor is a page with one mark by the same library, and they may take twice that. Exit code 1 where a
target is missed; without Chromium nothing is measured.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page
from rich.console import Console

from services.store.leases import Store
from tests.bench.figures import Figure, print_table
from tests.bench.link import link
from tests.chromium import chromium_path, started
from tests.servers import ROOT, dashboard

#: Page -> address; `{lender}` is the largest, `{borrower}` that of the loan.
VISITS = {
    "overview": "/",
    "loans": "/loans?state=TX",
    "loan": "/loan?loan_number=CA-000012",
    "signals": "/signals?severity=critical",
    "watchlist": "/watchlist",
    "tenants": "/tenants",
    "what if": "/what_if?rates=100",
    "entities": "/entities?name=capital",
    "entity": "/entity?entity_name={lender}",
    "sponsors": "/sponsors",
    "capital graph, starts": "/capital_graph",
    "capital graph": "/capital_graph?loan_number=CA-000012",
    "connection": "/connection?from_loan=CA-000012&to_entity={borrower}",
    "sources": "/sources",
    "explore": "/explore",
    "map": "/map",
}
#: Pages without anything of ours on them: an empty one, and one mark by either library.
NOTHING = "an empty Streamlit page"
FLOORS = {NOTHING: "/", "one mark by Plotly": "/?draw=plotly", "one by deck.gl": "/?draw=deck"}
#: The floor of a page that draws by a library; of all others it is the empty page.
FLOOR = {"explore": "one mark by Plotly", "map": "one by deck.gl"}
#: A visit may take so many times the empty page's.
TIMES = 2.0
#: And a repeat visit so many milliseconds.
LONGEST = 1_000.0
#: The link of first visits.
BITS, WAY = 10e6, 0.040
#: A browser draws a chart after the last element of its page is there.
DRAWN = """() => !document.querySelector("[data-testid=stSkeleton]")
    && [["stPlotlyChart", ".main-svg"], ["stDeckGlJsonChart", "canvas"]].every(
        ([chart, drawing]) => [...document.querySelectorAll(`[data-testid=${chart}]`)].every(
            (one) => one.querySelector(drawing)))"""
EMPTY = """
import streamlit as st
draw = st.query_params.get("draw")
if draw == "plotly":
    import plotly.graph_objects as go
    st.plotly_chart(go.Figure(go.Scatter(x=[1], y=[1], mode="markers")), key="chart")
elif draw == "deck":
    import pydeck
    mark = pydeck.Layer("ScatterplotLayer", [[-95, 35]], get_position="this", get_radius=50_000)
    st.pydeck_chart(pydeck.Deck([mark], map_provider=None, map_style=None), key="chart")
else:
    st.text(st.segmented_control("Layout", ("rings", "layers"), default="rings"))
with st.container(key="page-end"):
    st.html("<span></span>")
"""


def visit(page: Page, address: str) -> float:
    """Seconds until the page stands."""
    page.goto("about:blank")
    start = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(".st-key-page-end", state="attached", timeout=60_000)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_function(DRAWN)
    return time.perf_counter() - start


def repeated(page: Page, addresses: Mapping[str, str], visits: int) -> Iterator[Figure]:
    """The median of some repeat visits of each, those of `FLOORS` first, which the others may take
    `TIMES` of. All take turns, in another order each time: a machine that has other work for a
    while is slow for all of them.
    """
    taken: dict[str, list[float]] = {name: [] for name in addresses}
    for turn in range(visits + 1):
        for name in random.Random(turn).sample(list(addresses), len(addresses)):
            taken[name].append(visit(page, addresses[name]))
    floors: dict[str, float] = {}
    for name, (_, *counted) in taken.items():
        if name in FLOORS:
            figure = _median("repeat visit", name, counted, None)
            floors[name] = figure.measured
        else:
            floor = floors[FLOOR.get(name, NOTHING)]
            target = TIMES * floor if name in FLOOR else min(TIMES * floor, LONGEST)
            figure = _median("repeat visit", name, counted, target)
            detail = {**figure.detail, "times_floor": figure.measured / floor}
            figure = replace(figure, detail=detail)
        yield figure


def first(
    browser: Browser, name: str, server: str, path: str, visits: int, empty: Figure | None
) -> Figure:
    """The median of some first visits over the link; `empty` is that of the empty page."""
    taken, bytes_down = [], 0
    for _ in range(visits):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        with link(server, bits=BITS, seconds=WAY) as (address, counted):
            taken.append(visit(context.new_page(), address + path))
            bytes_down = counted.down
            context.close()
    target = None
    if empty:
        own = bytes_down - empty.detail["bytes"]
        target = TIMES * (empty.measured + 1000 * 8 * max(0, own) / BITS)
    found = _median(f"first visit, {BITS / 1e6:g} Mbit/s", name, taken, target)
    return replace(found, detail={**found.detail, "bytes": bytes_down})


def _median(group: str, name: str, taken: list[float], target: float | None) -> Figure:
    detail = {"median": 1000 * statistics.median(taken), "slowest": 1000 * max(taken)}
    return Figure(group, name, detail["median"], "ms", target, detail=detail)


#: Nodes on the board that is redrawn, and seconds that a redraw may take.
NODES, REDRAW = 300, 0.7
FULL = "() => document.querySelectorAll('.atlas-graph .node').length >= 300"


def parties(store: Path) -> dict[str, str]:
    """The names that addresses leave open, as an address writes them."""
    asked = {
        "lender": "SELECT entity_name FROM entities ORDER BY related_loan_count DESC LIMIT 1",
        "borrower": "SELECT entity_name FROM loans JOIN screened USING (loan_id) "
        "JOIN entities ON entity_id = borrower_id WHERE loan_number = 'CA-000012'",
    }
    opened = Store(store)
    with opened.lease() as source:
        names = {what: source.reader.rows(sql)[0][0] for what, sql in asked.items()}
    opened.close()
    return {what: quote(name, safe="") for what, name in names.items()}


def full_board(page: Page, address: str, lender: str) -> None:
    """Opens the board of a large lender, with at least 300 nodes on it."""
    visit(page, f"{address}/capital_graph?entity_name={lender}&depth=1")
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
        named = parties(store)
        visited = {name: path.format(**named) for name, path in VISITS.items()}
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        with dashboard(store, str(empty)) as blank, dashboard(store) as address:
            visit(page, address)  # the server is warm when it lets the first visitor in
            pages = {name: address + path for name, path in visited.items()}
            floors = {name: blank + path for name, path in FLOORS.items()}
            figures = list(repeated(page, floors | pages, visits))
            few = max(1, visits // 3)
            slow = {
                name: first(browser, name, blank, path, few, None) for name, path in FLOORS.items()
            }
            figures += slow.values()
            for name, path in visited.items():
                floor = slow[FLOOR.get(name, NOTHING)]
                figures.append(first(browser, name, address, path, few, floor))
            text = "[data-testid=stText]:has-text('{}')"
            visit(page, blank)
            figures.append(redraws(page, NOTHING, text, visits, None))
            full_board(page, address, named["lender"])
            board = ".atlas-graph svg[data-key^='{}']"
            figures.append(redraws(page, f"{NODES} nodes of a board", board, visits, REDRAW))
    print_table(figures, Console(width=140))
    for figure in figures:
        if "bytes" in figure.detail:
            print(f"{figure.name}: {figure.detail['bytes'] / 1e6:.2f} MB on the wire")
    print(f"load average {os.getloadavg()[0]:.1f}")
    return int(any(figure.met is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())

"""The book that the tests of the capital graph page look at, and how they read the page."""

import json
from pathlib import Path

from streamlit.testing.v1 import AppTest

from components.graph import chart
from components.graph.chart import ANCHORS
from components.graph.filters import GraphView
from tests.pages.ledger_reading import ledgers
from tests.world import Sketch, info_of

ROOT = Path(__file__).parents[2]
HOSTILE = "=<b>x</b> [y](javascript:1) :material/home: $z$ {b}"
LENDS = 230


def book():
    """A borrower with three loans below a sponsor, and a lender to many more."""
    s = Sketch(info_of("graph"))
    for name in ("L1", "L2", "L3", "lone", *(f"G{at:03}" for at in range(LENDS))):
        s.loan(name)
    s.tie("L1", "borrower", "Oak LP", 0.95)
    s.tie("L2", "borrower", "Oak LP", 0.9)
    s.tie("L3", "borrower", HOSTILE, 0.6)
    s.tie("L1", "servicer", "Serve Co", 0.75)
    s.party("Elm Partners", "sponsor")
    s.link("Oak LP", "owned_by", "Elm Partners", 0.8)
    s.link(HOSTILE, "owned_by", "Elm Partners", 0.85)
    s.party("Fund I", "fund")
    s.tie("L2", "capital_source", "Great Lender", 1.0)
    s.link("Fund I", "capital_source", "Great Lender", 0.99)
    for at in range(LENDS):
        s.tie(f"G{at:03}", "capital_source", "Great Lender", 0.97)
    return s.portfolio()


def spec(app: AppTest) -> dict:
    """What the browser is told to draw."""
    (chart,) = app.get("echarts_chart")
    return json.loads(chart.proto.spec)


def places(app: AppTest) -> dict[str, tuple[float, float]]:
    """Where each node is drawn, in order of the chart's indexes; the anchors come first."""
    nodes = spec(app)["series"][0]["data"][ANCHORS:]
    return {one["name"]: (one["x"], one["y"]) for one in nodes}


def clicked(graph_page, name: str, **params: str) -> AppTest:
    """The page as after a click on a node in the chart: AppTest takes a chart's state only from
    before a session's first run.
    """
    view = GraphView.model_validate(params)
    key = chart.key(view.params() | {"page": "", "redrawn": "0"})
    index = ANCHORS + list(places(graph_page(**params))).index(name)
    selected = [{"series_index": 0, "data_type": "node", "data_indices": [index]}]
    state = {key: {"selection": {"selected": selected, "areas": []}}}
    return graph_page("book", state, **params)


def facts(app: AppTest) -> dict[str, str]:
    frame = next(one.value for one in app.dataframe if "Fact" in one.value.columns)
    return dict(zip(frame["Fact"], frame["Value"], strict=True))


def paths(app: AppTest) -> list[dict[str, str]]:
    """The rows of the list of paths; none where there is no list."""
    return ledgers(app).get("Paths, one row each", [])

"""The book that the tests of the capital graph page look at, and how they read the page."""

import json
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.pages import screen
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


def shared():
    """Two loans of one borrower and one lender: paths from either show one edge to the lender."""
    s = Sketch(info_of("shared"))
    for name, sure in (("L1", 0.8), ("L2", 0.95)):
        s.loan(name)
        s.tie(name, "borrower", "Oak LP", 0.9)
        s.tie(name, "capital_source", "Bank", sure)
    return s.portfolio()


def spec(app: AppTest) -> dict:
    """What the browser is told to draw."""
    (found,) = screen.components(app, "atlas_graph")
    return json.loads(found.json)


def drawn(app: AppTest) -> bool:
    """Whether there is a drawing."""
    return bool(screen.components(app, "atlas_graph"))


def places(app: AppTest) -> dict[str, tuple[float, float]]:
    """Where each node is drawn, in order of their numbers."""
    return {one["name"]: (one["x"], one["y"]) for one in spec(app)["nodes"]}


def lines(app: AppTest) -> set[tuple[str, str, str]]:
    """The edges that are drawn: from, relation with confidence, to."""
    names = {one["id"]: one["name"] for one in spec(app)["nodes"]}
    return {(names[e["from"]], e["lines"][0], names[e["to"]]) for e in spec(app)["edges"]}


def click(app: AppTest, name: str) -> AppTest:
    """The page after a click on a node of the drawing."""
    (found,) = screen.components(app, "atlas_graph")
    number = next(one["id"] for one in spec(app)["nodes"] if one["name"] == name)
    return screen.tell(app, found, "chosen", number)


def clicked(graph_page, name: str, **params: str) -> AppTest:
    """The page as after a click on a node in the drawing."""
    return click(graph_page(**params), name)


def facts(app: AppTest) -> dict[str, str]:
    """What the page says of the chosen node."""
    return screen.facts(app, "Facts of the chosen node")


def paths(app: AppTest) -> list[dict[str, str]]:
    """The rows of the list of paths; none where there is no list."""
    return ledgers(app).get("Paths, one row each", [])

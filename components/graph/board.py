"""What a browser session has built up around a root: pages loaded, nodes expanded, their places."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.frame import session
from components.graph import layout as layouts
from components.graph import network
from components.graph.filters import GraphView
from components.graph.network import LOAN
from services.contract.queries import PathQuery
from services.contract.records import Edge, GraphPath, GraphResult
from services.contract.source import Connections, CreditSource

if TYPE_CHECKING:
    import networkx as nx

_BOARDS: Final = "graph_boards"
#: Roots whose places a session remembers.
_MOST_BOARDS: Final = 8
#: Pages of paths on screen at first and with each "more"; a chart with more is not readable.
PAGES: Final = 8
MOST_PAGES: Final = 40


@dataclass
class Board:
    """One root's part of the session. Changed by what is clicked, never by what is read."""

    root: str
    pages: int = PAGES
    #: Expanded node -> its neighbours, all pages up to that of the query; in order of expansion.
    expanded: dict[str, PathQuery] = field(default_factory=dict)
    layout: layouts.Layout | None = None
    chosen: str = ""
    #: Chosen beside the chart, or before it was drawn anew: the chart does not mark it by itself.
    by_hand: bool = False
    #: Counts such choices: with each the chart begins anew, without a selection of its own.
    redrawn: int = 0
    #: The chart's key, and what it last reported as selected.
    chart: str = ""
    clicked: str | None = None
    #: What each node is drawn as.
    kind_of: dict[str, str] = field(default_factory=dict)
    #: Names that turned out to be loans, and to be parties.
    loans: set[str] = field(default_factory=set)
    parties: set[str] = field(default_factory=set)

    def more(self) -> None:
        """Loads further paths from the root."""
        self.pages = min(self.pages + PAGES, MOST_PAGES)

    def expand(self, node: str, *, loan: bool) -> None:
        """Adds the neighbours of a node, or its next page of them."""
        before = self.expanded.get(node)
        first = (
            PathQuery(loan_number=node, depth=1) if loan else PathQuery(entity_name=node, depth=1)
        )
        self.expanded[node] = before.at(before.page + 1) if before else first

    def choose(self, node: str) -> None:
        """Selects a node otherwise than by a click in the chart."""
        self.chosen, self.by_hand = node, True
        self.redrawn += 1

    def heed(self, key: str, clicked: str | None, names: Sequence[str]) -> None:
        """Follows the chart: `clicked` is what it reports as selected under its key."""
        if key != self.chart:
            self.chart, self.clicked = key, None
            self.by_hand = self.chosen != self.root
        if clicked != self.clicked:
            # A second click on a node takes the chart's selection away: it was still clicked.
            self.chosen, self.by_hand = clicked or self.clicked or self.root, False
            self.clicked = clicked
        if self.chosen not in names:
            self.chosen, self.by_hand = self.root, False

    def place(self, graph: "nx.MultiDiGraph") -> layouts.Layout:
        """Places of all nodes; those that had one keep it."""
        parents = network.parents(graph)
        if self.layout is None:
            self.layout = layouts.arrange(self.root, parents)
        else:
            self.layout = layouts.extend(self.layout, parents)
        self.kind_of = network.kinds(graph, self.loans, self.parties)
        return self.layout

    def is_loan(self, node: str) -> bool:
        """Whether the node is known to be, or drawn as, a loan."""
        return node in self.loans or (node not in self.parties and self.kind_of[node] == LOAN)


def board(view: GraphView) -> Board:
    """The board of the view's root in this session and snapshot."""
    boards: dict[tuple[str, bool, str], Board] = st.session_state.setdefault(_BOARDS, {})
    loan, root = view.loan_number is not None, str(view.root)
    # Over an API without its mirror nothing says when the data changed (D33).
    snapshot_id = session.analytics().snapshot().snapshot_id if session.mirrored() else ""
    key = (snapshot_id, loan, root)
    found = boards.pop(key, None) or Board(root, chosen=root)
    (found.loans if loan else found.parties).add(root)
    boards[key] = found
    while len(boards) > _MOST_BOARDS:
        del boards[next(iter(boards))]
    return found


@dataclass(frozen=True, slots=True)
class Loaded:
    """The paths on screen: those from the root, `total` of them in all, and those expanded."""

    result: GraphResult
    paths: list[GraphPath]
    total: int
    expanded: dict[str, list[GraphPath]]
    #: Neighbours that an expanded node has in all.
    neighbours: dict[str, int]

    def relations(self) -> list[str]:
        """The relations that occur, by name."""
        return network.relations([*self.paths, *chain(*self.expanded.values())])


def edges_among(graph: "nx.MultiDiGraph") -> tuple[Edge, ...] | None:
    """Every edge between the nodes of a graph (D65); None where nothing knows them all."""
    if not session.mirrored():
        return None
    return session.ask(Connections.edges_among, tuple(sorted(graph)))


def load(view: GraphView, board: Board) -> Loaded:
    """Reads the pages that the board holds, each remembered. Raises NotFound for the root."""
    result, page = session.ask(CreditSource.paths, view.query())
    paths = list(page.items)
    for number in range(2, min(board.pages, page.pages) + 1):
        paths += session.ask(CreditSource.paths, view.query(number))[1].items
    expanded: dict[str, list[GraphPath]] = {}
    neighbours: dict[str, int] = {}
    for node, query in board.expanded.items():
        pages = [session.ask(CreditSource.paths, query.at(at + 1))[1] for at in range(query.page)]
        expanded[node] = [path for page in pages for path in page.items]
        neighbours[node] = pages[0].total
    return Loaded(result, paths, page.total, expanded, neighbours)

"""What a session has built up around a root: what is loaded, expanded, hidden and pinned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

import streamlit as st

from components.frame import session
from components.graph import layers, network, rings
from components.graph.drawing import Size
from components.graph.filters import GraphView, from_node
from components.graph.layers import Layers
from components.graph.network import LOAN
from components.graph.rings import Rings
from services.contract.connections import Branch, BranchQuery
from services.contract.loan_filter import LoanFilter
from services.contract.queries import MAX_TEXT, PathQuery
from services.contract.records import Edge, GraphPath, GraphResult, Page
from services.contract.source import Connections, CreditSource, Screens

_BOARDS: Final = "graph_boards"
#: Roots whose places a session remembers, and steps that can be undone on each.
_MOST_BOARDS: Final = 8
_MOST_UNDONE: Final = 50
#: Pages of paths on screen at first and with each "more"; a drawing with more is not readable.
PAGES: Final = 8
MOST_PAGES: Final = 40
#: Loans in one question for their sizes.
_SIZES_AT_ONCE: Final = 100

#: What leads on from a node: its neighbours as paths, or its edges of one relation and direction.
Expansion = PathQuery | BranchQuery


@dataclass(frozen=True, slots=True)
class Shown:
    """What a reader has made of a board: what each undo takes back."""

    #: Pages of paths from the root.
    pages: int = PAGES
    #: What was expanded -> up to which page, in order of expansion.
    expanded: Mapping[Expansion, int] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    #: Node that stays whatever is filtered or collapsed -> its path from the root.
    pinned: Mapping[str, GraphPath] = field(default_factory=dict)


@dataclass
class Board:
    """One root's part of the session. Changed by what is clicked, never by what is read."""

    root: str
    chosen: str = ""
    shown: Shown = field(default_factory=Shown)
    #: What was shown before, oldest first.
    past: list[Shown] = field(default_factory=list)
    rings: Rings | None = None
    layers: Layers | None = None
    #: What each node is drawn as.
    kind_of: dict[str, str] = field(default_factory=dict)
    #: Names that turned out to be loans, and to be parties.
    loans: set[str] = field(default_factory=set)
    parties: set[str] = field(default_factory=set)

    def show(self, shown: Shown) -> None:
        """Shows something else, which can be undone."""
        self.past = [*self.past, self.shown][-_MOST_UNDONE:]
        self.shown = shown

    def undo(self) -> None:
        """Shows what was shown before the last change."""
        if self.past:
            self.shown = self.past.pop()

    def more(self) -> None:
        """Loads further paths from the root."""
        self.show(replace(self.shown, pages=min(self.shown.pages + PAGES, MOST_PAGES)))

    def expand(self, query: Expansion) -> None:
        """Adds what leads on from a node, or the next page of it."""
        expanded = self.shown.expanded
        self.show(replace(self.shown, expanded={**expanded, query: expanded.get(query, 0) + 1}))

    def collapse(self, node: str) -> None:
        """Takes away what was added from a node."""
        left = {query: page for query, page in self.shown.expanded.items() if of(query) != node}
        self.show(replace(self.shown, expanded=left))

    def hide(self, node: str) -> None:
        """Takes a node away, and what hangs on it alone; it is pinned no longer."""
        pinned = {name: path for name, path in self.shown.pinned.items() if name != node}
        self.show(replace(self.shown, hidden=self.shown.hidden | {node}, pinned=pinned))
        self.chosen = self.root

    def show_hidden(self) -> None:
        """Brings back what was hidden."""
        self.show(replace(self.shown, hidden=frozenset()))

    def pin(self, node: str, path: GraphPath) -> None:
        """Keeps a node and its path, whatever is filtered or collapsed; or no longer."""
        pinned = dict(self.shown.pinned)
        if node in pinned:
            del pinned[node]
        else:
            pinned[node] = path
        self.show(replace(self.shown, pinned=pinned))

    def choose(self, node: str) -> None:
        """Chooses the node that the panel beside the drawing is about."""
        self.chosen = node

    def place(self, graph: network.Graph) -> None:
        """Gives every node its places; those that had one keep it."""
        self.kind_of |= network.kinds(graph, self.loans, self.parties)
        parents = network.parents(graph)
        self.rings = (
            rings.extend(self.rings, parents) if self.rings else rings.arrange(self.root, parents)
        )
        self.layers = (
            layers.extend(self.layers, graph, self.kind_of)
            if self.layers
            else layers.arrange(graph, self.kind_of)
        )

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


def of(query: Expansion) -> str:
    """The node that an expansion leads on from."""
    return str(query.loan_number if query.entity_name is None else query.entity_name)


def whole() -> bool:
    """Whether the snapshot that knows all edges is also what answers the six reads."""
    return session.mirrored() and session.workspace().upstream is None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The paths on screen: those from the root, `total` of them in all, and those expanded."""

    result: GraphResult
    paths: list[GraphPath]
    total: int
    #: What was expanded -> what was added, and how much there is of it in all.
    expanded: Mapping[Expansion, tuple[list[GraphPath], int]]

    def relations(self) -> list[str]:
        """The relations that occur, by name."""
        added = chain.from_iterable(paths for paths, _ in self.expanded.values())
        return network.relations([*self.paths, *added])

    def added(self) -> dict[str, list[GraphPath]]:
        """What was added from each node."""
        by_node: dict[str, list[GraphPath]] = {}
        for query, (paths, _) in self.expanded.items():
            by_node.setdefault(of(query), []).extend(paths)
        return by_node


def load(view: GraphView, board: Board) -> Loaded:
    """Reads the pages that the board holds, each remembered. Raises NotFound for the root."""
    result, page = session.ask(CreditSource.paths, view.query())
    paths = list(page.items)
    for number in range(2, min(board.shown.pages, page.pages) + 1):
        paths += session.ask(CreditSource.paths, view.query(number))[1].items
    expanded = {}
    for query, last in board.shown.expanded.items():
        pages = [_page(query, number) for number in range(1, last + 1)]
        expanded[query] = ([path for page in pages for path in page.items], pages[0].total)
    return Loaded(result, paths, page.total, expanded)


def _page(query: Expansion, number: int) -> Page[GraphPath]:
    if isinstance(query, PathQuery):
        return session.ask(CreditSource.paths, query.at(number))[1]
    found = session.ask(Connections.edges_at, query.at(number))
    paths = tuple(GraphPath(edges=(edge,)) for edge in found.items)
    return Page(items=paths, page=found.page, per_page=found.per_page, total=found.total)


def branches(node: str, *, loan: bool) -> list[Branch]:
    """How many edges lead on from a node, by relation; none where nothing knows."""
    if not whole():
        return []
    return session.ask(Connections.branches, BranchQuery.model_validate(from_node(node, loan=loan)))


def edges_among(graph: network.Graph) -> tuple[Edge, ...] | None:
    """Every edge between the nodes of a graph (D73); None where nothing knows them all."""
    if not session.mirrored():
        return None
    return session.ask(Connections.edges_among, tuple(sorted(graph)))


def sizes(names: Sequence[str]) -> dict[str, Size] | None:
    """Book value and worst signal of the loans of these names; None where nothing knows them."""
    if not session.mirrored():
        return None
    found: dict[str, Size] = {}
    # A set of loan numbers holds none that no spreadsheet would.
    names = [name for name in names if len(name) <= MAX_TEXT and "\0" not in name]
    columns = ("book_value", "worst_severity", "property_name")
    for start in range(0, len(names), _SIZES_AT_ONCE):
        some = tuple(names[start : start + _SIZES_AT_ONCE])
        query = LoanFilter(numbers=some, per_page=_SIZES_AT_ONCE)
        for loan in session.ask(Screens.loans_found, query, columns).items:
            found[loan.loan_number] = Size(*(loan.values[name] for name in columns))
    return found

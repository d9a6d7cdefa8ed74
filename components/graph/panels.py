"""The panels of the capital graph: what the walk saw, and the drawing."""

import streamlit as st

from components.frame import loan_names, session, shell
from components.graph import drawing, files, filters, layers, network, paths, wording
from components.graph.board import MOST_PAGES, PAGES, Board, Loaded, edges_among, sizes
from components.graph.drawing import Picture
from components.graph.filters import PER_PAGE, GraphView
from components.graph.network import LOAN
from components.kit import actions, text, theme
from components.kit.formatting import count
from services.contract.rounding import number_of

_RULES = (
    "One path for each node reached: the shortest, then the most confident one. No path goes on"
    " from a lender, originator, servicer or tenant, nor from a node in which very many edges"
    " meet: sharing one does not relate two borrowers."
)


def extent(view: GraphView, loaded: Loaded, board: Board) -> None:
    """What the walk saw and where it ended, with a way to load more of it."""
    said = wording.extent_in_words(loaded.result, len(loaded.paths), loaded.total, view.depth)
    left = loaded.total - len(loaded.paths)
    with st.container(horizontal=True, vertical_alignment="center"):
        text.sentence(said, help_text=_RULES)
        if left and board.shown.pages < MOST_PAGES:
            label = f"Load {count(min(left, PAGES * PER_PAGE))} more"
            actions.button(label, board.more, icon="add", key="graph_more")
        elif left:
            text.caption("As many as a drawing holds; the list below has them all.",
                         width="content")  # fmt: skip


def networks(view: GraphView, loaded: Loaded, board: Board) -> tuple[network.Graph, network.Graph]:
    """All that is loaded, and the part of it that is shown, each with all edges between."""
    pinned = board.shown.pinned.values()
    whole = network.network(board.root, [*loaded.paths, *pinned], loaded.added())
    between = edges_among(whole) or ()
    network.join(whole, between, network.passes(None, None))
    if not view.filtered:
        return whole, network.visible(whole, board.root, board.shown.hidden)
    check = network.passes(view.relation, view.confidence_min)
    added = {node: network.passing(paths, check) for node, paths in loaded.added().items()}
    shown = network.network(board.root, [*network.passing(loaded.paths, check), *pinned], added)
    network.join(shown, between, check)
    return whole, network.visible(shown, board.root, board.shown.hidden)


def drawn(view: GraphView, loaded: Loaded, board: Board) -> network.Graph:
    """The network in a card; a click in it chooses a node. Gives what is drawn."""
    whole, shown = networks(view, loaded, board)
    board.place(whole)  # all of it: what a filter leaves out comes back to where it was
    if board.chosen not in shown:
        board.chosen = board.root
    known = loan_names.of([board.root] if view.loan_number is not None else ())
    title = f"Capital around {loan_names.beside(board.root, known)}"
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            text.heading(title, level=2)
            shell.tab(title)
            with st.container(
                horizontal=True, horizontal_alignment="right", vertical_alignment="center"
            ):
                _changes(board)
                filters.layout()
        picture = _picture(view, board, shown, title)
        gone = len(whole) - len(shown) if board.shown.hidden and not view.filtered else 0
        text.caption(_said(view, loaded, shown, sized=picture.sizes is not None, gone=gone))
        drawing.draw(picture, board.choose)
        files.buttons(shown, board.kind_of, _shown(view, loaded, board), live=True)
    return shown


def _changes(board: Board) -> None:
    """What a reader can take back; always there, so that nothing on the page moves."""
    hidden = board.shown.hidden
    if hidden:
        label, show = f"Show {count(len(hidden))} hidden", board.show_hidden
        actions.button(label, show, icon="visibility", key="graph_show_hidden")
    said = "Takes back the last change: expand, collapse, hide, pin or load more."
    off = not board.past
    actions.button("Undo", board.undo, icon="undo", key="graph_undo", help_text=said, off=off)


def _picture(view: GraphView, board: Board, shown: network.Graph, title: str) -> Picture:
    layout = board.layers if view.layout == "layers" else board.rings
    if layout is None:
        raise AssertionError("nodes have no places")
    bands: tuple[tuple[str, float], ...] = ()
    if view.layout == "layers" and board.layers:
        used = {board.layers.slots[node][0] for node in shown}
        bands = tuple(
            (label, board.layers.top(band))
            for band, label in enumerate(layers.BANDS)
            if band in used
        )
    loans = sorted(node for node in shown if board.kind_of[node] == LOAN)
    return Picture(
        graph=shown,
        points={node: layout.point(node) for node in layout.slots},
        kind_of=board.kind_of,
        title=title,
        note=f"{title} to depth {view.depth}, {files.note(live=True)}",
        alt=f"{title}: {shown.number_of_nodes()} nodes and {shown.number_of_edges()} edges."
        " The list of paths below says the same. Arrow keys go from node to node, Enter"
        " chooses one.",
        key=f"{view.layout} {view.loan_number is not None} {board.root}",
        root=board.root,
        chosen=board.chosen,
        sizes=sizes(loans),
        pinned=frozenset(board.shown.pinned),
        bands=bands,
        dark=theme.dark(),
    )


def _said(view: GraphView, loaded: Loaded, shown: network.Graph, *, sized: bool, gone: int) -> str:
    nodes, edges = shown.number_of_nodes(), shown.number_of_edges()
    stand = "layers by kind" if view.layout == "layers" else "rings by distance from the root"
    parts = (
        f"{number_of(nodes, 'node')}, {number_of(edges, 'edge')}; {stand}.",
        "Loans by book value, with a ring for their worst signal."
        if sized
        else "Sizes and signals of loans need the mirror.",
        _of_edges(),
        gone and f"{count(gone)} nodes are off the board with what is hidden.",
        view.filtered
        and f"Only {paths.filters_in_words(view)}: applied to the "
        f"{number_of(len(loaded.paths), 'path')} loaded.",
    )
    return " ".join(part for part in parts if part)


def _of_edges() -> str:
    """Which edges are not drawn; empty where all between the nodes are."""
    if not session.mirrored():
        return "Edges are those of the paths; further ones between these nodes need the mirror."
    if session.workspace().upstream:
        return "Edges are those of the paths, and between these nodes those in the mirror."
    return ""


def _shown(view: GraphView, loaded: Loaded, board: Board) -> str:
    parts = (
        f"Capital around {view.root} to depth {view.depth}",
        wording.loaded_in_words(len(loaded.paths), loaded.total),
        (nodes := len(loaded.added())) and f"{nodes} nodes expanded",
        (hidden := len(board.shown.hidden)) and f"{hidden} nodes hidden",
        view.filtered and f"only {paths.filters_in_words(view)}",
    )
    return "; ".join(part for part in parts if part)

"""The panels of the capital graph: what the walk saw, and the chart."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from components.frame import exports, session, shell
from components.graph import chart, network, paths
from components.graph.board import MOST_PAGES, PAGES, Board, Loaded, edges_among
from components.graph.filters import PER_PAGE, GraphView
from components.kit import text
from components.kit.formatting import count

if TYPE_CHECKING:
    import networkx as nx

_RULES = (
    "One path for each node reached: the shortest, then the most confident one. No path goes on"
    " from a lender, originator, servicer or tenant, nor from a node in which very many edges"
    " meet: sharing one does not relate two borrowers."
)


def extent(view: GraphView, loaded: Loaded, board: Board) -> None:
    """What the walk saw and where it ended, with a way to load more of it."""
    said = network.extent_in_words(loaded.result, len(loaded.paths), loaded.total, view.depth)
    left = loaded.total - len(loaded.paths)
    with st.container(horizontal=True, vertical_alignment="center"):
        text.sentence(said, help_text=_RULES)
        if left and board.pages < MOST_PAGES:
            label = f"Load {count(min(left, PAGES * PER_PAGE))} more"
            st.button(
                text.label(label), on_click=board.more, icon=":material/add:", key="graph_more"
            )
        elif left:
            text.caption("As many as a chart holds; the list below has them all.", width="content")


def networks(
    view: GraphView, loaded: Loaded, board: Board
) -> tuple["nx.MultiDiGraph", "nx.MultiDiGraph"]:
    """All that is loaded, and the part of it that passes the filters, with all edges between."""
    whole = network.network(board.root, loaded.paths, loaded.expanded)
    between = edges_among(whole) or ()
    network.join(whole, between, network.passes(None, None))
    if not view.filtered:
        return whole, whole
    check = network.passes(view.relation, view.confidence_min)
    further = {node: network.passing(paths, check) for node, paths in loaded.expanded.items()}
    shown = network.network(board.root, network.passing(loaded.paths, check), further)
    network.join(shown, between, check)
    return whole, shown


def drawing(view: GraphView, loaded: Loaded, board: Board) -> tuple["nx.MultiDiGraph", list[str]]:
    """The network in a card; a click in it chooses a node. Gives what is drawn, and its nodes."""
    whole, shown = networks(view, loaded, board)
    layout = board.place(whole)  # of all: what a filter leaves out comes back to where it was
    names = [name for name in layout.slots if name in shown]
    key = chart.key(view.params() | {"page": "", "redrawn": str(board.redrawn)})
    board.heed(key, chart.selected(key, names), names)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            text.heading(f"Capital around {board.root}", level=2)
            shell.tab(f"Capital around {board.root}")
            with st.container(horizontal=True, horizontal_alignment="right"):
                exports.download(
                    partial(paths.edges, shown, layout, _shown(view, loaded)),
                    shown.number_of_edges(),
                    "credit-atlas-capital-graph",
                    live=True,
                )
        text.caption(_drawn(view, loaded, shown))
        marked = board.chosen if board.by_hand else None
        dark = st.context.theme.type == "dark"
        spec = chart.option(shown, layout, board.kind_of, marked, dark=dark)
        chart.draw(spec, key, _alt(board, shown))
    return shown, names


def _drawn(view: GraphView, loaded: Loaded, shown: "nx.MultiDiGraph") -> str:
    nodes, edges = shown.number_of_nodes(), shown.number_of_edges()
    drawn = f"{count(nodes)} nodes, {count(edges)} edges; rings by distance from the root."
    if said := _of_edges():
        drawn = f"{drawn} {said}"
    if not view.filtered:
        return drawn
    said = paths.filters_in_words(view)
    return f"{drawn} Only {said}: applied to the {count(len(loaded.paths))} paths loaded."


def _of_edges() -> str:
    """Which edges are not drawn; empty where all between the nodes are."""
    if not session.mirrored():
        return "Edges are those of the paths; further ones between these nodes need the mirror."
    if session.workspace().upstream:
        return "Edges are those of the paths, and between these nodes those in the mirror."
    return ""


def _shown(view: GraphView, loaded: Loaded) -> str:
    parts = (
        f"Capital around {view.root} to depth {view.depth}",
        network.loaded_in_words(len(loaded.paths), loaded.total),
        loaded.expanded and f"{len(loaded.expanded)} nodes expanded",
        view.filtered and f"only {paths.filters_in_words(view)}",
    )
    return "; ".join(part for part in parts if part)


def _alt(board: Board, shown: "nx.MultiDiGraph") -> str:
    return (
        f"Capital graph around {board.root}: {shown.number_of_nodes()} nodes and"
        f" {shown.number_of_edges()} edges. The list of paths below says the same."
    )

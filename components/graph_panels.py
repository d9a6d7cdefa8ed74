"""The panels of the capital graph: what the walk saw, and the chart."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from components import exports, graph_extent, graph_network, graph_option, graph_paths, graph_view
from components.formatting import count
from components.graph_address import PER_PAGE, GraphView
from components.graph_board import MOST_PAGES, PAGES, Board, Loaded
from components.markdown import literal

if TYPE_CHECKING:
    import networkx as nx

_RULES = (
    "One path for each node reached: the shortest, then the most confident one. No path goes on"
    " from a lender, originator, servicer or tenant, nor from a node in which very many edges"
    " meet: sharing one does not relate two borrowers."
)


def extent(view: GraphView, loaded: Loaded, board: Board) -> None:
    """What the walk saw and where it ended, with a way to load more of it."""
    said = graph_extent.sentence(loaded.result, len(loaded.paths), loaded.total, view.depth)
    left = loaded.total - len(loaded.paths)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(literal(said), help=_RULES, width="content")
        if left and board.pages < MOST_PAGES:
            label = f"Load {count(min(left, PAGES * PER_PAGE))} more"
            st.button(label, on_click=board.more, icon=":material/add:", key="graph_more")
        elif left:
            st.caption("As many as a chart holds; the list below has them all.", width="content")


def networks(
    view: GraphView, loaded: Loaded, board: Board
) -> tuple["nx.MultiDiGraph", "nx.MultiDiGraph"]:
    """All that is loaded, and the part of it that passes the filters."""
    whole = graph_network.network(board.root, loaded.paths, loaded.expanded)
    if not view.filtered:
        return whole, whole
    check = graph_network.passes(view.relation, view.confidence_min)
    further = {node: graph_network.kept(paths, check) for node, paths in loaded.expanded.items()}
    shown = graph_network.network(board.root, graph_network.kept(loaded.paths, check), further)
    return whole, shown


def chart(view: GraphView, loaded: Loaded, board: Board) -> tuple["nx.MultiDiGraph", list[str]]:
    """The network in a card; a click in it chooses a node. Gives what is drawn, and its nodes."""
    whole, shown = networks(view, loaded, board)
    layout = board.place(whole)  # of all: what a filter leaves out comes back to where it was
    names = [name for name in layout.slots if name in shown]
    key = graph_view.key(view.params() | {"page": "", "marks": str(board.marks)})
    board.heed(key, graph_view.selected(key, names), names)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.header(f"Capital around {literal(board.root)}", anchor=False)
            with st.container(horizontal=True, horizontal_alignment="right"):
                exports.download(
                    f"CSV of the {count(shown.number_of_edges())} edges",
                    partial(graph_paths.edges_csv, shown, layout, _shown(view, loaded)),
                    "credit-atlas-capital-graph.csv",
                )
        st.caption(_drawn(view, loaded, shown))
        marked = board.chosen if board.by_hand else None
        dark = st.context.theme.type == "dark"
        spec = graph_option.option(shown, layout, board.kind_of, marked, dark=dark)
        graph_view.draw(spec, key, _alt(board, shown))
    return shown, names


def _drawn(view: GraphView, loaded: Loaded, shown: "nx.MultiDiGraph") -> str:
    nodes, edges = shown.number_of_nodes(), shown.number_of_edges()
    text = f"{count(nodes)} nodes, {count(edges)} edges; rings by distance from the root."
    if not view.filtered:
        return text
    said = literal(graph_paths.filters_in_words(view))
    return f"{text} Only {said}: applied to the {count(len(loaded.paths))} paths loaded."


def _shown(view: GraphView, loaded: Loaded) -> str:
    parts = (
        f"Capital around {view.root} to depth {view.depth}",
        graph_extent.loaded(len(loaded.paths), loaded.total),
        loaded.expanded and f"{len(loaded.expanded)} nodes expanded",
        view.filtered and f"only {graph_paths.filters_in_words(view)}",
    )
    return "; ".join(part for part in parts if part)


def _alt(board: Board, shown: "nx.MultiDiGraph") -> str:
    return (
        f"Capital graph around {board.root}: {shown.number_of_nodes()} nodes and"
        f" {shown.number_of_edges()} edges. The list of paths below says the same."
    )

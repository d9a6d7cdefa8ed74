"""Capital graph: who stands around a loan or a party, path by path."""

import streamlit as st

from components import (
    api_call,
    graph_address,
    graph_board,
    graph_facts,
    graph_panels,
    graph_paths,
    graph_start,
    shell,
)
from services.sources import request_for

PAGE = "pages/capital_graph.py"
shell.inside(PAGE)
shell.title("Capital graph")
view = graph_address.asked(PAGE)
if view and not view.root:
    graph_start.search(PAGE, open_=True)
elif view:
    graph_start.search(PAGE, open_=False)
    left, right = st.columns([1, 2.6], gap="small")
    with left:
        view = view.model_copy(update={"depth": graph_address.depth()})
    board = graph_board.board(view)
    loaded = graph_start.found(view, board, PAGE)
    if loaded:
        with right:
            view = graph_address.filters(view, loaded.relations(), len(loaded.paths))
        graph_panels.extent(view, loaded, board)
        left, right = st.columns([2.3, 1], gap="small")
        with left:
            drawn = graph_panels.chart(view, loaded, board)
        with right:
            graph_facts.panel(view, board, loaded, drawn, PAGE)
        graph_paths.listed(view, loaded, PAGE)
        api_call.popover(request_for(view.query()), loaded.result)

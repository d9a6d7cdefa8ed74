"""Capital graph: who stands around a loan or a party, path by path."""

import streamlit as st

from components.exposure import counts
from components.frame import api_call, routes, shell, states
from components.graph import board, filters, lookup, node, panels, paths, starts
from services.contract import endpoints
from services.contract.frame_call import frame_of
from services.contract.requests import request_for

shell.inside(routes.CAPITAL_GRAPH)
shell.title("Capital graph")
view = filters.asked()
if view and not view.root:
    lookup.search(view, open_=True)
    starts.panel()
elif view:
    lookup.search(view, open_=False)
    left, right = st.columns([1, 2.6], gap="small")
    with left:
        view = view.model_copy(update={"depth": filters.depth()})
    around = board.board(view)
    loaded = lookup.found(view, around)
    if loaded:
        with right:
            view = filters.narrowed(view, loaded.relations(), len(loaded.paths))
        panels.extent(view, loaded, around)
        with states.panel(endpoints.ENTITIES):
            counts.of_graph(view.entity_name)
        left, right = st.columns([2.3, 1], gap="small")
        with left:
            drawn = panels.drawn(view, loaded, around)
        with right:
            node.panel(view, around, loaded, drawn)
        with left:
            node.rests_on(around, drawn)
        paths.listed(view, loaded)
        walk = view.query()
        api_call.popover(request_for(walk), loaded.result, frame=frame_of("paths", walk))

"""Entities: find a party by its name, however it is spelt."""

from functools import partial

import streamlit as st

from components import (
    api_call,
    entity_search,
    entity_tables,
    exports,
    paging,
    session,
    shell,
    states,
)
from components.markdown import literal
from services.sources import request_for

PAGE = "pages/entities.py"
shell.inside(PAGE)
shell.title("Entities")
if query := entity_search.entity_query(PAGE):
    page = session.read("entities", query)
    if not page.total:
        entity_search.nothing(query, PAGE)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{literal(entity_search.sentence(query, page.total))}**")
            if query.name:
                with st.container(horizontal=True, horizontal_alignment="right"):
                    exports.download(
                        "CSV of all matches",
                        partial(entity_search.matches_csv, query, page.total),
                        "credit-atlas-entities.csv",
                    )
        if page.items:
            entity_tables.found(page.items, "entities", searched=query.name is not None)
            paging.bar(page)
        else:
            states.beyond_last(page.page, page.pages, PAGE, query.at(1).params())
    api_call.popover(request_for(query), page)

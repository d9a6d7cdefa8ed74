"""The address is the state of a page: parsed before any widget is drawn, written back after.

Streamlit's own binding of widgets to the address silently drops a value it does not know, and a
dropped filter would show everything; so the address is parsed first, and widgets are seeded from
it whenever it is not what they made of it themselves: at a deep link, a link, the browser's Back.
"""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from components.frame import states
from components.frame.routes import Route
from services.contract.errors import InvalidRequest
from services.contract.queries import Query, parse

Q = TypeVar("Q", bound=Query)
#: The query last shown, whatever its kind: widgets of two pages share keys.
_SHOWN = "shown"


def asked(kind: type[Q], route: Route, check: Callable[[Q], None] | None = None) -> Q | None:
    """The query of the address; None after showing what is wrong with it.

    `route` is the page itself, for the links out of a fault. `check` raises InvalidRequest for
    values that are sound but that no widget of the page can hold.
    """
    given = st.query_params.to_dict()
    try:
        query = parse(kind, given)
        if check:
            check(query)
    except InvalidRequest as error:
        others = {name: value for name, value in given.items() if name != error.parameter}
        states.invalid(error, route, others)
        left_blank()
        return None
    arrived = st.session_state.get(_SHOWN) != query
    for name in kind.model_fields:
        # A widget that was not drawn, as the paging of an empty result, has lost its value.
        if arrived or name not in st.session_state:
            st.session_state[name] = getattr(query, name)
    return query


def settle(query: Query) -> None:
    """Remembers what is shown, and writes it to the address; tx becomes TX, page=1 goes."""
    # A link to the page that it stands on changes what is asked here, not the browser's address.
    moved = st.session_state.get(_SHOWN, query) != query
    st.session_state[_SHOWN] = query
    if moved or st.query_params.to_dict() != query.params():
        st.query_params.from_dict(query.params())


def left_blank() -> None:
    """Remembers that nothing is shown: the links out of a fault lead to the same page."""
    st.session_state[_SHOWN] = None


def first_page() -> None:
    """For `on_change` of every filter: another result begins at its first page."""
    st.session_state["page"] = 1

"""The address is the state of a page: parsed before any widget is drawn, written back after.

Streamlit's own binding of widgets to the address silently drops a value it does not know, and a
dropped filter would show everything; so the address is parsed first, and widgets are seeded from
it whenever it is not what they made of it themselves: at a deep link, a link, the browser's Back.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import streamlit as st

from components.frame import back, scope, states
from components.frame.routes import Route
from services.contract.errors import InvalidRequest
from services.contract.queries import Query, parse

Q = TypeVar("Q", bound=Query)
#: The query whose values all widgets hold, whatever its kind: widgets of two pages share keys.
#: None while they hold nobody's.
_HELD: Final = "held"
#: What the browser's address was last made to say: page and query; None where that is not known.
_WRITTEN: Final = "written"


def asked(kind: type[Q], route: Route, check: Callable[[Q], None] | None = None) -> Q | None:
    """The query of the address; None after showing what is wrong with it.

    `route` is the page itself, for the links out of a fault. `check` raises InvalidRequest for
    values that are sound but that no widget of the page can hold.
    """
    given = params()
    try:
        query = parse(kind, given)
        if scope.PARAMETER in kind.model_fields:
            query = query.model_copy(update={scope.PARAMETER: scope.chosen()})
        if check:
            check(query)
    except InvalidRequest as error:
        others = {name: value for name, value in given.items() if name != error.parameter}
        left_blank()
        states.invalid(error, route, others)
        return None
    arrived = st.session_state.get(_HELD) != query
    if arrived:
        # A run may end at any statement, because its page is left: from here on the widgets are
        # no longer those of the page before, and not this page's until all of them are filled.
        st.session_state[_HELD] = None
    for name in kind.model_fields:
        if arrived or name not in st.session_state:
            st.session_state[name] = getattr(query, name)
    st.session_state[_HELD] = query
    return query


def params() -> dict[str, str]:
    """The parameters of the page itself, without the scope, which is the frame's."""
    return {
        name: value for name, value in st.query_params.to_dict().items() if name != scope.PARAMETER
    }


def held(asked: Q, values: Mapping[str, Any]) -> Q:
    """The query that widgets hold, by the values of all of them; where it is that of the address,
    this one, which was validated already.
    """
    fields = type(asked).model_fields.items()
    if (within := getattr(asked, scope.PARAMETER, None)) is not None:
        values = {**values, scope.PARAMETER: within}
    if all(values.get(name, spec.default) == getattr(asked, name) for name, spec in fields):
        return asked
    return type(asked)(**values)


def settled(asked: Q, chosen: Mapping[str, Any], looks: Iterable[str]) -> Q:
    """The query that the widgets hold, written to the address: what is `chosen`, by name, and what
    stands in the session's state under the names of `looks`.
    """
    view = held(asked, {**chosen, **{name: st.session_state[name] for name in looks}})
    settle(view)
    return view


def settle(query: Query) -> None:
    """Remembers what is shown, and writes it to the address; tx becomes TX, page=1 goes."""
    # A link to the page that it stands on changes what is asked here, not the browser's address.
    shown = (back.here(), query)
    moved = st.session_state.get(_WRITTEN, shown) != shown
    params = scope.carrying(query.params())
    if moved or st.query_params.to_dict() != params:
        _write(params)
    st.session_state[_HELD], st.session_state[_WRITTEN] = query, shown


def drawn() -> None:
    """After a page: one that wrote no address of its own gets the one that it was asked by.

    What the page before it wrote may reach the browser only once that shows this page's address.
    """
    written = st.session_state.get(_WRITTEN)
    if written and written[0] != back.here():
        _write(st.query_params.to_dict())


def _write(params: Mapping[str, str]) -> None:
    # Whether a run that ends here has written it, nobody knows: the next one writes again.
    st.session_state[_WRITTEN] = None
    st.query_params.from_dict(params)


def left_blank() -> None:
    """Remembers that nothing is shown: the links out of a fault lead to the same page."""
    st.session_state[_HELD] = st.session_state[_WRITTEN] = None


def widget(
    name: str, on_change: Callable[[], None] | None = None, none: object = None
) -> dict[str, Any]:
    """Key and callback of a widget of Streamlit's that is filled in with the parameter `name`;
    `none` is what it holds where the parameter is not set.

    The value stands under the parameter's name, the widget under a key of its own: a widget that is
    not drawn loses its value, and what stood under its key before would come back, of whatever page
    it was. `on_change` is called after the value changed, before the page runs again.
    """
    key = f"{name} widget"
    value = st.session_state[name]
    st.session_state[key] = none if value is None else value

    def changed() -> None:
        value = st.session_state[key]
        st.session_state[name] = None if value == none else value
        if on_change:
            on_change()

    return {"key": key, "on_change": changed}


def put_in_order(order: str | None, own: str | None = None) -> None:
    """For the heads of a list: another order begins at its first page. `own` is the list's own,
    where an address without any does not mean it.
    """
    st.session_state["order"] = order or own
    first_page()


def first_page() -> None:
    """For `on_change` of every filter: another result begins at its first page."""
    st.session_state["page"] = 1

"""Links to pages, and opening a record: labels are outside text, shown as it is."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs, quote

import streamlit as st

from components.frame import back
from components.frame.routes import ROUTES, Route
from components.kit import text

#: Session key of the page to go to, and its parameters.
GOTO: Final = "goto"
_SHOWS_RECORDS: Final = {route.path: route for route in ROUTES if route.record}


def link(
    route: Route, label: str, icon: str | None = None, params: Mapping[str, str] | None = None
) -> None:
    """A link to a page with these parameters; `icon` is the name of a Material symbol."""
    st.page_link(
        route.file,
        label=text.label(label),
        icon=f":material/{icon}:" if icon else None,
        query_params=dict(params or {}),
    )


def address(route: Route, name: str) -> str:
    """The address of one record, relative to any page of the app: loan?loan_number=CA-000012."""
    return f"{route.path}?{_record(route)}={quote(name, safe='')}"


def record_at(address: str) -> tuple[Route, str] | None:
    """The page and the name of the record at such an address; None for any other."""
    path, _, query = address.partition("?")
    route = _SHOWS_RECORDS.get(path)
    names = parse_qs(query, keep_blank_values=True).get(_record(route), []) if route else []
    return (route, names[0]) if route and len(names) == 1 else None


def open_record(route: Route, name: str) -> None:
    """Opens the page of one record, and remembers the page on screen as the way back.

    For callbacks, which run before the page: `shell.enter` goes there instead of drawing it again.
    """
    params = {_record(route): name}
    back.leaving(params)
    st.session_state[GOTO] = (route.file, list(params.items()))


def _record(route: Route) -> str:
    if route.record is None:
        raise ValueError(f"{route.file} shows no single record")
    return route.record

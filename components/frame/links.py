"""Links to pages, and opening a record: labels are outside text, shown as it is."""

from collections.abc import Mapping

import streamlit as st

from components.frame import back
from components.frame.routes import Route
from components.kit import text


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


def open_record(route: Route, name: str) -> None:
    """Opens the page of one record, and remembers the page on screen as the way back."""
    if route.record is None:
        raise ValueError(f"{route.file} shows no single record")
    params = {route.record: name}
    back.leaving(params)
    st.switch_page(route.file, query_params=params)

"""A headline figure that is a link as a whole: its card opens what it counts."""

from collections.abc import Mapping

import streamlit as st

from components.frame import links
from components.frame.routes import Route
from components.kit.figure import Figure, row


def linked_figure(figure: Figure, key: str, route: Route, params: Mapping[str, str]) -> None:
    """Draws the figure with a link to its records; the style of looks.css spreads the link over
    the card, its help stays in reach.
    """
    with st.container(key=f"linked-figure-{key}", gap=None):
        row([figure])
        links.link(route, figure.label, "arrow_forward", params)

"""A table of records, one row each; choosing a row opens the record on its own page."""

from typing import Any, Final

import streamlit as st

from components.frame import links
from components.frame.routes import LOAN, Route
from components.kit.tables import WIDTHS, figure_column

_FIGURES: Final = frozenset({"Book value", "Coupon", "Matures", "Due", "Gap"})


def openable(
    rows: list[dict[str, Any]],
    config: dict[str, Any],
    names: list[str],
    key: str,
    alt: str,
    *,
    route: Route = LOAN,
    height: int | None = None,
) -> None:
    """A table of records, one row each; choosing a row opens that record on its page."""
    labels = rows[0] if rows else {}
    widths = {name: st.column_config.TextColumn(name, width=WIDTHS.get(name)) for name in labels}
    right = {name: figure_column(name) for name in labels if name in _FIGURES}
    event = st.dataframe(
        rows,
        hide_index=True,
        key=key,
        height=height or "content",
        column_config=widths | right | config,
        on_select="rerun",
        selection_mode="single-row",
        alt=alt,
    )
    chosen = event["selection"]["rows"]
    if chosen and chosen[0] < len(names):
        links.open_record(route, names[chosen[0]])

"""Tables as they stand: figures right-aligned, one row a record."""

from collections.abc import Sequence
from typing import Any

import streamlit as st


def plain(
    rows: Sequence[dict[str, Any]],
    key: str,
    alt: str,
    *,
    figures: Sequence[str] = (),
    height: int | None = None,
) -> None:
    """A table as it stands; `figures` names the columns set to the right. Scrolls over `height`."""
    st.dataframe(
        list(rows),
        hide_index=True,
        key=key,
        height=height or "content",
        alt=alt,
        column_config={
            name: st.column_config.TextColumn(name, alignment="right") for name in figures
        },
    )


def facts(pairs: Sequence[tuple[str, str]], key: str, alt: str) -> None:
    """Name and figure, one below the other."""
    plain([{"Fact": name, "Value": value} for name, value in pairs], key, alt)

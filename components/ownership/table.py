"""Parties of an ownership chain as a table, the twin of the diagram; choosing a row opens one."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.frame import records
from components.frame.routes import ENTITY
from components.kit import text
from components.kit.formatting import MISSING, count, percent, score, words
from components.ownership.chains import LOAN, Link, Row

_WIDTHS: Final = {
    "Kind": 110, "Level": 50, "Party": 205, "Share": 60, "Confidence": 100, "Product": 70,
    "Loans": 60, "Owns": 200, "Owned by": 200,
}  # fmt: skip
_FIGURES: Final = frozenset({"Level", "Share", "Confidence", "Product", "Loans"})
_HELP: Final = {
    "Confidence": "Of the link between the two parties.",
    "Product": "Of the confidences along the path from the start up or down to this party.",
}
#: Rows that show without scrolling, and the height in pixels of more.
_ROWS: Final = 12
_SCROLLS: Final = 460


def links(
    rows: Sequence[Row], key: str, alt: str, weakest: Sequence[Link], *, down: bool = False
) -> None:
    """Parties level by level, each with the link that leads to it; holdings when `down`."""
    shown = []
    for row in rows:
        link = row.link
        other = (link.owner if down else link.owned) if link else MISSING
        shown.append(
            {
                "Party": row.name,
                "Confidence": _sure(row, weak=link in weakest),
                "Product": score(row.product),
                "Share": percent(100 * link.share, 0)
                if link and link.share is not None
                else MISSING,
                "Kind": words(row.kind),
                **({} if row.loans is None else {"Loans": count(row.loans)}),
                "Level": str(row.level),
                "Owned by" if down else "Owns": "the loan" if other == LOAN else other,
            }
        )
    config = {
        name: st.column_config.TextColumn(
            name,
            width=_WIDTHS[name],
            help=text.label(_HELP.get(name)),
            alignment="right" if name in _FIGURES else None,
        )
        for name in shown[0]
    }
    names = [row.name for row in rows]
    height = _SCROLLS if len(rows) > _ROWS else None
    records.openable(shown, config, names, key, alt, route=ENTITY, height=height)


def _sure(row: Row, *, weak: bool) -> str:
    sure = score(row.link.confidence if row.link else None)
    return f"weakest {sure}" if weak else sure

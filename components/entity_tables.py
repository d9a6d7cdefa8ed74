"""Tables of parties; choosing a row opens the entity."""

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from components import tables
from components.chains import LOAN, Link, Row
from components.formatting import MISSING, count, percent, words
from components.ownership_dot import score
from services.contract.records import Entity

ENTITY_PAGE: Final = "pages/entity.py"
_WIDTHS: Final = {
    "Name": 380, "Kind": 110, "Match": 90, "Resolution confidence": 150, "Tier": 110,
    "Related loans": 110, "Level": 50, "Party": 205, "Share": 60, "Confidence": 100,
    "Product": 70, "Loans": 60, "Owns": 200, "Owned by": 200,
}  # fmt: skip
_FIGURES: Final = frozenset(
    {"Match", "Resolution confidence", "Related loans", "Level", "Share", "Confidence", "Product"}
    | {"Loans"}
)
#: Rows of links that show without scrolling, and the height in pixels of more.
_ROWS: Final = 12
_SCROLLS: Final = 460
_HELP: Final = {
    "Match": "Likeness of the name to the one asked for, 0 to 1.",
    "Related loans": "Loans it stands behind as borrower, owner or guarantor, or lends to (D32).",
    "Resolution confidence": "How sure the source is that the records are of one party.",
    "Confidence": "Of the link between the two parties.",
    "Product": "Of the confidences along the path from the start up or down to this party.",
}


def found(items: Sequence[Entity], key: str, *, searched: bool) -> None:
    """Entities as a search finds them; the match score only where a name was asked for."""
    rows = []
    for item in items:
        score_of = item.extra.get("match_score")
        match = {"Match": score(score_of) if isinstance(score_of, float) else MISSING}
        kind = item.extra.get("kind")
        rows.append(
            {
                "Name": item.entity_name,
                "Kind": words(kind if isinstance(kind, str) else None),
                **(match if searched else {}),
                "Resolution confidence": score(item.confidence),
                "Tier": words(item.confidence_tier),
                "Related loans": count(item.related_loan_count),
            }
        )
    _openable(rows, [item.entity_name for item in items], key, "Entities")


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
    height = _SCROLLS if len(rows) > _ROWS else None
    _openable(shown, [row.name for row in rows], key, alt, height)


def _sure(row: Row, *, weak: bool) -> str:
    text = score(row.link.confidence if row.link else None)
    return f"weakest {text}" if weak else text


def _openable(
    rows: list[dict[str, Any]], names: list[str], key: str, alt: str, height: int | None = None
) -> None:
    config = {
        name: st.column_config.TextColumn(
            name,
            width=_WIDTHS.get(name),
            help=_HELP.get(name),
            alignment="right" if name in _FIGURES else None,
        )
        for name in rows[0]
    }
    tables.openable(
        rows, config, names, key, alt, page=ENTITY_PAGE, parameter="entity_name", height=height
    )

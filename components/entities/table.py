"""Entities as a search finds them; choosing a row opens the entity."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.frame import records
from components.frame.routes import ENTITY
from components.kit import text
from components.kit.formatting import MISSING, count, score, words
from services.contract.records import Entity

_WIDTHS: Final = {
    "Name": 380, "Kind": 110, "Match": 90, "Resolution confidence": 150, "Tier": 110,
    "Related loans": 110,
}  # fmt: skip
_FIGURES: Final = frozenset({"Match", "Resolution confidence", "Related loans"})
_HELP: Final = {
    "Match": "Likeness of the name to the one asked for, 0 to 1.",
    "Related loans": "Loans it stands behind as borrower, owner or guarantor, or lends to (D32).",
    "Resolution confidence": "How sure the source is that the records are of one party.",
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
    config = {
        name: st.column_config.TextColumn(
            name,
            width=_WIDTHS[name],
            help=text.label(_HELP.get(name)),
            alignment="right" if name in _FIGURES else None,
        )
        for name in rows[0]
    }
    names = [item.entity_name for item in items]
    records.openable(rows, config, names, key, "Entities", route=ENTITY)

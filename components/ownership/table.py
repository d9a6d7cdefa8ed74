"""Parties of an ownership chain as a table, the twin of the diagram; the name opens the party."""

from collections.abc import Sequence
from typing import Final

from components.frame import columns as shared
from components.frame.ledger import Column, ledger
from components.frame.routes import ENTITY
from components.kit.formatting import MISSING, fraction, score, words
from components.ownership.chains import LOAN, Link, Row

#: Rows that show without scrolling, and the height in pixels of more.
_ROWS: Final = 12
_SCROLLS: Final = 460


def links(
    rows: Sequence[Row], key: str, alt: str, weakest: Sequence[Link], *, down: bool = False
) -> None:
    """Parties level by level, each with the link that leads to it; holdings when `down`."""
    ledger(
        _columns(weakest, down=down, loans=rows[0].loans is not None),
        rows,
        opens=lambda row: (ENTITY, row.name),
        key=key,
        caption=alt,
        height=_SCROLLS if len(rows) > _ROWS else None,
    )


def _columns(weakest: Sequence[Link], *, down: bool, loans: bool) -> list[Column[Row]]:
    def sure(row: Row) -> str:
        written = score(row.link.confidence if row.link else None)
        return f"weakest {written}" if row.link in weakest else written

    def share(row: Row) -> str:
        return fraction(row.link.share if row.link else None, 0)

    def other(row: Row) -> str:
        name = (row.link.owner if down else row.link.owned) if row.link else MISSING
        return "the loan" if name == LOAN else name

    columns: list[Column[Row]] = [
        Column("name", "Party", lambda row: row.name),
        Column(
            "confidence",
            "Confidence",
            sure,
            figure=True,
            short=True,
            help="Of the link between the two parties.",
        ),
        Column(
            "product",
            "Product",
            lambda row: score(row.product),
            figure=True,
            help="Of the confidences along the path from the start up or down to this party.",
        ),
        Column("share", "Share", share, figure=True),
        Column("kind", "Kind", lambda row: words(row.kind)),
        shared.loans(),
        Column("level", "Level", lambda row: str(row.level), figure=True),
        Column("other", "Owned by" if down else "Owns", other),
    ]
    return [column for column in columns if loans or column.name != "loans"]

"""Entities as a search finds them; the name opens the entity."""

from collections.abc import Sequence
from typing import Final

from components.exposure.words import related
from components.frame.ledger import Column, Ticks, ledger
from components.frame.routes import ENTITY
from components.kit.formatting import MISSING, score, words
from services.contract.records import Entity


def _kind(entity: Entity) -> str:
    kind = entity.extra.get("kind")
    return words(kind if isinstance(kind, str) else None)


def _match(entity: Entity) -> str:
    found = entity.extra.get("match_score")
    return score(found) if isinstance(found, float) else MISSING


_COLUMNS: Final[tuple[Column[Entity], ...]] = (
    Column("entity_name", "Name", lambda entity: entity.entity_name),
    Column("kind", "Kind", _kind),
    Column(
        "match_score",
        "Match",
        _match,
        figure=True,
        help="Likeness of the name to the one asked for, 0 to 1.",
    ),
    Column(
        "confidence",
        "Resolution confidence",
        lambda entity: score(entity.confidence),
        figure=True,
        help="How sure the source is that the records are of one party.",
    ),
    Column("confidence_tier", "Tier", lambda entity: words(entity.confidence_tier)),
    Column(
        "related_loan_count",
        "Related loans",
        lambda entity: related(entity.related_loan_count, entity.extra.get("loans_by_role")),
        figure=True,
        short=True,
        help="Loans it stands behind as borrower, owner or guarantor, or lends to; of a party "
        "without any, those that it services, originated or rents in.",
    ),
)


def found(items: Sequence[Entity], key: str, *, searched: bool, ticks: Ticks | None = None) -> None:
    """Entities as a search finds them; the match score only where a name was asked for."""
    ledger(
        [column for column in _COLUMNS if searched or column.name != "match_score"],
        items,
        opens=lambda entity: (ENTITY, entity.entity_name),
        key=key,
        caption="Entities",
        ticks=ticks,
    )

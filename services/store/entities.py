"""Entities out of a snapshot: fuzzy search by name."""

from typing import Any, Final

import numpy as np

from services.contract.errors import NotFound
from services.contract.queries import EntityQuery, shortened
from services.contract.records import Entity, Page
from services.names.index import Match

from .database import Ids, among
from .reader import Reader

_COLUMNS: Final = (
    "entity_id, entity_name, confidence, confidence_tier::VARCHAR AS confidence_tier,"
    " related_loan_count, kind::VARCHAR AS kind, party_id,"
    " loans_by_role"
)
_BY_NAME: Final = "SELECT entity_id FROM entities WHERE entity_name = ?"


def entities(reader: Reader, query: EntityQuery) -> Page[Entity]:
    """Page of the entities that match (spec 4.3): by match score, then name; by name without one.

    `total` of a search by name counts the candidates at or over the cut-off among the best that
    the index holds (D37); each record's extension carries its `match_score`.
    """
    if query.name is None:
        return _listed(reader, query)
    matches = matched(reader, query.name)
    rows = reader.remembered(
        ("entities", query.name, query.confidence_min), lambda: _found(reader, matches, query)
    )
    part = rows[query.offset : query.offset + query.per_page]
    return Page(items=tuple(part), page=query.page, per_page=query.per_page, total=len(rows))


def entity_id(reader: Reader, entity_name: str) -> int:
    """Id of the entity of exactly this name (D30). Raises NotFound."""
    found = reader.rows(_BY_NAME, [entity_name])
    if not found:
        raise NotFound(f"No entity has the name '{shortened(entity_name)}'")
    number: int = found[0][0]
    return number


def matched(reader: Reader, name: str) -> tuple[Match, ...]:
    """The entities with names like this one, the best first."""
    return reader.remembered(("names", name), lambda: tuple(reader.names.search(name)))


def _found(reader: Reader, matches: tuple[Match, ...], query: EntityQuery) -> list[Entity]:
    score = {match.id: match.score for match in matches}
    rows = _rows(reader, sorted(score))
    kept = [
        _entity(row, {**_known(row), "match_score": score[row["entity_id"]]})
        for row in rows
        if query.confidence_min is None or row["confidence"] >= query.confidence_min
    ]
    # D30: the exact name first; D3: then score, then name.
    return sorted(
        kept,
        key=lambda e: (e.entity_name != query.name, -e.extra["match_score"], e.entity_name),
    )


def _listed(reader: Reader, query: EntityQuery) -> Page[Entity]:
    def resolve() -> Ids:
        if query.confidence_min is None:
            return np.arange(reader.snapshot.entities, dtype=np.int32)  # ids are ranks
        sql = "SELECT entity_id FROM entities WHERE confidence >= ? ORDER BY entity_id"
        return reader.ids(sql, [query.confidence_min])

    ids = reader.remembered(("entities listed", query.confidence_min), resolve)
    part = ids[query.offset : query.offset + query.per_page].tolist()
    items = tuple(_entity(row, _known(row)) for row in _rows(reader, part))
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def _rows(reader: Reader, ids: list[int]) -> list[dict[str, Any]]:
    """Entities of ascending ids, in that order."""
    if not ids:
        return []
    first, last = ids[0], ids[-1]
    # A page of neighbours, as without a filter, needs no list.
    neighbours = last - first + 1 == len(ids)
    where = "entity_id BETWEEN ? AND ?" if neighbours else among("entity_id")
    sql = f"SELECT {_COLUMNS} FROM entities WHERE {where} ORDER BY entity_id"
    return reader.records(sql, [first, last] if neighbours else [ids])


def _known(row: dict[str, Any]) -> dict[str, Any]:
    """What extension fields hold of every entity."""
    known = {"kind": row["kind"], "party_id": row["party_id"]}
    if row["loans_by_role"]:
        known["loans_by_role"] = row["loans_by_role"]
    return known


def _entity(row: dict[str, Any], extra: dict[str, Any]) -> Entity:
    return Entity.model_construct(
        entity_name=row["entity_name"],
        confidence=row["confidence"],
        confidence_tier=row["confidence_tier"],
        related_loan_count=row["related_loan_count"],
        extra=extra,
    )

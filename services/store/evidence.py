"""What one edge rests on, and what is known of one party, out of a snapshot."""

from typing import Any, Final

import numpy as np

from services.contract.errors import NotFound
from services.contract.evidence import (
    SCHEMES,
    EdgeEvidence,
    EdgeQuery,
    Particular,
    PartyEvidence,
    Witness,
    confidence,
)
from services.contract.queries import shortened

from .database import among
from .entities import entity_id
from .loans import loan_id
from .reader import Reader

_CITED: Final = "s.title AS source, s.as_of, s.provenance, file, record, element, since, until"
_WITNESSES: Final = (
    f'SELECT edge_id, method, "match", said, {_CITED} FROM witnesses JOIN sources s'
    f" USING (source_id) WHERE {among('edge_id')}"
    " ORDER BY source_id, edge_id, file NULLS LAST, record NULLS LAST, element NULLS LAST, said"
)
_PARTICULARS: Final = (
    f'SELECT about, scheme, "value", {_CITED} FROM particulars JOIN sources s USING (source_id)'
    " WHERE entity_id = ?"
    " ORDER BY list_position(['name', 'identifier', 'address', 'jurisdiction'], about) NULLS LAST,"
    ' list_position(?::VARCHAR[], scheme) NULLS LAST, "value", source_id, file, record, element'
)
_PARTY: Final = "SELECT entity_id, entity_name, party_id FROM entities WHERE entity_id = ?"
#: By any spelling, identifier or id; the first by name where several bear it.
_CALLED: Final = """
SELECT min(entity_id) FROM (
    SELECT entity_id FROM entities WHERE party_id = $word
    UNION ALL
    SELECT entity_id FROM particulars
    WHERE "value" = $word AND about IN ('name', 'identifier')
)
"""


def edge_evidence(reader: Reader, query: EdgeQuery) -> EdgeEvidence:
    """Every witness of an edge, the surest first. Raises NotFound."""
    graph = reader.graph
    if query.from_loan is not None:
        start = loan_id(reader, query.from_loan)
    else:
        start = graph.loan_count + entity_id(reader, str(query.from_entity))
    end = graph.loan_count + entity_id(reader, query.to_entity)
    places = graph.joining(np.array([start], np.int32), np.array([end], np.int32))
    edges = [
        edge
        for edge in graph.edge[places].tolist()
        if graph.edge_from[edge] == start and query.relation in (None, graph.relation(edge))
    ]
    if not edges:
        relation = f" '{shortened(query.relation)}'" if query.relation else ""
        raise NotFound(
            f"No edge{relation} leads from '{shortened(graph.name(start))}'"
            f" to '{shortened(graph.name(end))}'"
        )
    found = [_witness(reader, row) for row in reader.records(_WITNESSES, [edges])]
    found.sort(key=lambda one: -one.confidence)
    return EdgeEvidence(source=graph.name(start), target=graph.name(end), witnesses=tuple(found))


def _witness(reader: Reader, row: dict[str, Any]) -> Witness:
    edge = row.pop("edge_id")
    share = float(reader.shares[edge])
    return Witness(
        **row,
        relation=reader.graph.relation(edge),
        confidence=confidence(row["method"], row["match"]),
        share=None if np.isnan(share) else share,
    )


def party_evidence(reader: Reader, entity_name: str) -> PartyEvidence:
    """Who a party is. Raises NotFound."""
    try:
        number = entity_id(reader, entity_name)
    except NotFound:
        found = called(reader, entity_name)
        if found is None:
            raise
        number = found
    [row] = reader.records(_PARTY, [number])
    known = reader.records(_PARTICULARS, [number, list(SCHEMES)])
    return PartyEvidence(
        entity_name=row["entity_name"],
        party_id=row["party_id"],
        particulars=tuple(Particular(**one) for one in known),
    )


def called(reader: Reader, word: str) -> int | None:
    """Id of the entity with this other spelling, identifier or id; None without one."""
    found: int | None = reader.rows(_CALLED, {"word": word})[0][0]
    return found

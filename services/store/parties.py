"""One entity whole: its loans in parts, owners above, holdings below, signals on its loans."""

from typing import Any, Final

from services.contract.aggregates import EntityDossier, PartyLink, Share, Slice
from services.contract.errors import NotFound
from services.contract.queries import Query, shortened
from services.contract.records import Page, Signal

from . import evidence
from .notes import ADDED, LOANS
from .ownership import MAX_LEVELS
from .reader import Reader
from .signals import page_of

#: A sponsor of the largest kind has thousands of holdings; a page shows the first of each level.
MOST_LINKS: Final = 200
_ENTITY: Final = (
    "SELECT entity_id, entity_name, kind::VARCHAR AS kind, confidence,"
    " confidence_tier::VARCHAR AS confidence_tier, coalesce(loans_by_role, MAP {}) AS loans_by_role"
    " FROM entities WHERE entity_name = ?"
)
_OWN: Final = "FROM entity_loans e JOIN loans l USING (loan_id)"
_BOOK: Final = (
    f"SELECT {LOANS} AS loans, coalesce(sum(l.book_value) {ADDED}, 0)::BIGINT AS book_value"
    f" {_OWN} WHERE e.entity_id = ?"
)
_SLICES: Final = (
    f"SELECT {{word}} AS word, {LOANS} AS loans,"
    f" coalesce(sum(l.book_value) {ADDED}, 0)::BIGINT AS book_value"
    f" {_OWN} LEFT JOIN lenders d USING (lender_id) WHERE e.entity_id = ?"
    " GROUP BY 1 ORDER BY book_value DESC, loans DESC, word NULLS LAST"
)
_WORDS: Final = {
    "by_state": "l.property_state::VARCHAR",
    "by_property_type": "l.property_type::VARCHAR",
    "by_lender": "d.lender",
}
_SEVERITIES: Final = (
    "SELECT g.severity::VARCHAR, count(*) FROM entity_loans e JOIN signals g USING (loan_id)"
    " WHERE e.entity_id = ? GROUP BY g.severity ORDER BY g.severity DESC"
)
_WORST: Final = (
    "SELECT max(s.worst_severity)::VARCHAR FROM entity_loans e JOIN screened s USING (loan_id)"
    " WHERE e.entity_id = ?"
)
_SIGNAL_IDS: Final = (
    "SELECT g.signal_id FROM entity_loans e JOIN signals g USING (loan_id)"
    " WHERE e.entity_id = ? ORDER BY g.severity DESC, g.signal_id"
)
_KINDS: Final = (
    "SELECT entity_id, kind::VARCHAR, related_loan_count FROM entities"
    " WHERE entity_id IN (SELECT unnest(?::INTEGER[]))"
)


def entity(reader: Reader, entity_name: str) -> EntityDossier:
    """One entity whole, by its exact name. Raises NotFound."""
    return reader.remembered(("entity", entity_name), lambda: _entity(reader, entity_name))


def _entity(reader: Reader, entity_name: str) -> EntityDossier:
    row = found(reader, entity_name)
    number = row.pop("entity_id")
    owners, _ = _links(reader, number, up=True)
    holdings, total = _links(reader, number, up=False)
    slices: dict[str, tuple[Slice, ...]] = {
        name: tuple(Slice(**one) for one in reader.records(_SLICES.format(word=word), [number]))
        for name, word in _WORDS.items()
    }
    return EntityDossier(
        **row,
        book=Share(**reader.records(_BOOK, [number])[0]),
        by_state=slices["by_state"],
        by_property_type=slices["by_property_type"],
        by_lender=slices["by_lender"],
        worst=reader.rows(_WORST, [number])[0][0],
        signals_by_severity=dict(reader.rows(_SEVERITIES, [number])),
        owners=owners,
        holdings=holdings,
        holdings_total=total,
    )


def signals_of_entity(reader: Reader, entity_name: str, query: Query) -> Page[Signal]:
    """Signals on an entity's loans, worst first, then by loan_number. Raises NotFound."""
    number = found(reader, entity_name)["entity_id"]
    ids = reader.remembered(
        ("signals of entity", number), lambda: reader.ids(_SIGNAL_IDS, [number])
    )
    return page_of(reader, ids, query)


def found(reader: Reader, entity_name: str) -> dict[str, Any]:
    """The entity of this name, or of this other spelling or id: its columns. Raises NotFound."""
    rows = reader.records(_ENTITY, [entity_name])
    if not rows and (other := evidence.called(reader, entity_name)) is not None:
        rows = reader.records(_ENTITY, [reader.graph.name(reader.graph.loan_count + other)])
    if not rows:
        raise NotFound(f"No entity has the name '{shortened(entity_name)}'")
    return rows[0]


def near_entities(reader: Reader, entity_name: str, limit: int) -> list[str]:
    """Names written most like an unknown one, best first."""
    near = reader.names.search(entity_name)[:limit]
    return [reader.graph.name(reader.graph.loan_count + match.id) for match in near]


def _links(reader: Reader, number: int, *, up: bool) -> tuple[tuple[PartyLink, ...], int]:
    """Ownership links level by level, each party once, MOST_LINKS at most; and how many in all."""
    graph = reader.graph
    step = graph.step if up else graph.entering
    start = graph.loan_count + number
    seen = {start}
    level_nodes = [start]
    links: list[tuple[int, int, int, int]] = []
    for level in range(1, MAX_LEVELS):
        reached = []
        for node in level_nodes:
            for edge, other in step(node, "owned_by"):
                if other not in seen:
                    seen.add(other)
                    reached.append(other)
                    links.append((level, edge, node, other))
        if not reached:
            break
        level_nodes = reached
    shown = links[:MOST_LINKS]
    ids = [other - graph.loan_count for *_, other in shown]
    kinds = {row[0]: row[1:] for row in reader.rows(_KINDS, [ids])} if ids else {}
    parties = tuple(
        PartyLink(
            entity_name=graph.name(other),
            kind=kinds[other - graph.loan_count][0],
            level=level,
            of=graph.name(node),
            confidence=float(graph.edge_confidence[edge]),
            share=None if (part := float(reader.shares[edge])) != part else part,
            related_loan_count=kinds[other - graph.loan_count][1],
        )
        for level, edge, node, other in shown
    )
    return parties, len(links)

"""Entities: what to search for, how the result reads, what to say when there is none."""

from typing import TYPE_CHECKING, ClassVar, Final

import streamlit as st

from components.entities.comparison import Few, Names
from components.frame import address, exports, filter_bar, filters, links, paging, session, states
from components.frame.routes import ENTITIES
from components.kit.formatting import count
from services.contract.paging import every
from services.contract.queries import EntityQuery
from services.contract.records import Entity

if TYPE_CHECKING:
    import pyarrow as pa

FILTERS: Final = (filters.NAME, filters.RESOLUTION_CONFIDENCE)
#: A search by name answers with this many at the most (D37).
MOST_MATCHES: Final = 200
_COLUMNS: Final = ("entity_name", "kind", "match_score", "confidence", "confidence_tier",
                   "related_loan_count")  # fmt: skip


class EntityView(Names, EntityQuery):
    """The names asked for, and those that are ticked for a comparison."""

    compare: Few | None = None

    slicing: ClassVar[frozenset[str]] = EntityQuery.slicing | {"compare"}

    def query(self) -> EntityQuery:
        """What is asked for, however it is looked at."""
        return self.part(EntityQuery)


def entity_view() -> EntityView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(EntityView, ENTITIES, paging.check)
    if asked is None:
        return None
    chosen = filter_bar.bar(FILTERS, EntityQuery)
    looks = {name: st.session_state[name] for name in EntityView.slicing}
    view = address.held(asked, chosen | looks)
    address.settle(view)
    return view


def sentence(query: EntityQuery, total: int) -> str:
    """How many of what: 12 names at or over the match cut-off for “meridian”."""
    what = "name" if total == 1 else "names"
    if query.name is None:
        said = f"All names: {count(total)}" if query.confidence_min is None else ""
        said = said or f"{count(total)} {what}"
    else:
        best = "The best " if total == MOST_MATCHES else ""  # D37: the search ends there
        said = f"{best}{count(total)} {what} at or over the match cut-off for “{query.name}”"
    if query.confidence_min is None:
        return said
    return f"{said} with a resolution confidence of at least {query.confidence_min:g}"


def nothing(query: EntityQuery) -> None:
    """No name matches, and what to try."""
    states.no_match(f"{sentence(query, 0)}.", ENTITIES)
    if query.name and query.confidence_min is not None:
        links.link(
            ENTITIES,
            f"Search “{query.name}” at any confidence",
            "filter_alt_off",
            {"name": query.name},
        )


def export(query: EntityQuery, total: int) -> exports.Export:
    """Every name that matches, all pages; scores as fractions, empty where not known."""
    import pyarrow as pa

    whole = query.at(1).model_copy(update={"per_page": 100})
    rows = [_row(one) for one in every(session.source().entities, whole, limit=total)]
    table = pa.table({name: [row[name] for row in rows] for name in _COLUMNS}, schema=_schema())
    return exports.of_table("entities", sentence(query, total), exports.origin(live=True), table)


def _schema() -> "pa.Schema":
    import pyarrow as pa

    kinds = (pa.string(), pa.string(), pa.float64(), pa.float64(), pa.string(), pa.int64())
    return pa.schema(list(zip(_COLUMNS, kinds, strict=True)))


def _row(one: Entity) -> dict[str, object]:
    """Its columns; what an extension field holds of another type than ours is left out."""
    kind, match = one.extra.get("kind"), one.extra.get("match_score")
    return {
        **one.model_dump(exclude={"extra"}),
        "kind": kind if isinstance(kind, str) else None,
        "match_score": match if isinstance(match, float) else None,
    }

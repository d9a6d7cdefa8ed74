"""Entities: what to search for, how the result reads, what to say when there is none."""

import csv
import io
from typing import Final

import streamlit as st

from components.frame import address, links, paging, session, states
from components.frame.exports import safe
from components.frame.routes import ENTITIES
from components.kit.formatting import count
from services.contract.paging import every
from services.contract.queries import EntityQuery
from services.contract.records import Entity

#: A search by name answers with this many at the most (D37).
MOST_MATCHES: Final = 200
_COLUMNS: Final = ("entity_name", "kind", "match_score", "confidence", "confidence_tier",
                   "related_loan_count")  # fmt: skip


def entity_query() -> EntityQuery | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    if address.asked(EntityQuery, ENTITIES, paging.check) is None:
        return None
    left, right, _ = st.columns([2.2, 1, 1.4], gap="small")
    with left:
        st.text_input(
            "Name",
            key="name",
            type="search",
            max_chars=200,
            placeholder="Any name; empty lists all",
            help="Typing errors, word order, accents, case and LLC do not count. A search weighs "
            "the few hundred likeliest names; a longer name finds more precisely.",
            on_change=address.first_page,
        )
    with right:
        st.number_input(
            "Resolution confidence from",
            key="confidence_min",
            value=None,
            min_value=0.0,
            max_value=1.0,
            step=0.05,
            format="%g",
            placeholder="Any, 0 to 1",
            help="How sure the source is that the records are of one party.",
            on_change=address.first_page,
        )
    values = {name: st.session_state[name] for name in EntityQuery.model_fields}
    name = values.pop("name")
    query = EntityQuery(**values, name=name if name and name.strip() else None)
    address.settle(query)
    return query


def sentence(query: EntityQuery, total: int) -> str:
    """How many of what: 12 names at or over the match cut-off for “meridian”."""
    what = "name" if total == 1 else "names"
    if query.name is None:
        text = f"All names: {count(total)}" if query.confidence_min is None else ""
        text = text or f"{count(total)} {what}"
    else:
        best = "The best " if total == MOST_MATCHES else ""  # D37: the search ends there
        text = f"{best}{count(total)} {what} at or over the match cut-off for “{query.name}”"
    if query.confidence_min is None:
        return text
    return f"{text} with a resolution confidence of at least {query.confidence_min:g}"


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


def matches_csv(query: EntityQuery, total: int) -> bytes:
    """Every name that matches, all pages, as CSV; scores as fractions, empty where not known."""
    snapshot = session.analytics().snapshot()
    whole = query.at(1).model_copy(update={"per_page": 100})
    rows = [_cells(one) for one in every(session.source().entities, whole, limit=total)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for name, value in (
        ("Credit Atlas", "entities"),
        ("Shown", sentence(query, total)),
        ("Rows", str(len(rows))),
        ("As of", snapshot.as_of.isoformat()),
        ("Source", "; ".join(source.title for source in snapshot.sources)),
        ("Snapshot", snapshot.snapshot_id),
    ):
        writer.writerow((f"# {name}", safe(value)))
    writer.writerow(_COLUMNS)
    writer.writerows(rows)
    return out.getvalue().encode()


def _cells(one: Entity) -> tuple[str, ...]:
    values = dict(one.extra) | one.model_dump(exclude={"extra"})
    return tuple("" if (v := values.get(name)) is None else safe(str(v)) for name in _COLUMNS)

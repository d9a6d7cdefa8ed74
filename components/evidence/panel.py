"""What the links of a view rest on, once opened; the address says whether it is."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

import streamlit as st

from components.evidence import words
from components.frame import address, exports, session, states
from components.kit import file_name, tables, text
from components.kit.formatting import count
from services.contract import endpoints
from services.contract.errors import NotFound
from services.contract.evidence import EdgeEvidence, EdgeQuery, Evidence, PartyEvidence, Witness

#: Links whose evidence is asked for at once.
_MOST: Final = 25


def of_edges(edges: Sequence[EdgeQuery], shown: str) -> None:
    """A line that opens on the witnesses of the edges; the view of the page has the field
    `evidence`. `shown` says whose edges they are. Nothing where only an API is asked.
    """
    if not edges or not session.mirrored():
        return
    opened = st.expander(text.label("What these links rest on"), **address.widget("evidence"))
    if opened.open:
        with opened, states.panel(endpoints.ENTITIES):
            _witnesses(edges, shown)


def _witnesses(edges: Sequence[EdgeQuery], shown: str) -> None:
    found = [one for edge in edges[:_MOST] if (one := _asked(edge))]
    rows = words.rows(found)
    with st.container(horizontal=True, vertical_alignment="center"):
        of = f" Of the first {_MOST} of {count(len(edges))}." if len(edges) > _MOST else ""
        text.caption(f"{words.summed(found)}{of}", width="content")
        make = partial(_export, tuple(found), shown)
        exports.download(make, len(rows), file_name.stem("Evidence", shown), alone=True)
    for sentence in words.disagreements(found):
        text.notice("warning", sentence, "rule")
    tables.plain(rows, f"Evidence: {shown}", figures=("Confidence", "Share"), scrolls=True)


def _asked(edge: EdgeQuery) -> EdgeEvidence | None:
    """None for an edge that the mirror of an API has not."""
    try:
        return session.ask(Evidence.edge_evidence, edge)
    except NotFound:
        return None


def _export(found: tuple[EdgeEvidence, ...], shown: str) -> exports.Export:
    rows = [
        {"from": edge.source, "to": edge.target, **one.model_dump()}
        for edge in found
        for one in edge.witnesses
    ]
    kinds: dict[str, type] = dict.fromkeys(("from", "to", *Witness.model_fields), str)
    kinds |= dict.fromkeys(("as_of", "since", "until"), date)
    kinds |= dict.fromkeys(("match", "confidence", "share"), float)
    return exports.of_rows("evidence", shown, rows, kinds)


def of_party(entity_name: str) -> PartyEvidence | None:
    """Who a party is; None where nobody says more than its name."""
    found = session.ask(Evidence.party_evidence, entity_name)
    return found if found.particulars else None


def identity(found: PartyEvidence) -> None:
    """Its id, other spellings, identifiers and addresses, each with its source."""
    text.caption(f"Its id here, the same after every import: {found.party_id}")
    tables.plain(words.known(found), f"Who {found.entity_name} is", scrolls=True)

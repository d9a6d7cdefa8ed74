"""Pairs of parties that may be one: what says so, and what users say of it (D229)."""

from functools import partial
from typing import Final

import streamlit as st

from components.desk import writing
from components.frame import exports, licence, session, states, visitor
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import count, score
from services.contract.endpoints import ENTITIES
from services.contract.paging import every
from services.contract.resolution import Decided, Matches, MatchQuery, Pair, ProposedMatch, Verdict
from services.contract.snapshot_info import Snapshot

_PAIR: Final = "match pair"
#: Pairs that the page shows; the file holds all.
_SHOWN: Final = 100


def review(snapshot: Snapshot) -> None:
    """The pairs, the surest first, and the buttons for one of them."""
    if not licence.opens(ENTITIES):
        return
    writing.outcome()
    page = session.ask(Matches.matches_of, MatchQuery(per_page=_SHOWN))
    with card(f"Parties that may be one: {count(page.total)}", level=2):
        if not page.items:
            states.nothing("No two parties of the sources look like one.")
            return
        decided = writing.read(visitor.desk().decided, said=False)
        said = {one.pair: one for one in decided or ()}
        rows = [_row(one, said.get(one.pair)) for one in page.items]
        tables.plain(rows, "Parties that may be one", figures=("Score",), scrolls=True)
        text.caption(
            "From 0.90 with one address two parties are held as one. What you say here counts from "
            "the next import or rebuild on, for everybody."
        )
        if page.total > _SHOWN:
            text.caption(f"The {_SHOWN} surest of {count(page.total)}.")
        exports.download(partial(export, snapshot), page.total, "credit-atlas-matches")
        if decided is not None and visitor.who().may("match"):
            _decide(page.items, said)


def _row(one: ProposedMatch, said: Decided | None) -> dict[str, str]:
    return {
        "Party": one.first,
        "Other": one.second,
        "Score": score(one.score),
        "Tier": one.tier,
        "Held as one": "yes" if one.joined else "no",
        "Said": f"{said.verdict} by {said.by}" if said else "",
        "Because": " ".join(one.reasons),
        "Sources": ", ".join(one.sources),
    }


def _decide(found: tuple[ProposedMatch, ...], said: dict[Pair, Decided]) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        at = st.selectbox(
            "Pair",
            range(len(found)),
            index=None,
            format_func=lambda at: text.line(f"{at + 1}. {found[at].first} = {found[at].second}"),
            placeholder="Choose a pair",
            key=_PAIR,
            width=420,
        )
        pair = None if at is None else found[at].pair
        stands = said[pair].verdict if pair in said else None
        _button("Accept", pair, "accepted", off=pair is None or stands == "accepted")
        _button("Reject", pair, "rejected", off=pair is None or stands == "rejected")
        _button("Undo", pair, None, off=stands is None)


def _button(label: str, pair: Pair | None, verdict: Verdict | None, *, off: bool) -> None:
    def write() -> None:
        if pair:
            visitor.desk("match").decide(visitor.who().name, pair, verdict)
            writing.done(f"{label}: kept; it counts from the next import or rebuild on.")

    writing.button(label, write, key=f"match {label}", off=off)


def export(snapshot: Snapshot) -> exports.Export:
    """All pairs."""
    import pyarrow as pa

    asked = MatchQuery(per_page=_SHOWN)
    table = pa.Table.from_pylist(
        [
            one.model_dump() | {"reasons": " ".join(one.reasons), "sources": ", ".join(one.sources)}
            for one in every(lambda query: session.ask(Matches.matches_of, query), asked)
        ]
    )
    of = exports.of_snapshot(snapshot)
    return exports.of_table("matches", "All pairs that may be one", of, table)

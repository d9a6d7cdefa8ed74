"""How many loans have each fact, of all sources or of one; words that have no known rank."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from components.frame import address, exports, routes, session, states
from components.kit import fields, tables, text
from components.kit.card import card
from components.kit.formatting import count, day, share
from components.sources import view
from services.contract.aggregates import FillRate
from services.contract.facts import FACT
from services.contract.snapshot_info import LoadedSource, Snapshot
from services.contract.source import Inventory


def panel(snapshot: Snapshot) -> None:
    """The fill rates beside the words without a rank; which source stands in the address."""
    left, right = st.columns(2, gap="small")
    with left, card("Loans that have each field", level=2):
        if asked := address.asked(view.SourcesView, routes.SOURCES, view.check(snapshot)):
            _filled(asked, snapshot)
    with right, card("Words without a known rank", level=2):
        _unranked(session.ask(Inventory.unranked_words))


def _filled(asked: view.SourcesView, snapshot: Snapshot) -> None:
    source = _chosen(asked, snapshot)
    rates = session.ask(Inventory.fill_rates)
    if source is None:
        rows = [_row(one) for one in rates]
    elif not source.loans:
        states.nothing("This source states no loans of its own.")
        return
    else:
        whole, rates = rates, session.ask(Inventory.fill_rates, source.key)
        rows = [
            _row(one, share(of_all.filled, of_all.loans))
            for one, of_all in zip(rates, whole, strict=True)
        ]
    tables.sheet(rows, "Fill rates", prose=("Missing where",), scrolls=True)
    make = partial(export, tuple(rates), source, snapshot)
    exports.download(make, len(rates), "credit-atlas-filled")


def _chosen(asked: view.SourcesView, snapshot: Snapshot) -> LoadedSource | None:
    """The source that is looked at; None: all. Of one source nothing is chosen."""
    by_key = {one.key: one for one in snapshot.sources}

    def labelled(key: str) -> str:
        one = by_key[key]
        return text.line(f"{one.title}, {day(one.as_of)}, {count(one.loans)} loan records")

    if len(by_key) > 1:
        st.selectbox(
            "Source",
            list(by_key),
            index=None,
            format_func=labelled,
            placeholder="All sources",
            width=420,
            **address.widget("source"),
        )
    shown = address.settled(asked, {}, ("source",))
    return by_key[shown.source] if shown.source is not None else None


def _row(rate: FillRate, of_all: str | None = None) -> dict[str, str]:
    fact = FACT.get(rate.field)
    # Blank where no loan lacks it, or where it is a fact no more.
    missing = fact.missing if fact and rate.filled < rate.loans else ""
    return {
        "Field": fields.label(rate.field),
        "Loans": count(rate.filled),
        "Filled": share(rate.filled, rate.loans),
        **({} if of_all is None else {"Of all sources": of_all}),
        "Missing where": missing,
    }


def _unranked(unranked: Mapping[str, Mapping[str, int]]) -> None:
    listed = [
        {"Field": fields.label(field), "Word": word, "Loans": count(times)}
        for field, found in unranked.items()
        for word, times in found.items()
    ]
    if listed:
        tables.plain(listed, "Unranked words", figures=("Loans",))
        states.nothing("Shown as they came, sorted last, outside maps and matrices.")
    else:
        states.nothing("Every word of the sources has a known rank or meaning.")


def export(
    rates: tuple[FillRate, ...], source: LoadedSource | None, snapshot: Snapshot
) -> exports.Export:
    """How many loans have each field, of one source or of all."""
    rows = [one.model_dump() for one in rates]
    shown = f"Loans of {source.title}" if source else "Loans of all sources"
    return exports.of_rows("filled fields", shown, rows, of=exports.of_snapshot(snapshot))

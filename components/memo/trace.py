"""Where a figure of the dossier comes from: opened beside the name; the address says which."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

import streamlit as st

from components.frame import address, exports, session, states
from components.kit import file_name, tables, text
from components.kit.card import opening
from components.kit.formatting import MISSING, count
from components.memo import wording
from services.contract import endpoints
from services.contract.citations import Citation, Citations, LoanCitations


def panel(number: str) -> None:
    """A button that opens on the figure chosen, its inputs, and all figures as a table and a file;
    the view of the page has the fields `tracing` and `trace`. Nothing where only an API is asked.
    """
    if not session.mirrored():
        return
    opened = st.popover(
        "Sources",
        icon=":material/manage_search:",
        help="Where each figure comes from",
        **address.widget("tracing"),
    )
    if opened.open:
        with opened, states.panel(endpoints.LOANS):
            _opened(session.ask(Citations.citations, number))


def _opened(found: LoanCitations) -> None:
    by_key = found.by_key()
    if st.session_state["trace"] not in by_key:
        st.session_state["trace"] = None
    chosen = st.selectbox(
        "Figure",
        list(by_key),
        format_func=lambda key: text.line(f"{by_key[key].label}: {wording.value(by_key[key])}"),
        placeholder="Choose a figure",
        **address.widget("trace"),
    )
    if chosen is not None:
        _one(by_key[chosen], found)
    opening("All figures of this loan", "all_citations", partial(_all, found))


def _one(one: Citation, found: LoanCitations) -> None:
    tables.facts(wording.pairs(one), f"Where {one.label} comes from")
    by_key = found.by_key()
    inputs = [
        {
            "Input": text.line(given.name),
            "Value": f"{given.value:,.10g}",
            "Comes from": text.line(given.said) or _source(by_key, given.of),
        }
        for given in one.inputs
    ]
    tables.plain(inputs, f"Inputs of {one.label}", figures=("Value",))


def _source(by_key: Mapping[str, Citation], key: str | None) -> str:
    return wording.where(by_key[key]) if key in by_key and key else MISSING


def _all(found: LoanCitations) -> None:
    rows = [wording.row(one) for one in found.citations]
    shown = f"figures of {found.loan_number}"
    with st.container(horizontal=True, vertical_alignment="center"):
        text.caption(f"{count(len(rows))} figures, each with its source.", width="content")
        stem = file_name.stem("Citations", found.loan_number)
        exports.download(partial(export, (found,), shown), len(rows), stem, alone=True)
    tables.plain(rows, f"Where the {shown} come from", figures=("Value",), scrolls=True)


def export(listed: Sequence[LoanCitations], shown: str) -> exports.Export:
    """Citations of loans as rows to take away: whole, so that each figure can be computed again."""
    rows = [
        {
            "loan_number": found.loan_number,
            **one.model_dump(exclude={"places", "inputs", "value"}),
            "value": None if one.value is None else str(one.value),
            "raw": "; ".join(place.raw for place in one.places),
            "element": "; ".join(place.element for place in one.places),
            "record": "; ".join(place.record for place in one.places),
            "inputs": "; ".join(f"{given.name} = {given.value:.15g}" for given in one.inputs),
        }
        for found in listed
        for one in found.citations
    ]
    names = [name for name in Citation.model_fields if name not in {"places", "inputs", "value"}]
    names = ["loan_number", *names, "value", "raw", "element", "record", "inputs"]
    kinds = dict.fromkeys(names, str) | {"as_of": date}
    return exports.of_rows("citations", shown, rows, kinds)

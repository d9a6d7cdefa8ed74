"""The check sheet: which filing of which source, and the total that it is to tie out to."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import streamlit as st
from pydantic import Field as Limits

from components.frame import address, field_bar, fields, session
from components.frame.fields import Field, Number, One
from components.frame.filters import MOST_DOLLARS
from components.frame.routes import CHECK_SHEET
from components.kit.formatting import day
from services.contract import queries
from services.contract.check_sheet import CheckedFiling, CheckSheets
from services.contract.queries import Day, Exact, Query

#: Pixels of a field that is alone.
_ALONE: Final = 420
#: Cents of it count.
_TOTAL: Final = Number(
    label="Total to tie out", empty="US dollars", low=0, high=MOST_DOLLARS,
    step=1, digits=2,
    help="As the trustee reports it: compared with the sum of each kind of balance.",
)  # fmt: skip


class CheckSheetView(Query):
    """The filing asked for."""

    #: Key of a source; None: the only one, or a list of all.
    source: Exact | None = None
    #: None: its newest filing.
    as_of: Day | None = None
    total: Annotated[queries.Number, Limits(ge=0, le=MOST_DOLLARS)] | None = None


def check_sheet_view(newest: Sequence[CheckedFiling]) -> CheckSheetView | None:
    """What the address asks for, with its fields; None when the address is at fault. `newest` has
    one filing of each source. The source is None only where there are several and none is chosen.
    """
    titles = {one.source: one.title for one in newest}
    only = next(iter(titles)) if len(titles) == 1 else None
    asked = address.asked(
        CheckSheetView,
        CHECK_SHEET,
        lambda view: fields.check(_fields(titles, view.source or only), view),
    )
    if asked is None:
        return None
    offered = _fields(titles, st.session_state["source"] or only)
    if "as_of" in offered and offered["as_of"].fault(st.session_state["as_of"]):
        st.session_state["as_of"] = None  # the date of another source, which was chosen before
    chosen = field_bar.draw(
        offered,
        key="filing",
        label="Filing",
        folds=True,
        width="stretch" if "as_of" in offered else _ALONE,
    )
    view = address.settled(asked, chosen, ())
    return view.model_copy(update={"source": view.source or only})


def _fields(titles: dict[str, str], source: str | None) -> dict[str, Field[Any]]:
    """The fields that can be filled in: of no source neither date nor total."""
    key: One[str] = One(
        label="Source",
        empty="Newest filing of each",
        words={key: key for key in titles},
        write=lambda key: titles[key],
    )
    found: dict[str, Field[Any]] = {"source": key} if len(titles) > 1 else {}
    if source in titles:
        filings = session.ask(CheckSheets.checked_filings, source)
        words = {one.as_of.isoformat(): one.as_of for one in filings}
        found["as_of"] = One(
            label="Filing",
            empty="Newest",
            words=words,
            write=lambda word: day(words[word]),
        )
        found["total"] = _TOTAL
    return found

"""The report of a result, made when it is asked for."""

from typing import Final

import streamlit as st

from components.frame import exports, recording, session
from components.kit import text
from components.kit.typesetting import typeset
from components.report.contents import contents
from services.contract.loan_filter import LoanFilter

#: Session key of the report that is ready, with what it was asked for.
_READY: Final = "report_ready"
_FILE: Final = "credit-atlas-report.pdf"


def report(query: LoanFilter, shown: str) -> None:
    """A button that makes the report, with its progress, and then one that gives it.

    `shown` says which loans they are. Over an API without its mirror there is none,
    nor for somebody whose role takes nothing away.
    """
    if exports.why_not() or recording.refusal():
        return  # what is taken away as a table says why
    snapshot = session.analytics().snapshot().snapshot_id
    asked = (snapshot, query.without("order").at(1))
    if st.button("Report", icon=":material/picture_as_pdf:", help="A PDF to print or to send."):
        bar = st.progress(0.0, text="Reading")

        def show(what: str, part: float) -> None:
            bar.progress(part, text=text.label(what))

        found = typeset("report.typ", contents(session.analytics(), query, shown, show), "pdf")
        bar.empty()
        st.session_state[_READY] = (asked, found)
    ready = st.session_state.get(_READY)
    if ready and ready[0] == asked:
        made = ready[1]
        exports.report(_FILE, "PDF", lambda: made, shown, "Download report")

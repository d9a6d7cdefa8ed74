"""The report of a result, made when it is asked for."""

from typing import Final

from components.frame import exports, recording, session
from components.kit.typesetting import typeset
from components.report.contents import contents
from services.contract.loan_filter import LoanFilter

_FILE: Final = "credit-atlas-report.pdf"


def report(query: LoanFilter, shown: str) -> None:
    """A button that makes the report and gives it: a PDF to print or to send.

    `shown` says which loans they are. Over an API without its mirror there is none,
    nor for somebody whose role may not export.
    """
    if exports.why_not() or recording.refusal():
        return  # what is exported as a table says why

    def made() -> bytes:
        return typeset("report.typ", contents(session.analytics(), query, shown), "pdf")

    exports.report(_FILE, "PDF", made, shown, "Report")

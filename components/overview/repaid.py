"""Loans that came due while filings were kept: how many were repaid in time, and which loans like
them are due next.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.frame import charts, exports, scope, session, states
from components.frame.ledger import ledger
from components.frame.routes import LOANS
from components.frame.switch import switch
from components.kit import file_name, tables, text
from components.kit.formatting import count, day, loan_count
from components.kit.intervals import Interval, drawn
from components.overview import repaid_rows
from components.overview.repaid_rows import Row
from components.overview.view import DueBy, OverviewView
from services.contract.distributions import FEW
from services.contract.loan_filter import LoanFilter
from services.contract.repayments import MaturityOutcomes, Outcome, RepaymentQuery, Repayments

_BY: Final[dict[DueBy, str]] = {
    "debt_yield": "By debt yield", "property_type": "By property type",
}  # fmt: skip
_GRACE: Final = {
    "0": "by the due date", "3": "within 3 months", "12": "within 12 months",
}  # fmt: skip
_MEANING: Final = (
    "Property type and debt yield are those of a loan's last filing at least 12 months before its "
    "due date; what became of it is read from the first filing on or after that date, or 3 or 12 "
    "months later. The due date is the effective maturity: the anticipated repayment date where "
    "there is one. Loans defeased in full or REO a year before are left out; fully amortising "
    "loans are not. The 95% interval is the exact one for that number of loans (Clopper-Pearson): "
    "it describes these filings and is no forecast."
)


def panel(view: OverviewView) -> None:
    """The share repaid of each row as chart and table, and both kinds of rows in a matrix."""
    within = scope.chosen()
    query = RepaymentQuery.model_validate({"scope": within, "grace": int(view.grace)})
    found = session.ask(MaturityOutcomes.repayments, query)
    shown = _GRACE[view.grace] + (f", within {within.name}" if within else "")
    with st.container(horizontal=True, vertical_alignment="center"):
        switch("due_by", "Rows", _BY)
        switch("grace", "Repaid", _GRACE)
        if found.cells:
            made = partial(repaid_rows.export, found.cells, shown)
            stem = file_name.stem("Repaid in time", shown)
            exports.download(made, len(found.cells), stem, alone=True)
    whole = Outcome.of(found.cells)
    if not whole.known:
        states.nothing(f"No filing says what became of a loan that came due.{_left(found, whole)}")
        return
    text.sentence(_said(found, whole, _GRACE[view.grace]))
    due_next = LoanFilter(scope=within, matures_within=repaid_rows.NEXT)
    rows = repaid_rows.rows(found.cells, view.due_by, due_next)
    by = _BY[view.due_by].lower()
    _drawn(rows, f"{by}, {shown}")
    ledger(
        repaid_rows.columns(view.due_by),
        rows,
        opens=lambda one: (LOANS, one.params),
        caption=f"Loans that came due, {by}",
    )
    tables.sheet(repaid_rows.matrix(found.cells), "Repaid, by property type and debt yield")
    text.caption(_MEANING)


def _drawn(rows: Sequence[Row], shown: str) -> None:
    """The share of each row on its interval; of one without a loan that came due nothing."""
    there = [(one.name, one.outcome, one.outcome.interval) for one in rows]
    points = [
        Interval(name, of.loans["repaid"] / of.known, *ends, repaid_rows.said(of))
        for name, of, ends in there
        if ends
    ]
    if points:
        charts.show(
            drawn(points, "Share repaid in time", ".0%"),
            key="repaid in time",
            what="Share repaid in time",
            shown=shown,
            alt="The share of loans that were repaid in time, on its interval of 95%; the same "
            "figures are in the table below",
        )


def _said(found: Repayments, whole: Outcome, grace: str) -> str:
    """How many of all were repaid, between which days they were due, and who is not counted."""
    loans = f"{count(whole.loans['repaid'])} of {loan_count(whole.known)}"
    said = f"Repaid {grace}: {loans} due from {day(found.first)} to {day(found.last)}"
    share = f", {repaid_rows.share_of(whole)}" if whole.known >= FEW else ""
    interval = repaid_rows.interval_of(whole)
    return f"{said}{share}, 95% interval {interval}.{_left(found, whole)}"


def _left(found: Repayments, whole: Outcome) -> str:
    """Who came due and is in no share."""
    parts = [
        (whole.loans["unknown"], "repurchased, defeased or without a stated ending"),
        (found.not_yet, "without a filing that late"),
        (found.no_notice, "without a filing a year before"),
    ]
    said = "; ".join(f"{count(loans)} {why}" for loans, why in parts if loans)
    return f" Not counted: {said}." if said else ""

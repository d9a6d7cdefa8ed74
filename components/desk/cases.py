"""The inbox of cases: mine, nobody's, due; what a rule opens; all of them as a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import ClassVar, Final, Literal

import streamlit as st

from components.desk import case, facts, writing
from components.frame import address, columns, exports, paging, session, visitor
from components.frame.ledger import Column, ledger
from components.frame.routes import CASES, LOAN
from components.frame.switch import switch
from components.kit import severity, text
from components.kit.formatting import MISSING, count, day, money
from services.cases.following import loans_now
from services.contract.cases import STATES, Case, CaseRule
from services.contract.desk import Seen
from services.contract.queries import Query, YesNo
from services.contract.records import Page
from services.contract.rounding import number_of
from services.contract.source import Dossiers
from services.contract.users import name_key
from services.contract.vocabulary import SEVERITIES

Show = Literal["all", "mine", "unassigned", "due"]
_LABELS: Final[dict[Show, str]] = {
    "all": "All",
    "mine": "Mine",
    "unassigned": "Unassigned",
    "due": "Overdue",
}
_RULE: Final = "case rule severity"
_CLOSES: Final = "case rule closes"


class CasesView(Query):
    """What the address of the inbox says."""

    show: Show = "all"
    #: Resolved ones too.
    resolved: YesNo = False

    slicing: ClassVar[frozenset[str]] = Query.slicing | {"show"}


@dataclass(frozen=True, slots=True)
class Row:
    """A case and its loan; None where the loan is gone from the book."""

    case: Case
    now: Seen | None
    overdue: bool

    @property
    def worst(self) -> str | None:
        """The loan's worst signal now."""
        found = self.now.facts.get("worst_severity") if self.now else None
        return found if isinstance(found, str) else None


def asked() -> CasesView | None:
    """What the address asks for; None when it is at fault."""
    return address.asked(CasesView, CASES, paging.check)


def all_cases() -> tuple[Case, ...]:
    """Every case of this source. Raises DeskUnavailable."""
    return visitor.desk().cases(session.label())


def switches(view: CasesView, found: Sequence[Case]) -> CasesView:
    """Whose cases, with or without the resolved ones; the view as it is chosen."""
    counts = {show: len(_of(found, view.model_copy(update={"show": show}))) for show in _LABELS}
    with st.container(horizontal=True, vertical_alignment="center"):
        options: dict[str, str] = {
            show: f"{said} {count(counts[show])}" for show, said in _LABELS.items()
        }
        switch("show", "Whose cases", options, address.first_page)
        st.toggle("With resolved ones", **address.widget("resolved", address.first_page))
    return address.settled(view, {}, CasesView.model_fields)


def _of(found: Sequence[Case], view: CasesView) -> list[Case]:
    me = name_key(visitor.user())
    asked = {
        "all": lambda _: True,
        "mine": lambda one: name_key(one.form.assignee or "") == me,
        "unassigned": lambda one: one.form.assignee is None,
        "due": _overdue,
    }[view.show]
    return [one for one in found if (view.resolved or one.form.state != "resolved") and asked(one)]


def _overdue(one: Case) -> bool:
    """By the calendar of who looks at it, as UTC has it."""
    due = one.form.due
    return one.form.state != "resolved" and due is not None and due < datetime.now(UTC).date()


def rows(found: Sequence[Case], view: CasesView) -> list[Row]:
    """Overdue ones first, then by day due, then the worst signal first. Raises MirrorMissing."""
    chosen = _of(found, view)
    now = facts.of_loans([one.loan_number for one in chosen])
    listed = [Row(one, now.get(one.loan_number), _overdue(one)) for one in chosen]
    return sorted(
        listed,
        key=lambda row: (
            row.case.form.due is None,
            str(row.case.form.due or ""),
            -severity.rank(row.worst),
            row.case.loan_number,
        ),
    )


def listed(page: Page[Row]) -> None:
    """A page of it: one row a case, which leads to its loan."""
    ledger(
        _COLUMNS,
        page.items,
        opens=lambda row: (LOAN, row.case.loan_number),
        caption="Cases",
    )
    paging.bar(page)


def _due(row: Row) -> str:
    due = row.case.form.due
    if due is None:
        return MISSING
    return f"{day(due)}, overdue" if row.overdue else day(due)


def _fact(row: Row, name: str) -> str:
    found = row.now.facts.get(name) if row.now else None
    return money(int(found)) if isinstance(found, int | float) else MISSING


_COLUMNS: Final[tuple[Column[Row], ...]] = (
    Column("loan", "Loan", lambda row: row.case.loan_number),
    Column("state", "State", lambda row: STATES[row.case.form.state], short=True),
    columns.worst(short=True),
    Column("owner", "Owner", lambda row: row.case.form.assignee or MISSING),
    Column("due", "Due", _due),
    Column("steps", "Checklist",
           lambda row: case.steps(row.case.form) if row.case.form.steps else MISSING),
    Column("reason", "Reason", lambda row: row.case.form.closing or row.case.form.reason,
           help="Why it was opened; of a resolved case why it was closed."),
    Column("book_value", "Book value", lambda row: _fact(row, "book_value"), figure=True),
    Column("opened", "Opened", lambda row: day(row.case.opened_at),
           help="By a person or by rule; the loan's page says by whom."),
)  # fmt: skip


def rule(found: Sequence[Case], *, off: bool) -> None:
    """Opens and closes cases by rule, once it is asked for."""
    if visitor.who().denied("case"):
        return
    with st.popover("Open by rule", icon=":material/rule:"):
        text.caption(
            "Opens a case for each loan whose worst signal is as bad as this or worse, opens again "
            "those that got worse, and closes, if you say so, what stayed under it."
        )
        st.selectbox(
            "From", list(reversed(SEVERITIES)), format_func=severity.label, key=_RULE, width=220
        )
        st.number_input(
            "Close after as-of dates in a row under it (0: never)", 0, 24, key=_CLOSES, width=220
        )
        if st.button("Look at all loans", disabled=off):
            writing.attempted(partial(_follow, found))
            st.rerun()


def _follow(found: Sequence[Case]) -> None:
    closes = st.session_state[_CLOSES] or None
    by = CaseRule(severity=st.session_state[_RULE], close_after=closes)
    now = loans_now(lambda *asked: session.ask(Dossiers.loans_watched, *asked), found, by)
    done = visitor.desk("case").follow_cases(visitor.user(), session.label(), now, by)
    writing.done(
        f"{number_of(done.opened, 'case')} opened, {count(done.reopened)} opened again, "
        f"{count(done.closed)} closed."
    )


def sentence(view: CasesView) -> str:
    """What is listed, in words."""
    what = {"all": "All cases", "mine": "My cases", "unassigned": "Cases that nobody has",
            "due": "Cases that are overdue"}[view.show]  # fmt: skip
    return what if view.resolved else f"{what}, without resolved ones"


def export(view: CasesView) -> exports.Export:
    """All rows of it, in the order on screen."""
    import pyarrow as pa

    values = [
        {
            "loan_number": row.case.loan_number,
            "state": row.case.form.state,
            "worst_severity": row.worst,
            "owner": row.case.form.assignee,
            "due": row.case.form.due,
            "reason": row.case.form.reason,
            "steps": "; ".join(
                f"{'[x]' if step.done else '[ ]'} {step.text}" for step in row.case.form.steps
            ),
            "closing": row.case.form.closing,
            "opened_by": "rule" if row.case.by_rule else row.case.opened_by,
            "opened_at": row.case.opened_at,
            "changed_by": row.case.changed_by,
            "changed_at": row.case.changed_at,
        }
        for row in rows(all_cases(), view)
    ]
    return exports.of_table("cases", sentence(view), exports.origin(), pa.Table.from_pylist(values))

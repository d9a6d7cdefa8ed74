"""The case of a loan on its page: what it says, and the form that opens, changes and closes it."""

from functools import partial
from typing import Any, Final

import streamlit as st

from components.desk import unfolding, writing
from components.frame import session, visitor
from components.kit import severity, text
from components.kit.formatting import count, day
from services.contract.cases import (
    LONGEST_REASON,
    LONGEST_STEP,
    STATES,
    Case,
    CaseForm,
    CaseState,
    LoanSeen,
    Step,
)
from services.contract.desk import Seen, Subject
from services.contract.errors import CaseConflict

#: Fields of the form, by what they are called in the session.
_FIELDS: Final = ("state", "assignee", "due", "reason", "more", "closing")


def panel(subject: Subject, case: Case | None, now: Seen | None, *, off: bool) -> None:
    """A button that says the case in a line and opens on it; `off`: nothing can be written now."""
    key = unfolding.named(subject)
    with unfolding.under(f"Case · {_line(case)}", "work", f"case {key}") as opened:
        if not opened:
            return
        if case:
            _said(case)
        if denied := visitor.who().denied("case"):
            text.caption(f"{denied}.")
            return
        _form(key, subject, case, now, off=off)


def _line(case: Case | None) -> str:
    if case is None:
        return "none"
    form = case.form
    said = [STATES[form.state], form.assignee or "nobody's"]
    if form.due:
        said.append(f"due {day(form.due)}")
    if form.steps:
        said.append(steps(form))
    return " · ".join(said)


def steps(form: CaseForm) -> str:
    """How many steps are done: 1 of 3 steps."""
    return f"{count(sum(step.done for step in form.steps))} of {count(len(form.steps))} steps"


def _said(case: Case) -> None:
    """What nobody fills in: who opened it and when, what it last saw, why it was closed."""
    by = "by rule" if case.by_rule else f"by {case.opened_by}"
    seen = f"worst signal {severity.label(case.seen.worst)} as of {day(case.seen.as_of)}"
    text.caption(
        f"Opened {by} on {day(case.opened_at)}; last changed by {case.changed_by} on "
        f"{day(case.changed_at)}. Last looked at: {seen}."
    )
    if case.form.closing:
        text.sentence(f"Resolved: {case.form.closing}")


def _form(key: str, subject: Subject, case: Case | None, now: Seen | None, *, off: bool) -> None:
    _filled(key, case)
    began = st.session_state[f"case {key} version"]
    if case and began != case.version:
        text.notice(
            "warning",
            f"{case.changed_by} has changed this case meanwhile. What it says now: "
            f"{_line(case)}; reason: {case.form.reason} Yours is in the form: save over it, or "
            "take theirs.",
            "merge",
        )
        st.button("Take theirs", key=f"case {key} theirs", on_click=_forget, args=(key,))
    with st.form(f"case form {key}", border=False):
        left, middle, right = st.columns(3, gap="small")
        names: dict[CaseState, str] = STATES
        left.selectbox("State", list(names), format_func=names.__getitem__, key=_at(key, "state"))
        middle.text_input("Owner", key=_at(key, "assignee"), max_chars=LONGEST_STEP,
                          placeholder="Nobody yet")  # fmt: skip
        right.date_input("Due", value=None, key=_at(key, "due"))
        st.text_area("Reason", key=_at(key, "reason"), max_chars=LONGEST_REASON, height=80)
        for number, step in enumerate(case.form.steps if case else ()):
            st.checkbox(text.label(step.text), key=_at(key, f"step {number}"))
        st.text_area("Further steps, one a line", key=_at(key, "more"), height=80)
        st.text_input(
            "Closing sentence",
            key=_at(key, "closing"),
            max_chars=LONGEST_REASON,
            help="Needed where the state is Resolved.",
        )
        save = partial(_save, key, subject, case, now)
        writing.submit("Save" if case else "Open a case", save, off=off)


def _at(key: str, field: str) -> str:
    return f"case {key} {field}"


def _filled(key: str, case: Case | None) -> None:
    """Fills the form once, from the version that is on screen then."""
    if _at(key, "version") in st.session_state:
        return
    form = case.form if case else CaseForm(reason="")
    st.session_state[_at(key, "version")] = case.version if case else 0
    values: dict[str, Any] = {
        "state": form.state, "assignee": form.assignee or "", "due": form.due,
        "reason": form.reason, "more": "", "closing": form.closing or "",
    }  # fmt: skip
    for field, value in values.items():
        st.session_state[_at(key, field)] = value
    for number, step in enumerate(form.steps):
        st.session_state[_at(key, f"step {number}")] = step.done


def _forget(key: str) -> None:
    """The next run fills the form again."""
    st.session_state.pop(_at(key, "version"), None)


def _typed(key: str, case: Case | None) -> CaseForm:
    """What stands in the form."""
    values: list[Any] = [st.session_state.get(_at(key, field)) for field in _FIELDS]
    state, assignee, due, reason, more, closing = values
    kept = [
        Step(text=step.text, done=bool(st.session_state.get(_at(key, f"step {number}"))))
        for number, step in enumerate(case.form.steps if case else ())
    ]
    added = [Step(text=line) for line in (more or "").splitlines() if line.strip()]
    return CaseForm(
        state=state,
        assignee=(assignee or "").strip() or None,
        due=due,
        reason=reason or "",
        steps=(*kept, *added),
        closing=closing or None,
    )


def _save(key: str, subject: Subject, case: Case | None, now: Seen | None) -> None:
    """Saves over the version that was on screen; the form keeps what was typed where that fails."""
    desk, form = visitor.desk("case"), _typed(key, case)
    if case is None:
        worst = now.facts.get("worst_severity") if now else None
        seen = LoanSeen(
            worst=worst if isinstance(worst, str) else None,
            as_of=now.as_of if now else session.today(),
        )
        write = partial(desk.open_case, visitor.user(), subject.source, subject.name, form, seen)
    else:
        write = partial(desk.change_case, visitor.user(), case.case_id, case.version, form)
    try:
        write()
    except CaseConflict:
        return  # the next run finds the case of somebody else, and shows both
    _forget(key)

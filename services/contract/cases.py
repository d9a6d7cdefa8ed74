"""Cases: work on a loan, from what was noticed to a sentence that closes it. One case a loan.

A case is opened by hand or by rule, where a loan's worst signal is of a severity or worse. A rule
compares what a loan is now with what the case last saw of it: it opens, reopens and closes cases,
and never changes what a person wrote.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Annotated, Final, Literal, NamedTuple, Protocol

from pydantic import Field

from .errors import InvalidRequest
from .queries import shortened
from .records import Record
from .vocabulary import rank

CaseState = Literal["open", "watching", "resolved"]
STATES: Final[dict[CaseState, str]] = {
    "open": "Open",
    "watching": "Watching",
    "resolved": "Resolved",
}
#: Letters of a reason, of a closing sentence, of a step and of a name.
LONGEST_REASON: Final = 2_000
LONGEST_STEP: Final = 200
MOST_STEPS: Final = 30
#: Cases that a rule opens at once.
MOST_OPENED: Final = 2_000


class Step(Record):
    """One step of a checklist."""

    text: str
    done: bool = False


class CaseForm(Record):
    """What people write of a case."""

    state: CaseState = "open"
    #: Who works on it; None for nobody yet.
    assignee: str | None = None
    due: date | None = None
    #: Why it was opened.
    reason: str
    steps: tuple[Step, ...] = ()
    #: Why it was closed; of a resolved case alone.
    closing: str | None = None


class LoanSeen(Record):
    """What a case last saw of its loan."""

    #: Of its worst signal; None without one.
    worst: str | None
    #: As-of date of the loan's source.
    as_of: date


class Case(Record):
    """A case. `version` begins with 1 and grows with each change."""

    case_id: str
    #: What the source is called (Lease.label), and the loan's number.
    source: str
    loan_number: str
    form: CaseForm
    seen: LoanSeen
    #: As-of dates in a row, up to the one seen, under the severity of the rule.
    clean: int
    #: Whether a rule opened it.
    by_rule: bool
    opened_by: str
    opened_at: datetime
    changed_by: str
    changed_at: datetime
    version: int


class CaseRule(Record):
    """From which severity on a loan has a case, and after how many as-of dates in a row under it a
    case that a rule opened is closed; None for never.
    """

    severity: str
    close_after: Annotated[int, Field(ge=1, le=24)] | None = None


class Followed(NamedTuple):
    """What a rule makes of one loan: the case as it is from now on, and what was done to it."""

    form: CaseForm
    seen: LoanSeen
    clean: int
    done: Literal["opened", "reopened", "closed", "seen"]


class CasesFollowed(Record):
    """What a rule did, by number of loans."""

    opened: int = 0
    reopened: int = 0
    closed: int = 0


class Cases(Protocol):
    """Cases of loans, on the desk. Every call raises DeskUnavailable where it cannot be done."""

    def open_case(
        self, owner: str, source: str, loan_number: str, form: CaseForm, seen: LoanSeen
    ) -> Case:
        """A new case. Raises InvalidRequest as `case_form` does; CaseConflict where the loan has
        one.
        """
        ...

    def change_case(self, owner: str, case_id: str, version: int, form: CaseForm) -> Case:
        """The case with another form, if `version` still stands.

        Raises CaseConflict, NotFound; InvalidRequest as `case_form` does.
        """
        ...

    def follow_cases(
        self, owner: str, source: str, now: Mapping[str, LoanSeen], rule: CaseRule
    ) -> CasesFollowed:
        """Opens, reopens and closes cases by what loans are now (`followed`), all or none. `now`
        has the loans that a rule finds and those with a case; of others nothing is known.

        Raises InvalidRequest beyond MOST_OPENED.
        """
        ...

    def cases(self, source: str) -> tuple[Case, ...]:
        """All cases of a source, by loan number."""
        ...

    def case_of(self, source: str, loan_number: str) -> Case | None:
        """The case of a loan, if it has one."""
        ...


def case_form(form: CaseForm) -> CaseForm:
    """A form without white space around its words and without empty steps.

    Raises InvalidRequest for a case without a reason, one that is resolved without a closing
    sentence, and for texts that are too long or no text.
    """
    steps = tuple(
        Step(text=_text(step.text, "step", LONGEST_STEP), done=step.done)
        for step in form.steps
        if step.text.strip()
    )
    if len(steps) > MOST_STEPS:
        raise InvalidRequest(
            f"A checklist has at most {MOST_STEPS} steps, and this one {len(steps)}",
            parameter="steps",
        )
    closing = None
    if form.state == "resolved":
        closing = _text(form.closing or "", "closing sentence", LONGEST_REASON)
    return CaseForm(
        state=form.state,
        assignee=_text(form.assignee, "owner", LONGEST_STEP) if form.assignee else None,
        due=form.due,
        reason=_text(form.reason, "reason", LONGEST_REASON),
        steps=steps,
        closing=closing,
    )


def _text(text: str, what: str, most: int) -> str:
    found = text.strip()
    if not found:
        raise InvalidRequest(f"A case needs a {what}: write one sentence", parameter=what)
    if len(found) > most:
        raise InvalidRequest(
            f"A {what} has at most {most:,} characters, and this one {len(found):,}",
            parameter=what,
        )
    if "\x00" in found or any("\ud800" <= letter <= "\udfff" for letter in found):
        raise InvalidRequest(f"A {what} must be readable text", parameter=what)
    return found


def followed(case: Case | None, now: LoanSeen, rule: CaseRule) -> Followed | None:
    """What a rule makes of a loan; None where nothing changes.

    A case that is resolved is opened again where the worst signal is worse than the case last saw
    it, and of the rule's severity or worse. An as-of date counts once, whenever the rule runs.
    """
    bad = rank(now.worst) >= rank(rule.severity)
    if case is None:
        if not bad:
            return None
        reason = f"Worst signal {now.worst} as of {_day(now.as_of)}"
        return Followed(CaseForm(reason=reason), now, 0, "opened")
    if now == case.seen or now.as_of < case.seen.as_of:
        return None
    clean = case.clean
    if bad:
        clean = 0
    elif now.as_of > case.seen.as_of:
        clean += 1
    form = case.form
    if form.state == "resolved":
        if bad and rank(now.worst) > rank(case.seen.worst):
            reopened = form.model_copy(update={"state": "open", "closing": None})
            return Followed(reopened, now, 0, "reopened")
    elif case.by_rule and rule.close_after and clean >= rule.close_after:
        closing = (
            f"Closed by rule: worst signal under {rule.severity} on {clean} as-of dates in a row, "
            f"up to {_day(now.as_of)}"
        )
        closed = form.model_copy(update={"state": "resolved", "closing": closing})
        return Followed(closed, now, clean, "closed")
    return Followed(form, now, clean, "seen")


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


def difference(was: CaseForm, now: CaseForm) -> str:
    """What of a case was changed, in words, with what it was."""
    return "; ".join(_differences(was, now)) or "nothing"


def _differences(was: CaseForm, now: CaseForm) -> Iterator[str]:
    if was.state != now.state:
        yield f"{was.state} to {now.state}"
    if was.closing != now.closing and now.closing:
        yield f"closed: '{shortened(now.closing, 300)}'"
    if was.assignee != now.assignee:
        yield f"owner {was.assignee or 'nobody'} to {now.assignee or 'nobody'}"
    if was.due != now.due:
        yield f"due {was.due or 'never'} to {now.due or 'never'}"
    if was.reason != now.reason:
        yield f"reason was '{shortened(was.reason, 300)}'"
    if was.steps != now.steps:
        yield f"steps were {_listed(was.steps)}"


def _listed(steps: Iterable[Step]) -> str:
    said = [f"{'[x]' if one.done else '[ ]'} {shortened(one.text)}" for one in steps]
    return ", ".join(said) or "none"

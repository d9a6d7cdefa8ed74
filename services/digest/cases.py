"""A user's cases in a digest: what is new, due or opened again, the day due first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from services.contract import changes_wording as wording
from services.contract.audit import Audit, AuditFilter
from services.contract.cases import STATES, Case, Cases
from services.contract.source import Suggestions
from services.contract.users import name_key

from .lines import MOST_LOANS, Line, Section, named, plain

#: Days ahead in which a case counts as due.
_SOON: Final = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Inbox:
    """All cases of a source, and whose are asked for."""

    user: str
    cases: tuple[Case, ...]
    #: When each loan's case was last opened again, by loan number.
    reopened: Mapping[str, datetime]
    #: By UTC.
    today: date


def inbox(cases: Cases, audit: Audit, source: str, user: str) -> Inbox:
    """The cases of a source as they are now. Raises DeskUnavailable."""
    entries = audit.every_entry(AuditFilter(action="reopen_case"))
    # The newest come first, and an earlier one does not replace a later.
    reopened: dict[str, datetime] = {}
    for one in entries:
        if one.source == source:
            reopened.setdefault(one.name, one.at)
    return Inbox(user, cases.cases(source), reopened, datetime.now(UTC).date())


def section(found: Inbox, since: date, names: Suggestions) -> Section:
    """The user's cases that are not resolved, and of which there is something to say: new or opened
    again on that day or later, overdue, or due within 14 days.
    """
    unresolved = [one for one in found.cases if one.form.state != "resolved"]
    me = name_key(found.user)
    mine = (one for one in unresolved if name_key(one.form.assignee or "") == me)
    said = [(one, why) for one in mine if (why := tuple(_why(one, found, since)))]
    said.sort(key=lambda row: (row[0].form.due or date.max, row[0].loan_number))
    listed = said[:MOST_LOANS]
    called = names.loan_names(tuple(case.loan_number for case, _ in listed))
    lines = tuple(_line(case, why, called.get(case.loan_number)) for case, why in listed)
    nobodys = sum(one.form.assignee is None for one in unresolved)
    rest = (
        "" if said else "None is new, opened again, overdue or due within 14 days.",
        f"{len(said) - len(listed):,} more: see the Cases page." if said[MOST_LOANS:] else "",
        f"Cases without an owner: {nobodys:,}." if nobodys else "",
    )
    return Section(f"Your cases: {len(said):,}", lines, " ".join(one for one in rest if one))


def _why(case: Case, found: Inbox, since: date) -> Iterator[str]:
    """Why a case is listed."""
    due = case.form.due
    if due is not None and due < found.today:
        yield "overdue"
    elif due is not None and due <= found.today + _SOON:
        yield "due within 14 days"
    again = found.reopened.get(case.loan_number)
    if again is not None and _day(again) >= since:
        yield f"opened again on {wording.day(_day(again))}"
    if _day(case.opened_at) >= since:
        yield f"new on {wording.day(_day(case.opened_at))}"


def _line(case: Case, why: tuple[str, ...], property_name: str | None) -> Line:
    form = case.form
    due = f"due {wording.day(form.due)}" if form.due else "no day due"
    facts = f"{STATES[form.state]}, owner {form.assignee or 'nobody'}, {due}; {', '.join(why)}"
    return Line(named(property_name, case.loan_number), plain(facts), (plain(form.reason),))


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()

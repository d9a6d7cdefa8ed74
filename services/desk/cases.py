"""Cases in SQL (D252): one row a loan, each write with its entry in the audit."""

import json
import secrets
from collections.abc import Mapping
from typing import Final

from services.contract.audit import AuditAction, Deed
from services.contract.cases import (
    MOST_OPENED,
    Case,
    CaseForm,
    CaseRule,
    CasesFollowed,
    LoanSeen,
    case_form,
    difference,
    followed,
)
from services.contract.desk import Subject
from services.contract.errors import CaseConflict, InvalidRequest, NotFound

from .seals import plain, row_of
from .transactions import Question, Row, Transaction
from .verdicts import SqlVerdicts
from .writing import Writing

#: The migration that made the table.
_SINCE: Final = 6
_DONE: Final[dict[str, AuditAction]] = {
    "opened": "open_case",
    "reopened": "reopen_case",
    "closed": "close_case",
}


_OF_LOAN: Final = "SELECT * FROM cases WHERE source = ? AND name = ?"


class SqlCases(SqlVerdicts):
    """Cases of loans; see Cases."""

    def open_case(
        self, owner: str, source: str, loan_number: str, form: CaseForm, seen: LoanSeen
    ) -> Case:
        """See Cases."""
        row = self._new(owner, source, loan_number, case_form(form), seen, "hand")
        with self._writing() as desk:
            desk.desk.alone("cases")
            sql = "SELECT 1 AS found FROM cases WHERE source = ? AND name = ?"
            if desk.desk.rows(sql, (source, loan_number)):
                raise CaseConflict("This loan has a case already; it is shown now")
            desk.put("cases", row)
            self._entered(desk, owner, "open_case", row, str(row["reason"]))
        return case_of(row)

    def change_case(self, owner: str, case_id: str, version: int, form: CaseForm) -> Case:
        """See Cases."""
        written = case_form(form)
        with self._writing() as desk:
            before = _standing(desk.desk, case_id, version)
            was = case_of(before)
            changed = _of_form(written) | self._changed(owner, version)
            row = plain("cases", before) | changed
            desk.put("cases", row, instead_of=before)
            action = _action(was.form, written)
            self._entered(desk, owner, action, row, difference(was.form, written))
        return case_of(row)

    def follow_cases(
        self, owner: str, source: str, now: Mapping[str, LoanSeen], rule: CaseRule
    ) -> CasesFollowed:
        """See Cases."""
        counts = dict.fromkeys((*_DONE, "seen"), 0)
        with self._writing() as desk:
            desk.desk.alone("cases")
            sql = f"SELECT * FROM cases WHERE source = ? ORDER BY name{desk.desk.locking}"
            there = {row["name"]: row for row in desk.desk.rows(sql, (source,))}
            for number in sorted(now):
                before = there.get(number)
                made = followed(case_of(before) if before else None, now[number], rule)
                if made is None:
                    continue
                counts[made.done] += 1
                if counts["opened"] > MOST_OPENED:
                    raise InvalidRequest(
                        f"More than {MOST_OPENED:,} loans without a case are {rule.severity} or "
                        "worse; choose a worse severity"
                    )
                seen = _of_seen(made.seen) | {"clean": made.clean}
                if before is None:
                    row = self._new(owner, source, number, made.form, made.seen, "rule")
                    desk.put("cases", row)
                else:
                    # What was only looked at keeps its version: nobody's editing is in the way.
                    own = self._changed(owner, before["version"]) if made.done in _DONE else {}
                    row = plain("cases", before) | _of_form(made.form) | seen | own
                    desk.put("cases", row, instead_of=before)
                if made.done in _DONE:
                    closed = made.done == "closed"
                    said = made.form.closing if closed else f"worst signal {made.seen.worst}"
                    first = sum(counts[done] for done in _DONE) == 1
                    self._entered(
                        desk, owner, _DONE[made.done], row, f"by rule: {said}", counted=first
                    )
            if not any(counts[done] for done in _DONE) and counts["seen"]:
                deed = Deed(action="look_at_cases", kind=None, name=f"{counts['seen']} loans")
                self._recorded(desk, owner, deed)
        return CasesFollowed(**{done: counts[done] for done in _DONE})

    def cases(self, source: str) -> tuple[Case, ...]:
        """See Cases."""
        sql = "SELECT * FROM cases WHERE source = ? ORDER BY name"
        return self._made(self._rows(sql, (source,), _SINCE), case_of, "cases")

    def case_of(self, source: str, loan_number: str) -> Case | None:
        """See Cases."""
        found = self._made(self._rows(_OF_LOAN, (source, loan_number), _SINCE), case_of, "cases")
        return found[0] if found else None

    def _new(
        self, owner: str, source: str, loan_number: str, form: CaseForm, seen: LoanSeen, origin: str
    ) -> dict[str, object]:
        now = self._now()
        values = _of_form(form) | _of_seen(seen)
        return row_of("cases", secrets.token_hex(8), source, loan_number, *values.values(), 0,
                      origin, owner, now, owner, now, 1)  # fmt: skip

    def _changed(self, owner: str, version: int) -> dict[str, object]:
        return {"changed_by": owner, "changed_at": self._now(), "version": version + 1}

    def _entered(
        self,
        desk: Writing,
        owner: str,
        action: AuditAction,
        row: Row,
        detail: str,
        *,
        counted: bool = True,
    ) -> None:
        deed = Deed(
            action=action, kind="loan", name=row["name"], source=row["source"], detail=detail
        )
        self._recorded(desk, owner, deed, counted=counted)


def case_on(subject: Subject) -> Question:
    """What asks for the case of a subject; none where it is no loan."""
    of = subject.name if subject.kind == "loan" else ""
    return Question(_OF_LOAN, (subject.source, of), _SINCE)


def _action(was: CaseForm, now: CaseForm) -> AuditAction:
    if was.state != "resolved" and now.state == "resolved":
        return "close_case"
    return "reopen_case" if was.state == "resolved" != now.state else "change_case"


def _of_form(form: CaseForm) -> dict[str, object]:
    """A form as columns, in their order."""
    return {
        "state": form.state,
        "assignee": form.assignee,
        "due": form.due and form.due.isoformat(),
        "reason": form.reason,
        "steps": json.dumps([step.model_dump() for step in form.steps]),
        "closing": form.closing,
    }


def _of_seen(seen: LoanSeen) -> dict[str, object]:
    return {"worst": seen.worst, "as_of": seen.as_of.isoformat()}


def case_of(row: Row) -> Case:
    """The case that a row holds."""
    form = {name: row[name] for name in ("state", "assignee", "due", "reason", "closing")}
    return Case(
        case_id=row["case_id"],
        source=row["source"],
        loan_number=row["name"],
        form=CaseForm(**form, steps=json.loads(row["steps"])),
        seen=LoanSeen(worst=row["worst"], as_of=row["as_of"]),
        by_rule=row["origin"] == "rule",
        **{
            name: row[name]
            for name in (
                *("clean", "opened_by", "opened_at", "changed_by", "changed_at", "version"),
            )
        },
    )


def _standing(desk: Transaction, case_id: str, version: int) -> Row:
    """The case, locked, if this version stands. Raises NotFound, CaseConflict."""
    sql = f"SELECT * FROM cases WHERE case_id = ?{desk.locking}"
    found = desk.rows(sql, (case_id,))
    if not found:
        raise NotFound("There is no such case")
    if found[0]["version"] != version:
        by = found[0]["changed_by"]
        raise CaseConflict(f"{by} has changed this case meanwhile; what it says now is shown")
    return found[0]

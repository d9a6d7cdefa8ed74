"""What every desk does with cases (D252): one a loan, versions, rules, what is refused."""

from datetime import UTC, date, datetime

import pytest

from services.contract.audit import AuditFilter
from services.contract.cases import (
    LONGEST_REASON,
    MOST_OPENED,
    MOST_STEPS,
    CaseForm,
    CaseRule,
    CasesFollowed,
    LoanSeen,
    Step,
)
from services.contract.errors import CaseConflict, InvalidRequest, NotFound
from services.desk.copying import dump, restore
from tests.hostile import WORDS

STORE = "Embedded store"
JUNE, JULY, AUGUST = date(2026, 6, 30), date(2026, 7, 31), date(2026, 8, 31)
CRITICAL = LoanSeen(worst="critical", as_of=JUNE)
FORM = CaseForm(
    assignee="ben", due=date(2026, 12, 1), reason="Sponsor asked for a year.",
    steps=(Step(text="Call the servicer"), Step(text="Order an appraisal", done=True)),
)  # fmt: skip
RULE = CaseRule(severity="critical", close_after=2)


def resolved(form, closing="Paid off."):
    return form.model_copy(update={"state": "resolved", "closing": closing})


def seen(worst, as_of):
    return LoanSeen(worst=worst, as_of=as_of)


class ConformingCases:
    """To be inherited beside the fixtures of ConformingDesk."""

    @pytest.fixture
    def desk(self, opened):
        return opened()

    def test_a_case_is_opened_changed_closed_and_opened_again(self, opened):
        times = (datetime(2026, 11, 22, hour, tzinfo=UTC) for hour in range(24))
        desk = opened(clock=lambda: next(times))
        made = desk.open_case("ana", STORE, "CA-1", FORM, CRITICAL)
        assert (made.form, made.seen, made.version, made.clean) == (FORM, CRITICAL, 1, 0)
        assert (made.opened_by, made.by_rule) == ("ana", False)
        later = FORM.model_copy(update={"state": "watching", "assignee": None, "due": None})
        changed = desk.change_case("ben", made.case_id, 1, later)
        assert (changed.form, changed.version, changed.changed_by) == (later, 2, "ben")
        assert made.opened_at == changed.opened_at < changed.changed_at
        closed = desk.change_case("ana", made.case_id, 2, resolved(later, "  Paid off. "))
        assert (closed.form.state, closed.form.closing) == ("resolved", "Paid off.")
        again = desk.change_case("ana", made.case_id, 3, later)
        assert again.form.closing is None
        assert opened().case_of(STORE, "CA-1") == again
        assert desk.cases(STORE) == (again,)
        assert desk.cases("API") == ()
        assert desk.case_of("API", "CA-1") is None
        entries = desk.entries(AuditFilter()).items
        assert [(one.action, one.by, one.name) for one in reversed(entries)] == [
            ("open_case", "ana", "CA-1"), ("change_case", "ben", "CA-1"),
            ("close_case", "ana", "CA-1"), ("reopen_case", "ana", "CA-1"),
        ]  # fmt: skip
        # What was there before stands in the audit.
        assert entries[2].detail == (
            "open to watching; owner ben to nobody; due 2026-12-01 to never"
        )
        assert "closed: 'Paid off.'" in entries[1].detail

    def test_two_at_one_case_lose_nothing(self, opened):
        one, two = opened(), opened()
        made = one.open_case("ana", STORE, "CA-1", FORM, CRITICAL)
        with pytest.raises(CaseConflict, match="has a case already"):
            two.open_case("ben", STORE, "CA-1", FORM, CRITICAL)
        one.change_case("ana", made.case_id, 1, FORM.model_copy(update={"reason": "By ana."}))
        with pytest.raises(CaseConflict, match="ana has changed this case"):
            two.change_case("ben", made.case_id, 1, resolved(FORM))
        assert two.case_of(STORE, "CA-1").form.reason == "By ana."
        with pytest.raises(NotFound):
            two.change_case("ben", "nothing", 1, FORM)
        assert [one.action for one in two.entries(AuditFilter()).items] == [
            "change_case", "open_case",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"reason": " "}, "needs a reason"),
            ({"reason": "x" * (LONGEST_REASON + 1)}, "at most 2,000 characters"),
            ({"reason": "a\x00b"}, "readable text"),
            ({"state": "resolved"}, "needs a closing sentence"),
            ({"steps": (Step(text="x"),) * (MOST_STEPS + 1)}, "at most 30 steps"),
            ({"assignee": "\ud800"}, "readable text"),
        ],
    )
    def test_a_form_at_fault_is_refused_in_a_sentence(self, desk, changes, said):
        form = FORM.model_construct(**{**dict(FORM), **changes})
        with pytest.raises(InvalidRequest, match=said):
            desk.open_case("ana", STORE, "CA-1", form, CRITICAL)
        assert desk.cases(STORE) == ()

    def test_words_from_outside_are_kept_as_they_are(self, desk):
        for at, word in enumerate(WORDS):
            form = CaseForm(reason=word, assignee=word[:200], steps=(Step(text=word[:200]),))
            made = desk.open_case("ana", STORE, f"{at} {word}", form, CRITICAL)
            assert made.form.reason == word.strip()
            assert desk.case_of(STORE, f"{at} {word}") == made

    def test_a_rule_opens_closes_and_opens_again(self, desk):
        now = {"A": seen("critical", JUNE), "B": seen("severe", JUNE)}
        assert desk.follow_cases("ana", STORE, now, RULE) == CasesFollowed(opened=1)
        (case,) = desk.cases(STORE)
        assert (case.loan_number, case.by_rule, case.version) == ("A", True, 1)
        assert case.form.reason == "Worst signal critical as of 30 Jun 2026"
        # The same as-of date again changes nothing, and leaves no entry.
        assert desk.follow_cases("ana", STORE, now, RULE) == CasesFollowed()
        better = {"A": seen("severe", JULY)}
        assert desk.follow_cases("ana", STORE, better, RULE) == CasesFollowed()
        (case,) = desk.cases(STORE)
        assert (case.clean, case.version, case.form.state) == (1, 1, "open")
        assert desk.follow_cases("ana", STORE, {"A": seen("severe", AUGUST)}, RULE) == (
            CasesFollowed(closed=1)
        )
        (case,) = desk.cases(STORE)
        assert (case.form.state, case.version) == ("resolved", 2)
        assert case.form.closing.startswith("Closed by rule: worst signal under critical on 2")
        worse = {"A": seen("critical", date(2026, 9, 30))}
        assert desk.follow_cases("ana", STORE, worse, RULE) == CasesFollowed(reopened=1)
        (case,) = desk.cases(STORE)
        assert (case.form.state, case.form.closing, case.clean) == ("open", None, 0)
        assert [one.action for one in reversed(desk.entries(AuditFilter()).items)] == [
            "open_case", "look_at_cases", "close_case", "reopen_case",
        ]  # fmt: skip

    def test_too_many_cases_at_once_are_refused_whole(self, desk):
        now = {f"{at}": CRITICAL for at in range(MOST_OPENED + 1)}
        with pytest.raises(InvalidRequest, match="choose a worse severity"):
            desk.follow_cases("ana", STORE, now, RULE)
        assert desk.cases(STORE) == ()

    def test_cases_are_sealed_and_copied(self, desk, another, tmp_path):
        desk.open_case("ana", STORE, "CA-1", FORM, CRITICAL)
        assert desk.verify()["cases"] == 1
        dump(desk, tmp_path / "copy")
        other = another()
        restore(tmp_path / "copy", other)
        assert other.cases(STORE) == desk.cases(STORE)
        assert other.verify()["cases"] == 1

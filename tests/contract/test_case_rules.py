"""What a rule makes of a loan, case by case: pure, with the dates typed (D252)."""

from datetime import UTC, date, datetime

import pytest

from services.contract.cases import Case, CaseForm, CaseRule, LoanSeen, followed

JUNE, JULY = date(2026, 6, 30), date(2026, 7, 31)
NOW = datetime(2026, 7, 1, tzinfo=UTC)


def a_case(worst="critical", as_of=JUNE, *, clean=0, by_rule=True, state="open"):
    closing = "Paid." if state == "resolved" else None
    return Case(
        case_id="1", source="store", loan_number="A", seen=LoanSeen(worst=worst, as_of=as_of),
        form=CaseForm(state=state, reason="why", closing=closing), clean=clean, by_rule=by_rule,
        opened_by="ana", opened_at=NOW, changed_by="ana", changed_at=NOW, version=1,
    )  # fmt: skip


RULE = CaseRule(severity="severe", close_after=2)
NEVER = CaseRule(severity="severe")


@pytest.mark.parametrize(
    ("case", "worst", "as_of", "rule", "done"),
    [
        # Without a case: from the severity of the rule on.
        (None, "critical", JUNE, RULE, "opened"),
        (None, "severe", JUNE, RULE, "opened"),
        (None, "elevated", JUNE, RULE, None),
        (None, None, JUNE, RULE, None),
        # An as-of date counts once, and an older one not at all.
        (a_case(), "critical", JUNE, RULE, None),
        (a_case(), "low", date(2026, 5, 31), RULE, None),
        # Two dates in a row under it close; one does not, nor do any where the team says never.
        (a_case(), "elevated", JULY, RULE, "seen"),
        (a_case("elevated", clean=1), "elevated", JULY, RULE, "closed"),
        (a_case("elevated", clean=9), "elevated", JULY, NEVER, "seen"),
        # Nor is a case closed that a person opened.
        (a_case("elevated", clean=1, by_rule=False), "elevated", JULY, RULE, "seen"),
        # Resolved: only what is worse than it was, and bad enough.
        (a_case("severe", state="resolved"), "critical", JULY, RULE, "reopened"),
        (a_case("severe", state="resolved"), "severe", JULY, RULE, "seen"),
        (a_case("low", state="resolved"), "elevated", JULY, RULE, "seen"),
        (a_case("low", state="resolved"), "severe", JULY, RULE, "reopened"),
    ],
)
def test_what_a_rule_does(case, worst, as_of, rule, done):
    found = followed(case, LoanSeen(worst=worst, as_of=as_of), rule)
    assert (found and found.done) == done


def test_a_bad_date_between_two_good_ones_begins_the_count_again():
    assert followed(a_case("low", clean=1), LoanSeen(worst="severe", as_of=JULY), RULE).clean == 0


def test_a_rescore_at_the_same_date_is_seen_and_counts_no_date():
    found = followed(a_case(clean=0), LoanSeen(worst="low", as_of=JUNE), RULE)
    assert (found.done, found.clean, found.seen.worst) == ("seen", 0, "low")


def test_a_case_closed_by_rule_says_why():
    found = followed(a_case("low", clean=1), LoanSeen(worst=None, as_of=JULY), RULE)
    assert found.form.closing == (
        "Closed by rule: worst signal under severe on 2 as-of dates in a row, up to 31 Jul 2026"
    )


def test_a_rule_leaves_what_people_wrote():
    case = a_case()
    found = followed(case, LoanSeen(worst="low", as_of=JULY), RULE)
    assert found.form == case.form

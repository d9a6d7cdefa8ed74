"""A user's cases come first in a digest: which ones, on which days, and no word is markup."""

import sys
from datetime import UTC, date, datetime, timedelta

import pytest

from services import cli
from services.contract.cases import CaseForm, LoanSeen
from services.desk.sqlite import SqliteDesk
from services.digest import cases, contents, page, plain
from services.sources import StoreWorkspace
from tests.digest.test_digest import GOLDEN, Parsed
from tests.publishing import load_once
from tests.two_dates import AUGUST, HOSTILE, SEPTEMBER, book
from tests.world import RATES

SOURCE = StoreWorkspace.label
TODAY = date(2026, 10, 8)
BEFORE = datetime(2026, 8, 30, 23, 59, tzinfo=UTC)
SINCE = datetime(2026, 8, 31, 0, 0, tzinfo=UTC)
SEEN = LoanSeen(worst="severe", as_of=AUGUST)
#: Loan, owner, day due, opened.
CASES = (
    ("late", "ANA", date(2026, 10, 7), BEFORE),
    ("special", "Ana", date(2026, 10, 22), BEFORE),
    ("quiet", "Ana", date(2026, 10, 23), BEFORE),
    ("emptied", "Ana", None, SINCE),
    ("cured", "Ben", date(2026, 10, 1), SINCE),
    ("came", None, date(2026, 10, 1), SINCE),
    (HOSTILE, "Ana", None, BEFORE),
)
REASON = "<script>alert(3)</script>\n[x](//evil.example) & more"
#: Typed by hand.
SECTION = """\
Your cases: 4
-------------

Plaza late (late)
  Open, owner ANA, due 7 Oct 2026; overdue
  - Sponsor asked for a year.

Plaza special (special)
  Open, owner Ana, due 22 Oct 2026; due within 14 days
  - Sponsor asked for a year.

<script>alert(2)</script> Inn (<img src=x onerror=alert(1)>
[x](//evil.example) $5 & $6)
  Open, owner Ana, no day due; opened again on 7 Oct 2026
  - <script>alert(3)</script> [x](//evil.example) & more

Plaza emptied (emptied)
  Open, owner Ana, no day due; new on 31 Aug 2026
  - Sponsor asked for a year.

Cases without an owner: 1.

On your watchlist: 0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digest") / "store"
    for when in (AUGUST, SEPTEMBER):
        load_once(folder, [book(when)], rates=RATES)
    return folder


class Clock:
    """A clock that a test sets."""

    now = BEFORE

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(tmp_path, clock):
    desk = SqliteDesk(tmp_path / "desk.sqlite", clock=clock)
    for loan, owner, due, at in CASES:
        clock.now = at
        reason = REASON if loan == HOSTILE else "Sponsor asked for a year."
        desk.open_case("Ana", SOURCE, loan, CaseForm(assignee=owner, due=due, reason=reason), SEEN)
    clock.now = datetime(2026, 10, 7, tzinfo=UTC)
    again(desk, HOSTILE)
    return desk


def again(desk, loan):
    """Closes a case and opens it again."""
    case = desk.case_of(SOURCE, loan)
    closed = case.form.model_copy(update={"state": "resolved", "closing": "Paid off."})
    desk.change_case("Ana", case.case_id, case.version, closed)
    desk.change_case("Ana", case.case_id, case.version + 1, case.form)


def inbox(desk, user="ana", today=TODAY):
    found = cases.inbox(desk, desk, SOURCE, user)
    return cases.Inbox(found.user, found.cases, found.reopened, today)


def test_cases_come_first_the_day_due_first_with_why(source, desk):
    said = plain.text(contents.digest(source, AUGUST, (), inbox(desk)))
    assert said[said.index("Your cases") :].startswith(SECTION)
    assert "Your cases" not in plain.text(contents.digest(source, AUGUST, ()))


def test_the_page_says_the_same_and_none_of_it_is_markup(source, desk):
    made = page.html(contents.digest(source, AUGUST, (), inbox(desk)))
    parsed = Parsed()
    parsed.feed(made)
    assert not {"script", "img", "a"} & set(parsed.tags)
    words = " ".join(" ".join(parsed.words).split())
    assert words.index("Your cases: 4") < words.index("On your watchlist: 0")
    assert "<script>alert(3)</script> [x](//evil.example) & more" in words
    assert f"<script>alert(2)</script> Inn ({HOSTILE})" in words


def of(found):
    return [line.name for line in found.loans]


def test_a_case_is_due_on_its_day_and_overdue_after_it(source, desk):
    days = {
        at: {
            line.name: line.facts.rpartition("; ")[2]
            for line in cases.section(inbox(desk, today=at), AUGUST, source).loans
        }
        for at in (date(2026, 10, 7), date(2026, 10, 9))
    }
    assert days[date(2026, 10, 7)]["Plaza late (late)"] == "due within 14 days"
    assert "Plaza special (special)" not in days[date(2026, 10, 7)]
    assert days[date(2026, 10, 9)]["Plaza late (late)"] == "overdue"
    assert days[date(2026, 10, 9)]["Plaza quiet (quiet)"] == "due within 14 days"


def test_resolved_ones_and_earlier_ones_are_left_out(source, desk):
    case = desk.case_of(SOURCE, "late")
    done = case.form.model_copy(update={"state": "resolved", "closing": "Paid off."})
    desk.change_case("Ana", case.case_id, case.version, done)
    found = cases.section(inbox(desk), date(2026, 10, 8), source)
    assert of(found) == ["Plaza special (special)"]
    nobody = cases.section(inbox(desk, "Cleo"), AUGUST, source)
    assert nobody.heading == "Your cases: 0"
    assert nobody.rest == (
        "None is new, opened again, overdue or due within 14 days. Cases without an owner: 1."
    )


def test_the_last_time_counts_that_a_case_was_opened_again(desk, clock):
    clock.now = datetime(2026, 10, 8, 12, tzinfo=UTC)
    again(desk, HOSTILE)
    assert inbox(desk).reopened == {HOSTILE: clock.now}
    assert cases.inbox(desk, desk, "API", "ana").reopened == {}


def test_a_loan_that_left_the_book_goes_by_its_number_and_many_are_counted(source, desk, clock):
    clock.now = SINCE
    form = CaseForm(assignee="Dan", reason="Sponsor asked for a year.")
    for at in range(27):
        desk.open_case("Ana", SOURCE, f"gone-{at:02}", form, SEEN)
    found = cases.section(inbox(desk, "dan"), AUGUST, source)
    assert of(found) == [f"gone-{at:02}" for at in range(25)]
    assert found.heading == "Your cases: 27"
    assert found.rest == "2 more: see the Cases page. Cases without an owner: 1."


def test_the_command_says_them_of_a_user_alone(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CREDIT_ATLAS_DESK", str(tmp_path / "desk.sqlite"))
    desk = SqliteDesk(tmp_path / "desk.sqlite")
    overdue = CaseForm(
        assignee="Ana", due=datetime.now(UTC).date() - timedelta(days=2), reason="Call."
    )
    desk.open_case("Ben", SOURCE, "late", overdue, SEEN)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["creditatlas", "digest", "--store", str(folder), *words])
        with pytest.raises(SystemExit):
            cli.main()
        return capsys.readouterr().out

    assert "Your cases: 1\n-------------\n\nPlaza late (late)\n  Open, owner Ana" in run(
        *("--user", "ana")
    )
    assert run().startswith(GOLDEN[: GOLDEN.index("\n")])
    assert "Your cases" not in run()

"""Cases: the form on a loan's page, the inbox, and what a rule opens."""

from datetime import date

import pytest

from services.cases.command import follow
from services.contract.cases import CaseForm, CaseRule, LoanSeen, Step
from services.contract.errors import InvalidRequest
from services.contract.loan_filter import WITH_SIGNAL, LoanFilter
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from services.sign_in import local_user
from services.store.leases import Store
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import said
from tests.publishing import load_once

PAGE = "pages/cases.py"
ME = local_user().name
SEEN = LoanSeen(worst="severe", as_of=date(2026, 9, 30))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cases") / "store"
    load_once(folder, [demo.portfolio(loans=300)])
    return folder


@pytest.fixture
def desk(tmp_path):
    return SqliteDesk(tmp_path / "desk.sqlite")


pytestmark = pytest.mark.usefixtures("visited_before")


@pytest.fixture
def page(folder, visit, tmp_path):
    def run(file=PAGE, /, held=(), **params):
        app = visit(file, folder, params, dict(held), desk=str(tmp_path / "desk.sqlite"))
        assert not app.exception
        return app

    return run


SOURCE = "Embedded store"


def case_by_hand(desk, number, **form):
    given = {"reason": "Sponsor asked for a year.", **form}
    return desk.open_case(ME, SOURCE, number, CaseForm(**given), SEEN)


def test_without_cases_the_page_says_how_one_is_opened_and_lists_the_worst_loans(page, folder):
    app = page()
    assert "Open one on the page of a loan, or by rule" in said(app)
    (hero,) = [one for one in said(app).splitlines() if one.startswith("Start with the ten worst")]
    with Store(folder).lease() as source:
        worst = [one.loan_number for one in source.loans_found(WITH_SIGNAL, ()).items[:10]]
        dollars = sum(source.loan(number).book_value for number in worst)
    assert hero.endswith(f"on ${dollars / 1e6:,.1f}M.")
    assert [row["Loan"] for row in ledgers(app)["Loans to open a case on"]] == worst


def test_the_worst_loans_leave_once_there_is_a_case(page, desk):
    case_by_hand(desk, "CA-000001")
    assert "Loans to open a case on" not in ledgers(page())
    assert "Loans to open a case on" not in ledgers(page(show="mine"))


def test_the_inbox_lists_cases_by_due_day_and_leads_to_their_loans(page, desk):
    case_by_hand(desk, "CA-000005", due=date(2099, 1, 1), assignee="ben")
    case_by_hand(desk, "CA-000003", due=date(2020, 1, 1), assignee=ME,
                 steps=(Step(text="Call", done=True), Step(text="Visit")))  # fmt: skip
    case_by_hand(desk, "CA-000009")
    closed = case_by_hand(desk, "CA-000007")
    desk.change_case(ME, closed.case_id, 1,
                     CaseForm(state="resolved", reason="why", closing="Paid off."))  # fmt: skip
    app = page()
    rows = ledgers(app)["Cases"]
    assert [one.rpartition("=")[2] for one in addresses(app, "Cases")] == [
        "CA-000003", "CA-000005", "CA-000009",
    ]  # fmt: skip
    assert rows[0]["Due"] == "1 Jan 2020, overdue"
    assert rows[0]["Checklist"] == "1 of 2 steps"
    assert rows[2]["Owner"] == "—"
    for show, numbers in {
        "mine": ["CA-000003"], "unassigned": ["CA-000009"], "due": ["CA-000003"],
    }.items():  # fmt: skip
        found = addresses(page(show=show), "Cases")
        assert [one.rpartition("=")[2] for one in found] == numbers
    with_resolved = ledgers(page(resolved="yes"))["Cases"]
    assert {row["State"] for row in with_resolved} == {"Open", "Resolved"}
    assert "Paid off." in {row["Reason"] for row in with_resolved}


def test_a_rule_opens_the_loans_that_the_store_says_are_critical(page, desk, folder):
    app = page()
    (look,) = (one for one in app.button if one.label == "Look at all loans")
    app = look.click().run()
    assert not app.exception
    with Store(folder).lease() as source:
        critical = {
            loan.loan_number
            for loan in source.loans_watched(LoanFilter(severity=("critical",)), ())
        }
    assert critical
    assert {case.loan_number for case in desk.cases(SOURCE)} == critical
    assert f"{len(critical)} cases opened, 0 opened again, 0 closed." in said(app)


def test_the_file_has_every_row(page, desk, pressed):
    case_by_hand(desk, "CA-000003", assignee="ben", steps=(Step(text="=1+1"),))
    page()
    csv = pressed["credit-atlas-cases.csv"]().decode("utf-8-sig")
    assert "Sponsor asked for a year." in csv
    assert "[ ] =1+1" in csv


def test_a_rule_of_no_severity_is_a_sentence():
    with pytest.raises(InvalidRequest, match="must be one of low, moderate"):
        follow("bad")
    assert CaseRule(severity="severe").close_after is None

"""A case in a real Chromium: opened on a loan's page, changed by two, closed, listed."""

import pytest
from playwright.sync_api import expect

from services.contract.cases import CaseForm
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from tests.publishing import load
from tests.servers import dashboard

pytestmark = pytest.mark.browser
LOAN = "/loan?loan_number=CA-000012"
SOURCE = "Embedded store"


@pytest.fixture
def store(tmp_path):
    load(tmp_path / "store", [demo.portfolio(loans=60)])
    return tmp_path / "store"


def unfolded(tab, label):
    """The page's case, opened by keyboard."""
    head = tab.page.get_by_role("button", name=label)
    head.wait_for()
    head.focus()
    tab.page.keyboard.press("Enter")
    tab.page.get_by_label("Reason", exact=True).wait_for()
    tab.settled()


def test_a_case_is_opened_changed_by_two_and_closed(store, open_tab):
    desk = SqliteDesk(store / "desk.sqlite")
    with dashboard(store) as address:
        tab = open_tab(address)
        tab.go(LOAN)
        unfolded(tab, "Case · none")
        # Without a reason nothing is opened, in a sentence.
        tab.page.get_by_role("button", name="Open a case").click()
        tab.page.get_by_text("A case needs a reason").wait_for()
        tab.settled()
        tab.page.get_by_label("Reason", exact=True).fill("Sponsor asked for a year.")
        tab.page.get_by_label("Owner", exact=True).fill("ana")
        tab.page.get_by_label("Further steps, one a line").fill("Call the servicer\nOrder a value")
        tab.page.get_by_role("button", name="Open a case").click()
        tab.page.get_by_role("button", name="Case · Open · ana · 0 of 2 steps").wait_for()
        case = desk.case_of(SOURCE, "CA-000012")
        assert [step.text for step in case.form.steps] == ["Call the servicer", "Order a value"]
        assert case.form.reason == "Sponsor asked for a year."
        # Somebody else changes it while the form is on screen: both are there.
        tab.page.get_by_label("Call the servicer").check(force=True)
        theirs = case.form.model_copy(update={"reason": "By ben."})
        desk.change_case("ben", case.case_id, 1, theirs)
        tab.page.get_by_label("Reason", exact=True).fill("By ana.")
        tab.page.get_by_role("button", name="Save").click()
        tab.page.get_by_text("ben has changed this case meanwhile").wait_for()
        assert desk.case_of(SOURCE, "CA-000012").form.reason == "By ben."
        expect(tab.page.get_by_label("Reason", exact=True)).to_have_value("By ana.")
        tab.page.get_by_role("button", name="Save").click()
        tab.page.get_by_role("button", name="1 of 2 steps").wait_for()
        assert desk.case_of(SOURCE, "CA-000012").form.reason == "By ana."
        # Closing asks for a sentence.
        tab.settled()
        closed = CaseForm(
            **{**dict(desk.case_of(SOURCE, "CA-000012").form), "state": "resolved",
               "closing": "Paid off."}
        )  # fmt: skip
        desk.change_case("ana", case.case_id, 3, closed)
        tab.go("/cases?resolved=yes")
        row = tab.page.get_by_role("row", name="CA-000012")
        row.get_by_text("Resolved").wait_for()
        row.get_by_text("Paid off.").wait_for()
        row.get_by_role("link").click()
        tab.page.get_by_role("button", name="Case · Resolved").wait_for()
        assert tab.faults == []

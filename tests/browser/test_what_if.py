"""A scenario is typed, read, reloaded, and followed to a loan and back."""

import re

import pytest
from playwright.sync_api import expect

from components.what_if.moves import rows_of
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import MovedFilter, Scenario
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.browser.test_journeys import numbers, params

pytestmark = pytest.mark.browser


def typed(tab, label, value, at=0):
    """Types a figure into an input of a scenario; 0 is the first scenario."""
    box = tab.page.get_by_role("spinbutton", name=label, exact=True).nth(at)
    box.fill(value)
    box.press("Enter")
    tab.settled()


def test_a_scenario_is_typed_its_moves_read_reloaded_and_followed_to_a_loan(
    demo_server, demo_store, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/loans?state=CA,TX")
    tab.page.get_by_role("link", name="What if rates, NOI or cap rates move?").click()
    tab.page.wait_for_url("**/what_if?state=**")
    tab.settled()
    typed(tab, "Rates in bp", "100")
    tab.page.wait_for_url("**rates=100**")
    typed(tab, "NOI in percent", "-10")
    tab.page.wait_for_url("**noi=-10**")
    typed(tab, "Cap rate in bp", "50")
    tab.page.wait_for_url("**cap=50**")
    asked = {"state": "CA,TX", "rates": "100", "noi": "-10", "cap": "50"}
    assert params(tab) == asked
    with Store(demo_store, rescorer=RulesRescorer()).lease() as source:
        scenario = Scenario.of(rates=100, noi=-10, cap=50)
        found = source.what_if(LoanFilter(state=("CA", "TX")), scenario)
        move = MovedFilter(state=("CA", "TX"), move=("none", "moderate"))
        moved = source.moved_loans(move, scenario)
    assert f"{found.worse.loans} loans" in tab.text()
    moves = tab.page.get_by_role("table", name="Moves in scenario 1").locator("tbody tr")
    expect(moves).to_have_count(len(rows_of(found.moves)))
    said = moves.all_inner_texts()
    tab.page.reload()
    tab.settled()
    assert params(tab) == asked
    assert moves.all_inner_texts() == said
    tab.page.get_by_role("link", name=re.compile("no signal → ◔ moderate")).click()
    tab.page.wait_for_url("**move=none%2Cmoderate**")
    tab.settled()
    assert f"from no signal to ◔ moderate in scenario 1: {moved.total}" in tab.text()
    rows = tab.page.get_by_role("table", name="Loans that move").locator("tbody th a")
    assert numbers(rows) == [one.loan_number for one in moved.items]
    rows.first.click()
    tab.page.wait_for_url(f"**/loan?loan_number={moved.items[0].loan_number}")
    tab.settled()
    tab.page.get_by_text("Back to the scenario").click()
    tab.page.wait_for_url("**/what_if?**move=none%2Cmoderate**")
    tab.settled()
    assert numbers(rows) == [one.loan_number for one in moved.items]
    assert tab.faults == []


def test_two_scenarios_stand_side_by_side_each_with_its_own_rates_by_tenor(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/what_if?rates=100&rate_5=0&rates_2=-100")
    cards = tab.page.get_by_role("heading", name=re.compile("^Scenario"))
    assert cards.all_inner_texts() == [
        "Scenario 1: 7-year +100 bp, 10-year +100 bp, index +100 bp",
        "Scenario 2: Rates −100 bp",
    ]
    left, right = (cards.nth(at).bounding_box() for at in (0, 1))
    assert left["y"] == right["y"]
    assert left["x"] < right["x"]
    tab.page.get_by_role("radio", name="Scenario 2").click()
    tab.page.wait_for_url("**of=2**")
    tab.settled()
    assert "Loans that move in scenario 2" in tab.text()
    tab.page.get_by_role("spinbutton", name="Rates in bp", exact=True).nth(1).fill("400")
    tab.page.keyboard.press("Enter")
    tab.settled()
    # The input holds no more than it may; what is shown is what it holds.
    assert "400" not in params(tab).values()
    assert tab.faults == []

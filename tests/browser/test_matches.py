"""Parties that may be one, decided on Sources in a browser (D229)."""

from datetime import date

import pytest

from services.importers.parties import portfolio
from tests.pages.test_matches import ONE, OTHER, ROWS
from tests.publishing import load
from tests.world import Sketch, info_of

pytestmark = pytest.mark.browser


def test_a_pair_is_accepted_and_taken_back_on_the_page(server_on, open_tab, tmp_path):
    s = Sketch(info_of("sec-absee:Deal 1", date(2024, 1, 31), title="Deal 1"))
    for number in ("10", "12"):
        s.loan(f"Deal 1:{number}", confidence_tier=None)
    typed = tmp_path / "typed.csv"
    typed.write_text(ROWS)
    load(tmp_path / "store", [s.portfolio(), portfolio(typed, as_of=date(2024, 1, 31))])
    with server_on(tmp_path / "store") as address:
        tab = open_tab(address)
        tab.go("/sources")
        pair = tab.page.get_by_role("combobox", name="Pair")
        pair.click()
        tab.page.get_by_role("option", name=f"1. {ONE} = {OTHER}").click()
        tab.settled()
        accept = tab.page.get_by_role("button", name="Accept")
        accept.click()
        tab.page.get_by_text("Accept: kept").wait_for()
        tab.page.get_by_text("accepted by").wait_for()
        tab.settled()
        assert accept.is_disabled()
        tab.page.get_by_role("button", name="Undo").click()
        tab.page.get_by_text("Undo: kept").wait_for()
        tab.settled()
        assert accept.is_enabled()

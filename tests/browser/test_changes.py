"""A cell of the matrix is followed to its loans, to one of them and back; a reload keeps all."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from services.contract.history import ChangeQuery
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.browser.test_journeys import params
from tests.publishing import load_once
from tests.servers import dashboard
from tests.two_dates import AUGUST, LOANS, SEPTEMBER, book
from tests.world import RATES

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two-dates") / "store"
    many = {f"many-{at:02}": LOANS["late"] for at in range(30)}
    for when in (AUGUST, SEPTEMBER):
        load_once(folder, [book(when, loans={**LOANS, **many})], rates=RATES)
    return folder


@pytest.fixture(scope="module")
def server(store) -> Iterator[str]:
    with dashboard(store) as address:
        yield address


def test_a_cell_is_followed_to_its_loans_to_one_and_back_and_a_reload_keeps_all(
    server, store, open_tab
):
    with Store(store, rescorer=RulesRescorer()).lease() as source:
        worse = ChangeQuery(severity_before=("none",), severity_after=("severe",))
        cell = source.changes(worse).found
    tab = open_tab(server)
    tab.go("/")
    line = tab.page.get_by_role("link", name="Since 31 Aug 2026:")
    line.click()
    tab.page.wait_for_url("**/changes")
    tab.settled()
    link = tab.page.get_by_role("link", name=f"no signal, ◆ severe: {cell.total}", exact=True)
    link.click()
    tab.page.wait_for_url("**severity_before=none**")
    tab.settled()
    asked = {"severity_before": "none", "severity_after": "severe"}
    assert params(tab) == asked
    rows = tab.page.get_by_role("table", name="Loans that changed").locator("tbody th a")
    listed = [one.loan_number for one in cell.items]
    expect(rows).to_have_count(len(listed))
    said = rows.all_inner_texts()
    tab.page.reload()
    tab.settled()
    assert params(tab) == asked
    assert rows.all_inner_texts() == said
    rows.first.click()
    tab.page.wait_for_url("**/loan?**loan_number=**")  # its history may be named first
    tab.settled()
    tab.page.get_by_text("Back to the changes").click()
    tab.page.wait_for_url("**/changes?**")
    tab.settled()
    assert params(tab) == asked
    assert rows.all_inner_texts() == said
    # By keyboard: one cell is in the order of the Tab key, arrow keys go to the next.
    table = tab.page.get_by_role("table", name="Loans from worst signal to worst signal")
    first = table.locator("a[tabindex='0']")
    first.focus()
    before = tab.page.evaluate("document.activeElement.getAttribute('aria-label')")
    tab.page.keyboard.press("ArrowRight")
    after = tab.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert before != after
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_function("() => !location.search.includes('severity_after=severe')")
    tab.settled()
    assert "severity_before" in params(tab)
    assert tab.faults == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_and_names_are_no_markup(server, open_tab, dark):
    tab = open_tab(server, dark=dark)
    tab.go("/changes?per_page=50&severity_before=none")
    assert "<script>alert(2)</script> Inn" in tab.text()
    found = [
        f"{violation['id']}: {node['html'][:140]}"
        for violation in Axe().run(tab.page).response["violations"]
        for node in violation["nodes"]
    ]
    assert found == []
    assert tab.faults == []

"""From the ranking of sponsors to a family, and from its timeline to a loan: by clicks only."""

import re

import pytest

from services.contract.families import FamilyFilter
from services.contract.parties import PartyFilter
from services.contract.queries import Query
from services.store.leases import Store
from tests.browser.test_journeys import numbers, params
from tests.browser.test_screening import choose, listed

pytestmark = pytest.mark.browser
#: Where the mark that was drawn last, so that nothing lies on it, is on the screen.
_MARK = """() => {
  for (const path of [...document.querySelectorAll('.scatterlayer .point')].reverse()) {
    const box = path.getBoundingClientRect();
    const at = [box.x + box.width / 2, box.y + box.height / 2];
    if (box.width) return at;
  }
}"""
#: How wide the parts of each stacked bar are together.
_WIDTHS = """all => all.map(bar => [...bar.querySelectorAll("i:not(.broken)")].reduce(
    (sum, part) => sum + part.getBoundingClientRect().width, 0))"""


def test_sponsors_lead_to_a_family_and_its_timeline_to_a_loan(demo_server, demo_store, open_tab):
    tab = open_tab(demo_server)
    tab.go("/sponsors")
    choose(tab, "Worst signal", "critical")
    tab.page.wait_for_url("**severity=critical**")
    tab.page.locator("th button", has_text="Lenders exposed").click()
    tab.page.wait_for_url("**order=-lenders**")
    tab.settled()
    query = FamilyFilter(severity="critical", order="-lenders")
    with Store(demo_store).lease() as source:
        expected = [one.entity_name for one in source.families(query).items]
    assert listed(tab) == expected
    tab.page.reload()
    tab.settled()
    assert listed(tab) == expected
    assert params(tab) == query.params()
    tab.page.get_by_role("link", name=expected[0], exact=True).click()
    tab.page.wait_for_url("**/family?entity_name=**")
    tab.settled()
    tab.page.get_by_role("radio", name="By lender").click()
    tab.page.wait_for_url("**lanes=lender**")
    tab.settled()
    before = tab.page.get_by_role("table", name="Loans of the family").inner_text()
    tab.page.reload()
    tab.settled()
    assert params(tab) == {"entity_name": expected[0], "lanes": "lender"}
    assert tab.page.get_by_role("table", name="Loans of the family").inner_text() == before
    # The mark may lie below the fold: how far down depends on how many loans are listed above it.
    tab.page.locator(".scatterlayer .point").last.scroll_into_view_if_needed()
    tab.page.mouse.click(*tab.page.evaluate(_MARK))
    tab.page.wait_for_url("**/loan?loan_number=**")
    tab.settled()
    assert params(tab)["loan_number"] in before
    tab.page.get_by_text("Back to the family").click()
    tab.page.wait_for_url("**/family?**lanes=lender**")
    assert tab.faults == []


def test_another_loan_lists_its_own_siblings_and_a_reload_keeps_it(
    demo_server, demo_store, open_tab
):
    with Store(demo_store).lease() as source:
        families = source.families(FamilyFilter(order="-stressed")).items
        name = families[0].entity_name
        loans = [one.loan_number for one in source.family(name).loans]
    tab = open_tab(demo_server)
    tab.go(f"/family?entity_name={name}")
    box = tab.page.get_by_role("combobox", name="Siblings of")
    box.click()
    box.fill(loans[-1])
    tab.page.get_by_role("option", name=re.compile(loans[-1])).first.click()
    tab.page.wait_for_url(f"**loan={loans[-1]}**")
    tab.settled()
    said = f" ({loans[-1]}) in this family"
    assert said in tab.text()
    tab.page.reload()
    tab.settled()
    assert said in tab.text()
    assert params(tab) == {"entity_name": name, "loan": loans[-1]}
    row = tab.page.get_by_role("table", name="Distressed siblings").locator("tbody tr").first
    (sibling,) = numbers(row.locator("a"))
    row.locator("a").click()
    tab.page.wait_for_url(f"**/loan?loan_number={sibling}**")
    assert tab.faults == []


def test_a_role_is_chosen_on_a_party_s_page_and_a_reload_keeps_it(
    demo_server, demo_store, open_tab
):
    """D69."""
    with Store(demo_store).lease() as source:
        names = [
            found.name
            for found in source.matches("li", 5) + source.matches("mu", 5)
            if found.kind == "lender"
        ]
        name = next(one for one in names if len(source.exposure(one).counted))
        first = source.exposure(name).counted[0]
    tab = open_tab(demo_server)
    tab.go(f"/entity?entity_name={name}")
    table = tab.page.get_by_role("table", name="Loans by role")
    table.get_by_role("link", name="Lender", exact=True).click()
    tab.page.wait_for_url("**role=lender**")
    tab.settled()
    said = f"Its loans as lender, the worst first: {first.loans:,}"
    assert said in tab.text()
    tab.page.reload()
    tab.settled()
    assert said in tab.text()
    assert tab.faults == []


def test_parties_are_put_in_order_by_kind_and_figure_and_a_row_opens_its_party(
    demo_server, demo_store, open_tab
):
    """D263."""
    with Store(demo_store).lease() as source:
        found = source.parties(PartyFilter(kind="sponsor", order="-stressed")).items
        first = source.loans_of(found[0].entity_name, Query()).items[0]
    tab = open_tab(demo_server)
    tab.go("/entities")
    tab.page.get_by_role("radio", name=re.compile("^Sponsors")).click()
    tab.page.wait_for_url("**kind=sponsor**")
    tab.settled()
    names = tab.page.locator("th.name a > span:first-child")
    bars = tab.page.locator("td .stack")
    assert bars.count() == len(found)
    widths = bars.evaluate_all(_WIDTHS)
    assert 0 < min(widths) < max(widths) <= bars.first.bounding_box()["width"] + 1
    tab.page.locator("th button", has_text="Distressed").click()
    tab.page.wait_for_url("**order=-stressed**")
    tab.settled()
    assert names.all_inner_texts() == [one.entity_name for one in found]
    tab.page.reload()
    tab.settled()
    assert names.all_inner_texts() == [one.entity_name for one in found]
    assert params(tab) == {"kind": "sponsor", "order": "-stressed"}
    names.first.click()
    tab.page.wait_for_url("**/entity?entity_name=**")
    tab.settled()
    assert tab.page.get_by_role("heading", level=1).inner_text() == found[0].entity_name
    loans = tab.page.get_by_role("table", name="Loans", exact=True)
    assert numbers(loans.locator("tbody tr").first.locator("a")) == [first.loan_number]
    tab.page.get_by_role("link", name="Ownership").click()
    head = tab.page.get_by_role("heading", name="Owners above and holdings below").bounding_box()
    name = tab.page.locator(".st-key-record").bounding_box()
    assert name["y"] + name["height"] <= head["y"] < 900
    tab.page.get_by_text("Back to the names").click()
    tab.page.wait_for_url("**/entities?**kind=sponsor**")
    assert tab.faults == []

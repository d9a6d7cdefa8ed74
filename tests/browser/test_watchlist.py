"""Watching a loan, writing notes on it and finding both again, by hand and after a reload (D77)."""

import re

import pytest

from services.contract.desk import Subject
from services.desk.sqlite import SqliteDesk
from services.sign_in import local_user
from services.sources import StoreWorkspace
from tests.browser.conftest import framed, own_desk
from tests.commands import said
from tests.patience import until
from tests.servers import ROOT

pytestmark = pytest.mark.browser

NUMBER = "CA-000012"
LOAN = Subject(source=StoreWorkspace.label, kind="loan", name=NUMBER)


@pytest.fixture
def own_store(demo_store, tmp_path):
    """The demonstration with a desk of its own."""
    return own_desk(demo_store, tmp_path / "store")


def write(tab, text, button="Add note", box="New note"):
    tab.page.get_by_role("textbox", name=box, exact=True).fill(text)
    tab.page.get_by_role("button", name=button, exact=True).click()
    framed(tab)
    tab.settled()


def test_a_loan_is_watched_noted_and_found_again(own_store, server_on, open_tab):
    """D78: a note that somebody else changes meanwhile is shown with both texts."""
    desk = SqliteDesk(own_store / "desk.sqlite")
    with server_on(own_store) as address:
        tab = open_tab(address)
        tab.go(f"/loan?loan_number={NUMBER}")
        tab.page.locator(".st-key-watch label").click()
        until(lambda: desk.watched(local_user().name, LOAN.source))
        tab.page.get_by_role("button", name="Notes · 0").click()
        write(tab, "Sponsor called.\n<b>Wants</b> a year.")
        tab.page.get_by_role("button", name="Notes · 1").wait_for()
        tab.go(f"/loan?loan_number={NUMBER}")
        tab.page.get_by_role("button", name="Notes · 1").click()
        tab.page.get_by_text("<b>Wants</b> a year.").wait_for()
        # Somebody else edits it while it is edited here.
        tab.page.get_by_role("button", name="Edit", exact=True).click()
        tab.page.get_by_role("textbox", name="Note", exact=True).wait_for()
        (note,) = desk.notes_of(LOAN)
        desk.edit_note("ben", note.note_id, 1, "Ben was faster.")
        write(tab, "Mine, all the same.", "Save", "Note")
        tab.page.get_by_text("ben has changed this note meanwhile").wait_for()
        assert tab.page.get_by_text("Ben was faster.").is_visible()
        box = tab.page.get_by_role("textbox", name="Note", exact=True)
        assert box.input_value() == "Mine, all the same."
        write(tab, "Mine, and Ben's.", "Save over it", "Note")
        assert [one.body for one in desk.notes_of(LOAN)] == ["Mine, and Ben's."]
        # The watchlist, and the way from it.
        tab.go("/watchlist")
        assert "Watched loans, worst first: 1" in tab.text()
        tab.page.get_by_role("link", name=NUMBER).click()
        tab.page.wait_for_url("**/loan?loan_number=**")
        tab.settled()
        tab.page.get_by_role("button", name="Notes · 1").click()
        tab.page.get_by_text("Mine, and Ben's.").wait_for()
        tab.page.get_by_role("button", name="Delete", exact=True).click()
        tab.page.get_by_role("button", name="Notes · 0").wait_for()
        assert desk.notes_of(LOAN) == ()
        # Ticked, and no longer watched.
        tab.go("/watchlist")
        tab.page.get_by_role("checkbox", name=f"Select {NUMBER}").check()
        tab.page.get_by_role("button", name=re.compile("Stop watching 1")).click()
        tab.page.get_by_text("Nothing is watched yet").wait_for()
        # The worst loans, watched one after the other by the keyboard.
        suggested = tab.page.get_by_role("table", name="Loans to watch")
        begun = suggested.locator("tbody tr").evaluate_all(
            "all => all.map(one => one.dataset.record)"
        )
        suggested.get_by_role("button", name=f"Watch {begun[0]}", exact=True).focus()
        for number in begun[:2]:
            tab.page.keyboard.press("Enter")
            suggested.get_by_role("button", name=f"Watch {number}").wait_for(state="detached")
            tab.settled()
        assert tab.page.evaluate("() => document.activeElement.dataset.acts") == begun[2]
        watched = {one.subject.name for one in desk.watched(local_user().name, LOAN.source)}
        assert watched == set(begun[:2])
        assert tab.faults == []


HISTORY = ROOT.parent / "shared/data/sec-absee-history"


@pytest.mark.skipif(not HISTORY.is_dir(), reason="the history of genuine filings is not here")
def test_a_loan_is_watched_and_the_next_months_filing_says_what_changed(
    tmp_path, server_on, open_tab
):
    """UBS 2017-C1, asset 52, a hotel in Cleveland: payment status 2 in the filing of May 2020
    (60 to 89 days delinquent), and 3 in that of June (90 days or more).
    """
    month(tmp_path, "2020-05")
    with server_on(tmp_path / "store") as address:
        tab = open_tab(address)
        tab.go("/loan?loan_number=UBS%202017-C1%3A52")
        tab.page.locator(".st-key-watch label").click()
        desk = SqliteDesk(tmp_path / "store/desk.sqlite")
        until(lambda: desk.watched(local_user().name, LOAN.source))
        month(tmp_path, "2020-06")
        tab.go("/watchlist")
        assert "Last seen" in tab.text()
        changed = tab.page.get_by_role("row").filter(has_text="UBS 2017-C1:52").inner_text()
        assert "worsened from severe to critical" in changed
        assert "Its payment status worsened from 60-89 days delinquent" in changed
        assert "11 May 2020" in changed
        tab.page.get_by_role("button", name="Mark all as seen").click()
        tab.page.get_by_role("row").filter(has_text="11 Jun 2020").wait_for()
        assert tab.faults == []


def month(folder, name):
    """Imports a month of the history, as the next one of its deal."""
    path = HISTORY / f"UBS_2017-C1__rpt_{name}.xml"
    said("import", "sec-absee", path, "--store", folder / "store")


def test_a_search_is_saved_found_again_shared_and_deleted(own_store, server_on, open_tab):
    """D88, D89: from Loans to the watchlist and back; a list shared with all."""
    desk = SqliteDesk(own_store / "desk.sqlite")
    user = local_user().name
    desk.watch(user, LOAN, None)
    with server_on(own_store) as address:
        tab = open_tab(address)
        tab.go("/loans?state=TX&order=-book_value")
        press(tab, "Save this search")
        write(tab, "Texas", "Save", "Name")
        tab.page.get_by_text("Saved as “Texas”").wait_for()
        (saved,) = desk.searches(user, LOAN.source)
        assert saved.search.params == {"state": "TX", "order": "-book_value"}
        assert (saved.search.page, saved.shared) == ("loans", False)
        # The same name again is one sentence, and what was typed stays.
        tab.go("/signals")
        press(tab, "Save this search")
        write(tab, "Texas", "Save", "Name")
        tab.page.get_by_text("You have a saved search 'Texas' already").wait_for()
        # From the watchlist to the page it was saved on.
        tab.go("/watchlist?show=searches")
        assert "Saved searches: 1" in tab.text()
        tab.page.get_by_role("link", name="Texas").click()
        tab.page.wait_for_url("**/loans?**")
        tab.settled()
        assert f"Loans in Texas: {saved.found.records}" in tab.text()
        # One's own list, shared under a name, is on it too; both are deleted.
        tab.go("/watchlist")
        press(tab, "Share this list")
        write(tab, "Mine to read", "Share", "Name")
        tab.page.get_by_text("Saved as “Mine to read”").wait_for()
        tab.go("/watchlist?show=searches")
        tab.page.get_by_role("checkbox", name="Select Texas").check()
        press(tab, "Share")
        assert [one.shared for one in desk.searches("zoe", LOAN.source)] == [True, True]
        for name in ("Texas", "Mine to read"):
            tab.page.get_by_role("checkbox", name=f"Select {name}").check()
            tab.settled()
        press(tab, "Delete 2")
        tab.page.get_by_text("No search is saved yet").wait_for()
        assert desk.searches(user, LOAN.source) == ()
        assert tab.faults == []


def press(tab, button):
    tab.page.get_by_role("button", name=button, exact=True).click()
    framed(tab)
    tab.settled()

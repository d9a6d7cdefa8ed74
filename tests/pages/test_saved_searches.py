"""Saved searches and shared lists on the watchlist, as AppTest draws them (D88, D89)."""

from datetime import date

import pytest

from components.frame import visitor
from services.contract.desk import Search, SearchFound, Subject, set_of
from services.contract.queries import parse
from services.contract.users import User
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from services.sign_in import local_user
from services.sources import StoreWorkspace
from services.store.leases import Store
from tests.pages.field_reading import press
from tests.pages.ledger_reading import addresses, rows
from tests.pages.screen import said, sent_to, shown
from tests.publishing import load_once

SOURCE = StoreWorkspace.label
THEN = SearchFound(records=3, book_value=1_000_000, snapshot_id="old", as_of=date(2026, 6, 30))
OFFICES = {"property_type": "office"}
NOTHING = {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("searches") / "store"
    load_once(folder, [demo.portfolio(loans=300)])
    return folder


@pytest.fixture
def page(folder, visit, tmp_path):
    def run(file="pages/watchlist.py", /, *, held=NOTHING, **params):
        app = visit(file, folder, params, held, desk=str(tmp_path / "desk.sqlite"))
        assert not app.exception
        return app

    run.desk = SqliteDesk(tmp_path / "desk.sqlite")
    run.me = local_user().name
    return run


def saved(page, name, at="loans", params=OFFICES, owner=None, **options):
    search = Search(source=SOURCE, page=at, params=params)
    return page.desk.save_search(owner or page.me, name, search, THEN, **options)


def loans_of(params):
    from components.loans.filters import LoanView

    return parse(LoanView, params).filter()


def truth(folder, query):
    with Store(folder).lease() as source:
        return source.loan_totals(query)


def test_a_search_says_what_it_found_then_and_finds_now_and_leads_there(page, folder):
    saved(page, "Hotels", params=OFFICES | {"order": "-book_value"})
    app = page(show="searches")
    (row,) = rows(app, "Saved search")
    now = truth(folder, loans_of(OFFICES))
    assert (row["Saved search"], row["Then"], row["Then, as of"]) == ("Hotels", "3", "30 Jun 2026")
    assert row["Now"] == f"{now.loans:,}"
    assert row["Change"] == f"+{now.loans - 3:,}"
    assert (row["Asks for"], row["Whose"]) == ("Office loans", "you")
    assert row["Book value then"] == "$1.0M"
    assert addresses(app, "Saved searches") == ["loans?property_type=office&order=-book_value"]
    assert "Saved searches: 1" in said(app)


def test_a_search_of_signals_counts_what_its_page_counts(page):
    """An address of Signals without a severity asks for the worst two."""
    saved(page, "Worst", "signals", {})
    (row,) = rows(page(show="searches"), "Saved search")
    assert row["Asks for"] == "Critical or severe signals"
    lead = next(one for one in said(page("pages/signals.py")).splitlines()
                if one.startswith("Critical or severe signals"))  # fmt: skip
    assert row["Now"] in lead


def test_what_others_share_is_seen_and_theirs_alone_to_change(page):
    saved(page, "Theirs", owner="zoe", shared=True)
    saved(page, "Hidden", owner="zoe")
    (row,) = rows(page(show="searches"), "Saved search")
    assert (row["Saved search"], row["Whose"]) == ("Theirs", "zoe, shared")


def test_a_shared_list_is_read_and_offers_nothing_to_change(page):
    page.desk.watch("zoe", Subject(source=SOURCE, kind="loan", name="CA-000012"), None)
    one = saved(page, "Zoe's hotels", "watchlist", {}, owner="zoe", shared=True)
    app = page(show="searches")
    (row,) = rows(app, "Saved search")
    assert (row["Now"], row["Asks for"]) == ("1", "Loans and parties that zoe watches")
    assert addresses(app, "Saved searches") == [f"watchlist?of={one.search_id}"]
    app = page(of=one.search_id)
    assert "Zoe's hotels, shared by zoe" in said(app)
    (row,) = rows(app, "Loan")
    assert row["Loan"] == "CA-000012"
    assert not [one.label for one in app.button if "seen" in one.label or "Stop" in one.label]
    page.desk.delete_search("zoe", one.search_id, 1)
    app = page(of=one.search_id)
    assert "not shared any more" in " ".join(shown(one.value) for one in app.warning)


def test_a_search_that_cannot_be_asked_any_more_says_why(page):
    saved(page, "Old", params={"colour": "red"})
    saved(page, "New")
    new, old = rows(page(show="searches"), "Saved search")
    assert old["Asks for"].startswith("Cannot be asked any more: Unknown parameter 'colour'")
    assert (old["Now"], old["Change"]) == ("—", "—")
    assert new["Now"] != "—"


def test_only_what_changed_leaves_out_what_is_as_it_was(page, folder):
    now = truth(folder, loans_of(OFFICES))
    search = Search(source=SOURCE, page="loans", params=OFFICES)
    same = THEN.model_copy(update={"records": now.loans, "book_value": now.book_value})
    page.desk.save_search(page.me, "Same", search, same)
    app = page(show="searches", changed="yes")
    assert "Every search finds what it found when it was saved." in said(app)
    saved(page, "Other")
    assert [row["Saved search"] for row in rows(page(show="searches", changed="yes"),
                                                "Saved search")] == ["Other"]  # fmt: skip


def test_a_search_that_the_licence_does_not_cover_stays_listed_and_says_so(
    page, folder, visit, tmp_path
):
    """D82: the tier Resolution opens neither loans nor signals."""
    saved(page, "Offices")
    desk, shows = str(tmp_path / "desk.sqlite"), {"show": "searches"}
    app = visit("pages/watchlist.py", folder, shows, {"seen_as": "resolution"}, desk=desk)
    (row,) = rows(app, "Saved search")
    assert (row["Now"], row["Then"]) == ("—", "3")
    assert row["Asks for"] == "Office loans; your licence does not cover these"


@pytest.mark.parametrize(("role", "shares"), [("reader", False), ("analyst", True)])
def test_a_reader_saves_a_search_for_themselves_and_shares_none(page, monkeypatch, role, shares):
    monkeypatch.setattr(visitor, "who", lambda: User(name=page.me, role=role))
    app = page("pages/loans.py", **OFFICES)
    # Of a search, and of a set, whose form is drawn once it is opened.
    (form,) = [one for one in app.session_state._state.filtered_state if one.startswith("as set ")]
    app = page("pages/loans.py", held={form: True}, **OFFICES)
    toggle, of_set = [one for one in app.toggle if one.label == "Share it with everybody"]
    assert of_set.disabled is toggle.disabled
    assert toggle.disabled is not shares
    denied = "The role reader may not share lists and searches with everybody"
    assert (denied in (toggle.help or "")) is not shares
    # Were the box ticked all the same, nothing is written.
    app.session_state[toggle.key] = True
    (save,) = [one for one in app.button if one.label == "Save"]
    app = save.click().run()
    assert len(page.desk.searches(page.me, SOURCE)) == int(shares)
    assert (denied in said(app)) is not shares


def test_searches_that_were_deleted_are_saved_again_but_a_set_is_not(page):
    saved(page, "Offices", shared=True)
    saved(page, "Hotels", params={"property_type": "lodging"})
    before = page.desk.searches(page.me, SOURCE)
    app = page(show="searches", held={"searches ticked": ("Offices", "Hotels")})
    app = press(app, "Delete 2")
    assert page.desk.searches(page.me, SOURCE) == ()
    press(app, "Undo")
    after = page.desk.searches(page.me, SOURCE)
    told = [(one.name, one.search, one.found, one.shared) for one in after]
    assert told == [(one.name, one.search, one.found, one.shared) for one in before]
    # Links lead to a set by its number.
    page.desk.save_search(page.me, "Mine", set_of(SOURCE, ["CA-000001"]), THEN)
    app = page(show="searches", held={"searches ticked": ("Mine",)})
    app = press(app, "Delete 1")
    assert "Saved searches deleted: 1." in said(app)
    assert not [one for one in app.button if one.label == "Undo"]


def test_the_search_box_finds_saved_searches_sets_and_lists_and_leads_to_them(page):
    saved(page, "offices of ana")
    saved(page, "office signals", "signals", {"state": "TX"})
    mine = page.desk.save_search(page.me, "my offices", set_of(SOURCE, ["CA-000001"]), THEN)
    app = page("pages/sources.py", held={"search asked": "OFFICE"})
    (band,) = sent_to(app, "atlas_navigation")
    (group,) = [one for one in band["search"]["groups"] if one["label"].startswith("Saved")]
    assert {row["label"]: row["href"] for row in group["rows"]} == {
        "my offices": f"loans?scope=set%3A{mine.search_id}",
        "office signals": "signals?state=TX",
        "offices of ana": "loans?property_type=office",
    }

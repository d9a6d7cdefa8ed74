"""The watchlist over two snapshots, and the strip of loan and party: what they say (D77, D79)."""

import socket
import sqlite3
from datetime import date

import pytest

from components.desk.unfolding import named
from services.contract.access import LICENCES
from services.contract.desk import Seen, Subject
from services.database.connections import CONNECT_SECONDS
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from services.sign_in import local_user
from services.sources import StoreWorkspace
from services.store.leases import Store
from services.store.source import StoreSource
from tests.pages.field_reading import press
from tests.pages.ledger_reading import addresses, column, rows
from tests.pages.screen import said, shown
from tests.publishing import load, load_once
from tests.team.waits import waits

GONE = "CA-000300"


def subject(kind, name):
    return Subject(source=StoreWorkspace.label, kind=kind, name=name)


def book(loans, month):
    return demo.portfolio(loans=loans, as_of=date(2026, month, 30))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A folder with a desk that was filled in June, and the book of September."""
    folder = tmp_path_factory.mktemp("months") / "store"
    load_once(folder, [book(300, 6)])
    return folder


@pytest.fixture
def page(store, visit, tmp_path):
    def run(file="pages/watchlist.py", held=(), /, **params):
        app = visit(file, store, params, dict(held), desk=str(tmp_path / "desk.sqlite"))
        assert not app.exception
        return app

    run.desk = SqliteDesk(tmp_path / "desk.sqlite")
    run.me = local_user().name
    return run


def test_what_is_watched_is_listed_worst_first_and_told_as_it_changes(page, store):
    """D79: two demonstrations, three months apart; one loan fewer in the second."""
    numbers = [f"CA-{at:06}" for at in range(1, 31)]
    for number in (*numbers, GONE):
        page.desk.watch(page.me, subject("loan", number), None)
    app = page(per_page="50")
    ranks = [row["Worst signal"] for row in rows(app, "Worst signal")]
    words = ["critical", "severe", "elevated", "moderate", "low", "—"]
    places = [words.index(rank.split()[-1]) for rank in ranks]
    assert places == sorted(places)
    assert len(ranks) == 31
    assert set(column(app, "Last seen")) == {"not compared yet"}
    assert set(column(app, "Changed since last seen")) == {"—"}
    assert "Watched loans, worst first: 31" in said(app)
    with Store(store).lease() as source:
        before = source.loan(GONE)
    facts = {"book_value": before.book_value}
    old = Seen(snapshot_id="old", as_of=date(2026, 6, 30), facts=facts)
    page.desk.see(page.me, {subject("loan", GONE): old})
    app = page(changed="yes")
    assert not rows_or_none(app)
    load(store, [book(299, 9)])
    low = Seen(snapshot_id="old", as_of=date(2026, 6, 30), facts={"worst_severity": "low"},
               signals={})  # fmt: skip
    page.desk.see(page.me, {subject("loan", number): low for number in numbers})
    app = page(changed="yes", per_page="50")
    told = {row["Loan"]: row for row in rows(app, "Loan")}
    assert told[GONE]["Changed since last seen"] == "Gone from the book"
    assert column(app, "Loan")[-1] == GONE
    assert set(column(app, "Last seen")) == {"30 Jun 2026"}
    with Store(store).lease() as source:
        for number in numbers:
            signals = source.signals_of(number)
            change = told[number]["Changed since last seen"] if signals else "-"
            assert change.count("New signal: ") == len(signals)
    assert addresses(app, "Watched loans")[0].startswith("loan?loan_number=CA-")


def rows_or_none(app):
    try:
        return rows(app, "Loan")
    except AssertionError:
        return []


def test_parties_are_listed_by_book_value(page, store):
    with Store(store).lease() as source:
        names = [one.entity_name for one in source.families(_families()).items[:5]]
    for name in sorted(names):
        page.desk.watch(page.me, subject("entity", name), None)
    page.desk.watch(page.me, subject("entity", "Nobody & Sons"), None)
    app = page(show="parties")
    with Store(store).lease() as source:
        by_value = sorted(names, key=lambda name: -source.entity(name).book.book_value)
    assert column(app, "Party") == [*by_value, "Nobody & Sons"]
    assert column(app, "Changed since last seen")[-1] == "Gone from the book"


def _families():
    from services.contract.families import FamilyFilter

    return FamilyFilter()


def test_a_loan_says_what_changed_and_shows_its_notes_as_written(page):
    loan = subject("loan", "CA-000012")
    seen = Seen(snapshot_id="old", as_of=date(2026, 6, 30), facts={"dscr": 9.99}, signals={})
    page.desk.watch(page.me, loan, seen)
    note = page.desk.add_note("ana", loan, "# No heading\n[x](//evil.example) $5 and $6")
    page.desk.edit_note("ben", note.note_id, 1, "**plain**")
    opened = {f"notes {named(loan)}": True}
    app = page("pages/loan.py", opened, loan_number="CA-000012")
    (since,) = (one for one in said(app).splitlines() if one.startswith("Since you last saw it"))
    assert since.startswith("Since you last saw it, as of 30 Jun 2026: ")
    assert "DSCR 9.99x → " in since
    turned = {one.label: one.value for one in app.toggle}
    assert turned == {"Watch": True, "Earlier texts": False, "Show the map": False,
                      "Show the history": False}  # fmt: skip
    assert "**plain**" in [one.value for one in app.text]
    assert "ana, " in said(app)
    assert "changed by ben" in said(app)


@pytest.mark.parametrize(
    ("file", "params", "drawn"),
    [
        ("pages/loan.py", {"loan_number": "CA-000012"}, "Capital stack"),
        ("pages/watchlist.py", {}, "Watchlist"),
    ],
)
def test_a_damaged_desk_leaves_the_page_readable_and_says_what_to_do(
    page, tmp_path, file, params, drawn
):
    """D77; nothing is said to be empty that could not be read."""
    (tmp_path / "desk.sqlite").write_bytes(b"no database" * 500)
    app = page(file, **params)
    (warning,) = (shown(one.value) for one in app.warning)
    assert "cannot be read or written now" in warning
    assert "CREDIT_ATLAS_DESK" in warning
    assert drawn in said(app)
    assert "Nothing is watched yet" not in said(app)


def test_an_entry_that_does_not_read_is_said_on_the_page(page, tmp_path):
    page.desk.watch(page.me, subject("loan", "CA-000012"), None)
    file = sqlite3.connect(tmp_path / "desk.sqlite")
    file.execute("UPDATE watches SET seen = '{'")
    file.commit()
    file.close()
    for name, params in (("watchlist", {}), ("loan", {"loan_number": "CA-000012"})):
        (warning,) = (shown(one.value) for one in page(f"pages/{name}.py", **params).warning)
        assert "an entry does not read" in warning


def test_a_database_that_does_not_answer_leaves_pages_readable_and_holds_up_one_at_most(
    store, visit, monkeypatch
):
    """D87: a socket that takes connections and says nothing."""
    waited = waits(monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://ana:no-secret@127.0.0.1:{silent.getsockname()[1]}/desk"
        app = visit("pages/loan.py", store, {"loan_number": "CA-000012"}, desk=address)
        assert sum(waited) > CONNECT_SECONDS - 1
        for _ in range(3):
            (warning,) = (shown(one.value) for one in app.warning)
            assert "Watches and notes cannot be read or written now" in warning
            assert "no-secret" not in warning
            assert "Capital stack" in said(app)
            waited.clear()
            app.run()
            assert 0 < sum(waited) < CONNECT_SECONDS - 1


def test_five_hundred_watched_loans_are_one_read(tmp_path, visit, monkeypatch):
    """Each loan was a read of its signals, each hundred one of their facts: 505 (D142)."""
    folder, desk = tmp_path / "store", tmp_path / "desk.sqlite"
    load(folder, [demo.portfolio(loans=520)])
    written = SqliteDesk(desk)
    numbers = [f"CA-{at:06}" for at in range(1, 501)]
    for number in numbers:
        written.watch(local_user().name, subject("loan", number), None)
    asked = []

    def counting(name, read):
        def counted(*given, **named):
            asked.append(name)
            return read(*given, **named)

        return counted

    for read in LICENCES:
        name = read.__name__
        monkeypatch.setattr(StoreSource, name, counting(name, getattr(StoreSource, name)))
    app = visit("pages/watchlist.py", folder, {"per_page": "100"}, desk=str(desk))
    assert not app.exception
    assert "worst first: 500" in said(app)
    assert len(rows(app, "Worst signal")) == 100
    # What the snapshot is, every page asks of the open snapshot itself; sharing the list keeps its
    # book value. The menu asks which pages have something to show.
    read = sorted(name for name in asked if name != "snapshot")
    of_menu = ["families", "periods", "tenant_totals"]
    assert read == sorted([*of_menu, "loan_names", "loan_totals", "loans_watched"])


def test_what_is_not_watched_any_more_comes_back_with_what_was_last_seen(page):
    """D267."""
    loan, other = subject("loan", "CA-000001"), subject("loan", "CA-000002")
    seen = Seen(snapshot_id="old", as_of=date(2026, 3, 31), facts={"dscr": 1.5}, signals={})
    page.desk.watch(page.me, loan, seen)
    page.desk.watch(page.me, other, None)
    app = page("pages/watchlist.py", {"watchlist ticked": ("CA-000001", "CA-000002")})
    app = press(app, "Stop watching 2")
    assert page.desk.watched(page.me, StoreWorkspace.label) == ()
    assert "Not watched any more: 2." in said(app)
    app = press(app, "Undo")
    found = page.desk.watched(page.me, StoreWorkspace.label)
    assert [(one.subject, one.seen) for one in found] == [(loan, seen), (other, None)]
    assert not [one for one in app.button if one.label == "Undo"]


def test_a_note_that_was_deleted_is_written_again(page):
    loan = subject("loan", "CA-000001")
    page.desk.add_note(page.me, loan, "Asked the servicer about the roof.")
    opened = {f"notes {named(loan)}": True}
    app = page("pages/loan.py", opened, loan_number="CA-000001")
    app = press(app, "Delete")
    assert page.desk.notes_of(loan) == ()
    app = press(app, "Undo")
    (note,) = page.desk.notes_of(loan)
    assert note.body == "Asked the servicer about the roof."

"""The Changes page over a book drawn by hand (tests/two_dates.py), and the line on Overview."""

import json
from datetime import date
from urllib.parse import parse_qs, urlsplit

import pytest

from services.contract.desk import THE_CHANGES, Seen, Subject
from services.desk.sqlite import SqliteDesk
from services.frames import connect
from services.importers import demo
from services.sign_in import local_user
from services.sources import StoreWorkspace
from tests.pages.ledger_reading import addresses, ledgers, open_row, rows, send
from tests.pages.screen import components, headlines, links, said, tell
from tests.publishing import load, load_once
from tests.two_dates import AUGUST, HOSTILE, SEPTEMBER, book, late_source
from tests.world import RATES

PAGE = "pages/changes.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two") / "store"
    load_once(folder, [book(AUGUST)], rates=RATES)
    load(folder, [book(SEPTEMBER), late_source()], rates=RATES)
    return folder


pytestmark = pytest.mark.usefixtures("visited_before")


@pytest.fixture
def page(folder, visit, tmp_path):
    def run(file=PAGE, /, **params):
        app = visit(file, folder, params, desk=str(tmp_path / "desk.sqlite"))
        assert not app.exception
        return app

    run.desk = SqliteDesk(tmp_path / "desk.sqlite")
    run.me = local_user().name
    return run


def matrix(app):
    """The matrix as the browser is sent it."""
    (found,) = components(app, "atlas_matrix")
    return found, json.loads(found.json)


def press(app, row, column):
    """The page after a click on a cell."""
    proto, _ = matrix(app)
    return tell(app, proto, "chosen", [row, column])


def numbers(app):
    return [row["Loan"] for row in ledgers(app).get("Loans that changed", ())]


def test_the_newest_date_and_the_one_before_are_compared_worst_first(page):
    app = page()
    assert "Since 31 Aug 2026: 4 worse" in said(app)
    assert "$41.0M into special servicing" in said(app)
    assert "No filing at or before 31 Aug 2026: Late." in said(app)
    assert headlines(app)["Into special servicing"][:2] == ("1 loan", "$41.0M")
    assert headlines(app)["Paid off"][:2] == ("1 loan", "$5.0M")
    listed = rows(app, "Loan", "What changed")
    assert listed[0]["Loan"] == "special"
    assert listed[0]["What changed"].startswith("The loan went into special servicing.")
    assert "quiet" not in numbers(app)
    kinds = {row["Event"]: row for row in ledgers(app)["Loans by kind of event"]}
    assert kinds["Left the file"]["Dollars"] == "$3.0M"
    assert kinds["Payment status worse"]["For the lender"] == "worse"
    assert kinds["New in the file"]["For the lender"] == "—"
    assert dict(app.query_params) == {}


def test_the_line_of_python_gives_the_loans_of_the_page(page):
    app = page(order="-dollars")
    (line,) = [one.value for one in app.code if "services.frames" in one.value]
    assert line.endswith('connect().changes(order="-dollars", sponsors=True)')
    frame = connect().changes(order="-dollars", sponsors=True)
    listed = [row["Loan"] for row in rows(app, "Loan", "What changed")]
    assert frame["loan_number"].tolist() == listed
    assert frame.attrs["remarks"] == ["No filing at or before 31 Aug 2026: Late."]


def test_names_are_shown_as_they_are_written(page):
    row = next(row for row in rows(page(), "Loan", "Property") if row["Loan"] == HOSTILE)
    assert row["Property"] == "<script>alert(2)</script> Inn"
    assert row["Deal"] == "Deal <b>One</b>"


def test_every_cell_leads_to_as_many_loans_as_it_says(page):
    app = page()
    _, sent = matrix(app)
    assert sent["corner"] == "Before"
    cells = 0
    for row in sent["rows"]:
        for column, cell in zip(sent["columns"], row["cells"], strict=True):
            if cell:
                cells += 1
                params = parse_qs(f"{row['query']}&{column['query']}")
                found = page(**{name: values[0] for name, values in params.items()})
                assert len(numbers(found)) == int(cell[0])
    assert cells > 4


def test_a_click_on_a_cell_lists_its_loans_and_stands_in_the_address(page):
    app = page(kind="paid_off")
    _, sent = matrix(app)
    heads = [row["label"] for row in sent["rows"]]
    at = heads.index("no signal"), [one["label"] for one in sent["columns"]].index("no signal")
    app = press(app, *at)
    asked = {name: app.query_params[name] for name in sorted(app.query_params)}
    assert asked == {"severity_after": "none", "severity_before": "none"}
    assert "quiet" in numbers(app)
    words = "from 31 Aug 2026 to 30 Sep 2026 with no signal before, with no signal after: 1"
    assert f"Loans compared {words}" in said(app)
    app = press(app, heads.index("no signal"), -1)
    assert "severity_after" not in app.query_params


def test_a_kind_leads_to_its_loans_and_they_to_their_pages(page):
    app = page()
    caption = "Loans by kind of event"
    at = [row["Event"] for row in ledgers(app)[caption]].index("Into special servicing")
    assert parse_qs(urlsplit(addresses(app, caption)[at]).query) == {"kind": ["special_in"]}
    app = open_row(app, caption, at)
    assert numbers(app) == ["special"]
    assert addresses(app, "Loans that changed") == ["loan?loan_number=special&history=yes"]


def test_filters_narrow_figures_and_list(page):
    app = page(state="NY")
    assert headlines(app)["Compared"].value == "1 loan"
    assert numbers(app) == ["special"]
    assert "Loans that changed from 31 Aug 2026 to 30 Sep 2026 in New York: 1" in said(app)
    app = page(min_balance="41000000", maturity_after="2035-02-27")
    assert numbers(app) == ["special"]
    assert "of at least $41,000,000, with a legal maturity after 27 Feb 2035" in said(app)
    assert numbers(page(max_balance="3000000")) == ["left"]
    assert "No results" in said(page(maturity_before="2035-02-28"))
    app = page(deal="made-up:Late")
    assert "No results" in said(app)
    app = page(order="loan_number")
    assert numbers(app) == sorted(numbers(app))


def test_the_heads_order_the_list(page):
    app = send(page(), "Loans that changed", "ordered", "dollars")
    stakes = [row["At stake"] for row in rows(app, "At stake")]
    assert stakes[0] == "$41.0M"
    assert stakes[-1] == "$3.0M"
    app = send(app, "Loans that changed", "ordered", "dollars")  # from the smallest up: not offered
    assert "order" not in app.query_params


def test_only_what_the_reader_watches(page):
    label = StoreWorkspace.label
    assert "No results" in said(page(watched="yes"))
    page.desk.watch(page.me, Subject(source=label, kind="loan", name="late"), None)
    assert numbers(page(watched="yes")) == ["late"]
    assert numbers(page(watched="yes", severity_after="none")) == []


@pytest.mark.parametrize(
    ("params", "fault"),
    [
        ({"since": "2026-10-01", "until": "2026-09-30"}, "'since' must not be after 'until'"),
        ({"deal": "nobody's"}, "must be one of"),
        ({"since": "1999-01-01"}, "the first period is of 2026-08-31"),
    ],
)
def test_an_address_at_fault_says_what_is_wrong(page, params, fault):
    app = page(**params)
    assert fault in said(app)
    assert not any("Loans that changed" in caption for caption in ledgers(app))


def test_what_was_seen_is_remembered_for_each_user(page):
    """D174: the button remembers the newest date, and nothing of it is on the watchlist."""
    app = page()
    assert not any("New since" in one for one in links(app))
    button = next(one for one in app.button if one.label == "Mark as seen")
    app = button.click().run()
    assert "You have seen the changes up to 30 Sep 2026." in said(app)
    subject = Subject(source=StoreWorkspace.label, kind="book", name=THE_CHANGES)
    held = page.desk.on_subject(page.me, subject).watch
    assert held.seen.as_of == SEPTEMBER
    assert page.desk.watched(page.me, StoreWorkspace.label) == ()
    assert "Nothing is watched yet" in said(page("pages/watchlist.py"))
    page.desk.see(page.me, {subject: held.seen.model_copy(update={"as_of": AUGUST})})
    assert "New since you last looked, as of 31 Aug 2026" in links(page())


def test_all_loans_can_be_taken_away(page, pressed):
    page(state="NY")
    lines = pressed["credit-atlas-changes.csv"]().decode().splitlines()
    assert any(line.startswith("# Shown") and "in New York" in line for line in lines)
    head, *listed = [line for line in lines if not line.startswith("#")]
    assert head.startswith('"loan_number","property_name","property_type",')
    assert len(listed) == 1
    assert "The loan went into special servicing." in listed[0]
    assert pressed["credit-atlas-changes.xlsx"]()[:2] == b"PK"
    assert pressed["credit-atlas-changes.parquet"]()[:4] == b"PAR1"


def test_overview_says_it_in_one_line(page):
    app = page("pages/overview.py")
    assert any(one.startswith("Since 31 Aug 2026: 4 worse") for one in links(app))


def test_the_watchlist_and_the_strip_say_the_same_events(page):
    """D175: in sentences, of what each was last seen as of; a party by its facts, as before."""
    label = StoreWorkspace.label
    old = Seen(snapshot_id="old", as_of=AUGUST, facts={"dscr": 9.99}, signals={})
    for number in ("special", "quiet", "left"):
        page.desk.watch(page.me, Subject(source=label, kind="loan", name=number), old)
    early = old.model_copy(update={"as_of": date(2020, 1, 31)})
    page.desk.watch(page.me, Subject(source=label, kind="loan", name="late"), early)
    app = page("pages/watchlist.py")
    told = {row["Loan"]: row["Changed since last seen"] for row in rows(app, "Last seen")}
    assert told["special"] == "The loan went into special servicing."
    assert told["quiet"] == "—"
    assert told["left"] == "Gone from the book"
    assert told["late"].endswith("DSCR 9.99x → 1.80x")  # no filing is that old: facts are compared
    app = page("pages/loan.py", loan_number="special")
    assert "as of 31 Aug 2026: The loan went into special servicing." in said(app)


def test_with_one_date_there_is_nothing_to_compare(visit, tmp_path):
    load(tmp_path / "store", [demo.portfolio(loans=30)])
    app = visit(PAGE, tmp_path / "store")
    assert "Changes need the book as of two dates" in said(app)
    app = visit("pages/overview.py", tmp_path / "store")
    assert not any(one.startswith("Since ") for one in links(app))

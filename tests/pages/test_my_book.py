"""My book: a tape dropped, what is asked of it, and how it comes into the store (D210)."""

import pytest

from services.contract.audit import AuditFilter
from services.contract.queries import LoanQuery
from services.importers import demo
from services.importers.tape import LEFT_OUT
from services.settings import load as load_settings
from services.sources import open_audit, open_workspace
from services.tapes import known
from tests.pages.screen import headings, said, shown, tables
from tests.publishing import load

TAPE = (
    "As of 31 March 2026\n"
    "Loan #,Borrower,Current Balance,Rate,Maturity,Where,City\n"
    '1,Alpha [x](y) LLC,"$27,000,000",5.25,6/1/2027,TX,Dallas\n'
    '2,Beta <b>LLC</b>,"$1,250",6.1,1/6/2028,CA,Fresno\n'
    "3,Gamma LLC,five,6.1,1/6/2028,CA,Fresno\n"
)


@pytest.fixture
def store(tmp_path):
    load(tmp_path / "store", [demo.portfolio(loans=30)])
    return tmp_path / "store"


@pytest.fixture
def page(store, visit, visited_before):
    """The page with a tape dropped on it."""
    del visited_before  # a press is lost without it

    def dropped(text=TAPE, name="tape.csv", profile=None):
        app = visit("pages/my_book.py", store)
        if profile is not None:
            app.file_uploader[1].upload("p.toml", profile.encode(), "application/toml")
        app.file_uploader[0].upload(name, text.encode(), "text/csv").run()
        assert not app.exception
        return app

    return dropped


def control(kind, label):
    """The control of a kind with this label."""
    return next(one for one in kind if shown(one.label) == label)


def test_before_a_file_is_there_nothing_is_asked(store, visit):
    app = visit("pages/my_book.py", store)
    assert headings(app, 1) == ["My book"]
    assert "Drop a tape as you have it" in said(app)
    assert len(app.file_uploader) == 2
    kinds = [row["Kind"] for row in tables(app)["Tapes that are known"]]
    assert "Trepp loan file" in kinds
    assert "CREFC loan setup file" in kinds
    assert f"Columns that are found in any tape: {len(known().units)}" in headings(app, 2)
    assert "Net cash flow, a year; " in said(app)


def test_a_tape_is_shown_with_what_its_columns_are(page):
    app = page()
    rows = {one["Column"]: one for one in tables(app)["Columns of the tape"]}
    assert rows["Current Balance"] == {
        "Column": "Current Balance", "Is": "Book value", "Read as": "money, 1,234.56",
        "Sure": "0.90", "Because": "its name; 1 of 3 cells do not read", "Read": "2",
        "Empty": "0", "Rejected": "1", "Examples": "$27,000,000 | $1,250 | five",
    }  # fmt: skip
    assert rows["Where"]["Is"] == "Property state?" or rows["Where"]["Is"] == "State?"
    assert rows["Borrower"]["Examples"].startswith("Alpha [x](y) LLC | Beta <b>LLC</b>")
    assert tables(app)["Rejected rows"] == [
        {"Row": "5", "Reason": "Current Balance 'five' is no figure"}
    ]
    assert "3 rows: 2 loaded, 1 rejected" in headings(app, 2)
    assert "To say before it can be loaded: 1" in headings(app, 2)
    assert not [one for one in app.button if "Add" in one.label]


def test_what_is_ambiguous_is_asked_and_then_loaded(page, store):
    app = page()
    asked = next(one for one in app.get("button_group") if "Maturity" in one.label)
    asked.set_value(["D/M/Y"] if isinstance(asked.value, list) else "D/M/Y").run()
    assert "To say before" not in " ".join(headings(app, 2))
    assert "Reported and made-up loans do not mix" in said(app)
    app.toggle[0].set_value(True).run()
    app.text_input(key="book name").set_value("North book").run()
    next(one for one in app.button if "Add 2 loans" in shown(one.label)).click().run()
    assert not app.exception
    assert "Added: 2 loans of North book, 1 row rejected." in shown(app.info[0].value)
    workspace = open_workspace(load_settings(store=store))
    with workspace.lease() as reading:
        found = reading.source.loans(LoanQuery()).items
        (source,) = reading.source.snapshot().sources
    workspace.close()
    assert {one.loan_number: (one.book_value, f"{one.maturity_date}") for one in found} == {
        "North book:1": (27_000_000, "2027-01-06"),
        "North book:2": (1_250, "2028-06-01"),
    }
    assert (source.title, source.rejected, source.provenance) == ("North book", 1, "reported")
    entry = open_audit(load_settings(store=store)).entries(AuditFilter()).items[0]
    assert (entry.action, entry.name) == ("load_tape", "tape.csv")
    assert entry.detail == "2 loans of North book, 1 row rejected"


def test_a_column_is_changed_and_one_that_was_it_is_kept(page):
    app = page()
    control(app.selectbox, "Change a column").set_value("Where").run()
    control(app.selectbox, "It is").set_value("property_city").run()
    rows = {one["Column"]: one["Is"] for one in tables(app)["Columns of the tape"]}
    assert rows["Where"] == "City"
    assert rows["City"] == "kept"
    control(app.selectbox, "It is").set_value(LEFT_OUT).run()
    assert "Where" not in {one["Column"] for one in tables(app)["Columns of the tape"]}


def test_number_and_day_are_asked_where_the_tape_says_neither(page):
    app = page("Id,Balance\na,5\nb,6\n")
    assert "To say before it can be loaded: 2" in headings(app, 2)
    app.multiselect[0].set_value(["Id"]).run()
    app.date_input[0].set_value("2026-03-31").run()
    assert not app.exception
    assert "2 rows: 2 loaded, 0 rejected" in headings(app, 2)
    assert "as of 31 Mar 2026" in said(app)


def test_a_profile_answers_what_would_be_asked(page):
    app = page(profile='book = "South"\n[columns."Maturity"]\nread = "D/M/Y"\n')
    assert "To say before" not in " ".join(headings(app, 2))
    app = page(profile="[columns.Rate]\nfeld = 1\n")
    assert "the profile p.toml cannot be used" in shown(app.error[0].value)


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("", "tape.csv", "tape.csv is empty"),
        ("\x00\x01", "tape.csv", "is no text"),
        ("x", "tape.xlsx", "is no workbook"),
        ("one\n", "../../etc/x.csv", "no row of column names"),
        ("one\n", "a[b](c).csv", "a[b](c).csv has no row of column names"),
    ],
)
def test_a_file_that_is_no_tape_gives_one_sentence(text, name, sentence, page):
    app = page(text, name)
    assert len(app.error) == 1
    assert sentence in shown(app.error[0].value)
    assert "Add it to the store" not in headings(app, 2)


def test_where_several_people_read_a_store_no_page_loads(page, monkeypatch):
    monkeypatch.setattr("components.book.loading.followed", lambda _settings: True)
    app = page()
    assert "which would replace what is loaded here" in said(app)
    assert "creditatlas import tape TAPE --profile profile.toml" in app.code[-1].value

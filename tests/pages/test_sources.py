"""Sources: how many loans have each field, of all sources or of the one in the address; and
where sources disagree (D255).
"""

from datetime import date

import pytest

from services.importers.parties import portfolio
from tests.pages.screen import said, tables
from tests.publishing import load, load_once
from tests.world import Sketch, info_of


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Two loans, of which one has income; a loan without; a file of parties alone."""
    rich, poor = Sketch(info_of("rich", date(2024, 1, 31))), Sketch(info_of("a:<b>*poor*"))
    rich.loan("1", noi=1)
    rich.loan("3")
    poor.loan("2", ncf=5)
    folder = tmp_path_factory.mktemp("two")
    typed = folder / "typed.csv"
    typed.write_text("record,name,kind\nparty,Elm LP,sponsor\n")
    parties = portfolio(typed, as_of=date(2024, 1, 31))
    load_once(folder / "store", [rich.portfolio(), poor.portfolio(), parties])
    return folder / "store"


def filled(app):
    return {row["Field"]: row for row in tables(app)["Fill rates"]}


def test_of_all_sources_and_of_the_one_in_the_address(visit, store, pressed):
    app = visit("pages/sources.py", store)
    assert not app.exception
    row = filled(app)["NOI, a year"]
    assert (row["Loans"], row["Filled"]) == ("1", "33.3%")
    assert "Of all sources" not in row

    app = visit("pages/sources.py", store, {"source": "rich"})
    row = filled(app)["NOI, a year"]
    assert (row["Loans"], row["Filled"], row["Of all sources"]) == ("1", "50.0%", "33.3%")
    assert filled(app)["Net cash flow, a year"]["Loans"] == "0"
    text = pressed["credit-atlas-filled.csv"]().decode("utf-8-sig")
    assert '"noi",1,2' in text.splitlines()
    assert '"ncf",0,2' in text.splitlines()


def test_a_choice_goes_to_the_address_and_all_take_it_out_again(visit, store):
    app = visit("pages/sources.py", store)
    (select,) = [one for one in app.selectbox if one.label == "Source"]
    select.set_value("a:<b>*poor*").run()
    assert app.query_params["source"] in ("a:<b>*poor*", ["a:<b>*poor*"])
    assert filled(app)["Net cash flow, a year"]["Filled"] == "100.0%"
    (select,) = [one for one in app.selectbox if one.label == "Source"]
    select.set_value(None).run()
    assert "source" not in app.query_params


def test_a_source_without_loans_and_one_that_is_not_there_are_said(visit, store):
    app = visit("pages/sources.py", store, {"source": "parties:typed"})
    assert not app.exception
    assert "This source states no loans of its own." in said(app)
    assert "Fill rates" not in tables(app)

    app = visit("pages/sources.py", store, {"source": "gone"})
    assert not app.exception
    assert "Parameter 'source' is 'gone' but must be the key of a source that is loaded" in said(
        app
    )
    assert "Reference rates in use" in said(app)


def test_who_borrows_by_a_filing_and_by_a_file_is_listed_with_both(visit, tmp_path, pressed):
    s = Sketch(info_of("sec-absee:Deal 1", date(2024, 1, 31), title="Deal 1"))
    for number, borrower in (("10", "Elm LP"), ("12", "Oak LP")):
        s.loan(f"Deal 1:{number}", confidence_tier=None)
        s.tie(f"Deal 1:{number}", "borrower", borrower)
        s.witness(method="stated in the filing")
    typed = tmp_path / "typed.csv"
    link = "link,{},borrower,Deal 1,{}\n"
    typed.write_text("record,name,relation,deal,loan\n"
                     + link.format("<b>Ash & *Co*", 10) + link.format("Oak LP", 12))  # fmt: skip
    load(tmp_path / "store", [s.portfolio(), portfolio(typed, as_of=date(2024, 2, 29))])
    app = visit("pages/sources.py", tmp_path / "store")
    assert not app.exception
    assert "Where sources disagree: 1" in said(app)
    assert tables(app)["Where sources disagree"] == [
        {
            "About": "Deal 1:10",
            "What": "Borrower",
            "Stated": "typed, 29 Feb 2024: <b>Ash & *Co*; Deal 1, 31 Jan 2024: Elm LP",
        }
    ]
    rows = pressed["credit-atlas-disagreements.csv"]().decode("utf-8-sig").splitlines()
    assert [row for row in rows if row.startswith('"Deal 1:10"')] == [
        '"Deal 1:10",,"party","borrower","typed",2024-02-29,"<b>Ash & *Co*"',
        '"Deal 1:10",,"party","borrower","Deal 1",2024-01-31,"Elm LP"',
    ]


def test_without_any_the_page_says_so(visit, store):
    assert "Where sources disagree: 0" in said(visit("pages/sources.py", store))

"""Check sheet: tables, findings, the total that is typed, and other filings (D282)."""

import pytest

from services.contract.errors import NoHistory
from services.store.source import StoreSource
from tests.pages.ledger_reading import ledgers
from tests.pages.screen import said, tables
from tests.publishing import load
from tests.two_filings import FEBRUARY, KEY, two_filings
from tests.world import Sketch, info_of

PAGE = "pages/check_sheet.py"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return two_filings(tmp_path_factory.mktemp("filings"))


def test_the_newest_filing_is_checked(visit, store, pressed):
    app = visit(PAGE, store)
    assert not app.exception
    assert "DEAL 1, 11 Mar 2026: 12 findings in 10 checks" in said(app)
    lines = {row["Line"]: row["US dollars"] for row in tables(app)["Roll-forward"]}
    assert lines["Opening balance"] == "$247,999,500.00"
    assert lines["less losses of loans that ended"] == "−$4,000,000.00"
    assert lines["Difference"] == "$1,002.01"
    out = {row["Check"]: (row["Tested"], row["Came out"]) for row in tables(app)["Checks"]}
    assert out["Roll-forward"] == ("13", "▲ 2 findings")
    assert out["Coverage"] == ("13", "▲ 1 finding")
    found = ledgers(app)["Findings"]
    assert len(found) == 12
    assert found[0]["Expected"] == "$25,960,000.00"
    assert found[0]["Difference"] == "$1,000.00"
    text = pressed["credit-atlas-check-sheet.csv"]().decode("utf-8-sig").splitlines()
    assert sum(line.startswith(f'"{KEY}"') for line in text) == 12
    assert any(line.startswith(f'"{KEY}",2026-03-11,"roll-forward","DEAL 1:2"') for line in text)
    listed = pressed["credit-atlas-filings.csv"]().decode("utf-8-sig").splitlines()
    assert sum(line.startswith(f'"{KEY}"') for line in listed) == 2


def test_the_filing_before_in_the_address(visit, store):
    app = visit(PAGE, store, {"as_of": FEBRUARY.isoformat()})
    assert "DEAL 1, 11 Feb 2026: 6 checks hold, 4 not tested" in said(app)
    out = {row["Check"]: row["Came out"] for row in tables(app)["Checks"]}
    assert (out["Roll-forward"], out["Fields"]) == ("✓ holds", "not tested: no filing before")


@pytest.mark.parametrize(
    ("total", "off", "ties"),
    [
        ("237638502.01", "$0.00", "ties"),
        ("237638503", "$0.99", "ties"),
        ("237638503.01", "$1.00", "to a millionth"),
        ("237638700", "$197.99", "to a millionth"),
        ("237638000", "−$502.01", "off"),
    ],
)
def test_a_typed_total_is_compared_with_each_kind_of_balance(visit, store, total, off, ties):
    app = visit(PAGE, store, {"total": total})
    assert not app.exception
    first, second, *_ = tables(app)["Tie-out"]
    assert (first["Balance"], first["Sum"]) == ("Scheduled balance", "$237,638,502.01")
    assert (first["Typed total less sum"], first["Ties"]) == (off, ties)
    assert second["Ties"] == "off"


def test_a_date_of_no_filing_is_refused(visit, store):
    app = visit(PAGE, store, {"as_of": "2026-03-12"})
    assert not app.exception
    assert "Parameter 'as_of' is '2026-03-12' but must be one of 2026-03-11, 2026-02-11" in said(
        app
    )


def test_several_sources_are_listed_and_one_is_opened(visit, tmp_path):
    one, other = (Sketch(info_of(key)) for key in ("one", "other"))
    one.loan("1")
    other.loan("2")
    load(tmp_path, [one.portfolio(), other.portfolio()])
    app = visit(PAGE, tmp_path)
    assert not app.exception
    assert [row["Source"] for row in ledgers(app)["Filings"]] == ["Book of one", "Book of other"]
    assert "Checks" not in tables(app)
    app = visit(PAGE, tmp_path, {"source": "other"})
    assert "Book of other, 29 Feb 2024: 10 not tested" in said(app)
    assert {row["Came out"] for row in tables(app)["Checks"]} == {
        "not tested: not filed",
        "not tested: no filing before",
    }
    assert "Checks" in tables(app)


def test_without_a_filing_the_page_says_so(visit, store, monkeypatch):
    def none(*_):
        raise NoHistory("none")

    monkeypatch.setattr(StoreSource, "checked_filings", none)
    app = visit(PAGE, store)
    assert not app.exception
    assert "This snapshot keeps no filing: import the files of each date." in said(app)

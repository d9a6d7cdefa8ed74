"""Taking rows away from a page: at once, or after a file was built while its progress showed."""

import csv
import zipfile

import pytest
from openpyxl import load_workbook

from components.frame import session
from components.frame.exports import buttons, formats
from components.loans import ranking
from services.contract.loan_filter import LoanFilter
from services.importers import demo
from services.store.leases import Store
from tests.exported import file_of
from tests.pages.screen import said, shown
from tests.publishing import load_once

LOANS = 120


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exports") / "store"
    load_once(folder, [demo.portfolio(loans=LOANS)])
    return folder


@pytest.fixture
def many(monkeypatch, visited_before):
    """A few rows count as many."""
    del visited_before
    monkeypatch.setattr(buttons, "AT_ONCE", 5)


def downloads(app):
    """What gives rows; the report gives none."""
    labels = [shown(one.label) for one in app.get("download_button")]
    return [one for one in labels if one != "Report"]


def pressed(app, label):
    (button,) = [one for one in app.button if shown(one.label) == label]
    button.click().run()
    assert not app.exception
    return app


def ready(app):
    return app.session_state["export_ready"]


def test_a_few_rows_are_taken_at_once_in_any_format(store, visit):
    app = visit("pages/loans.py", store)
    assert downloads(app) == ["CSV", "XLSX", "Parquet"]
    assert f"Export all {LOANS}" in said(app)


def test_a_ranking_is_taken_beside_its_loans(store, visit):
    app = visit("pages/loans.py", store, {"by": "state"})
    assert not app.exception
    assert downloads(app) == 2 * ["CSV", "XLSX", "Parquet"]
    with session.lease(), Store(store).lease() as source:
        found = source.loan_ranking(LoanFilter(state=("TX", "NY")), "state", 100)
        made = ranking.export(found, LoanFilter(state=("TX", "NY")), "state", "Loans in two states")
    text = file_of(made).decode()
    assert '# Shown,"Loans in two states, by state"' in text
    head, *rows = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    assert head == ["state", "loans", "book_value_usd", "share_of_result", "worst_severity",
                    "dollars_short_usd"]  # fmt: skip
    assert [(row[0], int(row[1]), int(row[2])) for row in rows] == [
        (one.word, one.loans, one.book_value) for one in found.groups
    ]
    assert sum(float(row[3]) for row in rows) == pytest.approx(1)


@pytest.mark.usefixtures("many")
def test_many_rows_are_built_first_and_wait_to_be_taken(store, visit):
    app = visit("pages/loans.py", store)
    assert downloads(app) == []
    (label,) = downloads(pressed(app, "XLSX"))
    assert label.startswith("Download credit-atlas-loans.xlsx, 0.")
    assert load_workbook(ready(app).path)["Loans"].max_row == LOANS + 1
    assert not app.get("progress")
    assert "Stop" not in [shown(one.label) for one in app.button]
    assert len(downloads(app.run())) == 1


@pytest.mark.usefixtures("many")
def test_the_next_file_takes_the_place_of_the_last(store, visit):
    app = pressed(visit("pages/loans.py", store), "XLSX")
    first = ready(app)
    pressed(app, "CSV")
    assert not first.path.parent.exists()
    assert ready(app).path.name == "credit-atlas-loans.csv"
    assert f"# Rows,{LOANS}" in ready(app).given()[0].decode().splitlines()


@pytest.mark.usefixtures("many")
def test_a_file_of_another_result_is_not_offered(store, visit):
    app = pressed(visit("pages/loans.py", store), "Parquet")
    assert downloads(app)
    app.query_params["min_coupon"] = "4"
    assert downloads(app.run()) == []
    del app.query_params["min_coupon"]
    assert len(downloads(app.run())) == 1


@pytest.mark.usefixtures("many")
def test_very_many_rows_are_no_workbook_and_a_csv_is_zipped(store, visit, monkeypatch):
    for module in (buttons, formats):
        monkeypatch.setattr(module, "MOST_IN_XLSX", LOANS - 1)
    app = visit("pages/loans.py", store)
    assert "XLSX is for up to" in said(app)
    assert "XLSX" not in [shown(one.label) for one in app.button]
    pressed(app, "CSV, zipped")
    with zipfile.ZipFile(ready(app).path) as archive:
        lines = archive.read("credit-atlas-loans.csv").decode().splitlines()
    assert len(lines) == LOANS + 8


@pytest.mark.usefixtures("many")
def test_a_build_that_fails_leaves_no_file_and_says_so(store, visit, monkeypatch):
    made = []

    def fails(path, _export, progress):
        made.append(path)
        path.write_text("half")
        progress(1)
        raise OSError("no space left")

    app = visit("pages/loans.py", store)
    with monkeypatch.context() as patch:
        broken = formats.Format("CSV", ".csv", "text/csv", fails)
        patch.setattr(buttons, "for_rows", lambda _rows: (broken,))
        pressed(app, "CSV")
    assert "could not be drawn" in shown(app.error[0].value)
    assert "export_ready" not in app.session_state
    assert not made[0].parent.exists()


@pytest.mark.usefixtures("many")
def test_signals_are_taken_away_too(store, visit):
    app = pressed(visit("pages/signals.py", store), "XLSX")
    book = load_workbook(ready(app).path)
    assert [cell.value for cell in book["Signals"][1]][:3] == ["Loan", "signal_type", "severity"]
    assert book["Signals"].max_row > 5

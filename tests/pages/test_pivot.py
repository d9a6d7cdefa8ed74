"""A result of loans in groups by two attributes, as the Loans page shows it (D269)."""

import csv
from urllib.parse import parse_qsl

import pytest

from services.contract.loan_filter import LoanFilter
from services.contract.queries import parse
from services.importers import demo
from tests.pages.screen import components, matrix, said, sent_to, tell
from tests.publishing import load_once

PAGE = "pages/loans.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pivot") / "store"
    load_once(folder, [demo.portfolio(loans=300)])
    return folder


def test_each_cell_leads_to_the_loans_that_it_counts_and_all_add_up(page, source):
    app = page(by="property_type", across="severity", figure="loans", state="TX,CA,NY")
    sent = matrix(app)
    assert sent["corner"] == "Property type"
    assert sent["columns"][0]["label"] == "⬢ critical"
    assert sent["rows"][-1]["label"] == sent["columns"][-1]["label"] == "All"
    counted = 0
    for row in sent["rows"]:
        for column, cell in zip(sent["columns"], row["cells"], strict=True):
            if cell is None:
                continue
            address = f"{sent['address']}{row['query']}&{column['query']}"
            found = dict(parse_qsl(address.partition("?")[2]))
            assert set(found) <= {"state", "property_type", "severity"}
            loans = source.loan_totals(parse(LoanFilter, found)).loans
            assert cell[0] == str(loans)
            counted += loans if "All" not in (row["label"], column["label"]) else 0
    assert counted == source.loan_totals(parse(LoanFilter, {"state": "TX,CA,NY"})).loans


@pytest.mark.parametrize("turned", [False, True])
def test_by_severity_the_bad_part_is_one_of_the_other_group_and_colours_by_it(page, source, turned):
    by, across = ("severity", "state") if turned else ("state", "severity")
    sent = matrix(page(by=by, across=across, figure="severe"))
    rows, columns = (
        {one["label"]: at for at, one in enumerate(sent[name])} for name in ("rows", "columns")
    )

    def cell(state, grade):
        row, column = (grade, state) if turned else (state, grade)
        return sent["rows"][rows[row]]["cells"][columns[column]]

    of_texas = source.loan_totals(LoanFilter(state=("TX",))).book_value
    severe, critical, bad = (
        source.loan_totals(LoanFilter(state=("TX",), severity=words)).book_value / of_texas
        for words in (("severe",), ("critical",), ("severe", "critical"))
    )
    assert cell("TX", "◆ severe")[0] == f"{100 * severe:.1f}%"
    assert cell("TX", "All")[0] == f"{100 * bad:.1f}%"
    assert cell("TX", "◆ severe")[1] == 1 + sum(severe >= step for step in (0.05, 0.1, 0.2, 0.3))
    assert cell("TX", "no signal") == ["0.0%", 0]
    assert critical + severe == pytest.approx(bad)


def test_a_click_lists_the_loans_of_the_cell(page):
    app = page(by="state", across="property_type")
    (drawn,) = components(app, "atlas_matrix")
    app = tell(app, drawn, "chosen", [0, 0])
    assert not app.exception
    assert set(app.query_params) == {"state", "property_type"}
    assert not components(app, "atlas_matrix")


def test_the_smaller_groups_are_one_line_that_leads_nowhere(page):
    sent = matrix(page(by="city", across="sponsor"))
    assert len(sent["rows"]) <= 25 + 3
    assert len(sent["columns"]) <= 10 + 3
    others = [one for one in (*sent["rows"], *sent["columns"]) if one["label"].endswith("others")]
    assert len(others) == 2
    assert {one["query"] for one in others} == {None}


@pytest.mark.parametrize(("by", "across"), [("state", "state"), ("quarter", "year")])
def test_groupings_that_go_by_one_filter_are_no_pivot(page, by, across):
    app = page(by=by, across=across)
    assert not sent_to(app, "atlas_matrix")
    assert "HHI" in said(app)


def test_the_file_has_every_cell_and_adds_up(page, pressed, source):
    page(by="city", across="severity")
    (made,) = (made for name, made in pressed.items() if name.endswith("-by-city-and-severity.csv"))
    rows = [one for one in made().decode("utf-8-sig").splitlines() if not one.startswith("#")]
    found = list(csv.DictReader(rows))
    totals = source.loan_totals(LoanFilter())
    assert sum(int(one["loans"]) for one in found) == totals.loans
    assert sum(int(one["book_value_usd"]) for one in found) == totals.book_value
    assert {one["severity"] for one in found} > {"critical", "none", "defeased", "nothing owed"}
    for one in found:
        assert int(one["severe_or_critical"]) <= int(one["book_value_usd"])

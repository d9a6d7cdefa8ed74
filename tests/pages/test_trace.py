"""Where a figure comes from (D246) opens below the headline of a loan; the address says which."""

import csv
import io
from datetime import date

import pytest

from tests.pages.screen import facts, tables
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

OPENED = {"loan_number": "L1", "tracing": "yes"}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trace")
    s = Sketch(info_of("book", date(2024, 2, 29)))
    s.loan("L1", book_value=12_000_000, interest_rate=5.0, value=20_000_000)
    load_once(folder, [s.portfolio()], rates=RATES)
    return folder


def test_a_figure_says_its_formula_with_inputs_filled_in(store, visit):
    app = visit("pages/loan.py", store, {**OPENED, "trace": "ltv"})
    assert not app.exception
    assert app.query_params["trace"] == "ltv"
    known = facts(app, "Where LTV comes from")
    assert known["How it was computed"] == (
        "debt due / appraised value = 12000000 / 20000000 = 60.0%"
    )
    assert tables(app)["Inputs of LTV"] == [
        {"Input": "debt due", "Value": "12,000,000", "Comes from": "whole-loan debt = 12000000 = "
         "$12,000,000"},
        {"Input": "appraised value", "Value": "20,000,000",
         "Comes from": "Its place in the file is not kept"},
    ]  # fmt: skip


def test_an_unknown_figure_and_a_closed_panel_draw_nothing(store, visit):
    app = visit("pages/loan.py", store, {**OPENED, "trace": "<b>nonsense</b>"})
    assert not app.exception
    assert "trace" not in app.query_params
    app = visit("pages/loan.py", store, {"loan_number": "L1", "trace": "ltv"})
    assert not app.exception
    assert "Where LTV comes from" not in tables(app)


def test_all_figures_stand_in_a_table_and_in_a_file(store, visit, pressed):
    app = visit("pages/loan.py", store, OPENED, {"all_citations": True})
    rows = {row["Figure"]: row for row in tables(app)["Where the figures of L1 come from"]}
    assert rows["LTV"]["Computed"].endswith("12000000 / 20000000 = 60.0%")
    assert rows["Book value"]["Value"] == "$12,000,000"
    written = pressed["credit-atlas-citations-l1.csv"]()
    lines = written.decode("utf-8-sig").splitlines()
    heads = next(at for at, one in enumerate(lines) if one.startswith('"loan_number",'))
    rows = {one["key"]: one for one in csv.DictReader(io.StringIO("\n".join(lines[heads:])))}
    assert rows["ltv"]["filled"] == "12000000 / 20000000"
    assert rows["ltv"]["inputs"] == "debt due = 12000000; appraised value = 20000000"

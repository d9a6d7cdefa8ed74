"""Explore: plot, cells, distributions, vintages (D127 to D129)."""

import csv
import html

import pytest

from components.explore import plot as plots
from components.frame import session
from components.kit.chart import padded
from components.kit.formatting import MISSING
from services.contract.distributions import Plot
from services.contract.loan_filter import LoanFilter
from services.contract.vocabulary import SEVERITIES
from services.importers import demo
from services.store import scatter
from tests.every_loan import every_loan
from tests.exported import file_of
from tests.oracle_distributions import percentile
from tests.oracle_notes import ungraded
from tests.pages.field_reading import fields, filled, value
from tests.pages.ledger_reading import ledgers
from tests.pages.plot_reading import chart, chosen_in, hovers, in_box, numbers, places
from tests.pages.screen import headings, links, said, shown, tables
from tests.publishing import load_once

NAMES = ("dscr", "ltv", "interest_rate", "book_value", "worst_severity", "property_type",
         "property_state", "origination_date", "disposition")  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explore")
    load_once(folder, [demo.portfolio(loans=400)])
    return folder


@pytest.fixture
def opened(folder, visit):
    def run(held=(), /, **params):
        app = visit("pages/explore.py", folder, params, dict(held))
        assert not app.exception
        return app

    return run


@pytest.fixture(scope="module")
def rows(source):
    """Every loan of the book as raw values."""
    return [dict(one.values) for one in every_loan(source, NAMES)]


def test_every_loan_is_a_point_that_says_what_it_is(opened, rows):
    app = opened(x="ltv", y="dscr", clip="no")
    known = [r for r in rows if None not in (r["ltv"], r["dscr"])]
    of = {r["loan_number"]: r for r in rows}
    figure = chart(app)
    assert numbers(figure) == set(of)
    for trace in figure["data"]:
        for number, *_ in trace["customdata"]:
            row = of[number]
            without = {"none": "no signal"}.get(ungraded(row), ungraded(row))
            assert (row["worst_severity"] or without) in trace["name"]
    assert "400 loans: one mark a loan" in said(app)
    lacking = f"Of 400 loans {400 - len(known)} do not have both figures"
    assert f"{lacking}: they are drawn at “none”." in said(app)
    labels = [html.unescape(one["text"]) for one in figure["layout"]["annotations"]]
    assert "◔ >70.0%" in labels
    assert "◆⬢ <1.00x" in labels
    assert "LV-1 moderate: over 70.0%" in said(app)
    assert "CV-1 severe, critical: under 1.00x" in said(app)
    assert all(figure["layout"][axis]["tickangle"] == 0 for axis in ("xaxis", "yaxis"))
    assert headings(app, 2) == ["DSCR by LTV: All loans"]


def test_a_loan_without_a_figure_lies_at_none_on_its_axis(opened, rows):
    figure = chart(opened(x="ltv", y="dscr", clip="no"))
    axis, drawn = figure["layout"]["yaxis"], places(figure)
    known = [r["dscr"] for r in rows if r["dscr"] is not None]
    none = min(known) - 0.12 * (max(known) - min(known))
    lacking = [r for r in rows if r["dscr"] is None and r["ltv"] is not None]
    assert lacking
    for row in lacking:
        assert drawn[row["loan_number"]] == pytest.approx([row["ltv"], none])
        assert f"DSCR: {MISSING}" in hovers(figure)[row["loan_number"]]
    assert (axis["tickvals"][0], axis["ticktext"][0]) == (pytest.approx(none), "none")
    assert axis["range"][0] < none < min(known) <= axis["tickvals"][1]


def within_percentiles(values):
    """The lowest and the highest of the figures between the 1st and the 99th percentile."""
    low, high = percentile(values, 1), percentile(values, 99)
    kept = [one for one in values if low <= one <= high]
    return min(kept), max(kept)


def test_a_loan_beyond_the_percentiles_is_drawn_at_the_edge_with_an_arrow(opened, rows):
    of = {r["loan_number"]: (r["ltv"], r["dscr"]) for r in rows}
    ends = [
        within_percentiles([one for one in values if one is not None])
        for values in zip(*of.values(), strict=True)
    ]
    beyond = {
        number
        for number, at in of.items()
        if any(
            value is not None and not low <= value <= high
            for value, (low, high) in zip(at, ends, strict=True)
        )
    }
    known = {number: at for number, at in of.items() if None not in at}
    worst = min(beyond & set(known), key=lambda number: known[number][1])
    app = opened(x="ltv", y="dscr", loan=worst)
    figure = chart(app)
    assert numbers(figure) == set(of)
    drawn = places(figure)
    for number, at in known.items():
        kept = [min(max(own, low), high) for own, (low, high) in zip(at, ends, strict=True)]
        assert drawn[number] == pytest.approx(kept)
    assert f"DSCR: {known[worst][1]:.2f}x" in hovers(figure)[worst]
    (arrows,) = (one for one in figure["data"] if one["name"].startswith("beyond an axis"))
    assert arrows["name"] == f"beyond an axis: {len(beyond)}, at its end"
    across, up = (padded(one, log=False) for one in ends)
    listed = list(zip(arrows["x"], arrows["y"], arrows["marker"]["symbol"], strict=True))
    assert (drawn[worst][0], up[0], "triangle-down") in listed
    sides = {"triangle-left": (0, across[0]), "triangle-right": (0, across[1]),
             "triangle-down": (1, up[0]), "triangle-up": (1, up[1])}  # fmt: skip
    assert all(at[sides[symbol][0]] == sides[symbol][1] for *at, symbol in listed)
    assert f"{len(beyond)} lie beyond the 1st or 99th percentile: they are drawn at" in said(app)
    assert "is not among them" not in said(app)
    assert worst in {one["name"] for one in figure["data"]}


def test_of_fewer_than_200_loans_the_axes_hold_all(opened, rows):
    some = [r for r in rows if r["property_type"] == "office"]
    known = [r["ltv"] for r in some if None not in (r["ltv"], r["dscr"])]
    assert 0 < len(known) < 200
    app = opened(x="ltv", y="dscr", property_type="office")
    low, high = chart(app)["layout"]["xaxis"]["range"]
    assert low < min(known) < max(known) < high
    assert "percentile" not in said(app)


def test_the_address_holds_all_of_it_and_the_fields_change_it(opened):
    asked = {"x": "book_value", "y": "dscr", "log": "x", "clip": "no", "colour": "property_type",
             "state": "TX"}  # fmt: skip
    app = opened(**asked)
    assert {name: value(app, name) for name in ("x", "y", "log")} == {
        "x": "Book value", "y": "DSCR", "log": "X",
    }  # fmt: skip
    assert chart(app)["layout"]["xaxis"]["type"] == "log"
    app = filled(app, "x", ["Coupon"])
    assert app.query_params["x"] == "interest_rate"
    assert app.query_params["state"] == "TX"
    app = filled(app, "show", ["Severe by vintage and type"])
    assert app.query_params["show"] == "vintages"
    assert set(fields(app)) & {"x", "colour", "log"} == set()


def test_more_loans_than_are_drawn_as_points_are_cells(opened, rows, monkeypatch):
    monkeypatch.setattr(scatter, "MOST_POINTS", 50)
    app = opened(clip="no", loan=rows[0]["loan_number"])
    heat, middles = chart(app)["data"]
    assert (heat["type"], middles["type"]) == ("heatmap", "scatter")
    known = [r for r in rows if None not in (r["ltv"], r["dscr"])]
    loans = sum(int(one[0].split()[0]) for one in middles["customdata"])
    assert loans == len(known)
    assert "a density of 40 by 30 cells" in said(app)
    held = chosen_in(LoanFilter(), Plot("ltv", "dscr", clip=False), "box", (0, 0.6), (0, 1.5))
    app = opened(held, clip="no")
    inside = sum(r["ltv"] <= 0.6 and 0 <= r["dscr"] <= 1.5 for r in known)
    assert f"Chosen in the plot: {inside} loans" in headings(app, 2)


@pytest.mark.parametrize("show", ["boxes", "histogram"])
def test_a_distribution_has_n_and_median_of_each_group_and_marks_a_loan(opened, rows, show):
    own = next(r for r in rows if r["dscr"] is not None)
    app = opened(show=show, x="dscr", by="property_type", loan=own["loan_number"])
    listed = tables(app)["DSCR by property type"]
    for kind in ("office", "retail"):
        known = [r["dscr"] for r in rows if r["property_type"] == kind and r["dscr"] is not None]
        (row,) = [one for one in listed if one["Property type"] == kind.capitalize()]
        assert int(row["Loans"]) == len(known)
        assert abs(float(row["Median"].rstrip("x")) - percentile(known, 50)) <= 0.0051
    known = [r["dscr"] for r in rows if r["dscr"] is not None]
    others = len(known) - 1
    place = 100 * sum(one < own["dscr"] for one in known) / others
    assert f"P{place + 1e-9:.0f} of {len(known)}: all loans" in said(app)
    lines = [one for one in chart(app)["layout"]["shapes"] if one["x0"] == own["dscr"]]
    assert len(lines) >= 1
    if show == "histogram":
        assert sum(sum(one["y"]) for one in chart(app)["data"]) == len(known)


def test_the_heat_map_has_the_shares_of_the_raw_rows(opened, rows):
    app = opened(show="vintages")
    few, many = chart(app)["data"]
    cells = {}
    for row in rows:
        year = str(row["origination_date"].year) if row["origination_date"] else "no date"
        at = year, (row["property_type"] or "not known").capitalize()
        cells.setdefault(at, []).append(row["worst_severity"] in {"severe", "critical"})
    for trace in (few, many):
        for kind, texts in zip(trace["y"], trace["text"], strict=True):
            for year, told in zip(trace["x"], texts, strict=True):
                of = cells.get((year, kind), [])
                is_few = len(of) < 10
                expected = ""
                if trace is few and of and is_few:
                    expected = f"{sum(of)} of {len(of)}"
                if trace is many and not is_few:
                    assert told.endswith(f"<br>{len(of)}")
                    assert abs(float(told.split("%")[0]) - 100 * sum(of) / len(of)) <= 0.051
                    continue
                assert told == expected


def test_nothing_to_show_says_so(opened):
    assert "No loan has a place in this plot" in said(opened(lender="zzz"))
    assert "No loan of this result has the figure" in said(opened(show="boxes", lender="zzz"))
    assert "No loans." in said(opened(show="vintages", lender="zzz"))
    assert "pasted in another session" in shown(opened(set="0123abcd").warning[0].value)


def test_a_loan_that_is_none_is_said_to_be_none(opened):
    assert "No loan has the number <b>no</b>." in said(opened(loan="<b>no</b>"))
    assert "No loan has the number <b>no</b>." in said(opened(show="boxes", loan="<b>no</b>"))


def test_the_file_of_a_plot_has_its_points(opened, rows):
    opened()
    with session.lease():
        text = file_of(plots.export(LoanFilter(), Plot("ltv", "book_value"), "x")).decode()
    head, *listed = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    assert head[:3] == ["loan_number", "ltv", "book_value_usd"]
    assert {line[0] for line in listed} == {r["loan_number"] for r in rows}
    by_number = {line[0]: line[1] for line in listed}
    assert all((r["ltv"] is None) == (by_number[r["loan_number"]] == "") for r in rows)


def test_a_table_stands_beside_the_plot(opened):
    app = opened({"points as table": True})
    assert not ledgers(app)
    assert [one.label for one in app.get("download_button")] == ["CSV", "XLSX", "Parquet"]
    assert tables(app)["Loans of the plot"][0].keys() >= {"Loan", "LTV"}


def test_a_point_says_which_property_it_is_and_where(opened, source):
    asked = LoanFilter(per_page=100)
    names = ("property_name", "property_city", "property_state", "ltv", "dscr", "book_value")
    known = {one.loan_number: one.values for one in source.loans_found(asked, names).items}
    cards = {
        lines[0]: lines[1:]
        for trace in chart(opened(clip="no"))["data"] for lines in trace["customdata"]
    }  # fmt: skip
    some = [number for number in known if number in cards]
    assert len(some) > 30
    for number in some:
        of = known[number]
        where = f"{of['property_city']}, {of['property_state']}"
        named = of["property_name"]
        assert cards[number][0][:60] == (named or number)[:60]
        assert cards[number][1] == (f"{number}, {where}" if named else where)
        assert cards[number][2].startswith("LTV: ")
        assert cards[number][5].startswith("Book value: $")


def test_the_worst_are_drawn_the_strongest_and_on_top(opened, rows):
    traces = [one for one in chart(opened())["data"] if one.get("customdata")]
    strong = {one["name"].split(" ", 1)[-1]: one["marker"]["opacity"] for one in traces}
    there = {r["worst_severity"] for r in rows}
    graded = [one for one in SEVERITIES if one in there]
    assert list(strong) == ["owed", "defeased", "signal", *graded]
    assert (strong["signal"], strong["defeased"], strong["critical"]) == (0.5, 0.5, 0.95)
    assert list(strong.values()) == sorted(strong.values())
    assert max(size for one in traces for size in one["marker"]["size"]) <= 17
    for one in traces:
        left_out = one["unselected"]["marker"]["opacity"]
        assert left_out == pytest.approx(0.62 * strong[one["name"].split(" ", 1)[-1]], abs=0.006)


def test_a_list_of_loans_leads_to_its_plot_and_back(folder, visit, opened, rows):
    app = visit("pages/loans.py", folder, {"state": "TX", "min_ltv": "60"})
    assert "Plot these" in links(app)
    app = opened(state="TX", min_ltv="60")
    assert "List these loans" in links(app)
    app = opened({"sets of loans": {"0123abcd": tuple(in_box(rows))}}, set="0123abcd", clip="no")
    assert numbers(chart(app)) == in_box(rows)

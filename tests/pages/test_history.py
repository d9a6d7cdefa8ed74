"""The History panel on Loan, Family and Compare: every figure is counted from what was filed.

Pins D170, D171 and D172.
"""

import csv
import json
from datetime import date

import pytest

from components.frame import history_window, session
from components.history import drawing, of_loan, side_by_side, table
from components.history.of_family import export
from components.kit.gaps import gaps
from services.contract.errors import NoHistory
from services.contract.history import HistoryQuery
from services.frames import connect
from services.store.source import StoreSource
from tests import history_book as book
from tests.exported import file_of
from tests.pages.field_reading import fields, filled
from tests.pages.screen import headings, said, tables
from tests.publishing import load, load_once

DAYS = list(book.L1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, book.portfolios(), rates=book.RATES)
    return folder


@pytest.fixture
def loan(folder, visit):
    def run(number="L1", held=None, **params):
        return visit("pages/loan.py", folder, {"loan_number": number, **params}, held or {})

    return run


def chart(app):
    """The figure on screen, as it is sent."""
    (one,) = app.get("plotly_chart")
    return json.loads(one.proto.spec)


def traces(figure, name):
    return [one for one in figure["data"] if one["name"] == name]


def points(figure, name):
    """What is drawn under a name: day and value; None where a line breaks."""
    return [
        (day[:10] if day else None, value)
        for one in traces(figure, name)
        for day, value in zip(one["x"], one["y"], strict=True)
    ]


def test_a_closed_history_is_neither_asked_for_nor_drawn(loan, monkeypatch):
    def asked(*_):
        raise AssertionError("a closed panel asks for nothing")

    monkeypatch.setattr(StoreSource, "history", asked)
    app = loan()
    assert not app.exception
    assert not app.get("plotly_chart")
    assert "History" in headings(app, 3)
    assert dict(app.query_params) == {"loan_number": "L1"}


def test_balance_occupancy_and_status_are_those_that_were_filed_and_break_where_none_was(loan):
    figure = chart(loan(history="yes"))
    gap = DAYS[2]  # no filing of April
    for name, column in (("Balance", "balance"), ("Occupancy", "occupancy")):
        expected = []
        for day, filed in book.L1.items():
            expected.append((day.isoformat(), getattr(filed, column)))
            expected += [(day.isoformat(), None)] if day == gap else []
        assert points(figure, name) == expected
    owing = [day for day, one in book.L1.items() if one.balance]
    heights = {"0": 1, "1": 2, "3": 4}  # current, 30 days, 90 days
    status = traces(figure, "Payment status")[0]
    assert status["x"] == [day.isoformat() for day in owing]
    assert status["y"] == [heights[book.L1[day].status] for day in owing]
    # Until the next filing; where that is missing a month, as filings come monthly.
    assert [wide // 86_400_000 for wide in status["width"]] == [29, 31, 30, 30, 30]
    special = traces(figure, "Special servicing")[0]
    assert special["y"] == [-1 if book.L1[day].special else 0 for day in owing]


def test_income_stands_over_its_own_months_and_is_said_once(loan):
    """D171."""
    figure = chart(loan(history="yes"))
    gap = (DAYS[2].isoformat(), None)
    assert points(figure, "DSCR") == [
        *((day.isoformat(), book.L1[day].dscr) for day in DAYS[:3]), gap,
        *((day.isoformat(), book.L1[day].dscr) for day in DAYS[3:]),
    ]  # fmt: skip
    assert points(figure, "DSCR, its months") == [
        # A part of a year, then a whole one: thin, then thick.
        ("2024-01-01", 0.8), ("2024-03-31", 0.8), (None, None),
        ("2023-01-01", 1.4), ("2023-12-31", 1.4), (None, None),
    ]  # fmt: skip
    thin, thick = traces(figure, "DSCR, its months")
    assert thin["line"]["width"] < thick["line"]["width"]
    assert [value for _, value in points(figure, "NOI, a year, its months")] == [
        520_000, 520_000, None, 900_000, 900_000, None,
    ]  # fmt: skip
    names = {one["text"] for one in figure["layout"]["annotations"]}
    assert {"UW 1.60x", "1.25x", "1.00x"} <= names
    assert "Repeated until 31 Mar 2024" in thick["hovertext"][0]


def test_severity_is_a_height_and_a_word_beside_its_colour(loan, source):
    figure = chart(loan(history="yes"))
    rows = [one for one in source.history("L1", HistoryQuery()).rows if one.balance]
    order = ("moderate", "elevated", "severe", "critical")
    bars = traces(figure, "Worst signal")[0]
    assert bars["y"] == [order.index(one.worst) + 1 if one.worst else 0 for one in rows]
    assert {one.worst for one in rows} >= {"moderate", "critical"}
    axis = figure["layout"][bars["yaxis"].replace("y", "yaxis")]
    assert axis["ticktext"] == ["◔ moderate", "▲ elevated", "◆ severe", "⬢ critical"]
    for hover, one in zip(bars["hovertext"], rows, strict=True):
        assert all(found in hover for found in one.signals.values())


def test_events_are_marked_by_direction_and_told_in_words(loan, source):
    app = loan(history="yes")
    figure = chart(app)
    found = source.history("L1", HistoryQuery()).events
    worse = traces(figure, "worse")[0]
    assert {day[:10] for day in worse["x"]} == {"2024-02-29", "2024-03-31", "2024-05-31",
                                                "2024-07-31"}  # fmt: skip
    listed = tables(app)["What happened to the loan"]
    assert len(listed) == len(found) > 8
    newest = listed[0]
    assert newest["As of"] == "31 Jul 2024"
    assert newest["What happened"] == "▼ Liquidated with a loss"
    assert newest["In words"] == "The loan was liquidated with a loss of $2,500,000."
    words = {row["In words"] for row in listed}
    assert words >= {
        "The loan went into special servicing.",
        "Its payment status worsened from 30-59 days delinquent to 90 or more days delinquent.",
        "Its DSCR fell from 1.40x to 0.80x.",
        "Its occupancy fell from 90% to 75%.",
    }
    assert any(row["What happened"] == "● Lease of the largest tenant changed" for row in listed)


def test_the_end_is_drawn_and_said_with_the_loss(loan):
    app = loan(history="yes")
    labels = [one["text"] for one in chart(app)["layout"]["annotations"]]
    assert "liquidated, loss $2.5M" in labels
    assert "On 31 Jul 2024 the loan had ended: liquidated, loss $2.5M." in said(app)
    assert "No filing is kept between these dates, so the lines break: 31 Mar 2024 to " in said(app)


def test_words_from_outside_are_shown_as_written(loan):
    app = loan(history="yes")
    spec = app.get("plotly_chart")[0].proto.spec
    assert "<b>x" not in spec
    assert "%{y}" not in spec
    first = traces(chart(app), "Balance")[0]["hovertext"][0]
    assert "File: one 2024-01-31 &lt;b&gt;x&lt;/b&gt;" in first
    assert "As of 31 Jan 2024" in first
    sentences = [row["In words"] for row in tables(app)["What happened to the loan"]]
    assert any(book.HOSTILE in one for one in sentences)
    app = loan(held={"history_as_table": True}, history="yes")
    assert tables(app)["Filings of the loan"][-1]["File"] == book.file_name(DAYS[0])


def test_the_table_is_the_chart_newest_first(loan):
    app = loan(held={"history_as_table": True}, history="yes")
    rows = tables(app)["Filings of the loan"]
    assert [row["As of"] for row in rows] == [
        "31 Jul 2024", "30 Jun 2024", "31 May 2024", "31 Mar 2024", "29 Feb 2024", "31 Jan 2024",
    ]  # fmt: skip
    assert [row["DSCR"] for row in rows] == ["—", "0.80x", "0.80x", "1.40x", "1.40x", "1.40x"]
    assert rows[1]["Payment status"] == "3: 90 or more days delinquent"
    assert rows[0]["Balance"] == "$0"


def test_the_address_holds_the_window_and_all_follows_it(loan):
    asked = {"history": "yes", "since": "2024-02-01", "until": "2024-05-31"}
    app = loan(held={"history_as_table": True}, **asked)
    assert dict(app.query_params) == {"loan_number": "L1", **asked}
    rows = tables(app)["Filings of the loan"]
    assert [row["As of"] for row in rows] == ["31 May 2024", "31 Mar 2024", "29 Feb 2024"]
    shown = {row["As of"] for row in tables(app)["What happened to the loan"]}
    assert shown == {"29 Feb 2024", "31 Mar 2024", "31 May 2024"}
    figure = chart(app)
    assert {day[:10] for day in traces(figure, "Balance")[0]["x"]} == {
        "2024-02-29", "2024-03-31", "2024-05-31",
    }  # fmt: skip
    assert fields(app)["since"]["value"] == "2024-02-01"
    app = filled(app, "until", "2024-03-31")
    assert app.query_params["until"] == "2024-03-31"
    app = filled(app, "since", "2024-06-01")  # the other end gives way
    assert app.query_params.get("until") is None
    assert app.query_params["since"] == "2024-06-01"


def test_the_code_gives_the_same_dates_as_a_frame(loan, folder):
    since, until = DAYS[1], DAYS[3]
    app = loan(history="yes", since=since.isoformat(), until=until.isoformat())
    (line,) = [one.value for one in app.code if ".history(" in one.value]
    assert line == (
        "from services.frames import connect\n\n"
        f'connect().history("L1", since="{since}", until="{until}")'
    )
    shown = [day for day, _ in points(chart(app), "Occupancy") if day]
    with connect(folder) as atlas:
        frame = atlas.history("L1", since=str(since), until=str(until))
    days = [day.date().isoformat() for day in frame["as_of"]]
    assert days == [day.isoformat() for day in DAYS[1:4]] == list(dict.fromkeys(shown))


def test_a_window_the_wrong_way_round_is_refused_in_a_sentence(loan):
    app = loan(history="yes", since="2024-05-01", until="2024-02-01")
    assert "'since' must not be after 'until'" in said(app)
    assert not app.get("plotly_chart")


def test_a_window_without_a_filing_says_which_dates_there_are(loan):
    app = loan(history="yes", since="2030-01-01")
    assert "No filing is of these dates; they go from 31 Jan 2024 to 31 Jul 2024." in said(app)


@pytest.mark.parametrize(
    ("dragged", "window_of"),
    [
        ({"x": ["2024-05-02 03:04", "2024-02-03 00:00"]}, ("2024-02-03", "2024-05-02")),
        ({"x": ["<b>", "2024-02-03"]}, (None, None)),
        ({"x": ["0001-01-01", "9999-12-31"]}, (None, None)),
        ({}, (None, None)),
    ],
)
def test_a_drag_across_sets_the_window_and_nothing_else_does(monkeypatch, dragged, window_of):
    state = {"key": {"selection": {"box": [dragged]}}, "since": None, "until": None}
    monkeypatch.setattr(history_window.st, "session_state", state)
    history_window.brushed("key")
    days = tuple(None if day is None else date.fromisoformat(day) for day in window_of)
    assert (state["since"], state["until"]) == days


def test_without_periods_one_sentence_says_how_a_history_comes_to_be(loan, monkeypatch):
    def none(*_):
        raise NoHistory("none")

    monkeypatch.setattr(StoreSource, "history", none)
    app = loan(history="yes")
    assert of_loan.HOW in said(app)
    assert not app.get("plotly_chart")


def test_one_filing_is_no_line(visit, tmp_path):
    load(tmp_path, [book.one(DAYS[0])], rates=book.RATES)
    app = visit("pages/loan.py", tmp_path, {"loan_number": "L2", "history": "yes"})
    assert "One filing is kept, as of 31 Jan 2024." in said(app)
    assert not app.get("plotly_chart")


def test_other_rules_are_marked_and_said(source):
    found = source.history("L1", HistoryQuery())
    rows = [
        one.model_copy(update={"rules_version": "older"}) if one.as_of < DAYS[3] else one
        for one in found.rows
    ]
    drawn = drawing.drawn(rows, found.events)
    marks = [one for one in drawn.layout.annotations if one.text == "rules changed"]
    assert [one.x for one in marks] == [DAYS[3].isoformat()]
    (words,) = [one for one in of_loan.remarks(found, rows) if "scored" in one]
    assert words.startswith("Signals were scored by older; from 31 May 2024 by limits version")


@pytest.mark.parametrize(
    ("months", "missing"),
    [
        ([1, 2, 3], []),
        ([1, 4, 7], []),
        ([1, 4, 10], [(4, 10)]),
        ([1, 2, 5, 6], [(2, 5)]),
        ([1], []),
    ],
)
def test_a_gap_is_what_is_further_apart_than_is_usual(months, missing):
    """D172: quarterly filings have no gaps."""
    days = [date(2024, month, 28) for month in months]
    assert gaps(days) == [(date(2024, a, 28), date(2024, b, 28)) for a, b in missing]


def read(made):
    lines = file_of(made).decode("utf-8-sig").splitlines()
    return list(csv.DictReader(one for one in lines if not one.startswith("#")))


def test_files_hold_raw_figures_of_the_window(loan, source, monkeypatch):
    loan(history="yes")
    monkeypatch.setattr(session, "analytics", lambda: source)
    monkeypatch.setattr(session, "workspace", lambda: None)
    view = history_window.Window(since=date(2024, 3, 1))
    found = source.history("L1", HistoryQuery())
    rows = read(table.export_rows((found,), view))
    assert [(row["loan_number"], row["as_of"], row["balance_usd"]) for row in rows] == [
        ("L1", day.isoformat(), str(one.balance))
        for day, one in book.L1.items()
        if day >= date(2024, 3, 1)
    ]
    assert rows[-1]["realized_loss_usd"] == str(book.LOSS)
    assert rows[0]["payment_status"] == "3"
    events = read(table.export_events(found, view))
    assert {row["kind"] for row in events} >= {"special_in", "liquidated", "dscr_below_100"}
    months = read(export(source.family_history(book.FAMILY), view))
    assert [row["missing"] for row in months] == ["", "Deal one", "Deal two", "", "Deal two"]


def test_a_family_is_drawn_as_the_sum_of_its_loans(folder, visit, source):
    """D170."""
    given = {"entity_name": book.FAMILY, "history": "yes"}
    app = visit("pages/family.py", folder, given, {"history_as_table": True})
    assert not app.exception
    figure = next(one for one in charts(app) if traces(one, "Balance"))
    drawn = dict(points(figure, "Balance"))
    assert drawn == {
        "2024-01-01": 14_000_000, "2024-02-01": 19_990_000, "2024-03-01": 19_980_000,
        "2024-04-01": None, "2024-05-01": None, "2024-06-01": 19_980_000, "2024-07-01": None,
    }  # fmt: skip
    assert "Months that are not drawn: 3. A filing of Deal one or Deal two is " in said(app)
    rows = {row["Month"]: row for row in tables(app)["Months of the family"]}
    assert rows["Feb 2024"]["DSCR"] == "1.40x"  # (9.99 x 1.40 + 4 x 2.00 + 6 x 1.00) / 19.99
    assert rows["Apr 2024"]["Filings missing"] == "Deal one"
    assert rows["Jan 2024"]["Loans"] == "2"
    months = {one.month: one for one in source.family_history(book.FAMILY).months}
    ill = dict(points(figure, "Severe or critical, share of balance"))
    assert ill["2024-06-01"] == pytest.approx(months[date(2024, 6, 1)].severe_balance / 19_980_000)
    assert dict(app.query_params) == given


def charts(app):
    return [json.loads(one.proto.spec) for one in app.get("plotly_chart")]


def test_loans_compared_have_a_line_each_and_their_number_at_its_end(folder, visit):
    app = visit("pages/compare.py", folder, {"loans": "L1,L2,M1", "history": "yes"})
    assert not app.exception
    figure = chart(app)
    balances = [one for one in figure["data"] if one.get("yaxis", "y") == "y"]
    assert [one["legendgroup"] for one in balances] == ["L1", "L2", "M1"]
    assert [value for value in balances[1]["y"] if value] == list(book.L2.values())
    assert len({one["line"]["dash"] for one in balances}) == 3
    assert len({one["marker"]["symbol"] for one in balances}) == 3
    assert "<b>x" not in app.get("plotly_chart")[0].proto.spec
    ends = [one["text"] for one in figure["layout"]["annotations"]]
    # Of L1 every figure is filed; of the others balance, DSCR and signals.
    assert [ends.count(number) for number in ("L1", "L2", "M1")] == [6, 3, 3]
    assert dict(app.query_params) == {"loans": "L1,L2,M1", "history": "yes"}


def test_numbers_at_the_ends_leave_out_what_all_begin_with():
    assert side_by_side.short(["UBS 2017-C1:14", "UBS 2017-C1:44"]) == {
        "UBS 2017-C1:14": "14", "UBS 2017-C1:44": "44",
    }  # fmt: skip
    assert side_by_side.short(["CA-000012", "a-number-of-many-letters"]) == {
        "CA-000012": "CA-000012", "a-number-of-many-letters": "…y-letters",
    }  # fmt: skip

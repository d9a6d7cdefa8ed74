"""The maturity wall: which quarter is which bar, what stands in none, the same as a table."""

from datetime import date

import pytest

from components.frame import bars
from components.overview.wall import (
    bars_of,
    looks_of,
    outside,
    table_columns,
    wall_columns,
    words_of,
)
from services.contract.aggregates import MaturityBucket, Share

TODAY = date(2026, 9, 30)
NONE = Share(loans=0, book_value=0)


def bucket(quarter, word="severe", loans=1, book_value=1_000_000, *, overdue=False, short=0):
    return MaturityBucket(
        quarter=date.fromisoformat(quarter),
        rate_pressure=word,
        overdue=overdue,
        loans=loans,
        book_value=book_value,
        dollars_short=short,
    )


def drawn(columns):
    """What the browser is sent of the wall."""
    line = bars.Look("#1f5fa8", "short at refinance")
    return bars.sent(bars_of(columns), looks_of(columns, dark=False), line, "Maturity wall", 330)


def filled(columns):
    """Bars with loans, by label."""
    return {column.label: column.loans for column in columns if column.loans}


@pytest.mark.parametrize(
    ("today", "first", "second", "last"),
    [
        (date(2026, 1, 1), "2026 Q1", "2026 Q2", "2031 Q4"),
        (date(2026, 3, 31), "2026 Q1", "2026 Q2", "2031 Q4"),
        (date(2026, 4, 1), "2026 Q2", "2026 Q3", "2032 Q1"),
        (date(2026, 6, 30), "2026 Q2", "2026 Q3", "2032 Q1"),
        (date(2026, 7, 1), "2026 Q3", "2026 Q4", "2032 Q2"),
        (date(2026, 9, 30), "2026 Q3", "2026 Q4", "2032 Q2"),
        (date(2026, 10, 1), "2026 Q4", "2027 Q1", "2032 Q3"),
        (date(2026, 12, 31), "2026 Q4", "2027 Q1", "2032 Q3"),
    ],
)
def test_the_wall_runs_six_years_from_the_quarter_of_today(today, first, second, last):
    labels = [column.label for column in wall_columns([], today)]
    assert [labels[0], labels[1], labels[23], labels[24]] == [first, second, last, "later"]
    assert len(labels) == 25


@pytest.mark.parametrize(
    ("quarter", "label"),
    [
        ("2026-07-01", "2026 Q3"),
        ("2026-10-01", "2026 Q4"),
        ("2027-01-01", "2027 Q1"),
        ("2027-04-01", "2027 Q2"),
        ("2027-07-01", "2027 Q3"),
        ("2032-01-01", "2032 Q1"),
        ("2032-04-01", "2032 Q2"),
        ("2032-07-01", "later"),
        ("2033-01-01", "later"),
        ("2050-10-01", "later"),
    ],
)
def test_each_quarter_is_its_own_bar_and_what_comes_after_the_last_is_later(quarter, label):
    assert filled(wall_columns([bucket(quarter)], TODAY)) == {label: {"severe": 1}}


def test_what_is_past_due_stands_first_and_only_where_there_is_some():
    columns = wall_columns([bucket("2026-07-01", overdue=True), bucket("2026-07-01")], TODAY)
    assert [column.label for column in columns][:2] == ["past due", "2026 Q3"]
    assert filled(columns) == {"past due": {"severe": 1}, "2026 Q3": {"severe": 1}}
    assert len(columns) == 26


def test_a_bar_adds_up_by_rate_pressure_and_untestable_loans_have_a_word():
    buckets = [
        bucket("2027-01-01", "severe", 2, 30_000_000),
        bucket("2027-01-01", "low", 5, 10_000_000),
        bucket("2027-01-01", None, 1, 2_000_000),
        bucket("2033-01-01", "severe", 3, 7_000_000),
        bucket("2034-01-01", "severe", 4, 5_000_000),
    ]
    columns = {column.label: column for column in wall_columns(buckets, TODAY)}
    bar = columns["2027 Q1"]
    assert bar.book_value == {"severe": 30_000_000, "low": 10_000_000, "not testable": 2_000_000}
    assert bar.loans == {"severe": 2, "low": 5, "not testable": 1}
    assert bar.total == 42_000_000
    assert (columns["later"].loans, columns["later"].total) == ({"severe": 7}, 12_000_000)


def test_severities_are_stacked_from_the_untestable_to_the_worst():
    words = ["critical", None, "low", "unheard of", "moderate", "elevated", "severe"]
    columns = wall_columns([bucket("2027-01-01", word) for word in words], TODAY)
    assert words_of(columns) == [
        "not testable", "low", "moderate", "elevated", "severe", "critical", "unheard of",
    ]  # fmt: skip


def test_the_drawing_has_every_bar_but_later():
    buckets = [
        bucket("2026-07-01", "low", 1_234, 20_000_000),
        bucket("2032-04-01", "low", 3, 60_000_000, short=1_000_000),
        bucket("2032-04-01", "critical", 2, 40_000_000, short=2_000_000),
        bucket("2032-07-01", "critical", 9, 900_000_000),
        bucket("2026-01-01", None, 1, 5_000_000, overdue=True, short=750_000),
    ]
    sent = drawn(wall_columns(buckets, TODAY))
    assert [one["label"] for one in sent["legend"]] == [
        "not testable", "○ low", "⬢ critical", "short at refinance",
    ]  # fmt: skip
    assert [one["line"] for one in sent["legend"]] == [False, False, False, True]
    assert [one["hatched"] for one in sent["looks"].values()] == [True, False, False]
    labels = [one["label"] for one in sent["bars"]]
    assert (labels[0], labels[1], labels[-1], len(labels)) == ("past due", "2026 Q3", "2032 Q2", 25)
    past, first, second, *_, last = sent["bars"]
    assert past["parts"] == [{"look": "not testable", "value": 5_000_000}]
    assert first["parts"] == [{"look": "low", "value": 20_000_000}]
    assert last["parts"] == [
        {"look": "low", "value": 60_000_000}, {"look": "critical", "value": 40_000_000},
    ]  # fmt: skip
    assert [past["mark"], first["mark"], last["mark"]] == [750_000, None, 3_000_000]
    assert last["said"] == [
        "2032 Q2", "critical: $40.0M, 2 loans", "low: $60.0M, 3 loans", "$3.0M short at refinance",
    ]  # fmt: skip
    assert first["said"] == ["2026 Q3", "low: $20.0M, 1,234 loans"]
    assert second["said"] == ["2026 Q4", "no loans"]
    assert past["href"] == "loans?due_before=2026-09-30"


@pytest.mark.parametrize(
    ("top", "ticks"),
    [
        (0, ["$0"]),
        (100_000_000, ["$0", "$20M", "$40M", "$60M", "$80M", "$100M"]),
        (99_000_000, ["$0", "$20M", "$40M", "$60M", "$80M"]),
        (120_000_000, ["$0", "$25M", "$50M", "$75M", "$100M"]),
        (130_000_000, ["$0", "$50M", "$100M"]),
        (39_000_000, ["$0", "$10M", "$20M", "$30M"]),
        (51_000_000, ["$0", "$20M", "$40M"]),
        (50_000_000, ["$0", "$10M", "$20M", "$30M", "$40M", "$50M"]),
        (6_000_000_000, ["$0", "$2B", "$4B", "$6B"]),
    ],
)
def test_the_axis_has_a_few_round_steps(top, ticks):
    buckets = [
        bucket("2027-01-01", "low", 1, top // 2),
        bucket("2027-01-01", "severe", 1, top // 2),
    ]
    lines = drawn(wall_columns(buckets if top else [], TODAY))["lines"]
    assert [one["text"] for one in lines] == ticks
    assert lines[-1]["value"] <= top


def test_what_stands_in_no_bar_is_said():
    columns = wall_columns([bucket("2040-01-01", "low", 1_200, 3_400_000)], TODAY)
    undated = Share(loans=7, book_value=500_000)
    later = "$3.4M in 1,200 loans matures later"
    assert outside(columns, NONE) == f"Not among the bars: {later}."
    assert outside(columns, undated) == (
        f"Not among the bars: {later}, $500K in 7 loans has no maturity date."
    )
    inside = wall_columns([bucket("2032-04-01")], TODAY)
    assert outside(inside, undated) == "Not among the bars: $500K in 7 loans has no maturity date."
    assert outside(inside, NONE) == ""


def test_the_table_has_a_row_for_every_bar_and_for_later():
    buckets = [
        bucket("2026-07-01", "low", 1_234, 20_000_000, short=750_000),
        bucket("2032-07-01", "critical", 9, 900_000_000),
    ]
    bars = wall_columns(buckets, TODAY)
    rows = [{one.label: one.write(bar) for one in table_columns(bars)} for bar in bars]
    assert rows[0] == {
        "Matures": "2026 Q3",
        "Low": "$20.0M",
        "Critical": "—",
        "Short at refinance": "$750K",
        "All": "$20.0M",
        "Loans": "1,234",
    }
    assert (rows[1]["Matures"], rows[1]["Low"], rows[1]["Loans"]) == ("2026 Q4", "—", "0")
    assert rows[-1] == {
        "Matures": "later",
        "Low": "—",
        "Critical": "$900.0M",
        "Short at refinance": "—",
        "All": "$900.0M",
        "Loans": "9",
    }
    assert len(rows) == 25


def test_each_bar_leads_to_the_loans_in_it():
    """Dates of filters are exclusive; what of the present quarter is over is past due."""
    overdue = bucket("2026-04-01", overdue=True)
    bars = wall_columns([overdue, bucket("2027-01-01"), bucket("2040-01-01")], TODAY)
    asked = {bar.label: bar.params for bar in bars}
    assert asked["past due"] == {"due_before": "2026-09-30"}
    assert asked["2026 Q3"] == {"due_after": "2026-09-29", "due_before": "2026-10-01"}
    assert asked["2027 Q1"] == {"due_after": "2026-12-31", "due_before": "2027-04-01"}
    assert asked["later"] == {"due_after": "2032-06-30"}

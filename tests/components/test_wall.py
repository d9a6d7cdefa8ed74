"""The maturity wall: which quarter is which bar, what stands in none, the same as a table."""

from datetime import date

import pytest

from components.overview.wall import maturity_wall, outside, table_columns, wall_columns, words_of
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


def test_the_figure_draws_every_bar_but_later():
    buckets = [
        bucket("2026-07-01", "low", 1_234, 20_000_000),
        bucket("2032-04-01", "low", 3, 60_000_000, short=1_000_000),
        bucket("2032-04-01", "critical", 2, 40_000_000, short=2_000_000),
        bucket("2032-07-01", "critical", 9, 900_000_000),
        bucket("2026-01-01", None, 1, 5_000_000, overdue=True, short=750_000),
    ]
    figure = maturity_wall(wall_columns(buckets, TODAY))
    assert [bar.name for bar in figure.data] == [
        "not testable", "○ low", "⬢ critical", "short at refinance",
    ]  # fmt: skip
    untested, low, critical, short = figure.data
    assert short.y == (750_000, *[None] * 23, 3_000_000)
    assert (low.x[0], low.x[1], low.x[-1], len(low.x)) == ("past due", "2026 Q3", "2032 Q2", 25)
    assert low.y == (None, 20_000_000, *[None] * 22, 60_000_000)
    assert critical.y == (*[None] * 24, 40_000_000)
    assert untested.y == (5_000_000, *[None] * 24)
    assert [bar.marker.pattern.shape for bar in (untested, low, critical)] == ["/", "", ""]
    assert tuple(low.customdata[1]) == ("$20.0M", "1,234")
    assert tuple(low.customdata[0]) == ("$0", "0")
    assert low.hovertemplate.startswith("%{x}, low: %{customdata[0]}, %{customdata[1]} loans")


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
    axis = maturity_wall(wall_columns(buckets if top else [], TODAY)).layout.yaxis
    assert list(axis.ticktext) == ticks
    assert len(axis.tickvals) == len(ticks)
    assert axis.tickvals[-1] <= top


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
    assert asked["past due"] == {"maturity_before": "2026-09-30"}
    assert asked["2026 Q3"] == {"maturity_after": "2026-09-29", "maturity_before": "2026-10-01"}
    assert asked["2027 Q1"] == {"maturity_after": "2026-12-31", "maturity_before": "2027-04-01"}
    assert asked["later"] == {"maturity_after": "2032-06-30"}

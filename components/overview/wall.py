"""The maturity wall: book value by quarter of maturity, as bars and as a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.frame import links
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit import axis, fields, severity, text, theme
from components.kit.formatting import MISSING, axis_money, count, money, words
from components.kit.text import escaped
from services.contract.aggregates import MaturityBucket, Share, Totals
from services.contract.months import between, quarter_of
from services.contract.vocabulary import SEVERITIES

if TYPE_CHECKING:  # plotly is imported by the pages that draw with it
    import plotly.graph_objects as go

#: Six years: past the maturity of a five-year loan made today.
QUARTERS_SHOWN: Final = 24
#: Matured before the as-of date.
PAST_DUE: Final = "past due"
#: Everything after the quarters shown: in the table, not among the bars, which it would dwarf.
LATER: Final = "later"
#: What the untestable are called beside the severities.
NOT_TESTABLE: Final = "not testable"
_EDGE: Final = "#7d8894"
#: Of the line of dollars short, on a light page and on a dark one.
_SHORT: Final = ("#1f5fa8", "#8fc1ff")
CONFIG: Final[dict[str, Any]] = {"displaylogo": False, "displayModeBar": False}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of the maturity wall: a quarter, or everything before or after those shown."""

    label: str
    book_value: dict[str, int]
    loans: dict[str, int]
    dollars_short: int
    #: The filters that find its loans.
    params: dict[str, str]

    @property
    def total(self) -> int:
        """US dollars, over all severities."""
        return sum(self.book_value.values())


def shown(buckets: Sequence[MaturityBucket], totals: Totals) -> None:
    """The wall as bars that lead to their loans, what stands in none, the same as a table."""
    columns = wall_columns(buckets, totals.as_of)
    st.plotly_chart(
        maturity_wall(columns, dark=theme.dark()),
        on_select=lambda: follow("maturity_wall", columns),
        selection_mode="points",
        key="maturity_wall",
        config=CONFIG,
        alt="Maturity wall: bars of book value by quarter, stacked by rate pressure, and a line of "
        "dollars short at refinance; the same figures stand in the table below",
    )
    if notes := outside(columns, totals.no_maturity_date):
        text.caption(notes)
    with st.expander("The same as a table"):
        table(columns)


def wall_columns(buckets: Sequence[MaturityBucket], today: date) -> list[Bar]:
    """Buckets by quarter as the bars of the wall: past due, QUARTERS_SHOWN quarters, later."""
    first = today.year * 4 + (today.month - 1) // 3
    numbers = range(first, first + QUARTERS_SHOWN)
    labels = {number: f"{number // 4} Q{number % 4 + 1}" for number in numbers}
    end = quarter_of(first + QUARTERS_SHOWN - 1)[1]
    windows = {
        PAST_DUE: {"maturity_before": today},
        **{label: between(*quarter_of(number)) for number, label in labels.items()},
        LATER: {"maturity_after": end},
    }
    # What of the present quarter is over is past due.
    windows[labels[first]] |= {"maturity_after": today - timedelta(days=1)}

    def label_of(bucket: MaturityBucket) -> str:
        number = bucket.quarter.year * 4 + (bucket.quarter.month - 1) // 3
        return PAST_DUE if bucket.overdue else labels.get(number, LATER)

    short: dict[str, int] = {}
    for bucket in buckets:
        short[label_of(bucket)] = short.get(label_of(bucket), 0) + bucket.dollars_short
    columns = {
        label: Bar(
            label,
            {},
            {},
            short.get(label, 0),
            {name: day.isoformat() for name, day in window.items()},
        )
        for label, window in windows.items()
    }
    for bucket in buckets:
        word = bucket.rate_pressure or NOT_TESTABLE
        column = columns[label_of(bucket)]
        column.book_value[word] = column.book_value.get(word, 0) + bucket.book_value
        column.loans[word] = column.loans.get(word, 0) + bucket.loans
    if not columns[PAST_DUE].loans:
        del columns[PAST_DUE]
    return list(columns.values())


def words_of(columns: Sequence[Bar]) -> list[str]:
    """The severities that occur, mildest first, the untestable at the bottom."""
    found = {word for column in columns for word in column.loans}
    known = [word for word in (NOT_TESTABLE, *SEVERITIES) if word in found]
    return [*known, *sorted(found - set(known))]


def maturity_wall(columns: Sequence[Bar], *, dark: bool = False) -> "go.Figure":
    """Stacked bars of book value by quarter of maturity, worst on top."""
    import plotly.graph_objects as go

    figure = go.Figure()
    columns = [column for column in columns if column.label != LATER]
    labels = [column.label for column in columns]
    for word in words_of(columns):
        figure.add_bar(
            name=escaped(severity.label(word) if word in SEVERITIES else word),
            x=labels,
            y=[column.book_value.get(word) or None for column in columns],
            marker={
                "color": severity.colour(word, dark=dark),
                "line": {"color": _EDGE, "width": 0.6},
                "pattern": {"shape": "/" if word not in SEVERITIES else ""},
            },
            customdata=[
                (money(column.book_value.get(word, 0)), count(column.loans.get(word, 0)))
                for column in columns
            ],
            hovertemplate=f"%{{x}}, {escaped(word)}: %{{customdata[0]}}, %{{customdata[1]}} loans"
            "<extra></extra>",
        )
    if any(column.dollars_short for column in columns):
        figure.add_scatter(
            name="short at refinance",
            x=labels,
            y=[column.dollars_short or None for column in columns],
            mode="markers+lines",
            line={"color": _SHORT[dark], "width": 1.5, "dash": "dot"},
            marker={"symbol": "diamond", "size": 7, "color": _SHORT[dark]},
            customdata=[money(column.dollars_short) for column in columns],
            hovertemplate="%{x}: %{customdata} short at refinance<extra></extra>",
        )
    top = max((column.total for column in columns), default=0)
    lines = axis.lines(top)
    figure.update_layout(
        barmode="stack",
        clickmode="event+select",
        dragmode=False,
        bargap=0.25,
        height=330,
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        xaxis={
            "type": "category",
            "fixedrange": True,
            "autotickangles": [0, 45, 90],
            "tickfont": {"size": 10},
        },
        yaxis={
            "fixedrange": True,
            "tickvals": lines,
            "ticktext": [axis_money(line) for line in lines],
            "rangemode": "tozero",
        },
    )
    return figure


def outside(columns: Sequence[Bar], undated: Share) -> str:
    """What stands in no bar, in words: later maturities and loans without a date."""
    parts = [
        f"{money(column.total)} in {count(sum(column.loans.values()))} loans matures later"
        for column in columns
        if column.label == LATER and column.loans
    ]
    if undated.loans:
        parts.append(
            f"{money(undated.book_value)} in {count(undated.loans)} loans has no maturity date"
        )
    return f"Not among the bars: {', '.join(parts)}." if parts else ""


def table(columns: Sequence[Bar]) -> None:
    """The wall as a table: one row a bar, which leads to its loans."""
    ledger(
        table_columns(columns),
        columns,
        opens=lambda column: (LOANS, column.params),
        key="wall_table",
        caption="Maturity wall",
    )


def table_columns(columns: Sequence[Bar]) -> tuple[Column[Bar], ...]:
    """Quarter, book value by severity and in all, loans."""

    def amount(word: str) -> Callable[[Bar], str]:
        return lambda column: (
            money(column.book_value[word]) if word in column.book_value else MISSING
        )

    return (
        Column("matures", "Matures", lambda column: column.label),
        *(Column(word, words(word), amount(word), figure=True) for word in words_of(columns)),
        Column(
            "short",
            fields.label("dollars_short"),
            lambda column: money(column.dollars_short) if column.dollars_short else MISSING,
            figure=True,
        ),
        Column("all", "All", lambda column: money(column.total), figure=True),
        Column("loans", "Loans", lambda column: count(sum(column.loans.values())), figure=True),
    )


def follow(key: str, columns: Sequence[Bar]) -> None:
    """For `on_select` of the chart: goes to the loans of the bar that was clicked."""
    for point in st.session_state[key]["selection"]["points"]:
        column = next((one for one in columns if one.label == point.get("x")), None)
        if column is not None:
            links.open_page(LOANS, column.params)

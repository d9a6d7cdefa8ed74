"""Charts of trends. Pure: lines in, Plotly figure out."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from components.kit import chart, severity
from components.kit.formatting import count, loan_count, money, percent
from components.kit.gaps import gaps
from components.kit.text import escaped
from components.maps.looks import NONE
from components.overview.trend_lines import Line, hit, whole
from components.overview.view import Unit
from services.contract.distributions import FEW
from services.contract.history import COUNTED_BY, TrendPoint
from services.contract.vocabulary import GRADED

_HEIGHT: Final = 290
_LEGEND: Final = 46
_DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
#: Hatching of a severity beside its colour, in what is read on a light page and on a dark one.
_HATCHES: Final = dict(zip(COUNTED_BY, ("-", "", ".", "/", "x", ""), strict=True))
_LINES: Final = ("rgba(16, 23, 31, 0.55)", "rgba(16, 23, 31, 0.7)")


def lines(
    found: Sequence[Line], suffix: str, *, changed: Sequence[date] = (), zero: bool = True
) -> chart.Chart:
    """Each line with a colour, dash and mark of its own; where it has no value, and where months
    are missing, it is broken.

    `suffix` is the unit of its axis; months in which the rules `changed` have a dashed line across.
    """
    figure = chart.empty()
    for at, one in enumerate(found):
        look = chart.look("a group", at, dark=False)
        months, values, said = _broken(one)
        figure.add_scatter(
            x=months,
            y=values,
            name=escaped(one.name),
            mode="lines+markers",
            line={"color": look["color"], "width": 1.8, "dash": _DASHES[at % len(_DASHES)]},
            marker={"symbol": look["symbol"], "size": 5},
            customdata=[escaped(word) for word in said],
            hovertemplate=f"{escaped(one.name)}<br>%{{customdata}}<extra></extra>",
        )
    _mark(figure, changed)
    figure.update_layout(
        chart.layout(_HEIGHT, above=_LEGEND if len(found) > 1 else 8),
        showlegend=len(found) > 1,
        xaxis=_months([month for one in found for month in one.months]),
        yaxis={
            "ticksuffix": suffix,
            "rangemode": "tozero" if zero else "normal",
            "fixedrange": True,
            "automargin": True,
        },
    )
    return figure


def _broken(line: Line) -> tuple[list[date], list[float | None], list[str]]:
    """The line with a point of no value behind each month that the next one does not follow."""
    points = list(zip(line.months, line.values, line.said, strict=True))
    for before, _ in reversed(gaps(line.months)):
        points.insert(line.months.index(before) + 1, (before, None, ""))
    return [one[0] for one in points], [one[1] for one in points], [one[2] for one in points]


def mix(
    points: Sequence[TrendPoint], unit: Unit, *, changed: Sequence[date] = (), dark: bool = False
) -> chart.Chart:
    """Of each month the share of each worst severity, the worst at the foot."""
    figure = chart.empty()
    colours = dict.fromkeys(_HATCHES, NONE[dark])
    colours |= {word: severity.colour(word, dark=dark) for word in GRADED}
    drawn = [one for one in points if one.loans >= FEW and whole(one, unit)]
    for word in reversed(COUNTED_BY):
        parts = [hit(one, word, unit) / whole(one, unit) for one in drawn]
        said = [
            f"{one.month:%b %Y}: {percent(100 * part, 1)}, "
            f"{count(hit(one, word, 'loans'))} of {loan_count(one.loans)}, "
            f"{money(hit(one, word, 'dollars'))}"
            for one, part in zip(drawn, parts, strict=True)
        ]
        name = escaped(severity.label(word))
        figure.add_bar(
            x=[one.month for one in drawn],
            y=[100 * part for part in parts],
            name=name,
            marker={
                "color": colours[word],
                "line": {"width": 0},
                "pattern": {
                    "shape": _HATCHES[word],
                    "fillmode": "overlay",
                    "size": 5,
                    "solidity": 0.2,
                    "fgcolor": _LINES[dark],
                },
            },
            customdata=[escaped(one) for one in said],
            hovertemplate=f"{name}<br>%{{customdata}}<extra></extra>",
        )
    _mark(figure, changed)
    figure.update_layout(
        chart.layout(_HEIGHT, above=_LEGEND),
        barmode="stack",
        bargap=0.04,
        legend_traceorder="normal",
        xaxis=_months([one.month for one in points]),
        yaxis={"ticksuffix": "%", "range": [0, 100], "fixedrange": True, "automargin": True},
    )
    return figure


def _months(months: Sequence[date]) -> dict[str, Any]:
    """An axis of months whose labels stand level, with few enough of them for a narrow page."""
    first, last = min(months), max(months)
    years = last.year - first.year
    form = "%Y" if years >= 3 else "%b<br>%Y"  # noqa: PLR2004 - a label a year then
    return {
        "type": "date",
        "tickformat": form,
        "nticks": 6,
        "tickangle": 0,
        "fixedrange": True,
        "showgrid": False,
    }


def _mark(figure: chart.Chart, changed: Sequence[date]) -> None:
    for month in changed:
        figure.add_shape(
            type="line", x0=month, x1=month, y0=0, y1=1, yref="paper",
            line={"color": chart.EDGE, "width": 1, "dash": "dash"},
        )  # fmt: skip

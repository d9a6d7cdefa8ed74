"""One figure of the loans by type, state, vintage or lender, and where one loan lies among them."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from components.explore import view
from components.explore.figures import label, written
from components.explore.limits import Limit
from components.explore.view import SPLITS, ExploreView
from components.frame import charts, exports, session, states
from components.kit import chart, file_name, tables, text, theme
from components.kit.card import card
from components.kit.formatting import MISSING, count, fixed, words
from components.kit.text import escaped
from services.contract.distributions import (
    FEW,
    FIGURES,
    Distribution,
    Distributions,
    FigureGroup,
    FigureName,
    SplitBy,
    Standing,
)

if TYPE_CHECKING:  # plotly is imported by the pages that draw with it
    import plotly.graph_objects as go

#: Groups with a colour of their own in a histogram; the others share one.
_TOLD_APART: Final = 6
_LANE: Final = 26
_LONGEST: Final = 34


def panel(asked: ExploreView, sentence: str) -> None:
    """The distribution as a chart, and each group with its median."""
    figure, by = asked.x, asked.by
    found = session.ask(Distributions.loan_distribution, asked.filter(), figure, by)
    what = f"{label(figure)} by {SPLITS[by].lower()}"
    with card(f"{what}: {sentence}", level=2):
        if found.whole is None:
            states.nothing(f"No loan of this result has the figure: {label(figure)}.")
            return
        value = _standing(asked, sentence)
        lines, beside = view.limits_of(asked, figure)
        draw = boxes if asked.show == "boxes" else histogram
        charts.show(
            draw(found, figure, by, lines, marked=value, dark=theme.dark()),
            key="distribution",
            what=what,
            shown=sentence,
            alt=f"{what}; the same figures stand in the table below",
        )
        text.caption(f"{_said(found, asked.show == 'boxes')} {beside}".strip())
        tables.plain(
            [
                *(_row(group, _word(group, by), figure, by) for group in found.groups),
                _row(found.whole, "All", figure, by),
            ],
            what,
            figures=("Loans", "P5", "P25", "Median", "P75", "P95", "Without"),
        )
        made = partial(export, found, figure, by, f"{what}: {sentence}")
        exports.download(made, len(found.groups), file_name.stem(what, sentence))


def _standing(asked: ExploreView, sentence: str) -> float | None:
    """Says where the marked loan lies; its figure, for the line in the chart."""
    if asked.loan is None:
        return None
    if view.known(asked) is None:
        states.nothing(f"No loan has the number {asked.loan}.")
        return None
    (one,) = session.ask(Distributions.standings, asked.filter(), asked.loan, (asked.x,))
    text.lead(f"{asked.loan}: {written(asked.x, one.value)}", f"· {place(one, sentence)}")
    return one.value


def place(one: Standing, group: str) -> str:
    """P82 of 214: office loans in Texas."""
    if one.percentile is None:
        why = "the figure is not known" if one.value is None else "no other loan has the figure"
        return f"no percentile: {why}"
    return f"P{fixed(one.percentile)} of {count(one.loans)}: {group[:1].lower()}{group[1:]}"


def _word(group: FigureGroup, by: SplitBy) -> str:
    if group.word is None:
        return "not known"
    return words(group.word) if by == "property_type" else group.word


def _row(group: FigureGroup, word: str, figure: FigureName, by: SplitBy) -> dict[str, str]:
    return {
        SPLITS[by]: word,
        "Loans": count(group.loans),
        "Without": count(group.missing) if group.missing else MISSING,
        "P5": written(figure, group.p5),
        "P25": written(figure, group.p25),
        "Median": written(figure, group.median),
        "P75": written(figure, group.p75),
        "P95": written(figure, group.p95),
    }


def _said(found: Distribution, as_boxes: bool) -> str:
    said = [
        "A box is the middle half, its line the median; whiskers end at the 5th and 95th "
        "percentile."
        if as_boxes
        else "The first and last bars hold all loans beyond the 1st and 99th percentile."
    ]
    if found.groups_left:
        said.append(
            f"{count(found.groups_left)} smaller groups with {count(found.loans_left)} loans are "
            "left out of the groups, not of the last row."
        )
    if any(group.loans < FEW for group in found.groups):
        said.append(f"Groups of under {FEW} loans say little.")
    return " ".join(said)


def boxes(
    found: Distribution,
    figure: FigureName,
    by: SplitBy,
    lines: Sequence[Limit],
    *,
    marked: float | None = None,
    dark: bool = False,
) -> "go.Figure":
    """A box a group, those of most loans first; with how many they are beside the name."""
    import plotly.graph_objects as go

    groups = found.groups
    names = [escaped(f"{_word(one, by)[:_LONGEST]}  {count(one.loans)}") for one in groups]
    drawn = go.Figure(
        go.Box(
            y=names,
            q1=[one.p25 for one in groups],
            median=[one.median for one in groups],
            q3=[one.p75 for one in groups],
            lowerfence=[one.p5 for one in groups],
            upperfence=[one.p95 for one in groups],
            orientation="h",
            line={"color": chart.MARK, "width": 1.5},
            showlegend=False,
            hoverinfo="x",
        )
    )
    ends = (min(one.p5 for one in groups), max(one.p95 for one in groups))
    _dress(drawn, figure, ends, lines, marked, dark=dark)
    drawn.update_layout(
        height=80 + _LANE * len(groups),
        yaxis={"autorange": "reversed", "type": "category", "automargin": True, "fixedrange": True},
    )
    return drawn


def histogram(
    found: Distribution,
    figure: FigureName,
    by: SplitBy,
    lines: Sequence[Limit],
    *,
    marked: float | None = None,
    dark: bool = False,
) -> "go.Figure":
    """Loans by class of the figure, the largest groups told apart."""
    import plotly.graph_objects as go

    drawn = go.Figure()
    edges = found.edges
    whole = found.whole.counts if found.whole else ()
    first = found.groups[:_TOLD_APART]
    rest = [total - sum(one.counts[at] for one in first) for at, total in enumerate(whole)]
    parts = [(_word(one, by), one.counts) for one in first]
    if any(rest):
        parts.append(("all others", tuple(rest)))
    spans = [
        escaped(f"{written(figure, low)} to {written(figure, high)}")
        for low, high in pairwise(edges)
    ]
    for at, (word, counts) in enumerate(parts):
        colour = chart.EDGE if word == "all others" else chart.colour(at)
        drawn.add_bar(
            name=escaped(word[:_LONGEST]),
            x=[(low + high) / 2 for low, high in pairwise(edges)],
            width=[high - low for low, high in pairwise(edges)],
            y=counts,
            marker={"color": colour, "line": {"width": 0.3, "color": chart.EDGE}},
            customdata=spans,
            hovertemplate=f"{escaped(word[:_LONGEST])}: %{{y:,}} loans<br>%{{customdata}}"
            "<extra></extra>",
        )
    _dress(drawn, figure, (edges[0], edges[-1]), lines, marked, dark=dark)
    drawn.update_layout(
        barmode="stack",
        legend_traceorder="normal",
        yaxis={"title": {"text": "Loans"}, "fixedrange": True},
    )
    return drawn


def _dress(
    drawn: "go.Figure",
    figure: FigureName,
    ends: tuple[float, float],
    lines: Sequence[Limit],
    marked: float | None,
    *,
    dark: bool,
) -> None:
    """Axis of the figure, limits, and the line of the marked loan."""
    if marked is not None:
        ends = (min(ends[0], marked), max(ends[1], marked))
    axis = chart.axis(FIGURES[figure].kind, escaped(label(figure)), ends, log=False)
    drawn.update_layout(chart.layout(420, above=34, xaxis={**axis, "fixedrange": True}))
    chart.lines(drawn, "x", [(one.at, one.mark) for one in lines], axis)
    if marked is not None:
        chart.line(drawn, marked, chart.marked(dark=dark))


def export(found: Distribution, figure: FigureName, by: SplitBy, said: str) -> exports.Export:
    """The groups with their percentiles."""
    import pyarrow as pa

    groups = found.groups
    table = pa.table(
        {
            by: pa.array([one.word for one in groups], pa.string()),
            "loans": pa.array([one.loans for one in groups], pa.int64()),
            "loans_without": pa.array([one.missing for one in groups], pa.int64()),
            **{
                f"{figure}_{name}": [getattr(one, name) for one in groups]
                for name in ("p5", "p25", "median", "p75", "p95")
            },
        }
    )
    return exports.of_table("groups of loans", said, exports.origin(), table)

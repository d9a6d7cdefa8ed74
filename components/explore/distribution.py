"""One figure of the loans by type, state, vintage or lender, and where one loan lies among them."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from components.explore import view
from components.explore.figures import label, standing, written
from components.explore.limits import Limit
from components.explore.view import SPLITS, ExploreView
from components.frame import charts, exports, session, states
from components.kit import chart, file_name, tables, text, theme
from components.kit.card import card
from components.kit.formatting import MISSING, count, words
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

#: Groups with a colour of their own in a histogram; the others share one.
_TOLD_APART: Final = 6
_LANE: Final = 26
#: A chart of boxes that is lower has no room for the words of its axis.
_LOWEST: Final = 180
_LONGEST: Final = 34
_BEGINNING, _END = 20, 13


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
        as_boxes = asked.show == "boxes"
        charts.show(
            drawn(found, figure, by, lines, as_boxes=as_boxes, marked=value, dark=theme.dark()),
            key="distribution",
            what=what,
            shown=sentence,
            alt=f"{what}; the same figures stand in the table below",
        )
        text.caption(f"{_said(found, as_boxes)} {beside}".strip())
        tables.sheet(
            [
                *(_row(group, _word(group, by), figure, by) for group in found.groups),
                _row(found.whole, "All", figure, by),
            ],
            what,
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
    return f"{standing(one.percentile, one.loans)}: {group[:1].lower()}{group[1:]}"


def _word(group: FigureGroup, by: SplitBy) -> str:
    if group.word is None:
        return "not known"
    return words(group.word) if by == "property_type" else group.word


def _short(word: str) -> str:
    """Cut in the middle: the deals of one lender differ at the end of their names."""
    return word if len(word) <= _LONGEST else f"{text.cut(word, _BEGINNING)}{word[-_END:]}"


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


def drawn(
    found: Distribution,
    figure: FigureName,
    by: SplitBy,
    lines: Sequence[Limit],
    *,
    as_boxes: bool,
    marked: float | None = None,
    dark: bool = False,
) -> chart.Chart:
    """The groups as boxes or as bars, limits, and the line of the marked loan."""
    made = chart.empty()
    made.update_layout(chart.layout(420, above=34))
    ends = _boxes(made, found.groups, by) if as_boxes else _histogram(made, found, figure, by)
    if marked is not None:
        ends = (min(ends[0], marked), max(ends[1], marked))
    axis = chart.axis(FIGURES[figure].kind, escaped(label(figure)), ends, log=False)
    made.update_layout(xaxis={**axis, "fixedrange": True})
    chart.lines(made, "x", [(one.at, one.mark) for one in lines], axis)
    if marked is not None:
        chart.line(made, marked, chart.marked(dark=dark))
    return made


def _boxes(made: chart.Chart, groups: Sequence[FigureGroup], by: SplitBy) -> tuple[float, float]:
    """A box a group, those of most loans first; with how many they are beside the name. Gives the
    ends of their axis.
    """
    made.add_box(
        y=[escaped(f"{_short(_word(one, by))}  {count(one.loans)}") for one in groups],
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
    made.update_layout(
        height=max(80 + _LANE * len(groups), _LOWEST),
        yaxis={"autorange": "reversed", "type": "category", "automargin": True, "fixedrange": True},
    )
    return min(one.p5 for one in groups), max(one.p95 for one in groups)


def _histogram(
    made: chart.Chart, found: Distribution, figure: FigureName, by: SplitBy
) -> tuple[float, float]:
    """Loans by class of the figure, the largest groups told apart. Gives the ends of their axis."""
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
        made.add_bar(
            name=escaped(_short(word)),
            x=[(low + high) / 2 for low, high in pairwise(edges)],
            width=[high - low for low, high in pairwise(edges)],
            y=counts,
            marker={"color": colour, "line": {"width": 0.3, "color": chart.EDGE}},
            customdata=spans,
            hovertemplate=f"{escaped(_short(word))}: %{{y:,}} loans<br>%{{customdata}}"
            "<extra></extra>",
        )
    made.update_layout(
        barmode="stack",
        legend_traceorder="normal",
        yaxis={"title": {"text": "Loans"}, "fixedrange": True},
    )
    return edges[0], edges[-1]


def export(found: Distribution, figure: FigureName, by: SplitBy, said: str) -> exports.Export:
    """The groups with their percentiles."""
    names = ("p5", "p25", "median", "p75", "p95")
    rows = [
        {
            by: one.word,
            "loans": one.loans,
            "loans_without": one.missing,
            **{f"{figure}_{name}": getattr(one, name) for name in names},
        }
        for one in found.groups
    ]
    kinds = {by: str, "loans": int, "loans_without": int}
    kinds |= {f"{figure}_{name}": float for name in names}
    return exports.of_rows("groups of loans", said, rows, kinds)

"""One loan through its filings: small charts on one axis of time. Pure: rows in, Plotly out."""

from collections.abc import Sequence
from datetime import date
from itertools import groupby
from typing import Any, Final

from components.history import figures, line, stage, wording
from components.history.stage import Panel, axis
from components.kit import chart, severity
from services.contract.events import KIND, STAGE_OF_STATUS, STAGES, Direction, Event
from services.contract.history import HistoryRow
from services.contract.vocabulary import GRADED, SEVERITIES

#: How tall each figure is drawn, pixels.
_TALL: Final = {"balance": 110, "dscr": 120, "noi": 100, "occupancy": 84, "ltv": 84}
_OCCURRED: Final[dict[Direction, int]] = {"worse": 0, "other": 1, "better": 2}
_SYMBOLS: Final = {"worse": "triangle-down", "other": "circle", "better": "triangle-up"}
#: Heights of the strips: what stands at 0 is the ground.
_STATUS: Final = {word: at for at, word in enumerate(STAGES[:-1], 1)}
_SPECIAL: Final = -1
_SEVERITY: Final = {word: at for at, word in enumerate(GRADED, 1)}
#: Events that are seen in every panel.
_MILESTONES: Final = frozenset({"special_in", "special_out", "matured", "modified", "extended"})
_A_DAY: Final = 86_400_000
_A_YEAR: Final = 12


def drawn(
    rows: Sequence[HistoryRow], events: Sequence[Event], *, dark: bool = False
) -> chart.Chart:
    """The panels of a loan's rows, by date; a figure that no row has gets none."""
    figure = chart.empty()
    live = line.owing(rows)
    ends = (rows[0].as_of, rows[-1].as_of)
    panels: list[Panel] = []

    def known(name: str) -> list[float]:
        return [value for one in live if (value := getattr(one, name)) is not None]

    def lines(name: str) -> None:
        if values := known(name):
            title, ground = figures.label(name), [0.0] if name == "balance" else []
            made = Panel.of_figures(title, figures.kind(name), values, *ground, pixels=_TALL[name])
            panels.append(made)
            _line(figure, len(panels) - 1, live, name)

    def income(name: str, *limits: float) -> None:
        if not (values := known(name)):
            return
        under = known(f"underwritten_{name}")[-1:]
        title, kind = f"{figures.label(name)}: as filed and over its months", figures.kind(name)
        panels.append(Panel.of_figures(title, kind, values, *limits, *under, pixels=_TALL[name]))
        _income(figure, len(panels) - 1, live, name)
        levels = [(one, figures.written(name, one), "dash") for one in limits]
        levels += [(one, f"UW {figures.short(name, one)}", "dashdot") for one in under]
        for value, _, dash in levels:
            stage.level(figure, len(panels) - 1, value, dash)
        stage.named(figure, len(panels) - 1, panels[-1], [(at, said) for at, said, _ in levels])

    _events(figure, panels, events, dark=dark)
    lines("balance")
    income("dscr", *figures.LIMITS)
    income("noi")
    lines("occupancy")
    lines("ltv")
    if running := [one for one in live if not line.ended([one])]:
        _status(figure, panels, running, dark=dark)
        _severities(figure, panels, running, dark=dark)
    stage.lay(figure, panels, ends)
    _moments(figure, panels, rows, events)
    return figure


def _line(
    figure: chart.Chart,
    at: int,
    rows: Sequence[HistoryRow],
    name: str,
    *,
    colour: str = chart.MARK,
    width: int = 2,
) -> None:
    stage.steps(
        figure,
        at,
        [one.as_of for one in rows],
        [getattr(one, name) for one in rows],
        [wording.at(one, name) for one in rows],
        name=figures.label(name),
        line={"color": colour, "width": width},
    )


def _income(figure: chart.Chart, at: int, rows: Sequence[HistoryRow], name: str) -> None:
    """What each filing said, thin and grey, and each filed period as a line over its months: a
    thinner one is of a part of a year.
    """
    _line(figure, at, rows, name, colour=chart.EDGE, width=1)
    spans = [one for one in line.incomes(rows, name) if one.start and one.end]
    for part in (True, False):
        some = [one for one in spans if ((one.rows[0].income_months or 0) < _A_YEAR) == part]
        if some:
            x: list[date | None] = []
            for one in some:
                x += [one.start, one.end, None]
            figure.add_scatter(
                x=x, y=[value for one in some for value in (one.value, one.value, None)],
                hovertext=[said for one in some
                           for said in (*[wording.income(one, name)] * 2, "")],
                hoverinfo="text", mode="lines+markers", yaxis=axis(at),
                name=f"{figures.label(name)}, its months",
                line={"color": chart.MARK, "width": 2 if part else 5},
                marker={"size": [0, 6, 0] * len(some), "opacity": 1}, **stage.as_before(),
            )  # fmt: skip


def _status(
    figure: chart.Chart, panels: list[Panel], rows: Sequence[HistoryRow], *, dark: bool
) -> None:
    """How late, as high as it is late; below the ground whether it is in special servicing."""
    special = any(one.special_servicing for one in rows)
    words = {float(height): word for word, height in _STATUS.items()}
    if special:
        words = {_SPECIAL / 2: "special", **words}
    title = "Payment status" + (" and special servicing" if special else "")
    panels.append(Panel.of_words(title, words, 118))
    late = [STAGE_OF_STATUS.get(one.payment_status or "") for one in rows]
    colours = [severity.colour(SEVERITIES[_STATUS[word] - 1] if word else None, dark=dark)
               for word in late]  # fmt: skip
    heights = [_STATUS[word] if word else 0.0 for word in late]
    _bars(figure, len(panels) - 1, rows, heights, colours, wording.status, "Payment status")
    if special:
        depth = [_SPECIAL if one.special_servicing else 0.0 for one in rows]
        grey = [chart.EDGE] * len(rows)
        _bars(figure, len(panels) - 1, rows, depth, grey, wording.status, "Special servicing")


def _severities(
    figure: chart.Chart, panels: list[Panel], rows: Sequence[HistoryRow], *, dark: bool
) -> None:
    """The worst signal of each filing, as high as it is severe."""
    words = {float(height): severity.label(word) for word, height in _SEVERITY.items()}
    panels.append(Panel.of_words("Worst signal", words, 104))
    heights = [float(_SEVERITY.get(one.worst or "", 0)) for one in rows]
    colours = [severity.colour(one.worst, dark=dark) for one in rows]
    _bars(figure, len(panels) - 1, rows, heights, colours, wording.signals, "Worst signal")


def _bars(
    figure: chart.Chart,
    at: int,
    rows: Sequence[HistoryRow],
    heights: Sequence[float],
    colours: Sequence[str],
    said: Any,  # noqa: ANN401 - a function of a row
    name: str,
) -> None:
    """One bar a filing, from its date to the next one's."""
    until = line.until(rows)
    figure.add_bar(
        x=[one.as_of for one in rows], y=list(heights), offset=0, yaxis=axis(at), name=name,
        width=[(end - one.as_of).days * _A_DAY for one, end in zip(rows, until, strict=True)],
        marker={"color": list(colours), "line": {"width": 1, "color": list(colours)}},
        hovertext=[said(one) for one in rows], hoverinfo="text", **stage.as_before(),
    )  # fmt: skip


def _events(
    figure: chart.Chart, panels: list[Panel], events: Sequence[Event], *, dark: bool
) -> None:
    """A mark a date and direction; its card has the sentences."""
    words = {float(height): word for word, height in _OCCURRED.items()}
    panels.append(Panel.of_words("What happened", words, 62))
    for way, height in _OCCURRED.items():
        of_way = [one for one in events if KIND[one.kind].direction == way]
        days = [(day, list(some)) for day, some in groupby(of_way, lambda one: one.as_of)]
        if days:
            figure.add_scatter(
                x=[day for day, _ in days], y=[height] * len(days), mode="markers", name=way,
                hovertext=[wording.events(some) for _, some in days], hoverinfo="text",
                marker={
                    "symbol": _SYMBOLS[way], "size": [min(8 + len(some), 14) for _, some in days],
                    "color": chart.marked(dark=dark) if way == "worse" else chart.MARK,
                },
                **stage.as_before(),
            )  # fmt: skip


def _moments(
    figure: chart.Chart, panels: Sequence[Panel], rows: Sequence[HistoryRow],
    events: Sequence[Event],
) -> None:  # fmt: skip
    for day in sorted({one.as_of for one in events if one.kind in _MILESTONES}):
        stage.moment(figure, day)
    if end := line.ended(rows):
        stage.moment(figure, end.as_of, dash="solid")
        stage.moment(figure, end.as_of, wording.end(end), at=1, dash="solid")
    for one in line.rules_changed(rows):
        stage.moment(figure, one.as_of, "rules changed", at=len(panels) - 1, dash="longdash")

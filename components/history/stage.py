"""Small charts one below the other on one axis of time: where each stands, its levels, its title.

Pure. All of them share Plotly's first x axis, so that what points at a date does so in all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from components.kit import chart
from components.kit.gaps import gaps
from components.kit.text import escaped
from services.contract.facts import Kind

#: Pixels of a title with the room over it, and of the dates below all.
_TITLE, _DATES = 34, 34
#: Pixels of the names right of the panels, and of a line of them.
NAMES: Final = 62
_LINE: Final = 12
#: Lines that a small chart has at most.
_LINES: Final = 4
_SHORTEST: Final = 0.1
#: Days that the axis goes on at both ends.
_ROOM: Final = timedelta(days=12)


@dataclass(frozen=True, slots=True)
class Panel:
    """One of the small charts."""

    title: str
    #: How tall, pixels.
    pixels: int
    #: Its axis, as Plotly has it.
    axis: Mapping[str, Any]

    @classmethod
    def of_figures(
        cls, title: str, kind: Kind, values: Sequence[float | None], *levels: float, pixels: int
    ) -> "Panel":
        """Of figures of a kind; its axis holds these and the `levels`. Fractions that hardly move
        look so: their axis is never shorter than _SHORTEST.
        """
        known = [*(one for one in values if one is not None), *levels]
        low, high = min(known), max(known)
        if kind == "fraction":
            low = min(low, high - _SHORTEST)
        ends = (low, high)
        return cls(title, pixels, chart.axis(kind, "", ends, log=False, most=_LINES))

    @classmethod
    def of_words(cls, title: str, words: Mapping[float, str], pixels: int) -> "Panel":
        """Of words, each at its height."""
        low, high = min(words), max(words)
        axis = {
            "range": [low - 0.6, high + 0.6],
            "tickvals": list(words),
            "ticktext": [escaped(word) for word in words.values()],
            "automargin": True,
            "zeroline": False,
        }
        return cls(title, pixels, axis)


def axis(at: int) -> str:
    """What Plotly calls the axis of a panel, the first at the top."""
    return "y" if at == 0 else f"y{at + 1}"


def lay(figure: chart.Chart, panels: Sequence[Panel], ends: tuple[date, date]) -> None:
    """Gives the figure its axes and titles, from the first date to the last."""
    plot = sum(one.pixels + _TITLE for one in panels)
    axes: dict[str, Any] = {}
    top = 1.0
    for at, one in enumerate(panels):
        high = top - _TITLE / plot
        top = high - one.pixels / plot
        place = {"domain": [max(top, 0.0), high], "fixedrange": True, "anchor": "x"}
        axes[axis(at).replace("y", "yaxis")] = {**one.axis, **place}
        figure.add_annotation(
            text=f"<b>{escaped(one.title)}</b>", showarrow=False, font={"size": 12}, align="left",
            xref="paper", x=0, xanchor="left", yref="paper", y=high, yanchor="bottom",
        )  # fmt: skip
    figure.update_layout(
        chart.layout(plot + _DATES, above=2, dragmode="select", selectdirection="h"),
        margin={"l": 0, "r": NAMES, "t": 2, "b": 0},
        barmode="overlay",
        showlegend=False,
        xaxis={
            "type": "date",
            "range": [(ends[0] - _ROOM).isoformat(), (ends[1] + _ROOM).isoformat()],
            "anchor": axis(len(panels) - 1),
            "fixedrange": True,
            "hoverformat": "%-d %b %Y",
            "tickangle": 0,
            "showspikes": True,
            "spikemode": "across",
            "spikethickness": 1,
            "spikedash": "dot",
            "spikecolor": chart.EDGE,
        },
        **axes,
    )


def steps(
    figure: chart.Chart,
    at: int,
    days: Sequence[date],
    values: Sequence[float | None],
    said: Sequence[str],
    **look: Any,  # noqa: ANN401 - of a trace of Plotly
) -> None:
    """A figure from filing to filing: it stands until the next one. Broken where a filing between
    two is missing, and where one does not state it. `said` are hover cards.
    """
    broken = {before for before, _ in gaps(days)}
    x, y, hover = [], [], []
    for day, value, words in zip(days, values, said, strict=True):
        x += [day, day] if day in broken else [day]
        y += [value, None] if day in broken else [value]
        hover += [words, ""] if day in broken else [words]
    shape = {"width": 2, "shape": "hv", **look.pop("line", {})}
    figure.add_scatter(
        x=x, y=y, hovertext=hover, hoverinfo="text", mode="lines+markers", yaxis=axis(at),
        line=shape, **{"marker": {"size": 4}, **as_before(), **look},
    )  # fmt: skip


def as_before() -> dict[str, Any]:
    """For traces: a drag across chooses dates, and must not fade what lies beside it."""
    same = {"marker": {"opacity": 1}}
    return {"selected": same, "unselected": same}


def named(figure: chart.Chart, at: int, panel: Panel, levels: Sequence[tuple[float, str]]) -> None:
    """Names right of a panel, each beside its value; names that would cover each other move apart,
    the order of their values kept.
    """
    low, high = panel.axis["range"]
    least = (high - low) * _LINE / panel.pixels
    places: list[float] = []
    ordered = sorted(levels)
    for value, _ in ordered:
        places.append(max(value, places[-1] + least) if places else value)
    # What was pushed out over the top comes down again.
    top = high
    for one in reversed(range(len(places))):
        places[one] = top = min(places[one], top)
        top -= least
    for place, (_, name) in zip(places, ordered, strict=True):
        figure.add_annotation(
            text=escaped(name), showarrow=False, font={"size": 10}, xref="paper", x=1, xshift=4,
            xanchor="left", yref=axis(at), y=place, yanchor="middle",
        )  # fmt: skip


def level(figure: chart.Chart, at: int, value: float, dash: str) -> None:
    """A level across a panel."""
    figure.add_shape(
        type="line", xref="paper", x0=0, x1=1, yref=axis(at), y0=value, y1=value,
        line={"color": chart.EDGE, "width": 1, "dash": dash},
    )  # fmt: skip


def moment(
    figure: chart.Chart, day: date, name: str = "", *, at: int | None = None, dash: str = "dot"
) -> None:
    """A date across all panels, or across one, with its name."""
    across = "paper" if at is None else f"{axis(at)} domain"
    figure.add_shape(
        type="line", xref="x", x0=day.isoformat(), x1=day.isoformat(), yref=across, y0=0, y1=1,
        line={"color": chart.EDGE, "width": 1, "dash": dash},
    )  # fmt: skip
    if name:
        figure.add_annotation(
            text=escaped(name), showarrow=False, font={"size": 10}, xref="x", x=day.isoformat(),
            xanchor="auto", yref=across, y=0.5, yanchor="middle",
        )  # fmt: skip

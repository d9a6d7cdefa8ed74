"""The map of the fifty states and DC, drawn without a network."""

import json
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from components.kit.formatting import count, money, percent
from components.maps.bins import FEW, RAMP, Measure, colours, part
from components.maps.hatching import hatching
from services.contract.aggregates import StateSignals
from services.contract.vocabulary import STATES

if TYPE_CHECKING:  # plotly is imported by the pages that draw with it
    import plotly.graph_objects as go

OUTLINES: Final = Path(__file__).parents[1] / "assets" / "us_states.geojson"
#: The map draws these; territories and codes of elsewhere stand outside and are counted.
DRAWN: Final = frozenset(STATES) - {"AS", "GU", "MP", "PR", "VI"}
#: Of the lines over a state of few loans, on dark ground and on light.
_LIGHT, _DARK = "#e8edf2", "#4a5866"

#: Without a network Plotly's maps stay blank while they wait for outlines of their own; these
#: empty ones stand in.
_LAYERS: Final = ("coastlines", "land", "ocean", "lakes", "rivers", "countries", "subunits")
_STUB: Final = json.dumps(
    {
        "type": "Topology",
        "arcs": [],
        "objects": {name: {"type": "GeometryCollection", "geometries": []} for name in _LAYERS},
    },
    separators=(",", ":"),
)
OFFLINE: Final[dict[str, Any]] = {
    "topojsonURL": "data:application/json," + _STUB.replace('"', "%22") + "#/",
    "displaylogo": False,
    "displayModeBar": False,
}


@cache
def outlines() -> dict[str, Any]:
    """State outlines (us-atlas, US Census; the notice lies beside the file)."""
    found: dict[str, Any] = json.loads(OUTLINES.read_text(encoding="utf-8"))
    return found


def figure(
    states: Sequence[StateSignals], measure: Measure, chosen: Collection[str], *, dark: bool
) -> "go.Figure":
    """Choropleth, one trace a class so that the legend names the bins; `chosen` have thick edges,
    states of few loans are hatched.

    A click gives `location`, the state's code.
    """
    import plotly.graph_objects as go

    shown = [state for state in states if state.state in DRAWN]
    bins = [measure.bin(measure.figure(state)) for state in shown]
    drawn = go.Figure()
    for at, (colour, label) in enumerate(zip(colours(dark=dark), measure.labels(), strict=True)):
        rows = [state for state, bin_ in zip(shown, bins, strict=True) if bin_ == at]
        drawn.add_trace(_class(rows, chosen, colour, label))
    silent = [state for state, bin_ in zip(shown, bins, strict=True) if bin_ is None]
    of_some = [state for state in silent if state.of_loans]
    drawn.add_trace(_class(of_some, chosen, "#33414f" if dark else "#e4e9ee", "none"))
    known = {state.state for state in shown if state.of_loans}
    if rest := [_without_loans(code) for code in sorted(DRAWN - known)]:
        drawn.add_trace(_class(rest, chosen, "#1a2530" if dark else "#ffffff", "no loan"))
    few = {
        state.state or "": bin_
        for state, bin_ in zip(shown, bins, strict=True)
        if 0 < state.of_loans < FEW
    }
    inks = {code: _ink(bin_, dark=dark) for code, bin_ in few.items()}
    for at, ink in enumerate(sorted(set(inks.values()))):
        codes = [code for code in few if inks[code] == ink]
        drawn.add_trace(_hatched(codes, ink, in_legend=at == 0))
    drawn.update_geos(
        scope="usa", projection_type="albers usa", visible=False, bgcolor="rgba(0,0,0,0)"
    )
    drawn.update_layout(
        height=430,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        legend={"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0},
        dragmode=False,
        clickmode="event+select",
    )
    return drawn


def _ink(at: int | None, *, dark: bool) -> str:
    """What shows on the ground of a class, or on that of a state without a figure."""
    if at is None:
        return _LIGHT if dark else _DARK
    worse_half = at >= len(RAMP) // 2 + 1
    return _LIGHT if worse_half != dark else _DARK


def _hatched(codes: Sequence[str], ink: str, *, in_legend: bool) -> "go.Scattergeo":
    """Lines over states of few loans."""
    import plotly.graph_objects as go

    lines = [_lines_over(code) for code in codes]
    return go.Scattergeo(
        lon=[at for longitudes, _ in lines for at in longitudes],
        lat=[at for _, latitudes in lines for at in latitudes],
        mode="lines",
        line={"color": ink, "width": 0.8},
        name=f"under {FEW} loans",
        legendgroup="few",
        showlegend=in_legend,
        hoverinfo="skip",
    )


@cache
def _lines_over(code: str) -> tuple[list[float | None], list[float | None]]:
    shape = next(one["geometry"] for one in outlines()["features"] if one["id"] == code)
    return hatching(shape)


def _without_loans(code: str) -> StateSignals:
    """A state that is drawn although no loan in it meets the conditions."""
    return StateSignals(
        state=code, signals=0, loans=0, book_value=0, dollars_short=0, of_loans=0, of_book_value=0
    )


def _of(codes: Sequence[str | None]) -> dict[str, Any]:
    """The outlines of these states only: plotly copies and sends what each class is given."""
    features = [one for one in outlines()["features"] if one["id"] in codes]
    return {"type": "FeatureCollection", "features": features}


def _class(
    rows: Sequence[StateSignals], chosen: Collection[str], colour: str, label: str
) -> "go.Choropleth":
    """One class of the map."""
    import plotly.graph_objects as go

    return go.Choropleth(
        geojson=_of([state.state for state in rows]),
        featureidkey="id",
        locations=[state.state for state in rows] or ["none"],
        z=[1] * max(1, len(rows)),
        colorscale=[[0, colour], [1, colour]],
        showscale=False,
        showlegend=True,
        name=label,
        marker={
            "line": {
                "color": ["#1f5fa8" if state.state in chosen else "#7d8894" for state in rows],
                "width": [3 if state.state in chosen else 0.7 for state in rows],
            }
        },
        customdata=[
            (
                STATES.get(state.state or "", ""),
                count(state.loans),
                count(state.of_loans),
                money(state.book_value),
                percent(part(state), 1),
                money(state.dollars_short),
            )
            for state in rows
        ],
        hovertemplate="%{customdata[0]}: %{customdata[1]} of %{customdata[2]} loans, "
        "%{customdata[3]}, %{customdata[4]} of the book value, %{customdata[5]} short"
        "<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0.55}},
    )

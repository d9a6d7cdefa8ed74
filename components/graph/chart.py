"""The capital graph as a chart: its ECharts option, its identity, what is selected in it."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.graph.layout import Layout, point
from components.graph.style import CHOSEN, GROUND, INK, LINE, MARKS, STROKES, legend, look, stroke
from components.kit.formatting import MISSING, words
from components.kit.text import escaped

if TYPE_CHECKING:
    import networkx as nx

HEIGHT: Final = 640
#: The layout is drawn wider than high, as the chart is.
STRETCH: Final = 1.2
#: ECharts rounds the ends of upright and level lines to half units: units must be small.
UNIT: Final = 100
#: Invisible nodes in two corners: with them the view is scaled to the layout's frame, not to the
#: nodes that happen to be in it.
ANCHORS: Final = 2
_SMALLEST, _LARGEST, _FULL = 7, 22, 0.62
#: Nodes up to which each has its label; with more, those that lead nowhere show it when pointed at.
LABELLED: Final = 60


def option(
    graph: "nx.MultiDiGraph",
    layout: Layout,
    kind_of: Mapping[str, str],
    marked: str | None = None,
    *,
    dark: bool = False,
) -> dict[str, Any]:
    """The ECharts option. Nodes come in the order of the layout, after ANCHORS.

    Names are outside text: escaped in tooltips, which are HTML; labels are drawn, not marked up.
    """
    names = [name for name in layout.slots if name in graph]
    ids = {name: f"n{at}" for at, name in enumerate(names)}
    size = _size(layout)
    root = next(iter(layout.slots))
    few = len(names) <= LABELLED
    nodes = [
        {
            "id": ids[name],
            "name": name,
            **_place(layout, name),
            "label": _label(layout, name, shown=few or graph.degree(name) > 1, dark=dark),
            **look(
                MARKS[kind_of[name]], size * (1.5 if name == root else 1), marked=name == marked
            ),
            "tooltip": {"formatter": _tooltip(name, kind_of[name], _away(layout.hops[name]))},
        }
        for name in names
    ]
    links = [
        _link(ids, source, target, relation, confidence, thin=not few)
        for source, target, relation, confidence in graph.edges(keys=True, data="confidence")
        if source != target
    ]
    shown = [kind for kind in MARKS if kind in {kind_of[name] for name in names}]
    strokes = {stroke(confidence).label for *_, confidence in graph.edges(data="confidence")}
    keys = [one for one in STROKES.values() if one.label in strokes]
    series = {
        "type": "graph",
        "layout": "none",
        "preserveAspect": "contain",
        "preserveAspectVerticalAlign": "top",
        "roam": True,
        "roamTrigger": "global",
        "nodeScaleRatio": 0.6,
        "selectedMode": "single",
        "select": {"itemStyle": CHOSEN},
        "emphasis": {
            "focus": "adjacency",
            "lineStyle": {"width": 3},
            "label": {"show": True},
        },
        "labelLayout": {"hideOverlap": True},
        "categories": [{"name": name} for name in (*shown, *(one.label for one in keys))],
        "data": [*_anchors(layout.frame), *nodes],
        "links": links,
        "left": 8,
        "right": 8,
        "top": 64,
        "bottom": 8,
    }
    return {
        "animation": False,
        "tooltip": {"confine": True},
        "legend": legend(shown, keys, dark=dark),
        "series": [series],
    }


def _size(layout: Layout) -> float:
    """Pixels across a node: slots are one circle apart, and the frame fills the height."""
    apart = (HEIGHT - 72) / (2 * layout.frame)
    return max(_SMALLEST, min(_LARGEST, _FULL * apart))


def _place(layout: Layout, name: str) -> dict[str, Any]:
    x, y = point(layout.slots[name])
    return {"x": round(STRETCH * UNIT * x, 2), "y": round(UNIT * y, 2)}


def _label(layout: Layout, name: str, *, shown: bool, dark: bool) -> dict[str, Any]:
    x, _ = point(layout.slots[name])
    # Beside the outer nodes a label would leave the chart.
    far = abs(x) > layout.frame / 2
    side = "bottom" if far or not layout.hops[name] else "right" if x >= 0 else "left"
    return {
        "show": shown,
        "position": side,
        "width": 140,
        "overflow": "truncate",
        "fontSize": 11,
        "color": INK[dark],
        # A halo of the ground, for labels that edges run under.
        "textBorderColor": GROUND[dark],
        "textBorderWidth": 3,
    }


def _link(
    ids: Mapping[str, str],
    source: str,
    target: str,
    relation: str,
    confidence: float | None,
    *,
    thin: bool,
) -> dict[str, Any]:
    line = stroke(confidence)
    said = f"{words(relation)} {MISSING if confidence is None else f'{confidence:.2f}'}"
    return {
        "source": ids[source],
        "target": ids[target],
        "lineStyle": {
            "width": line.width * (0.6 if thin else 1),
            "type": line.dash,
            "color": LINE,
            "opacity": 0.5 if thin else 0.8,
        },
        "tooltip": {
            "formatter": _tooltip(said, f"{source} \N{RIGHTWARDS ARROW} {target}", line.label)
        },
    }


def _away(hops: int) -> str:
    return "the root" if not hops else f"drawn {hops} edge{'s' if hops > 1 else ''} from the root"


def _tooltip(first: str, *further: str) -> str:
    lines = [escaped(one) for one in (first, *further)]
    return "<br>".join((f"<b>{lines[0]}</b>", *lines[1:]))


def _anchors(frame: int) -> list[dict[str, Any]]:
    hidden = {
        "symbol": "none",
        "symbolSize": 0,
        "label": {"show": False},
        "tooltip": {"show": False},
    }
    return [
        {"id": f"a{at}", "name": "", "x": STRETCH * reach, "y": reach, **hidden}
        for at, reach in enumerate((-UNIT * frame, UNIT * frame))
    ]


def key(params: Mapping[str, str]) -> str:
    """The chart's identity: with another one it begins anew, scaled and unselected."""
    text = "&".join(f"{name}={value}" for name, value in sorted(params.items()))
    return f"graph_{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def selected(key: str, names: Sequence[str]) -> str | None:
    """The node that is selected in the chart of that key, before it is drawn."""
    state = st.session_state.get(key) or {"selection": {"selected": ()}}
    for group in state["selection"]["selected"]:
        if group["data_type"] == "node":
            for index in group["data_indices"]:
                # Indexes are kept by the browser while nodes come and go.
                if ANCHORS <= index < ANCHORS + len(names):
                    name: str = names[index - ANCHORS]
                    return name
    return None


def draw(spec: dict[str, Any], key: str, alt: str) -> None:
    """Draws the chart; `selected` tells the node chosen in it at the next run."""
    st.echarts_chart(spec, key=key, height=HEIGHT, on_select="rerun", alt=alt)

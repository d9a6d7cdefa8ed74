"""The capital graph as a drawing of our own: what components/assets/graph.js is sent, and its use.

The script keeps zoom and place of the view, and sets all words as text. What is sent is plain data,
so names need no escape.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from components.frame import session
from components.graph.network import LOAN, Graph
from components.graph.style import LINE, MARKS, STROKES, ring, stroke
from components.kit import severity, text
from components.kit.component import component
from components.kit.formatting import money, score, words
from services.contract.rounding import number_of
from services.contract.vocabulary import SEVERITIES

_draw: Final = component("graph", ["graph.css"], ["viewing.js", "graph.js"])

HEIGHT: Final = 640
#: From one place to the next, in the units of the drawing; nodes are smaller than half of it.
UNIT: Final = 44.0
#: Radius of a party, of a loan of unknown size, and of the smallest and the largest loan.
_PARTY, _SMALLEST, _LARGEST = 8.0, 5.5, 17.0
_A_MILLION: Final = 1_000_000
#: The area of a loan's circle goes by its book value between the two.
_GROWTH: Final = 1.7
#: Edges up to which each is labelled, and in a bare drawing, which is small.
LABELLED: Final = 40
_LABELLED_BARE: Final = 4
#: Nodes up to which labels are long, and letters of a long and of a short one.
_FEW: Final = 30
_LONG, _SHORT = 44, 26
#: How far several edges between the same two nodes are bent apart.
_BEND: Final = 16.0


@dataclass(frozen=True, slots=True)
class Size:
    """What the drawing says of a loan beside its name; None where not known."""

    book_value: int | None
    #: Worst severity over its signals.
    severity: str | None
    #: The name of its property.
    called: str | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn, and how it stands."""

    graph: Graph
    #: Where each node stands, in places; those that are not drawn just now are among them, so
    #: that each keeps its number.
    points: Mapping[str, tuple[float, float]]
    kind_of: Mapping[str, str]
    title: str
    #: Of what and as of when it is: stands below the title in a saved drawing.
    note: str
    alt: str
    #: With another one the view begins again, with all of the drawing in it.
    key: str
    #: The first node of all, drawn larger; and the node chosen.
    root: str
    chosen: str = ""
    sizes: Mapping[str, Size] | None = None
    pinned: frozenset[str] = frozenset()
    #: (what stands there, where its first row lies) of bands.
    bands: Sequence[tuple[str, float]] = ()
    #: Pixels.
    height: int = HEIGHT
    #: Whether the page is dark: there the worst is the lightest.
    dark: bool = False
    #: Whether it is drawn without the buttons that zoom, find and save.
    bare: bool = False


def sent(picture: Picture) -> dict[str, Any]:
    """What the script draws."""
    ids = numbers(picture)
    edges = _edges(picture.graph, ids, _LABELLED_BARE if picture.bare else LABELLED)
    return {
        "key": picture.key,
        "title": text.line(picture.title),
        "note": text.line(picture.note),
        "alt": text.line(picture.alt),
        "file": "credit-atlas-capital-graph",
        "height": picture.height,
        "bare": picture.bare,
        "line": LINE,
        "unit": UNIT,
        "chosen": ids.get(picture.chosen, ""),
        "bands": [{"label": label, "y": (y - 0.75) * UNIT} for label, y in picture.bands],
        "nodes": [_node(picture, name, id_) for name, id_ in ids.items()],
        "edges": edges,
        "legend": _legend(picture, edges),
    }


def numbers(picture: Picture) -> dict[str, str]:
    """What the script calls the nodes that are drawn, by name."""
    return {name: f"n{at}" for at, name in enumerate(picture.points) if name in picture.graph}


def _node(picture: Picture, name: str, id_: str) -> dict[str, Any]:
    kind = picture.kind_of[name]
    mark = MARKS[kind]
    x, y = picture.points[name]
    size = (picture.sizes or {}).get(name) if kind == LOAN else None
    worst = size.severity if size else None
    called = text.line(size.called) if size and size.called else ""
    shown = called or text.line(name)
    letters = _LONG if len(picture.graph) <= _FEW else _SHORT
    r = radius(kind, size)
    return {
        "id": id_,
        "name": f"{called} ({text.line(name)})" if called else shown,
        "label": shown if len(shown) <= letters else f"{shown[: letters - 1]}…",
        "x": round(x * UNIT, 2),
        "y": round(y * UNIT, 2),
        "r": round(r * (1.35 if name == picture.root else 1), 2),
        "shape": mark.shape,
        "fill": mark.colour,
        "hollow": mark.hollow,
        "dash": "3 2" if size and size.book_value is None else None,
        "ring": ring(worst, dark=picture.dark),
        "glyph": severity.GLYPHS.get(worst or "") if worst else None,
        "lines": [text.line(one) for one in _said(picture, name, kind, size)],
        # Whose label comes first: the root's, then those that lead on, then large loans'.
        "weight": (name == picture.root) * 1_000 + picture.graph.degree(name) + r / 4,
        "pinned": name in picture.pinned,
    }


def radius(kind: str, size: Size | None) -> float:
    """How large a node is drawn: the area of a loan goes by its book value."""
    if kind != LOAN or size is None:
        return _PARTY
    value = max(size.book_value or 0, 0) / _A_MILLION
    return min(max(_GROWTH * math.sqrt(value), _SMALLEST), _LARGEST)


def _said(picture: Picture, name: str, kind: str, size: Size | None) -> list[str]:
    lines = [kind]
    if size:
        lines.append(f"book value {money(size.book_value)}")
        lines.append(f"worst signal {severity.label(size.severity) if size.severity else 'none'}")
    lines.append(f"{number_of(picture.graph.degree(name), 'edge')} on screen")
    return [*lines, "pinned"] if name in picture.pinned else lines


def _edges(graph: Graph, ids: Mapping[str, str], labelled: int) -> list[dict[str, Any]]:
    every = [one for one in graph.edges(keys=True, data="confidence") if one[0] != one[1]]
    beside = Counter(frozenset(one[:2]) for one in every)
    drawn: Counter[frozenset[str]] = Counter()
    few = len(every) <= labelled
    edges = []
    for source, target, relation, confidence in every:
        pair = frozenset((source, target))
        bend = _BEND * (drawn[pair] - (beside[pair] - 1) / 2)
        drawn[pair] += 1
        line = stroke(confidence)
        said = f"{words(relation)} {score(confidence)}"
        edges.append(
            {
                "from": ids[source],
                "to": ids[target],
                # Bent to the same side whichever way it points.
                "bend": bend if source < target else -bend,
                "width": line.width * (1 if few else 0.75),
                "dash": line.dash,
                "lines": [
                    text.line(one)
                    for one in (said, f"{source} \N{RIGHTWARDS ARROW} {target}", line.label)
                ],
                "label": text.line(said) if few else "",
            }
        )
    return edges


def _legend(picture: Picture, edges: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The kinds, severities and tiers that occur."""
    occur = {picture.kind_of[name] for name in picture.graph}
    rows: list[dict[str, Any]] = [
        {"label": kind, "shape": mark.shape, "fill": mark.colour, "hollow": mark.hollow}
        for kind, mark in MARKS.items()
        if kind in occur
    ]
    sizes = picture.sizes or {}
    worst = {size.severity for name, size in sizes.items() if name in picture.graph}
    rows += [
        {"label": severity.label(word), "ring": ring(word, dark=picture.dark)}
        for word in SEVERITIES
        if word in worst
    ]
    tiers = {edge["lines"][-1] for edge in edges}
    return rows + [
        {"label": one.label, "width": one.width, "dash": one.dash}
        for one in STROKES.values()
        if one.label in tiers
    ]


def draw(picture: Picture, on_chosen: Callable[[str], None], *, key: str = "graph") -> None:
    """Draws it; `on_chosen` is called with a node's name before the page runs again."""
    names = {id_: name for name, id_ in numbers(picture).items()}

    def chosen() -> None:
        found = st.session_state[key].get("chosen")
        # The browser is trusted with nothing but a node that is drawn.
        if isinstance(found, str) and found in names:
            on_chosen(names[found])

    # A file that the browser makes is recorded nowhere (D92).
    saves = session.settings().sign_in == "none"
    _draw(key=key, data={**sent(picture), "saves": saves}, on_chosen_change=chosen)

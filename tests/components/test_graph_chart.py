import json
import math

import pytest
import streamlit as st

from components.graph import chart
from components.graph.chart import ANCHORS, LABELLED, STRETCH, UNIT, option
from components.graph.layout import arrange, extend
from components.graph.network import KINDS, kinds, network, parents
from components.graph.style import MARKS, STROKES, stroke
from services.contract.records import Edge, GraphPath

HOSTILE = "<img src=x onerror=alert(1)>{b}{a|x}\"'&"


def path(*edges):
    return GraphPath(
        edges=[Edge(source=s, relation=r, target=t, confidence=c) for s, r, t, c in edges]
    )


def drawn(root, paths, expanded=None, **how):
    graph = network(root, paths, expanded or {})
    layout = arrange(root, parents(graph))
    return option(graph, layout, kinds(graph, {root}, ()), **how), graph, layout


def series(spec):
    return spec["series"][0]


def test_hostile_names_are_escaped_in_tooltips_which_are_html():
    spec, *_ = drawn("L1", [path(("L1", "borrower", HOSTILE, 0.9))])
    chart = series(spec)
    texts = [one["tooltip"]["formatter"] for one in chart["data"][ANCHORS:] + chart["links"]]
    assert len(texts) == 3
    for text in texts:
        plain = text.replace("<b>", "").replace("</b>", "").replace("<br>", "")
        assert not set('<>{}"') & set(plain)
    assert "&lt;img src=x onerror=alert(1)&gt;&#123;b&#125;" in texts[1]


def test_a_name_that_looks_like_an_id_is_not_taken_for_one():
    spec, *_ = drawn("n1", [path(("n1", "borrower", "a0", 1.0), ("n0", "borrower", "a0", 1.0))])
    chart = series(spec)
    assert [(one["id"], one["name"]) for one in chart["data"]] == [
        ("a0", ""), ("a1", ""), ("n0", "n1"), ("n1", "a0"), ("n2", "n0"),
    ]  # fmt: skip
    assert [(one["source"], one["target"]) for one in chart["links"]] == [
        ("n0", "n1"),
        ("n2", "n1"),
    ]


def test_the_view_is_scaled_to_the_frame_whatever_stands_in_it():
    leaves = [path(("L1", "borrower", f"P{at}", 1.0)) for at in range(9)]
    spec, graph, layout = drawn("L1", leaves)
    anchors = series(spec)["data"][:ANCHORS]
    assert [(one["x"], one["y"]) for one in anchors] == [
        (-layout.frame * UNIT * STRETCH, -layout.frame * UNIT),
        (layout.frame * UNIT * STRETCH, layout.frame * UNIT),
    ]
    more = network("L1", leaves, {"P0": [path(("P0", "owned_by", "Up", 1.0))]})
    grown = option(more, extend(layout, parents(more)), kinds(more, {"L1"}, ()))
    assert series(grown)["data"][:ANCHORS] == anchors
    assert [one["id"] for one in series(grown)["data"]][:-1] == [
        one["id"] for one in series(spec)["data"]
    ]
    for before, after in zip(series(spec)["data"], series(grown)["data"], strict=False):
        assert (before["x"], before["y"]) == (after["x"], after["y"])
    assert len(graph) == 10


def test_nodes_do_not_overlap_on_screen():
    spec, _, layout = drawn("L1", [path(("L1", "borrower", f"P{at}", 1.0)) for at in range(200)])
    nodes = series(spec)["data"][ANCHORS + 1 :]
    scale = (640 - 72) / (2 * layout.frame * UNIT)  # pixels a unit when the height decides
    nearest = min(
        math.hypot(a["x"] - b["x"], a["y"] - b["y"])
        for at, a in enumerate(nodes)
        for b in nodes[:at]
    )
    assert nearest * scale > max(one["symbolSize"] for one in nodes)


def test_a_choice_made_in_the_chart_does_not_change_the_option():
    paths = [path(("L1", "borrower", "P", 1.0))]
    plain, marked = drawn("L1", paths)[0], drawn("L1", paths, marked="P")[0]
    assert drawn("L1", paths)[0] == plain
    borders = [one["itemStyle"].get("borderWidth") for one in series(marked)["data"][ANCHORS:]]
    assert borders == [None, 4]


@pytest.mark.parametrize(("leaves", "labelled"), [(LABELLED - 1, True), (LABELLED, False)])
def test_with_many_nodes_only_those_that_lead_on_keep_their_label(leaves, labelled):
    spec, *_ = drawn("L1", [path(("L1", "borrower", f"P{at}", 1.0)) for at in range(leaves)])
    shown = [one["label"]["show"] for one in series(spec)["data"][ANCHORS:]]
    assert shown == [True, *[labelled] * leaves]


def test_the_legend_names_what_occurs_and_nothing_else():
    spec, *_ = drawn("L1", [path(("L1", "borrower", "P", 0.95)), path(("L1", "x", "Q", None))])
    assert [one["name"] for one in spec["legend"]["data"]] == [
        "Loan", "Borrower", "Other party", "confirmed, 0.90 and over", "confidence not given",
    ]  # fmt: skip
    assert spec["legend"]["selectedMode"] is False
    names = [one["name"] for one in series(spec)["categories"]]
    assert names == [one["name"] for one in spec["legend"]["data"]]
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec


@pytest.mark.parametrize(
    ("confidence", "label"),
    [
        (1.0, "confirmed, 0.90 and over"),
        (0.9, "confirmed, 0.90 and over"),
        (0.8999, "probable, 0.70 and over"),
        (0.7, "probable, 0.70 and over"),
        (0.69, "inferred, under 0.70"),
        (0.0, "inferred, under 0.70"),
        (None, "confidence not given"),
    ],
)
def test_lines_follow_the_tier(confidence, label):
    assert stroke(confidence).label == label


def test_tiers_differ_in_width_and_in_dash():
    lines = list(STROKES.values())
    assert [one.width for one in lines] == sorted({one.width for one in lines}, reverse=True)
    assert [one.dash for one in lines] == ["solid", "dashed", "dotted", "dotted"]


def test_every_kind_has_a_shape_of_its_own_and_a_colour_seen_on_both_grounds():
    assert list(MARKS) == list(KINDS)
    assert len({(one.symbol, one.hollow) for one in MARKS.values()}) == len(KINDS)
    for one in MARKS.values():
        for ground in ("#ffffff", "#10171f"):
            assert contrast(one.colour, ground) >= 3.4


def contrast(one, other):
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize(
    ("kind", "index", "name"),
    [("node", 2, "A"), ("node", 3, "B"), ("node", 4, None), ("node", 0, None), ("edge", 2, None)],
)
def test_indexes_of_the_chart_are_read_with_care(kind, index, name, monkeypatch):
    chosen = {"selected": [{"data_type": kind, "data_indices": [index]}]}
    monkeypatch.setattr(st, "session_state", {"graph_1": {"selection": chosen}})
    assert chart.selected("graph_1", ["A", "B"]) == name
    assert chart.selected("graph_2", ["A", "B"]) is None


def test_another_root_or_filter_is_another_chart():
    keys = [{"loan_number": "1"}, {"entity_name": "1"}, {"loan_number": "1", "depth": "2"}]
    assert len({chart.key(one) for one in keys}) == 3
    assert chart.key({"a": "1", "b": "2"}) == chart.key({"b": "2", "a": "1"})

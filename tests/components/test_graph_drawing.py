"""What the drawing of the capital graph is sent: plain data, whatever names are."""

import itertools
import json
import math
import random

import pytest

from components.graph import drawing
from components.graph.drawing import LABELLED, UNIT, Picture, Size, radius, sent
from components.graph.network import KINDS, LOAN, kinds, network, parents
from components.graph.rings import arrange
from components.graph.style import MARKS, STROKES, stroke
from services.contract.records import Edge, GraphPath

HOSTILE = "<img src=x onerror=alert(1)>{b}{a|x}\"'&\u202e\x00"


def path(*edges):
    return GraphPath(
        edges=[Edge(source=s, relation=r, target=t, confidence=c) for s, r, t, c in edges]
    )


def pictured(root, paths, **how):
    graph = network(root, paths, {})
    rings = arrange(root, parents(graph))
    points = {node: rings.point(node) for node in rings.slots}
    kind_of = kinds(graph, {root}, ())
    return Picture(graph, points, kind_of, "Capital", "note", "alt", "key", root, **how)


def leaves(number):
    return [path(("L1", "borrower", f"P{at}", 1.0)) for at in range(number)]


def test_hostile_names_are_sent_as_plain_text_on_one_line():
    found = sent(pictured("L1", [path(("L1", "borrower", HOSTILE, 0.9))]))
    shown = HOSTILE.replace("\u202e", "\ufffd").replace("\x00", "\ufffd")
    assert found["nodes"][1]["name"] == shown
    assert found["edges"][0]["lines"][1] == f"L1 → {shown}"
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_name_that_looks_like_a_number_of_a_node_is_not_taken_for_one():
    found = sent(pictured("n1", [path(("n1", "borrower", "n0", 1.0))]))
    assert [(one["id"], one["name"]) for one in found["nodes"]] == [("n0", "n1"), ("n1", "n0")]
    assert [(one["from"], one["to"]) for one in found["edges"]] == [("n0", "n1")]


def test_nodes_keep_their_number_and_place_when_others_go():
    picture = pictured("L1", leaves(3))
    before = {one["name"]: one for one in sent(picture)["nodes"]}
    picture.graph.remove_node("P0")
    after = {one["name"]: one for one in sent(picture)["nodes"]}
    assert set(after) == {"L1", "P1", "P2"}
    for name, one in after.items():
        assert [one[key] for key in ("id", "x", "y")] == [
            before[name][key] for key in ("id", "x", "y")
        ]


def test_nodes_do_not_overlap_however_large():
    picture = pictured("L1", [path(("L1", "borrower", f"P{at}", 1.0)) for at in range(200)])
    nodes = sent(picture)["nodes"][1:]
    nearest = min(math.dist((a["x"], a["y"]), (b["x"], b["y"]))
                  for a, b in itertools.combinations(nodes, 2))  # fmt: skip
    assert nearest >= 2 * radius(LOAN, Size(10**12, None))
    assert nearest == pytest.approx(UNIT, rel=0.05)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, 5.5), (0, 5.5), (-5, 5.5), (16_000_000, 6.8), (64_000_000, 13.6), (10**12, 17.0)],
)
def test_the_area_of_a_loan_goes_by_its_book_value(value, expected):
    assert radius(LOAN, Size(value, None)) == pytest.approx(expected)
    assert radius(LOAN, None) == radius("Borrower", None) == 8.0


def test_a_worst_signal_is_a_ring_a_glyph_and_a_word():
    sizes = {"L1": Size(5_000_000, "critical")}
    node, other = sent(pictured("L1", leaves(1), sizes=sizes))["nodes"]
    assert (node["ring"], node["glyph"]) == ("#7a1f1f", "⬢")
    assert node["lines"] == [
        "Loan", "book value $5.0M", "worst signal ⬢ critical", "1 edge on screen",
    ]  # fmt: skip
    assert (other["ring"], other["glyph"]) == (None, None)
    legend = sent(pictured("L1", leaves(1), sizes=sizes))["legend"]
    assert [one["label"] for one in legend] == [
        "Loan", "Borrower", "⬢ critical", "confirmed, 0.90 and over",
    ]  # fmt: skip
    dark = sent(pictured("L1", leaves(1), sizes=sizes, dark=True))
    assert dark["nodes"][0]["ring"] == dark["legend"][2]["ring"] == "#b8342f"
    sizes = {"L1": Size(None, None)}
    node = sent(pictured("L1", leaves(1), sizes=sizes))["nodes"][0]
    assert (node["ring"], node["dash"]) == (None, "3 2")
    assert "worst signal none" in node["lines"]
    assert "book value —" in node["lines"]


def test_several_edges_between_two_nodes_are_bent_apart():
    edges = [path(("L1", "a", "P", 1.0)), path(("P", "b", "L1", 1.0)), path(("L1", "c", "P", 1.0))]
    found = sent(pictured("L1", edges))["edges"]
    # As seen from the first of the two names.
    sides = [one["bend"] if one["from"] == "n0" else -one["bend"] for one in found]
    assert sorted(sides) == [-16, 0, 16]
    assert sent(pictured("L1", leaves(1)))["edges"][0]["bend"] == 0


@pytest.mark.parametrize(("number", "labelled"), [(LABELLED, True), (LABELLED + 1, False)])
def test_few_edges_are_labelled(number, labelled):
    labels = {one["label"] for one in sent(pictured("L1", leaves(number)))["edges"]}
    assert labels == {"Borrower 1.00" if labelled else ""}


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
    assert len({one.dash for one in lines}) == len(lines)


def test_every_kind_has_a_shape_of_its_own_and_a_colour_seen_on_both_grounds():
    assert list(MARKS) == list(KINDS)
    assert len({(one.shape, one.hollow) for one in MARKS.values()}) == len(KINDS)
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


def test_what_the_browser_says_is_believed_only_of_nodes_that_are_drawn(monkeypatch):
    chosen, calls = [], {}
    monkeypatch.setattr(drawing, "_draw", lambda **given: calls.update(given))
    picture = pictured("L1", leaves(2))
    drawing.draw(picture, chosen.append)
    for said in ("n2", "n3", "P0", None, 7, ["n1"]):
        monkeypatch.setattr(drawing.st, "session_state", {"graph": {"chosen": said}})
        calls["on_chosen_change"]()
    assert chosen == ["P1"]


def test_a_drawing_of_a_thousand_nodes_is_a_small_message():
    rng = random.Random(3)
    edges = [path((f"P{rng.randrange(at)}" if at else "L1", "owned_by", f"P{at}", 0.9))
             for at in range(1000)]  # fmt: skip
    picture = pictured("L1", [path(("L1", "borrower", "P0", 1.0)), *edges[1:]])
    assert len(json.dumps(sent(picture))) < 700_000

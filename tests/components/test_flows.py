"""The flows of a scenario: which nodes, how high, where, in which colours, where to."""

from itertools import pairwise

import pytest

from components.kit import severity
from components.what_if.flows import sent
from components.what_if.view import WhatIfView
from components.what_if.wording import said
from services.contract.scenario import Move, Scenario


def move(before, after, loans, book):
    return Move(
        before=before,
        after=after,
        loans=loans,
        book_value=book,
        contagion_loans=0,
        contagion_book_value=0,
        short_before=0,
        short_after=0,
    )


MOVES = (
    move("none", "none", 50, 300),
    move("none", "moderate", 10, 100),
    move("moderate", "critical", 2, 500),
    move("critical", "severe", 1, 100),
    move("severe", "severe", 1, 0),
)


def drawn(measure="dollars", **options):
    """What the browser is sent, and its flows by their ends."""
    found = sent(MOVES, WhatIfView(measure=measure, rates=100), "1", dark=False, **options)
    return found, {one["said"][0]: one for one in found["flows"]}


@pytest.mark.parametrize(
    ("measure", "sizes"),
    [
        # Of 1,000 dollars or 64 loans; four nodes at most, 4 % of the height between them.
        ("dollars", {"no signal to no signal": 300, "◔ moderate to ⬢ critical": 500}),
        ("loans", {"no signal to no signal": 50, "◆ severe to ◆ severe": 1}),
    ],
)
def test_flows_run_from_now_to_the_scenario_as_high_as_they_are_large(measure, sizes):
    found, flows = drawn(measure)
    whole = {"dollars": 1_000, "loans": 64}[measure]
    assert len(flows) == {"dollars": 4, "loans": 5}[measure]  # nothing flows where no dollars do
    nodes = {(one["side"], one["label"].rsplit(" ", 1)[0]): one for one in found["nodes"]}
    for ends, size in sizes.items():
        flow = flows[ends]
        assert flow["size"] == pytest.approx(size / whole * (1 - 3 * 0.04))
        for side, at, word in zip(
            ("before", "after"), ("from", "to"), ends.split(" to "), strict=True
        ):
            node = nodes[side, word]
            assert node["top"] <= flow[at] + 1e-9
            assert flow[at] + flow["size"] <= node["top"] + node["size"] + 1e-9


def test_the_worst_stands_at_the_top_and_neither_nodes_nor_flows_overlap():
    found, _ = drawn()
    right = [(one["label"], one["top"], one["size"]) for one in found["nodes"][3:]]
    part = 1 - 3 * 0.04
    # Critical 500, severe 100, moderate 100, none 300 of 1,000.
    assert [label for label, _, _ in right] == [
        "⬢ critical $500", "◆ severe $100", "◔ moderate $100", "no signal $300",
    ]  # fmt: skip
    assert [top for _, top, _ in right] == pytest.approx(
        [0, part * 0.5 + 0.04, part * 0.6 + 0.08, part * 0.7 + 0.12]
    )
    assert right[-1][1] + right[-1][2] == pytest.approx(1)
    for side, at in (("before", "from"), ("after", "to")):
        spans = sorted((one[at], one[at] + one["size"]) for one in found["flows"])
        assert all(end <= begin + 1e-9 for (_, end), (begin, _) in pairwise(spans)), side


def test_who_moves_leads_to_its_loans_in_the_colour_of_where_to_and_who_stays_is_pale():
    _, flows = drawn()
    moved, stayed = flows["◔ moderate to ⬢ critical"], flows["no signal to no signal"]
    assert moved["colour"] == severity.colour("critical")
    assert moved["href"] == "what_if?rates=100&of=1&move=moderate%2Ccritical"
    assert moved["said"][1] == "$500 in 2 loans"
    assert (stayed["href"], stayed["colour"]) == (None, "#7d8894")


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (Scenario(), "Nothing changed"),
        (Scenario.of(rates=100), "Rates +100 bp"),
        (Scenario.of(rates=-50, noi=-12.5, cap=25), "Rates −50 bp, NOI −12.50%, cap rate +25 bp"),
        (Scenario.of(noi=5), "NOI +5%"),
        (
            Scenario(rate_5=-25, rate_7=50, rate_10=50),
            "5-year −25 bp, 7-year +50 bp, 10-year +50 bp",
        ),
    ],
)
def test_a_scenario_in_words(scenario, words):
    assert said(scenario) == words

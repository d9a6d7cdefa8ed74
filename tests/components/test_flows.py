"""The flows of a scenario: which nodes, how wide, where, in which colours."""

import pytest

from components.kit import severity
from components.what_if.flows import sankey
from components.what_if.wording import said
from services.contract.scenario import Move, Scenario


def move(before, after, loans, book):
    return Move(
        before=before, after=after, loans=loans, book_value=book, short_before=0, short_after=0
    )


MOVES = (
    move("none", "none", 50, 300),
    move("none", "moderate", 10, 100),
    move("moderate", "critical", 2, 500),
    move("critical", "severe", 1, 100),
    move("severe", "severe", 1, 0),
)


@pytest.mark.parametrize(
    ("measure", "values"), [("dollars", [300, 100, 500, 100]), ("loans", [50, 10, 2, 1, 1])]
)
def test_flows_run_from_now_to_the_scenario_as_wide_as_they_are_large(measure, values):
    (drawn,) = sankey(MOVES, measure).data
    assert list(drawn.link.value) == values
    ends = [
        (drawn.node.label[start], drawn.node.label[end])
        for start, end in zip(drawn.link.source, drawn.link.target, strict=True)
    ]
    assert ends[1][0].startswith("no signal ")
    assert ends[1][1].startswith("◔ moderate ")
    assert ends[2][1].startswith("⬢ critical ")
    for start, end in zip(drawn.link.source, drawn.link.target, strict=True):
        assert drawn.node.x[start] < 0.5 < drawn.node.x[end]


def test_the_worst_stands_at_the_top_and_nodes_do_not_overlap():
    (drawn,) = sankey(MOVES, "dollars").data
    for side in (0.001, 0.999):
        placed = [
            (y, label)
            for x, y, label in zip(drawn.node.x, drawn.node.y, drawn.node.label, strict=True)
            if x == side
        ]
        assert placed == sorted(placed)
    # Right: critical 500, severe 100, moderate 100, none 300 of 1,000; 4 % between them.
    right = [y for x, y in zip(drawn.node.x, drawn.node.y, strict=True) if x == 0.999]
    part = 1 - 3 * 0.04
    assert right == pytest.approx(
        [part * 0.25, part * 0.55 + 0.04, part * 0.65 + 0.08, part * 0.85 + 0.12]
    )


def test_who_moves_has_the_colour_of_where_to_and_who_stays_is_pale():
    (drawn,) = sankey(MOVES, "dollars").data
    red, green, blue = (int(severity.colour("critical")[at : at + 2], 16) for at in (1, 3, 5))
    assert drawn.link.color[2] == f"rgba({red},{green},{blue},0.6)"
    assert drawn.link.color[0].endswith(",0.18)")


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

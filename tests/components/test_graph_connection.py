"""The Connection page's question, its answer in words, and where its nodes stand."""

import itertools
import math

import pytest

from components.frame import exports
from components.graph.connection import briefly, in_words, points
from components.graph.ends import ConnectionView
from components.graph.steps import steps, table
from services.contract.connections import ConnectionResult, NotCrossed
from services.contract.errors import InvalidRequest
from services.contract.queries import parse
from services.contract.records import Edge, GraphPath
from tests.exported import file_of


def edge(source, relation, target):
    return Edge(source=source, target=target, relation=relation, confidence=0.9)


def path(*edges):
    return GraphPath(edges=edges)


BY_OAK = path(edge("L1", "borrower", "Oak"), edge("L2", "borrower", "Oak"))
BY_ELM = path(
    edge("L1", "borrower", "Ash"), edge("Ash", "owned_by", "Elm"), edge("Oak", "owned_by", "Elm"),
    edge("L2", "borrower", "Oak"),
)  # fmt: skip


def result(*found, more=False, reach=6, wide=None, not_crossed=(), total=None):
    return ConnectionResult(
        source="L1", target="L2", connections=found, more=more, reach=reach,
        next_level_edges=wide, not_crossed=not_crossed,
        not_crossed_total=len(not_crossed) if total is None else total, ended=0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (result(BY_OAK, BY_ELM), "Connected through Oak."),
        (result(BY_ELM), "Connected through Ash, Elm and Oak."),
        (result(path(edge("L1", "sponsor", "L2"))), "Connected by one edge."),
        (result(reach=4), "Not connected within 4 edges."),
    ],
)
def test_a_connection_is_said_briefly_by_what_lies_between(found, said):
    assert briefly(found) == said


BANK = NotCrossed(name="Bank", kind="lender", edges=5_000, hub=True)
FUND = NotCrossed(name="Fund", kind="fund", edges=3, hub=False)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (result(BY_OAK), "1 connection within 6 edges."),
        (result(BY_OAK, BY_ELM), "2 connections within 6 edges."),
        (result(BY_OAK, BY_ELM, more=True), "The 2 best connections; there are more."),
        (result(BY_OAK, more=True), "The best connection; there are more."),
        (
            result(not_crossed=(BANK, FUND)),
            ("None within 6 edges; both reach 2 nodes that no connection may go through, listed"
             " below."),
        ),
        (result(), "None within 6 edges."),
        (result(BY_OAK, not_crossed=(FUND,)),
         ("1 connection within 6 edges; both reach 1 node that no connection may go through,"
         " listed below.")),
        (result(BY_OAK, reach=3, wide=70_000),
         ("1 connection within 3 edges; longer ones were not looked for: the next level has 70,000"
         " edges.")),
        (result(BY_OAK, reach=1), ("1 connection within 1 edge; longer ones were not looked for:"
         " there are too many ways.")),
    ],
)  # fmt: skip
def test_the_answer_says_how_far_it_reaches_and_what_was_not_crossed(found, said):
    assert in_words(found) == said


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"from_loan": "1", "from_entity": "A"}, "exactly one of 'from_loan' and 'from_entity'"),
        ({"to_loan": "1", "to_entity": "A"}, "exactly one of 'to_loan' and 'to_entity'"),
        ({"from_loan": "1", "to_loan": "1"}, "two different ends"),
    ],
)
def test_an_address_may_lack_an_end_and_no_more(given, sentence):
    with pytest.raises(InvalidRequest, match=sentence):
        parse(ConnectionView, given)
    assert not parse(ConnectionView, {}).whole
    assert not parse(ConnectionView, {"to_loan": "1"}).whole
    assert parse(ConnectionView, {"from_loan": "1", "to_entity": "1"}).whole


def test_the_ends_change_places():
    view = parse(ConnectionView, {"from_loan": "1", "to_entity": "A"})
    assert view.turned() == {"to_loan": "1", "from_entity": "A"}
    assert view.other("from") == {"to_entity": "A"}
    assert view.other("to") == {"from_loan": "1"}


def test_a_table_of_steps_says_what_each_edge_leads_to():
    found = steps(result(BY_OAK, BY_ELM))
    assert [(number, at, reached) for number, at, _, reached in found] == [
        (1, 1, "Oak"), (1, 2, "L2"), (2, 1, "Ash"), (2, 2, "Elm"), (2, 3, "Oak"), (2, 4, "L2"),
    ]  # fmt: skip
    assert found[1][2] == BY_OAK.edges[1]


def test_the_file_of_steps_holds_each_edge_as_stored(monkeypatch):
    of = exports.Origin("2026-09-30", "made up", "synthetic")
    monkeypatch.setattr("components.frame.exports.export.origin", lambda: of)
    lines = file_of(table(result(BY_OAK, BY_ELM), "=Connections")).decode().splitlines()
    assert "# Shown,'=Connections" in lines
    assert lines[-6].startswith('1,0.81,1,"L1",,"Oak",,"borrower",0.9,,"Oak"')
    assert lines[-1].startswith("2,0.6561")
    assert lines[-1].endswith('4,"L2",,"Oak",,"borrower",0.9,,"L2"')


def test_connections_run_from_left_to_right_and_no_two_nodes_share_a_place():
    further = path(*(edge(a, "owned_by", b) for a, b in itertools.pairwise(
        ["L1", "P", "Q", "R", "L2"])))  # fmt: skip
    found = points(result(BY_OAK, BY_ELM, further))
    assert set(found) == {"L1", "L2", "Oak", "Ash", "Elm", "P", "Q", "R"}
    lefts = [found[name][0] for name in ("L1", "P", "Q", "R", "L2")]
    assert lefts == sorted(lefts)
    assert found["L1"][1] == found["L2"][1]
    nearest = min(math.dist(*two) for two in itertools.combinations(found.values(), 2))
    assert nearest >= 1.5
    straight = points(result(path(edge("L1", "guarantor", "L2"))))
    assert straight["L1"][1] == straight["L2"][1] == 0

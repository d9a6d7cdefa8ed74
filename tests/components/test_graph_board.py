"""What a session builds up around a root: expansions, what is hidden and pinned, and undo."""

import pytest

from components.graph.board import MOST_PAGES, PAGES, Board
from components.graph.filters import GraphView
from components.graph.network import network
from services.contract.connections import BranchQuery
from services.contract.errors import InvalidRequest
from services.contract.queries import PathQuery, parse
from services.contract.records import Edge, GraphPath

LENT = BranchQuery(entity_name="A", relation="capital_source", outward=False)
OWNS = BranchQuery(entity_name="A", relation="owned_by", outward=False)
AROUND = PathQuery(loan_number="L", depth=1)


@pytest.fixture
def board():
    return Board("root", chosen="root")


def test_expanding_again_asks_for_the_next_page_and_collapsing_takes_a_node_back(board):
    for query in (LENT, AROUND, OWNS, LENT):
        board.expand(query)
    assert board.shown.expanded == {LENT: 2, AROUND: 1, OWNS: 1}
    assert list(board.shown.expanded) == [LENT, AROUND, OWNS]
    board.collapse("A")
    assert board.shown.expanded == {AROUND: 1}


def test_every_change_can_be_undone_the_last_one_first(board):
    before = board.shown
    path = GraphPath(edges=(Edge(source="root", target="A"),))
    steps = [
        lambda: board.expand(LENT),
        board.more,
        lambda: board.pin("A", path),
        lambda: board.hide("A"),
        board.show_hidden,
        lambda: board.collapse("A"),
    ]
    shown = [before]
    for step in steps:
        step()
        shown.append(board.shown)
    assert len({str(one) for one in shown[:4]}) == 4
    for expected in reversed(shown[:-1]):
        board.undo()
        assert board.shown == expected
    board.undo()
    assert board.shown == before


def test_a_hidden_node_is_neither_chosen_nor_pinned(board):
    board.pin("A", GraphPath(edges=(Edge(source="root", target="A"),)))
    board.choose("A")
    board.hide("A")
    assert (board.chosen, board.shown.hidden, board.shown.pinned) == ("root", {"A"}, {})


def test_a_second_pin_takes_the_first_away(board):
    path = GraphPath(edges=(Edge(source="root", target="A"),))
    board.pin("A", path)
    assert board.shown.pinned == {"A": path}
    board.pin("A", path)
    assert board.shown.pinned == {}


def test_more_stops_where_a_drawing_gets_too_full(board):
    for _ in range(9):
        board.more()
    assert board.shown.pages == MOST_PAGES
    assert Board("x").shown.pages == PAGES


def test_what_turned_out_to_be_a_party_is_no_loan(board):
    lent = GraphPath(edges=(Edge(source="Fund", target="root", relation="capital_source"),))
    board.place(network("root", [lent], {}))
    assert board.is_loan("Fund")
    assert not board.is_loan("root")
    board.parties.add("Fund")
    assert not board.is_loan("Fund")


@pytest.mark.parametrize(
    ("given", "relation"),
    [
        ({}, None),
        ({"relation": "borrower"}, ("borrower",)),
        ({"relation": "owned_by, Borrower,owned_by"}, ("borrower", "owned_by")),
    ],
)
def test_relations_are_parted_by_commas_and_written_back_in_order(given, relation):
    view = parse(GraphView, {"loan_number": "L1", **given})
    assert view.relation == relation
    assert parse(GraphView, view.params()) == view
    assert view.params().get("relation") == (",".join(relation) if relation else None)
    assert view.query(3) == PathQuery(loan_number="L1", page=3)


def test_letters_and_layout_are_in_the_address():
    view = parse(GraphView, {"loan_number": "L1", "layout": "layers", "find": " oak  lp "})
    assert (view.layout, view.find, view.filtered) == ("layers", "oak lp", False)
    assert view.params() == {"loan_number": "L1", "layout": "layers", "find": "oak lp"}
    with pytest.raises(InvalidRequest, match="'layout' is 'tree'"):
        parse(GraphView, {"loan_number": "L1", "layout": "tree"})


@pytest.mark.parametrize("text", [",", "a\x07b", "x" * 201])
def test_relations_that_are_no_words_are_refused(text):
    with pytest.raises(InvalidRequest) as caught:
        parse(GraphView, {"loan_number": "L1", "relation": text})
    assert caught.value.parameter == "relation"

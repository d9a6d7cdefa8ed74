"""What a session builds up around a root: pages, choices, expansions."""

import pytest

from components.graph.board import MOST_PAGES, PAGES, Board
from components.graph.filters import GraphView
from components.graph.network import network
from services.contract.errors import InvalidRequest
from services.contract.queries import PathQuery, parse
from services.contract.records import Edge, GraphPath

NAMES = ["root", "A", "B"]


@pytest.fixture
def board():
    return Board("root", chosen="root")


def test_a_click_chooses_and_needs_no_mark_of_ours(board):
    board.heed("chart", None, NAMES)
    assert (board.chosen, board.by_hand) == ("root", False)
    board.heed("chart", "A", NAMES)
    assert (board.chosen, board.by_hand) == ("A", False)


def test_a_choice_by_name_is_marked_until_the_next_click(board):
    board.heed("chart 0", "A", NAMES)
    board.choose("B")
    assert (board.chosen, board.by_hand, board.redrawn) == ("B", True, 1)
    board.heed("chart 1", None, NAMES)  # another mark, another chart: it has no selection yet
    assert (board.chosen, board.by_hand) == ("B", True)
    board.heed("chart 1", "A", NAMES)
    assert (board.chosen, board.by_hand) == ("A", False)


def test_a_click_that_takes_the_selection_away_means_that_node(board):
    board.heed("chart", "A", NAMES)
    board.heed("chart", None, NAMES)
    assert board.chosen == "A"


def test_a_chart_drawn_anew_is_told_what_was_chosen(board):
    board.heed("chart", "A", NAMES)
    board.heed("another filter", None, NAMES)
    assert (board.chosen, board.by_hand) == ("A", True)


def test_a_node_that_a_filter_takes_away_is_chosen_no_longer(board):
    board.heed("chart", "A", NAMES)
    board.heed("narrow", None, ["root", "B"])
    assert (board.chosen, board.by_hand) == ("root", False)


def test_expanding_again_asks_for_the_next_page(board):
    board.expand("A", loan=False)
    board.expand("L", loan=True)
    board.expand("A", loan=False)
    assert board.expanded == {
        "A": PathQuery(entity_name="A", depth=1, page=2),
        "L": PathQuery(loan_number="L", depth=1),
    }
    assert list(board.expanded) == ["A", "L"]


def test_more_stops_where_a_chart_gets_too_full(board):
    for _ in range(9):
        board.more()
    assert board.pages == MOST_PAGES
    assert Board("x").pages == PAGES


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


@pytest.mark.parametrize("text", [",", "a\x07b", "x" * 201])
def test_relations_that_are_no_words_are_refused(text):
    with pytest.raises(InvalidRequest) as caught:
        parse(GraphView, {"loan_number": "L1", "relation": text})
    assert caught.value.parameter == "relation"

"""GET /v1/graph/paths (spec 4.5, D12), with the small limits of tests/world.py."""

import pytest

from services.contract.errors import NotFound
from services.contract.queries import PathQuery


def roots(oracle):
    return [{"loan_number": number} for number in oracle.by_number] + [
        {"entity_name": name} for name in oracle.listed
    ]


def told(source, **query):
    """Paths as "from -relation-> to" edges, read off all pages."""
    found, at = [], 1
    while True:
        result, page = source.paths(PathQuery(**query, page=at))
        assert result.paths == page.items
        found += [[(e.source, e.relation, e.target) for e in path.edges] for path in page.items]
        if page.is_last:
            assert len(found) == page.total
            return found, result
        at += 1


def ends(paths, root):
    """The node that each path leads to."""
    reached = []
    for path in paths:
        node = root
        for start, _, end in path:
            assert node in (start, end)
            node = end if node == start else start
        reached.append(node)
    return reached


@pytest.mark.parametrize("depth", [1, 3, 6])
def test_every_walk_agrees(source, oracle, depth):
    for root in roots(oracle):
        query = PathQuery(**root, depth=depth)
        result, page = source.paths(query)
        expected, expected_page = oracle.paths(query)
        if expected.stopped_by != "budget":  # promised only for that
            result = result.model_copy(update={"next_level_edges": None})
        assert page == expected_page
        assert result == expected


def test_the_book_has_every_way_in_which_a_walk_ends(oracle):
    found = [oracle.paths(PathQuery(**root))[0] for root in roots(oracle)]
    assert {result.stopped_by for result in found} == {None, "depth", "budget"}
    hubs = {hub.name for result in found for hub in result.hubs}
    assert hubs == {"Harbour Bank", "Blanket Borrower LLC"}


def test_a_hub_is_reached_but_not_walked_through_unless_it_is_the_root(source):
    paths, result = told(source, loan_number="state-1", depth=6)
    assert paths == [[("state-1", "borrower", "Blanket Borrower LLC")]]
    assert [(hub.name, hub.edges) for hub in result.hubs] == [("Blanket Borrower LLC", 9)]
    assert result.stopped_by is None
    paths, result = told(source, entity_name="Blanket Borrower LLC", depth=1)
    assert sorted(ends(paths, "Blanket Borrower LLC")) == [f"state-{at}" for at in range(9)]
    assert result.hubs == ()


def test_a_node_with_as_many_edges_as_the_limit_is_walked_through(source):
    paths, result = told(source, loan_number="lender-00", depth=2)
    assert result.hubs == ()
    ended = ends(paths, "lender-00")
    assert ended == ["Eight Loans LLC", *(f"lender-{at:02}" for at in range(1, 8))]


def test_sharing_a_capital_source_does_not_relate_two_borrowers(source):
    paths, result = told(source, loan_number="day-00", depth=6)
    assert paths == [[("day-00", "capital_source", "Fund One LP")]]
    assert (result.depth_reached, result.stopped_by) == (1, None)
    paths, _ = told(source, entity_name="Fund One LP", depth=6)
    assert sorted(ends(paths, "Fund One LP")) == ["Fund Two LP", "day-00", "day-01", "guaranteed"]


def test_of_parallel_edges_the_surer_one_is_walked(source):
    paths, _ = told(source, loan_number="two borrowers", depth=1)
    assert ("two borrowers", "borrower", "Oak Street Holdings LLC") in [path[0] for path in paths]
    assert len(paths) == 2


def test_edges_are_walked_both_ways_and_told_as_stored(source):
    paths, _ = told(source, entity_name="José García", depth=2)
    assert [
        ("Oak Street Holding LLC", "owned_by", "José García"),
    ] in paths
    assert [
        ("Oak Street Holding LLC", "owned_by", "José García"),
        ("two borrowers", "borrower", "Oak Street Holding LLC"),
    ] in paths


def test_each_node_has_one_path_and_shorter_paths_come_first(source, oracle):
    for root in roots(oracle):
        paths, result = told(source, **root)
        lengths = [len(path) for path in paths]
        assert lengths == sorted(lengths)
        assert result.depth_reached == max(lengths, default=0)
        named = ends(paths, result.root)
        assert len(named) - len(set(named)) <= 1  # "A-1" is a loan and a party


def test_a_party_named_as_a_loan_is_another_node(source):
    paths, _ = told(source, loan_number="A-1", depth=2)
    assert paths == [
        [("A-1", "borrower", "A-1")],
        [("A-1", "borrower", "A-1"), ("a-1", "borrower", "A-1")],
    ]
    paths, _ = told(source, entity_name="A-1", depth=2)
    assert paths == [[("A-1", "borrower", "A-1")], [("a-1", "borrower", "A-1")]]


def test_a_root_without_edges_has_no_paths(source):
    for root in ({"entity_name": "Knows nobody Ltd."}, {"loan_number": "empty"}):
        paths, result = told(source, **root)
        assert (paths, result.depth_reached, result.stopped_by) == ([], 0, None)


@pytest.mark.parametrize(
    "root",
    [
        {"loan_number": "Ada Quill"},
        {"loan_number": "DIAMOND"},
        {"entity_name": "diamond"},
        {"entity_name": "ada quill"},
        {"entity_name": "Ada Quill "},
    ],
)
def test_an_unknown_root_is_not_found(source, root):
    with pytest.raises(NotFound):
        source.paths(PathQuery(**root))


def test_the_ends_of_an_edge_say_what_they_are(source):
    """D50."""
    edges = source.paths(PathQuery(loan_number="diamond"))[0].paths
    kinds = {(e.relation, e.extra["from_kind"]) for path in edges for e in path.edges}
    assert {relation for relation, kind in kinds if kind == "loan"} >= {"borrower"}
    assert all(kind != "loan" for relation, kind in kinds if relation == "owned_by")

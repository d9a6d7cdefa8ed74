"""How nodes are connected (D72, D73), in a store and in a mirror, against the oracle."""

from itertools import combinations

import pytest

from services.contract.connections import BranchQuery, ConnectionQuery
from services.contract.errors import InvalidRequest, NotFound
from services.contract.queries import parse
from tests.tiers import amounts
from tests.world import HUB_EDGES


def nodes(oracle):
    return [("loan", number) for number in oracle.by_number] + [
        ("entity", name) for name in oracle.listed
    ]


def asked(first, second, **more):
    return ConnectionQuery(**{f"from_{first[0]}": first[1], f"to_{second[0]}": second[1]}, **more)


def node_query(node, **more):
    return BranchQuery(**{{"loan": "loan_number"}.get(node[0], "entity_name"): node[1]}, **more)


def plain(edge):
    return (edge.source, edge.target, edge.relation, edge.confidence, edge.extra)


def expected(oracle, edge):
    """An edge of the oracle's as records have it."""
    start, end, relation, confidence, share = edge
    kinds = {
        name: "loan" if node[0] == "loan" else oracle.listed[node[1]]["kind"]
        for name, node in (("from_kind", start), ("to_kind", end))
    }
    known = {} if share is None else {"share": share}
    return (start[1], end[1], relation, confidence, kinds | known)


def test_connections_agree(held):
    some = nodes(held.oracle)[1::3]
    seen = 0
    for first, second in combinations(some, 2):
        found = held.source.connections(asked(first, second, per_page=25))
        paths = held.oracle.links.connections(first, second, hub_edges=HUB_EDGES)
        paths = [one for one in paths if len(one.edges) <= found.reach]
        assert (found.source, found.target) == (first[1], second[1])
        assert [[plain(edge) for edge in one.edges] for one in found.connections] == [
            [expected(held.oracle, held.oracle.links[edge]) for edge in one.edges]
            for one in paths[:25]
        ]
        assert found.more == (len(paths) > 25)
        seen += len(paths)
    assert seen > 10


def test_what_both_reach_and_neither_goes_on_from_is_named(store_source):
    def not_crossed(first, second):
        found = store_source.connections(asked(("loan", first), ("loan", second)))
        named = [(one.name, one.kind, one.edges, one.hub) for one in found.not_crossed]
        return found.connections, found.not_crossed_total, named

    assert not_crossed("day-00", "day-01") == ((), 1, [("Fund One LP", "lender", 4, False)])
    hub = ("Blanket Borrower LLC", "borrower", HUB_EDGES + 1, True)
    assert not_crossed("state-0", "state-1") == ((), 1, [hub])


def test_an_unknown_end_is_not_found(held):
    known = nodes(held.oracle)[0]
    for query in (asked(known, ("entity", "nobody")), asked(("loan", "none"), known)):
        with pytest.raises(NotFound):
            held.source.connections(query)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"from_loan": "1"}, "exactly one of 'to_loan' and 'to_entity'"),
        ({"from_loan": "1", "from_entity": "A", "to_loan": "2"}, "exactly one of 'from_loan'"),
        ({"from_loan": "1", "to_loan": "1"}, "two different ends"),
        ({"from_loan": "1", "to_loan": "2", "per_page": "26"}, "at most 25"),
    ],
)
def test_a_question_without_two_ends_is_refused(given, sentence):
    with pytest.raises(InvalidRequest, match=sentence):
        parse(ConnectionQuery, given)
    assert parse(ConnectionQuery, {"from_loan": "1", "to_entity": "1"}).per_page == 10


def test_the_edges_among_nodes_agree(held):
    """D73."""
    oracle = held.oracle
    every = [name for _, name in nodes(oracle)]
    for names in (every, every[::2], every[::5], ["no such name", *every[:1]], []):
        found = held.source.edges_among(tuple(names))
        within = [e for e in oracle.links if {e[0][1], e[1][1]} <= set(names)]
        assert sorted(map(plain, found), key=str) == sorted(
            (expected(oracle, edge) for edge in within), key=str
        )
        order = [(one.source, one.target, one.relation) for one in found]
        assert order == sorted(order)


def test_the_edges_at_each_node_agree_and_are_counted(held):
    """D73."""
    oracle = held.oracle
    for node in nodes(oracle):
        at = [oracle.links[edge] for edge, _ in oracle.links.at(node)]
        counted = {(one.relation, one.outward): one.edges
                   for one in held.source.branches(node_query(node))}  # fmt: skip
        assert sum(counted.values()) == len(at)
        for (relation, outward), edges in counted.items():
            query = node_query(node, relation=relation, outward=outward, per_page=100)
            page = held.source.edges_at(query)
            wanted = [e for e in at if e[2] == relation and (e[0] == node) == outward]
            wanted.sort(key=lambda e: (-e[3], e[1][1] if e[0] == node else e[0][1]))
            assert [plain(edge) for edge in page.items] == [expected(oracle, e) for e in wanted]
            assert page.total == edges == len(wanted)
            second = held.source.edges_at(query.model_copy(update={"page": 2, "per_page": 1}))
            assert second.items == page.items[1:2]
    assert held.source.edges_at(node_query(node, relation="no such")).total == 0
    with pytest.raises(NotFound):
        held.source.branches(BranchQuery(loan_number="none"))


@pytest.mark.parametrize("step", amounts(5, 3))
def test_what_both_ends_lead_to_is_said_first(held, step):
    """D202: the same party by the same relation, from either end."""
    links, seen = held.oracle.links, 0
    by_start = {}
    for start, end, relation, *_ in links:
        by_start.setdefault(start, set()).add((relation, end[1]))
    for first, second in combinations(nodes(held.oracle)[1::step], 2):
        found = held.source.connections(asked(first, second))
        wanted = by_start.get(first, set()) & by_start.get(second, set())
        assert [(one.relation, one.name) for one in found.shared] == sorted(wanted)
        turned = held.source.connections(asked(second, first))
        assert (turned.shared, turned.whole_loan) == (found.shared, found.whole_loan)
        seen += len(wanted)
    assert seen > 0


def test_lenders_and_borrowers_that_two_loans_share(store_source):
    """D202: typed by hand."""

    def shared(first, second):
        found = store_source.connections(asked(("loan", first), ("loan", second)))
        return [(one.relation, one.name) for one in found.shared]

    assert shared("day-00", "day-01") == [("capital_source", "Fund One LP")]
    assert shared("state-0", "state-1") == [("borrower", "Blanket Borrower LLC")]
    assert shared("day-00", "empty") == []

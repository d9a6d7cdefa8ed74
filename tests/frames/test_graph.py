"""Parties, chains, paths as frames and networkx graphs, against the waist (D130, D132)."""

import networkx as nx
import pytest

from services.contract.connections import ConnectionQuery
from services.contract.errors import InvalidRequest, MirrorMissing, NotFound
from services.contract.families import FamilyFilter
from services.contract.paging import every, pages
from services.contract.queries import EntityQuery, PathQuery, Query
from services.contract.tenants import TenantFilter
from services.contract.vocabulary import tier_of
from services.frames import to_network
from tests.frames.plain import rows
from tests.world import BOTH

NUMBERS = [n for one in BOTH for n in one.loans["loan_number"].to_pylist()]


@pytest.fixture(scope="module")
def chained(store_source):
    """Loans with a chain, a longest one first."""
    chains = [store_source.ownership(number) for number in NUMBERS]
    found = sorted((one for one in chains if one.chain), key=lambda one: -len(one.chain))
    return [one.loan_number for one in found[:6]]


@pytest.mark.parametrize("asked", [{}, {"name": "quill"}, {"confidence_min": 0.9}], ids=str)
def test_entities_are_those_of_the_endpoint(anywhere, asked):
    found = list(every(anywhere.source.entities, EntityQuery(**asked)))
    frame = anywhere.atlas.entities(**asked)
    assert [row["entity_name"] for row in rows(frame)] == [one.entity_name for one in found]
    for row, one in zip(rows(frame), found, strict=True):
        assert row["confidence"] == one.confidence
        assert row["related_loan_count"] == one.related_loan_count
        assert (row["kind"], row["match_score"]) == (
            one.extra.get("kind"), one.extra.get("match_score"),
        )  # fmt: skip


@pytest.mark.parametrize("asked", [{}, {"tenant": "grocer", "order": "-worst"}], ids=str)
def test_tenants_and_leases_are_those_of_the_page(snapshot, asked):
    analytics, query = snapshot.analytics, TenantFilter(**asked)
    found = [one.model_dump(exclude={"by_worst"}) for one in every(analytics.tenants, query)]
    assert rows(snapshot.atlas.tenants(**asked)) == found
    leases = [one.model_dump() for one in every(analytics.tenancies, query)]
    assert rows(snapshot.atlas.leases(**asked)) == leases


@pytest.mark.parametrize("asked", [{}, {"kind": "owner", "order": "-dollars_short"}], ids=str)
def test_families_are_those_of_the_page(snapshot, asked):
    found = list(every(snapshot.analytics.families, FamilyFilter(**asked)))
    assert rows(snapshot.atlas.families(**asked)) == [one.model_dump() for one in found]


def test_a_chain_is_that_of_the_endpoint(anywhere, chained):
    for number in chained:
        found = anywhere.source.ownership(number)
        frame = anywhere.atlas.chain(number)
        assert frame.attrs["confidence_tier"] == found.confidence_tier
        for row, one in zip(rows(frame), found.chain, strict=True):
            assert (row["entity_name"], row["role"]) == (one.entity_name, one.role)
            assert row["confidence"] == one.confidence
            assert (row["level"], row["share"]) == (one.extra["level"], one.extra.get("share"))
            assert row["of"] == one.extra.get("of", number)


def test_a_loan_without_a_chain_has_an_empty_frame(anywhere, store_source):
    number = next(one for one in NUMBERS if not store_source.ownership(one).chain)
    frame = anywhere.atlas.chain(number)
    assert frame.empty
    assert len(frame.columns) == 7
    assert to_network(frame).number_of_nodes() == 0


def test_paths_are_those_of_the_endpoint_edge_by_edge(anywhere, chained):
    for number in chained[:3]:
        query = PathQuery(loan_number=number, depth=3)
        walk = anywhere.source.paths(query)[0]
        found = every(lambda one: anywhere.source.paths(one)[1], query)
        expected = [
            (at, step, edge.source, edge.target, edge.relation, edge.confidence)
            for at, path in enumerate(found, 1)
            for step, edge in enumerate(path.edges, 1)
        ]
        frame = anywhere.atlas.paths(loan_number=number, depth=3)
        names = ["path", "step", "from", "to", "relation", "confidence"]
        assert [tuple(row[name] for name in names) for row in rows(frame)] == expected
        assert frame.attrs["root"] == walk.root
        assert frame.attrs["stopped_by"] == walk.stopped_by
        assert frame.attrs["hubs"] == {hub.name: hub.edges for hub in walk.hubs}
        for row in rows(frame):
            assert row["confidence_tier"] == tier_of(row["confidence"])


def test_a_network_has_every_edge_once_with_kinds_and_shares(of_store, chained):
    number = chained[0]
    graph = of_store.atlas.network(loan_number=number, depth=6)
    assert isinstance(graph, nx.MultiDiGraph)
    assert graph.nodes[number]["kind"] == "loan"
    assert all(graph.nodes[node]["kind"] for node in graph)
    query = PathQuery(loan_number=number, depth=6)
    walked = {
        (edge.source, edge.target, edge.relation)
        for page in pages(lambda one: of_store.source.paths(one)[1], query)
        for path in page.items
        for edge in path.edges
    }
    assert set(graph.edges(keys=True)) == walked
    stored = of_store.source.edges_among(tuple(graph))
    shares = {
        (one.source, one.target, one.relation): one.extra["share"]
        for one in stored
        if one.relation == "owned_by" and "share" in one.extra
    }
    told = {ends: graph.edges[ends]["share"] for ends in walked if "share" in graph.edges[ends]}
    assert told == {ends: share for ends, share in shares.items() if ends in walked}
    assert all("confidence" in edge for _, _, edge in graph.edges(data=True))


def test_connections_are_those_of_the_page_edge_by_edge(snapshot, chained):
    number = chained[0]
    party = snapshot.source.ownership(number).chain[-1].entity_name
    query = ConnectionQuery(from_loan=number, to_entity=party, per_page=25)
    found = snapshot.analytics.connections(query)
    frame = snapshot.atlas.connections(from_loan=number, to_entity=party)
    assert [(row["from"], row["to"], row["relation"]) for row in rows(frame)] == [
        (edge.source, edge.target, edge.relation)
        for path in found.connections
        for edge in path.edges
    ]
    assert (frame.attrs["root"], frame.attrs["to"]) == (number, party)
    assert (frame.attrs["more"], frame.attrs["reach"]) == (found.more, found.reach)
    assert nx.has_path(to_network(frame).to_undirected(), number, party)
    with pytest.raises(InvalidRequest, match="exactly one of"):
        snapshot.atlas.connections(from_loan=number)


def test_a_party_s_loans_have_a_row_for_each_role(snapshot, chained):
    party = snapshot.source.ownership(chained[0]).chain[0].entity_name
    found = every(lambda one: snapshot.analytics.loans_of(party, one), Query())
    expected = [
        (loan.loan_number, part.role, part.level, part.amount, loan.book_value)
        for loan in found
        for part in loan.roles
    ]
    names = ["loan_number", "role", "level", "amount", "book_value"]
    frame = snapshot.atlas.loans_of(party)
    assert [tuple(row[name] for name in names) for row in rows(frame)] == expected
    borrowed = snapshot.atlas.loans_of(party, role="borrower")
    assert rows(borrowed) == [row for row in rows(frame) if row["role"] == "borrower"]
    with pytest.raises(InvalidRequest, match="'role'"):
        snapshot.atlas.loans_of(party, role="friend")


def test_a_chain_is_a_network_too(of_store, chained):
    frame = of_store.atlas.chain(chained[0])
    graph = to_network(frame)
    assert graph.nodes[chained[0]]["kind"] == "loan"
    assert set(frame["entity_name"]) < set(graph)
    assert {one for *_, one in graph.edges(keys=True)} <= {"borrower", "owned_by"}
    assert graph.number_of_edges() == len(frame)


def test_a_network_can_be_written_to_a_file(of_store, chained, tmp_path):
    graph = of_store.atlas.network(loan_number=chained[0], depth=2)
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    assert set(nx.read_graphml(tmp_path / "graph.graphml")) == set(graph)


def test_a_root_without_paths_is_a_node(of_store, store_source):
    quiet = next(n for n in NUMBERS if not store_source.paths(PathQuery(loan_number=n))[1].total)
    graph = of_store.atlas.network(loan_number=quiet)
    assert dict(graph.nodes(data=True)) == {quiet: {"kind": "loan"}}


def test_errors_are_those_of_the_pages(anywhere):
    with pytest.raises(NotFound):
        anywhere.atlas.chain("no such loan")
    with pytest.raises(NotFound):
        anywhere.atlas.loan("no such loan")
    with pytest.raises(NotFound):
        anywhere.atlas.paths(entity_name="nobody at all")
    with pytest.raises(InvalidRequest, match="exactly one of"):
        anywhere.atlas.paths(depth=2)
    with pytest.raises(InvalidRequest, match="must be at most 6"):
        anywhere.atlas.paths(loan_number="A-1", depth=7)
    with pytest.raises(InvalidRequest, match="frame of paths"):
        to_network(anywhere.atlas.entities())


def test_families_need_a_mirror(live):
    with pytest.raises(MirrorMissing):
        live.atlas.families()
    with pytest.raises(MirrorMissing):
        live.atlas.loans_of("nobody")
    with pytest.raises(MirrorMissing):
        live.atlas.connections(from_loan="A-1", to_loan="A-2")

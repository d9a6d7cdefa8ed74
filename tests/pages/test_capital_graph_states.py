"""Capital graph: addresses at fault, unknown roots, searches, hostile names, no mirror, exports."""

import json

import pytest

from components.frame import session
from components.graph import paths
from components.graph.layout import arrange
from components.graph.network import network, parents
from services.contract.errors import MirrorMissing
from services.contract.records import Edge, GraphPath
from tests.exported import file_of
from tests.pages.graph_stage import HOSTILE, clicked, facts, places, spec
from tests.pages.ledger_reading import ledgers
from tests.pages.screen import headings, links, markdown, said, shown


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"loan_number": "L1", "depth": "7"}, "'depth' is '7' but must be at most 6"),
        ({"loan_number": "L1", "depth": "0"}, "'depth' is '0' but must be at least 1"),
        ({"loan_number": "L1", "entity_name": "Oak LP"}, "Give exactly one of"),
        ({"loan_number": "L1", "confidence_min": "2"}, "'confidence_min' is '2' but"),
        ({"loan_number": "L1", "relation": ", ,"}, "must name relations"),
        ({"loan_number": "L1", "per_page": "10"}, "lists 25 paths at a time"),
        ({"loan_number": "L1", "dept": "2"}, "did you mean 'depth'?"),
    ],
)
def test_an_address_at_fault_gives_a_sentence_and_no_graph(params, sentence, graph_page):
    app = graph_page(**params)
    assert sentence in shown(app.error[0].value)
    assert not app.get("echarts_chart")
    assert not app.dataframe
    assert not ledgers(app)


@pytest.mark.parametrize(
    ("params", "sentence", "near"),
    [
        ({"loan_number": "G00x"}, "No loan has the number 'G00x'", "G005"),
        ({"entity_name": "Elm Partner"}, "No entity has the name 'Elm Partner'", "Elm Partners"),
    ],
)
def test_an_unknown_root_gives_a_sentence_and_near_matches(params, sentence, near, graph_page):
    app = graph_page(**params)
    assert sentence in shown(app.warning[0].value)
    assert near in links(app)
    assert not app.get("echarts_chart")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("elm partner", "Elm Partners · Sponsor · 3 loans · match "),
        ("L2", "Loan L2"),
        (" L2 ", "Loan L2"),
    ],
)
def test_without_a_root_one_can_be_searched_for(typed, found, graph_page):
    app = graph_page("book", {"graph_search": typed})
    assert not app.get("echarts_chart")
    assert any(one.startswith(found) for one in links(app))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("\x00", "must be readable text"),
        ("qqqqqqqq", "No loan has the number and no party a name like “qqqqqqqq”"),
    ],
)
def test_a_search_that_finds_nothing_says_so(typed, sentence, graph_page):
    app = graph_page("book", {"graph_search": typed})
    assert sentence in said(app)
    assert not links(app)


def test_a_found_name_is_text_in_its_link(graph_page):
    app = graph_page("book", {"graph_search": "x y javascript material home z b"})
    assert any(one.startswith(HOSTILE) for one in links(app))
    assert not any(HOSTILE in source for source in markdown(app))


def test_hostile_names_are_text_wherever_they_stand(graph_page):
    app = graph_page(entity_name=HOSTILE)
    assert f"Capital around {HOSTILE}" in headings(app, 2)
    assert not any(HOSTILE in source for source in markdown(app))
    drawn = json.dumps(spec(app), ensure_ascii=False)
    assert "<b>x</b>" not in drawn.replace(json.dumps(HOSTILE, ensure_ascii=False), "")
    app = clicked(graph_page, HOSTILE, loan_number="L3")
    assert facts(app)["Kind"] == "Borrower"


def test_without_a_mirror_the_six_reads_draw_it_all(graph_page, monkeypatch):
    def missing(*_):
        raise MirrorMissing("no mirror")

    monkeypatch.setattr(session, "mirrored", lambda: False)
    monkeypatch.setattr(session, "analytics", missing)
    app = clicked(graph_page, "Elm Partners", loan_number="L1")
    assert not app.error
    assert facts(app) == {"Kind": "Sponsor", "Resolution": "1.00 confirmed", "Related loans": "3"}
    assert "No loan has the number 'G00x'" in said(graph_page(loan_number="G00x"))


def test_a_loan_without_edges_is_not_called_unrelated(graph_page):
    app = graph_page(loan_number="lone")
    assert "The sources record no edge at lone." in said(app)
    assert list(places(app)) == ["lone"]


def test_the_file_of_edges_says_what_it_is_and_no_cell_is_a_formula(graph_page):
    graph_page(loan_number="L3")
    edges = (
        Edge(source="L3", target=HOSTILE, relation="borrower", confidence=0.6),
        Edge(source=HOSTILE, target="Elm Partners", relation="owned_by"),
    )
    graph = network("L3", [GraphPath(edges=edges)], {})
    with session.lease():
        export = paths.edges(graph, arrange("L3", parents(graph)), "All, to depth 3")
    lines = file_of(export).decode().splitlines()
    assert lines[0] == '# Credit Atlas,"capital graph, edges"'
    assert '# Shown,"All, to depth 3"' in lines
    assert "# Rows,2" in lines
    assert lines[-3:] == [
        '"from","to","relation","confidence","confidence_tier","from_hops","to_hops"',
        f'"L3","\'{HOSTILE}","borrower",0.6,"inferred",0,1',
        f'"\'{HOSTILE}","Elm Partners","owned_by",,,1,2',
    ]

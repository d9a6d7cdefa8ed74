"""Capital graph: addresses at fault, unknown roots, searches, hostile names, no mirror, exports."""

import pytest

from components.frame import session
from services.contract.errors import MirrorMissing
from tests.pages.field_reading import filled
from tests.pages.graph_stage import HOSTILE, click, clicked, drawn, facts, places, spec
from tests.pages.screen import headings, links, markdown, said, shown


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
    assert not drawn(app)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("elm partner", "Elm Partners · Sponsor · 3 loans · match "),
        ("L2", "Loan L2"),
        (" L2 ", "Loan L2"),
    ],
)
def test_without_a_root_one_can_be_searched_for(typed, found, graph_page):
    app = filled(graph_page("book"), "graph_search", typed)
    assert not any(one.startswith("Capital around") for one in headings(app, 2))
    assert any(one.startswith(found) for one in links(app))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("\x00", "must be readable text"),
        ("qqqqqqqq", "No loan has the number and no party a name like “qqqqqqqq”"),
    ],
)
def test_a_search_that_finds_nothing_says_so(typed, sentence, graph_page):
    app = filled(graph_page("book"), "graph_search", typed)
    assert sentence in said(app)
    assert set(links(app)) <= {"Start from it"}


def test_a_found_name_is_text_in_its_link(graph_page):
    app = filled(graph_page("book"), "graph_search", "x y javascript material home z b")
    assert any(one.startswith(HOSTILE) for one in links(app))
    assert not any(HOSTILE in source for source in markdown(app))


def test_hostile_names_are_text_wherever_they_stand(graph_page):
    app = graph_page(entity_name=HOSTILE)
    assert f"Capital around {HOSTILE}" in headings(app, 2)
    assert not any(HOSTILE in source for source in markdown(app))
    assert HOSTILE in places(app)
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
    assert "Edges are those of the paths" in said(app)
    assert "Sizes and signals of loans need the mirror." in said(app)
    assert {one["ring"] for one in spec(app)["nodes"]} == {None}
    # Who cannot tell relations apart gives the neighbours as they come.
    before = places(app)
    app = click(app, "Great Lender")
    app = app.button(key="graph_expand_0").click().run()
    assert shown(app.button(key="graph_expand_0").label) == "Neighbours 25 more of 232"
    assert {name: places(app)[name] for name in before} == before
    assert "No loan has the number 'G00x'" in said(graph_page(loan_number="G00x"))


def test_a_loan_without_edges_is_not_called_unrelated(graph_page):
    app = graph_page(loan_number="lone")
    assert "The sources record no edge at lone." in said(app)
    assert list(places(app)) == ["lone"]

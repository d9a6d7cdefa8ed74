"""Capital graph: what is loaded, drawn, chosen, expanded and listed, and every odd state."""

import json
from pathlib import Path
from types import MappingProxyType

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components import graph_paths, graph_view, session
from components.graph_address import GraphView
from components.graph_layout import arrange
from components.graph_network import network, parents
from components.graph_option import ANCHORS
from components.markdown import literal
from services.contract.errors import MirrorMissing
from services.contract.records import Edge, GraphPath
from services.importers import demo
from services.pipeline import load
from tests.world import RATES, Sketch, info_of

ROOT = Path(__file__).parents[2]
HOSTILE = "=<b>x</b> [y](javascript:1) :material/home: $z$ {b}"
LENDS = 230


def book():
    """A borrower with three loans below a sponsor, and a lender to many more."""
    s = Sketch(info_of("graph"))
    for name in ("L1", "L2", "L3", "lone", *(f"G{at:03}" for at in range(LENDS))):
        s.loan(name)
    s.tie("L1", "borrower", "Oak LP", 0.95)
    s.tie("L2", "borrower", "Oak LP", 0.9)
    s.tie("L3", "borrower", HOSTILE, 0.6)
    s.tie("L1", "servicer", "Serve Co", 0.75)
    s.party("Elm Partners", "sponsor")
    s.link("Oak LP", "owned_by", "Elm Partners", 0.8)
    s.link(HOSTILE, "owned_by", "Elm Partners", 0.85)
    s.party("Fund I", "fund")
    s.tie("L2", "capital_source", "Great Lender", 1.0)
    s.link("Fund I", "capital_source", "Great Lender", 0.99)
    for at in range(LENDS):
        s.tie(f"G{at:03}", "capital_source", "Great Lender", 0.97)
    return s.portfolio()


@pytest.fixture(scope="module")
def stores(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stores")
    load(folder / "book", [book()], rates=RATES)
    load(folder / "demo", [demo.portfolio(loans=200)])
    return {name: folder / name for name in ("book", "demo")}


@pytest.fixture
def opened(stores, monkeypatch):
    """The page on a store, with the parameters given."""

    def run(store: str = "book", state=MappingProxyType({}), /, **params: str) -> AppTest:
        monkeypatch.setenv("CREDIT_ATLAS_STORE", str(stores[store]))
        monkeypatch.chdir(ROOT)
        st.cache_resource.clear()
        st.cache_data.clear()
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.session_state["entered"] = True  # as if app.py had run before: saves a run each
        for name, value in params.items():
            app.query_params[name] = value
        for key, value in state.items():
            app.session_state[key] = value
        app.switch_page("pages/capital_graph.py").run()
        assert not app.exception
        return app

    yield run
    st.cache_resource.clear()


def said(app: AppTest) -> str:
    kinds = (app.error, app.info, app.warning, app.markdown, app.caption, app.header, app.subheader)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def spec(app: AppTest) -> dict:
    """What the browser is told to draw."""
    (chart,) = app.get("echarts_chart")
    return json.loads(chart.proto.spec)


def places(app: AppTest) -> dict[str, tuple[float, float]]:
    """Where each node is drawn, in order of the chart's indexes; the anchors come first."""
    nodes = spec(app)["series"][0]["data"][ANCHORS:]
    return {one["name"]: (one["x"], one["y"]) for one in nodes}


def clicked(opened, name: str, **params: str) -> AppTest:
    """The page as after a click on a node in the chart: AppTest takes a chart's state only from
    before a session's first run.
    """
    view = GraphView.model_validate(params)
    key = graph_view.key(view.params() | {"page": "", "marks": "0"})
    index = ANCHORS + list(places(opened(**params))).index(name)
    selected = [{"series_index": 0, "data_type": "node", "data_indices": [index]}]
    state = {key: {"selection": {"selected": selected, "areas": []}}}
    return opened("book", state, **params)


def facts(app: AppTest) -> dict[str, str]:
    frame = next(one.value for one in app.dataframe if "Fact" in one.value.columns)
    return dict(zip(frame["Fact"], frame["Value"], strict=True))


def paths(app: AppTest):
    return next((one.value for one in app.dataframe if "Path" in one.value.columns), None)


def links(app: AppTest) -> list[str]:
    return [one.proto.label for one in app.get("page_link")]


def test_a_loan_is_drawn_with_everything_around_it(opened):
    app = opened(loan_number="L1")
    assert not app.error
    assert list(places(app)) == ["L1", "Oak LP", "Serve Co", "L2", "Elm Partners", "Great Lender",
                                 HOSTILE]  # fmt: skip
    assert "6 of 6 paths loaded; stopped at depth 3: more lies beyond." in said(app)
    table = paths(app)
    assert list(table["To"])[:4] == ["Oak LP", "Serve Co", "L2", "Elm Partners"]
    assert list(table["Product"])[2:4] == ["0.855", "0.760"]
    assert table["Weakest"][3] == "0.80 probable"
    assert table["Path"][2] == "L1 → borrower → Oak LP ← borrower ← L2"
    assert facts(app)["Book value"] == "$10.0M"  # nothing is chosen: the root's


def test_any_loan_and_any_party_of_a_demonstration_can_be_the_root(opened):
    app = opened("demo", loan_number="CA-000001", depth="6")
    assert len(places(app)) > 1
    party = list(places(app))[1]
    assert party in places(opened("demo", entity_name=party))


def test_a_large_lender_is_loaded_in_parts_and_the_rest_on_demand(opened):
    app = opened(entity_name="Great Lender", depth="1")
    assert "200 of 232 paths loaded" in said(app)
    assert len(places(app)) == 201
    before = places(app)
    app.button(key="graph_more").click().run()
    assert "232 of 232 paths loaded" in said(app)
    after = places(app)
    assert len(after) == 233
    assert {name: after[name] for name in before} == before
    assert list(after)[: len(before)] == list(before)


def test_pages_of_the_list_go_beyond_what_is_drawn(opened):
    app = opened(entity_name="Great Lender", depth="1", page="10")
    assert len(paths(app)) == 7
    assert "226 to 232 of 232." in said(app)


def test_a_page_beyond_the_last_says_so(opened):
    app = opened(loan_number="L1", page="9")
    assert "Page 9 is beyond the last of 1." in said(app)
    assert paths(app) is None


def test_a_clicked_node_shows_its_facts_and_ways_on(opened):
    app = clicked(opened, "Elm Partners", loan_number="L1")
    assert app.selectbox(key="graph_chosen").value == "Elm Partners"
    assert facts(app)["Kind"] == "Sponsor"
    assert facts(app)["Related loans"] == "3"
    assert facts(app)["Book value"] == "$30.0M"
    assert {"Start from here", "Open the entity"} <= set(links(app))
    edges = next(one.value for one in app.dataframe if "Other end" in one.value.columns)
    assert list(edges["Relation"]) == ["← Owned by", "← Owned by"]
    assert list(edges["Confidence"]) == ["0.85", "0.80"]


def test_a_click_leaves_the_chart_untouched(opened):
    before = opened(loan_number="L1")
    app = clicked(opened, "L2", loan_number="L1")
    # Else the browser would draw anew, and the reader's zoom be lost.
    assert spec(app) == spec(before)
    assert app.selectbox(key="graph_chosen").value == "L2"
    assert facts(app)["Kind"] == "Loan"
    assert "Open the loan" in links(app)


def test_a_node_chosen_by_name_is_marked_in_the_chart(opened):
    app = opened(loan_number="L1")
    app.selectbox(key="graph_chosen").set_value("Oak LP").run()
    assert facts(app)["Kind"] == "Borrower"
    nodes = spec(app)["series"][0]["data"]
    marked = [one["name"] for one in nodes if one.get("itemStyle", {}).get("borderWidth") == 4]
    assert marked == ["Oak LP"]


def test_expanding_adds_neighbours_and_moves_nothing(opened):
    app = clicked(opened, "Great Lender", loan_number="L1")
    before = places(app)
    app.button(key="graph_expand").click().run()
    after = places(app)
    # The first page of its neighbours: 24 loans and L2, which is there already.
    assert len(after) == len(before) + 24
    assert {name: after[name] for name in before} == before
    assert list(after)[: len(before)] == list(before)
    assert app.selectbox(key="graph_chosen").value == "Great Lender"
    again = app.button(key="graph_expand")
    assert again.label == "Expand 25 more of 232"
    again.click().run()
    assert len(places(app)) == len(after) + 25
    assert {name: places(app)[name] for name in after} == after


def test_what_is_expanded_whole_cannot_be_expanded_again(opened):
    app = clicked(opened, "Oak LP", loan_number="L1", depth="1")
    app.button(key="graph_expand").click().run()
    assert app.button(key="graph_expand").label == "Expanded: all 3"
    assert app.button(key="graph_expand").disabled
    assert set(places(app)) == {"L1", "Oak LP", "Serve Co", "L2", "Elm Partners"}


def test_a_fund_that_its_edges_make_look_like_a_loan_is_put_right_when_chosen(opened):
    app = clicked(opened, "Fund I", entity_name="Great Lender", depth="1")
    assert facts(app)["Kind"] == "Fund"
    app.run()
    legend = spec(app)["legend"]["data"]
    assert "Other party" in [one["name"] for one in legend]


def test_filters_narrow_what_is_drawn_and_listed_and_move_nothing(opened):
    whole = places(opened(loan_number="L1"))
    app = opened(loan_number="L1", relation="borrower")
    assert places(app) == {name: whole[name] for name in ("L1", "Oak LP", "L2")}
    assert list(paths(app)["To"]) == ["Oak LP", "L2"]
    assert "Only relation borrower: applied to the 6 paths loaded." in said(app)
    assert app.query_params["relation"] in ("borrower", ["borrower"])
    app = opened(loan_number="L1", confidence_min="0.8", relation="owned_by,borrower")
    assert set(places(app)) == {"L1", "Oak LP", "L2", "Elm Partners", HOSTILE}
    assert "relation borrower or owned by, confidence of at least 0.8" in said(app)


def test_filters_that_nothing_passes_leave_the_root_and_a_way_back(opened):
    app = opened(loan_number="L1", relation="tenant")
    assert list(places(app)) == ["L1"]
    assert "0 of the 6 paths loaded" in said(app)
    assert "Show without filters" in links(app)


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
def test_an_address_at_fault_gives_a_sentence_and_no_graph(params, sentence, opened):
    app = opened(**params)
    assert sentence in app.error[0].value
    assert not app.get("echarts_chart")
    assert not app.dataframe


@pytest.mark.parametrize(
    ("params", "sentence", "near"),
    [
        ({"loan_number": "G00x"}, "No loan has the number 'G00x'", "G005"),
        ({"entity_name": "Elm Partner"}, "No entity has the name 'Elm Partner'", "Elm Partners"),
    ],
)
def test_an_unknown_root_gives_a_sentence_and_near_matches(params, sentence, near, opened):
    app = opened(**params)
    assert sentence in app.warning[0].value
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
def test_without_a_root_one_can_be_searched_for(typed, found, opened):
    app = opened("book", {"graph_search": typed})
    assert not app.get("echarts_chart")
    assert any(one.startswith(found) for one in links(app))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("\x00", "must be readable text"),
        ("qqqqqqqq", "No loan has the number and no party a name like “qqqqqqqq”"),
    ],
)
def test_a_search_that_finds_nothing_says_so(typed, sentence, opened):
    app = opened("book", {"graph_search": typed})
    assert sentence in said(app)
    assert not links(app)


def test_a_found_name_is_text_in_its_link(opened):
    app = opened("book", {"graph_search": "x y javascript material home z b"})
    assert any(one.startswith(literal(HOSTILE)) for one in links(app))


def test_hostile_names_are_text_wherever_they_stand(opened):
    app = opened(entity_name=HOSTILE)
    assert f"Capital around {literal(HOSTILE)}" in said(app)
    assert HOSTILE not in said(app)
    drawn = json.dumps(spec(app), ensure_ascii=False)
    assert "<b>x</b>" not in drawn.replace(json.dumps(HOSTILE, ensure_ascii=False), "")
    app = clicked(opened, HOSTILE, loan_number="L3")
    assert facts(app)["Kind"] == "Borrower"


def test_without_a_mirror_the_six_reads_draw_it_all(opened, monkeypatch):
    def missing(*_):
        raise MirrorMissing("no mirror")

    monkeypatch.setattr(session, "mirrored", lambda: False)
    monkeypatch.setattr(session, "analyse", missing)
    app = clicked(opened, "Elm Partners", loan_number="L1")
    assert not app.error
    assert facts(app) == {"Kind": "Sponsor", "Resolution": "1.00 confirmed", "Related loans": "3"}
    assert "No loan has the number 'G00x'" in said(opened(loan_number="G00x"))


def test_a_loan_without_edges_is_not_called_unrelated(opened):
    app = opened(loan_number="lone")
    assert "The sources record no edge at lone." in said(app)
    assert list(places(app)) == ["lone"]


def test_the_file_of_edges_says_what_it_is_and_no_cell_is_a_formula(opened):
    opened(loan_number="L3")
    edges = (
        Edge(source="L3", target=HOSTILE, relation="borrower", confidence=0.6),
        Edge(source=HOSTILE, target="Elm Partners", relation="owned_by"),
    )
    graph = network("L3", [GraphPath(edges=edges)], {})
    with session.lease():
        text = graph_paths.edges_csv(graph, arrange("L3", parents(graph)), "All, to depth 3")
    lines = text.decode().splitlines()
    assert lines[0] == '# Credit Atlas,"capital graph, edges"'
    assert '# Shown,"All, to depth 3"' in lines
    assert "# Rows,2" in lines
    assert lines[-3:] == [
        '"from","to","relation","confidence","confidence_tier","from_hops","to_hops"',
        f'"L3","\'{HOSTILE}","borrower",0.6,"inferred",0,1',
        f'"\'{HOSTILE}","Elm Partners","owned_by",,,1,2',
    ]

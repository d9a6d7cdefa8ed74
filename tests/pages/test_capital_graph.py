"""Capital graph: what is loaded, drawn, chosen, expanded and listed."""

from components.graph.network import CAPITAL_SOURCE
from components.graph.style import MARKS
from tests.pages.graph_stage import HOSTILE, clicked, facts, paths, places, spec
from tests.pages.screen import links, said, shown


def test_a_loan_is_drawn_with_everything_around_it(graph_page):
    app = graph_page(loan_number="L1")
    assert not app.error
    assert list(places(app)) == ["L1", "Oak LP", "Serve Co", "L2", "Elm Partners", "Great Lender",
                                 HOSTILE]  # fmt: skip
    assert "6 of 6 paths loaded; stopped at depth 3: more lies beyond." in said(app)
    table = paths(app)
    assert [path["To"] for path in table][:4] == ["Oak LP", "Serve Co", "L2", "Elm Partners"]
    assert [path["Product"] for path in table][2:4] == ["0.855", "0.760"]
    assert table[3]["Weakest"] == "0.80 probable"
    assert table[2]["Path"] == "L1 → borrower → Oak LP ← borrower ← L2"
    assert facts(app)["Book value"] == "$10.0M"  # nothing is chosen: the root's


def test_any_loan_and_any_party_of_a_demonstration_can_be_the_root(graph_page):
    app = graph_page("demo", loan_number="CA-000001", depth="6")
    assert len(places(app)) > 1
    party = list(places(app))[1]
    assert party in places(graph_page("demo", entity_name=party))


def test_a_large_lender_is_loaded_in_parts_and_the_rest_on_demand(graph_page):
    app = graph_page(entity_name="Great Lender", depth="1")
    assert "200 of 232 paths loaded" in said(app)
    assert len(places(app)) == 201
    before = places(app)
    app.button(key="graph_more").click().run()
    assert "232 of 232 paths loaded" in said(app)
    after = places(app)
    assert len(after) == 233
    assert {name: after[name] for name in before} == before
    assert list(after)[: len(before)] == list(before)


def test_pages_of_the_list_go_beyond_what_is_drawn(graph_page):
    app = graph_page(entity_name="Great Lender", depth="1", page="10")
    assert len(paths(app)) == 7
    assert "226 to 232 of 232." in said(app)


def test_a_page_beyond_the_last_says_so(graph_page):
    app = graph_page(loan_number="L1", page="9")
    assert "Page 9 is beyond the last of 1." in said(app)
    assert paths(app) == []


def test_a_clicked_node_shows_its_facts_and_ways_on(graph_page):
    app = clicked(graph_page, "Elm Partners", loan_number="L1")
    assert app.selectbox(key="graph_chosen").value == "Elm Partners"
    assert facts(app)["Kind"] == "Sponsor"
    assert facts(app)["Related loans"] == "3"
    assert facts(app)["Book value"] == "$30.0M"
    assert {"Start from here", "Open the entity"} <= set(links(app))
    edges = next(one.value for one in app.dataframe if "Other end" in one.value.columns)
    assert list(edges["Relation"]) == ["← Owned by", "← Owned by"]
    assert list(edges["Confidence"]) == ["0.85", "0.80"]


def test_a_click_leaves_the_chart_untouched(graph_page):
    before = graph_page(loan_number="L1")
    app = clicked(graph_page, "L2", loan_number="L1")
    # Else the browser would draw anew, and the reader's zoom be lost.
    assert spec(app) == spec(before)
    assert app.selectbox(key="graph_chosen").value == "L2"
    assert facts(app)["Kind"] == "Loan"
    assert "Open the loan" in links(app)


def test_a_node_chosen_by_name_is_marked_in_the_chart(graph_page):
    app = graph_page(loan_number="L1")
    app.selectbox(key="graph_chosen").set_value("Oak LP").run()
    assert facts(app)["Kind"] == "Borrower"
    nodes = spec(app)["series"][0]["data"]
    marked = [one["name"] for one in nodes if one.get("itemStyle", {}).get("borderWidth") == 4]
    assert marked == ["Oak LP"]


def test_expanding_adds_neighbours_and_moves_nothing(graph_page):
    app = clicked(graph_page, "Great Lender", loan_number="L1")
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


def test_what_is_expanded_whole_cannot_be_expanded_again(graph_page):
    app = clicked(graph_page, "Oak LP", loan_number="L1", depth="1")
    app.button(key="graph_expand").click().run()
    assert shown(app.button(key="graph_expand").label) == "Expanded: all 3"
    assert app.button(key="graph_expand").disabled
    assert set(places(app)) == {"L1", "Oak LP", "Serve Co", "L2", "Elm Partners"}


def test_a_fund_is_drawn_as_a_capital_source_however_its_edges_look(graph_page):
    app = clicked(graph_page, "Fund I", entity_name="Great Lender", depth="1")
    assert facts(app)["Kind"] == "Fund"
    nodes = {one["name"]: one for one in spec(app)["series"][0]["data"]}
    assert nodes["Fund I"]["symbol"] == MARKS[CAPITAL_SOURCE].symbol


def test_filters_narrow_what_is_drawn_and_listed_and_move_nothing(graph_page):
    whole = places(graph_page(loan_number="L1"))
    app = graph_page(loan_number="L1", relation="borrower")
    assert places(app) == {name: whole[name] for name in ("L1", "Oak LP", "L2")}
    assert [path["To"] for path in paths(app)] == ["Oak LP", "L2"]
    assert "Only relation borrower: applied to the 6 paths loaded." in said(app)
    assert app.query_params["relation"] in ("borrower", ["borrower"])
    app = graph_page(loan_number="L1", confidence_min="0.8", relation="owned_by,borrower")
    assert set(places(app)) == {"L1", "Oak LP", "L2", "Elm Partners", HOSTILE}
    assert "relation borrower or owned by, confidence of at least 0.8" in said(app)


def test_filters_that_nothing_passes_leave_the_root_and_a_way_back(graph_page):
    app = graph_page(loan_number="L1", relation="tenant")
    assert list(places(app)) == ["L1"]
    assert "0 of the 6 paths loaded" in said(app)
    assert "Show without filters" in links(app)

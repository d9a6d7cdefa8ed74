"""Capital graph: what is loaded, drawn, chosen, expanded and listed."""

import pytest

from components.graph.network import CAPITAL_SOURCE
from components.graph.style import MARKS
from tests.pages.field_reading import filled, options, value
from tests.pages.graph_stage import (
    HOSTILE,
    click,
    clicked,
    facts,
    lines,
    paths,
    places,
    spec,
)
from tests.pages.screen import links, said, shown, table


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
    # By its number, and read by the name of its property.
    assert value(app, "graph_chosen") == "CA-000001"
    (read,) = (one for one in options(app, "graph_chosen") if "CA-000001" in one)
    assert read != "CA-000001"
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
    said_of_it = "226 to 232 of 232. Product is that of the confidences along the path."
    assert said_of_it in said(app)


def test_a_page_beyond_the_last_says_so(graph_page):
    app = graph_page(loan_number="L1", page="9")
    assert "Page 9 is beyond the last of 1." in said(app)
    assert paths(app) == []


def test_a_clicked_node_shows_its_facts_and_ways_on(graph_page):
    app = clicked(graph_page, "Elm Partners", loan_number="L1")
    assert value(app, "graph_chosen") == "Elm Partners"
    assert facts(app)["Kind"] == "Sponsor"
    assert facts(app)["Related loans"] == "3"
    assert facts(app)["Book value"] == "$30.0M"
    assert {"Start from here", "Open the entity"} <= set(links(app))
    edges = table(app, "Other end")
    assert [one["Relation"] for one in edges] == ["← Owned by", "← Owned by"]
    assert [one["Confidence"] for one in edges] == ["0.85", "0.80"]


def test_all_edges_between_the_nodes_are_drawn(graph_page):
    """D73: paths reach the lender by L2 alone, and no path leads from L1 to it."""
    app = graph_page("shared", loan_number="L1")
    assert lines(app) == {
        ("L1", "Borrower 0.90", "Oak LP"),
        ("L2", "Borrower 0.90", "Oak LP"),
        ("L1", "Capital source 0.80", "Bank"),
        ("L2", "Capital source 0.95", "Bank"),
    }
    assert len(paths(app)) == 3
    narrowed = graph_page("shared", loan_number="L1", confidence_min="0.85")
    assert ("L2", "Capital source 0.95", "Bank") not in lines(narrowed)


def test_a_click_chooses_a_node_and_leaves_the_view_as_it_is(graph_page):
    before = graph_page(loan_number="L1")
    drawn = spec(before)
    app = click(before, "L2")
    after = spec(app)
    assert (drawn["chosen"], after["chosen"]) == ("n0", "n3")
    # The same key: the reader's zoom stays.
    assert {**after, "chosen": "n0"} == drawn
    assert value(app, "graph_chosen") == "L2"
    assert facts(app)["Kind"] == "Loan"
    assert "Open the loan" in links(app)


def test_a_node_chosen_by_name_is_marked_in_the_drawing(graph_page):
    app = graph_page(loan_number="L1")
    app = filled(app, "graph_chosen", ["Oak LP"])
    assert facts(app)["Kind"] == "Borrower"
    nodes = {one["id"]: one["name"] for one in spec(app)["nodes"]}
    assert nodes[spec(app)["chosen"]] == "Oak LP"


def offers(app):
    """What can be expanded: label -> whether there is more of it."""
    found = [one for one in app.button if str(one.key).startswith("graph_expand_")]
    return {shown(one.label): not one.disabled for one in found}


def expand(app, label):
    (button,) = [one for one in app.button if shown(one.label) == label]
    return button.click().run()


@pytest.mark.parametrize("layout", ["rings", "layers"])
def test_expanding_by_relation_adds_neighbours_and_moves_nothing(layout, graph_page):
    app = clicked(graph_page, "Great Lender", loan_number="L1", layout=layout)
    before, key = places(app), spec(app)["key"]
    assert offers(app) == {"Capital source ← 232": True}
    app = expand(app, "Capital source ← 232")
    after = places(app)
    # The first page: 25 of the 230 loans, L2 and the fund; the surest are L2 and the fund.
    assert len(after) == len(before) + 24
    assert {name: after[name] for name in before} == before
    assert list(after)[: len(before)] == list(before)
    assert spec(app)["key"] == key
    assert value(app, "graph_chosen") == "Great Lender"
    again = expand(app, "Capital source ← 25 more of 232")
    assert len(places(again)) == len(after) + 25
    assert {name: places(again)[name] for name in after} == after


def test_what_is_expanded_whole_is_collapsed_and_brought_back_where_it_was(graph_page):
    app = clicked(graph_page, "Oak LP", loan_number="L1", depth="1")
    assert offers(app) == {"Borrower ← 2": True, "Owned by → 1": True}
    app = expand(app, "Borrower ← 2")
    assert offers(app)["Borrower ← all 2"] is False
    app = expand(app, "Owned by → 1")
    whole = places(app)
    assert set(whole) == {"L1", "Oak LP", "Serve Co", "L2", "Elm Partners"}
    app = app.button(key="graph_collapse").click().run()
    assert set(places(app)) == {"L1", "Oak LP", "Serve Co"}
    app = app.button(key="graph_undo").click().run()
    assert places(app) == whole


def test_a_hidden_node_goes_with_what_hangs_on_it_and_can_be_brought_back(graph_page):
    whole = graph_page(loan_number="L1")
    before = places(whole)
    app = click(whole, "Oak LP")
    app = app.button(key="graph_hide").click().run()
    assert set(places(app)) == {"L1", "Serve Co"}
    assert value(app, "graph_chosen") == "L1"
    assert "5 nodes are off the board with what is hidden." in said(app)
    assert shown(app.button(key="graph_show_hidden").label) == "Show 1 hidden"
    app = app.button(key="graph_show_hidden").click().run()
    assert places(app) == before
    app = app.button(key="graph_undo").click().run()
    assert set(places(app)) == {"L1", "Serve Co"}


def test_a_pinned_node_and_its_path_stay_when_it_is_collapsed(graph_page):
    app = clicked(graph_page, "Oak LP", loan_number="L1", depth="1")
    app = expand(app, "Owned by → 1")
    app = click(app, "Elm Partners")
    app = app.button(key="graph_pin").click().run()
    app = click(app, "Oak LP")
    app = app.button(key="graph_collapse").click().run()
    assert set(places(app)) == {"L1", "Oak LP", "Serve Co", "Elm Partners"}
    assert [one["name"] for one in spec(app)["nodes"] if one["pinned"]] == ["Elm Partners"]
    app = click(app, "Elm Partners")
    app = app.button(key="graph_pin").click().run()
    assert set(places(app)) == {"L1", "Oak LP", "Serve Co"}


def test_layers_stand_in_the_address_and_are_named(graph_page):
    app = graph_page(loan_number="L1", layout="layers")
    assert [one["label"] for one in spec(app)["bands"]] == [
        "Lenders and servicers", "Loans", "Borrowers", "Owners and sponsors",
    ]  # fmt: skip
    assert "layers by kind" in said(app)
    heights = places(app)
    assert heights["Great Lender"][1] < heights["L1"][1] < heights["Oak LP"][1]


def test_paths_are_found_by_letters(graph_page):
    app = graph_page(loan_number="L1", find="great")
    assert [path["To"] for path in paths(app)] == ["Great Lender"]
    assert "1 of the 6 paths loaded go through a name with “great”." in said(app)
    assert len(places(app)) == 7
    app = graph_page(loan_number="L1", find="nobody")
    assert paths(app) == []
    assert "Show without filters" in links(app)


def test_loans_are_drawn_by_book_value_with_their_worst_signal(graph_page):
    app = graph_page(loan_number="L1")
    loan = next(one for one in spec(app)["nodes"] if one["name"] == "L2")
    assert loan["lines"][:2] == ["Loan", "book value $10.0M"]
    assert "Loans by book value, with a ring for their worst signal." in said(app)


def test_a_fund_is_drawn_as_a_capital_source_however_its_edges_look(graph_page):
    app = clicked(graph_page, "Fund I", entity_name="Great Lender", depth="1")
    assert facts(app)["Kind"] == "Fund"
    nodes = {one["name"]: one for one in spec(app)["nodes"]}
    assert nodes["Fund I"]["shape"] == MARKS[CAPITAL_SOURCE].shape


def test_the_way_to_the_connection_of_two_nodes_is_beside_the_node(graph_page):
    app = clicked(graph_page, "Elm Partners", loan_number="L1")
    assert "How is it connected to the root?" in links(app)
    (link,) = [one.proto for one in app.get("page_link") if "connected" in one.proto.label]
    assert "from_loan=L1" in link.query_string
    assert "to_entity=Elm" in link.query_string
    assert "How is it connected to ..." in links(graph_page(loan_number="L1"))


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

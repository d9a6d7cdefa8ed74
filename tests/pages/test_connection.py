"""Connection: two ends found, connected, drawn and listed; what is not crossed; faults."""

import pytest

from components.frame import session
from services.contract.errors import MirrorMissing
from tests.pages.graph_stage import HOSTILE, click, drawn, lines, places
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import headings, links, said, sent_to, shown

STEPS = "Steps of the connections, one row each"
NOT_CROSSED = "Nodes reached from both ends, one row each"


@pytest.fixture
def page(graph_stores, visit):
    """The page on a store, with the parameters given and what is typed into its boxes."""

    def run(store="book", /, typed=(), **params):
        app = visit("pages/connection.py", graph_stores[store], params, dict(typed))
        assert not app.exception
        return app

    return run


def test_two_loans_of_one_sponsor_are_connected_step_by_step(page):
    app = page(from_loan="L1", to_loan="L3")
    assert "1 connection within 6 edges." in said(app)
    assert headings(app, 2)[0] == "Connections of L1 and L3"
    assert lines(app) == {
        ("L1", "Borrower 0.95", "Oak LP"), ("Oak LP", "Owned by 0.80", "Elm Partners"),
        (HOSTILE, "Owned by 0.85", "Elm Partners"), ("L3", "Borrower 0.60", HOSTILE),
    }  # fmt: skip
    rows = ledgers(app)[STEPS]
    assert [(row["Step"], row["Relation"], row["Reaches"], row["Confidence"]) for row in rows] == [
        ("1", "Borrower →", "Oak LP", "0.95"),
        ("2", "Owned by →", "Elm Partners", "0.80"),
        ("3", "← Owned by", HOSTILE, "0.85"),
        ("4", "← Borrower", "L3", "0.60"),
    ]
    assert {row["Product"] for row in rows} == {"0.388"}
    assert addresses(app, STEPS)[3] == "loan?loan_number=L3"
    lefts = [places(app)[name][0] for name in ("L1", "Oak LP", "Elm Partners", HOSTILE, "L3")]
    assert lefts == sorted(lefts)


def test_a_lender_that_both_share_is_named_and_not_crossed(page):
    app = page(from_loan="L2", to_loan="G001")
    assert (
        "None within 6 edges; both reach 1 node that no connection may go through, listed below."
    ) in said(app)
    assert "The search from either end ended at 2 nodes by these rules." in said(app)
    assert not drawn(app)
    assert ledgers(app)[NOT_CROSSED] == [
        {"Node": "Great Lender", "Kind": "Lender", "Edges": "232",
         "Why not": "Lender, servicer or tenant of both"}
    ]  # fmt: skip


def test_a_clicked_node_leads_on(page):
    app = click(page(from_loan="L1", to_loan="L3"), "Elm Partners")
    assert "Chosen: Elm Partners" in said(app)
    assert {"Open it", "Its capital graph"} <= set(links(app))


def test_ends_are_found_by_number_and_by_name(page):
    app = page()
    assert "Choose two ends, each a loan or a party." in said(app)
    app = page(typed={"connection_from": "L2", "connection_to": "elm partner"}, from_loan="L1")
    found = {shown(one.proto.label): one.proto.query_string for one in app.get("page_link")}
    assert found["Loan L2"] == "from_loan=L2"
    (elm,) = [at for label, at in found.items() if label.startswith("Elm Partners")]
    assert elm == "from_loan=L1&to_entity=Elm+Partners"
    app = page(from_loan="L1", to_entity="Elm Partners")
    assert "The other way round" in links(app)
    assert lines(page(to_loan="L1", from_entity="Elm Partners")) == lines(app)


def test_one_end_is_answered_with_others(page):
    app = page(to_loan="L1")
    assert "Choose the other end, a loan or a party." in said(app)
    assert headings(app, 2) == ["With its sponsor", "With another loan of its sponsor",
                                "With the worst loan"]  # fmt: skip
    assert "Connected through Oak LP." in said(app)
    first, *others = (one.proto.query_string for one in app.get("page_link"))
    assert first == "from_entity=Elm+Partners&to_loan=L1"
    assert others == ["from_loan=L2&to_loan=L1", "from_loan=G000&to_loan=L1"]
    app = page(from_entity="Elm Partners")
    assert headings(app, 2)[:2] == ["With its worst loan", "With the worst loan"]
    assert app.get("page_link")[0].proto.query_string == "from_entity=Elm+Partners&to_loan=L1"


def test_one_end_that_is_not_there_gives_a_sentence(page):
    app = page(from_loan="L9")
    assert "No loan has the number 'L9'" in said(app)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"from_loan": "L9", "to_loan": "L1"}, "No loan has the number 'L9'"),
        ({"from_loan": "L1", "to_entity": HOSTILE + "x"}, "No entity has the name"),
    ],
)
def test_an_unknown_end_gives_a_sentence(params, sentence, page):
    app = page(**params)
    assert sentence in shown(app.warning[0].value)
    assert not drawn(app)


def test_without_a_mirror_the_page_says_what_it_needs(page, monkeypatch):
    def missing(*_):
        raise MirrorMissing("This needs the mirror")

    monkeypatch.setattr(session, "mirrored", lambda: False)
    monkeypatch.setattr(session, "analytics", missing)
    app = page(from_loan="L1", to_loan="L3")
    assert "needs the mirror" in shown(app.info[0].value)
    assert not drawn(app)


def test_a_hostile_name_is_text_in_the_drawing_and_the_tables(page):
    app = page(from_entity=HOSTILE, to_loan="L1")
    assert f"Connections of {HOSTILE} and L1" in headings(app, 2)
    (sent,) = sent_to(app, "atlas_graph")
    assert sent["title"] == f"Connections of {HOSTILE} and L1"

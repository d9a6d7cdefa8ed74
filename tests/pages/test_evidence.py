"""Evidence opens where a link is shown: chain, graph, connection, entity (D196); figures by role
(D201); what two loans share (D202). Typed by hand from the book below.
"""

import csv
import io
from datetime import date

import pytest

from tests.pages.ledger_reading import rows as listed
from tests.pages.screen import facts, headlines, said, tables
from tests.publishing import load_once
from tests.world import Sketch, info_of

HOSTILE = "<b>x</b> [y](javascript:1)"
OPENED = {"evidence": "yes"}


def book():
    """Two loans of one servicer; one has a chain, on which two registers disagree."""
    s = Sketch(info_of("book", date(2024, 2, 29)))
    for name in ("L1", "L2"):
        s.loan(name)
        s.tie(name, "servicer", "Serve Co", 1.0)
        s.witness(method="stated in the filing", file="a.xml", record=f"asset {name}",
                  element="primaryServicerName", said=HOSTILE)  # fmt: skip
    s.tie("L1", "tenant", "Grocer", 1.0)
    s.witness(method="stated in the filing", file="a.xml", until=date(2030, 6, 30))
    s.tie("L1", "borrower", "Oak LP", 0.8)
    s.witness(method="resolved by name and address", match=0.8)
    s.party("Elm Partners", "sponsor")
    for share in (0.6, 0.4):
        s.link("Oak LP", "owned_by", "Elm Partners", 0.95, share)
        s.witness(method="registered", since=date(2019, 1, 1), said=f"shares {share}")
    s.link("Elm Partners", "owned_by", "Ada Quill", 0.9)
    s.know("Elm Partners", "identifier", "5493001KJTIIGC8Y1R12", "LEI", file="lei.json")
    s.know("Elm Partners", "name", "ELM PARTNERS, L.P.")
    return s.portfolio()


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evidence")
    load_once(folder, [book()])
    return folder


@pytest.fixture
def opened(store, visit):
    def run(page, /, **params):
        app = visit(f"pages/{page}.py", store, params)
        assert not app.exception
        return app

    return run


def evidence(app):
    """Rows of the table of evidence, by link and how it is known."""
    found = [rows for name, rows in tables(app).items() if name.startswith("Evidence: ")]
    return [(r["Link"], r["How it is known"], r["Confidence"], r["Held"]) for r in found[0]]


#: Of the links up from L1, nearest first.
CHAIN = [
    ("L1 → Oak LP", "resolved by name and address, match 0.80", "0.80", "—"),
    ("Oak LP → Elm Partners", "registered", "0.95", "from 1 Jan 2019"),
    ("Oak LP → Elm Partners", "registered", "0.95", "from 1 Jan 2019"),
    ("Elm Partners → Ada Quill", "its source does not say", "—", "—"),
]


def test_a_chain_says_what_its_links_rest_on(opened):
    app = opened("loan", loan_number="L1", **OPENED)
    assert evidence(app) == CHAIN
    assert "Sources disagree on Oak LP → Elm Partners: 60% and 40%." in said(app)
    assert app.query_params["evidence"] == "yes"


def test_closed_nothing_is_asked(opened):
    app = opened("loan", loan_number="L1")
    assert not [name for name in tables(app) if name.startswith("Evidence: ")]
    assert "evidence" not in app.query_params


def test_a_party_says_who_it_is_and_what_its_links_rest_on(opened):
    app = opened("entity", entity_name="Elm Partners", **OPENED)
    assert evidence(app) == [*CHAIN[3:], *CHAIN[1:3]]
    assert [(r["What"], r["Value"], r["Where"]) for r in tables(app)["Who Elm Partners is"]] == [
        ("Name", "ELM PARTNERS, L.P.", "—"),
        ("LEI", "5493001KJTIIGC8Y1R12", "lei.json"),
    ]
    assert "lei:5493001KJTIIGC8Y1R12" in said(app)


@pytest.mark.parametrize("word", ["ELM PARTNERS, L.P.", "5493001KJTIIGC8Y1R12"])
def test_a_party_is_found_by_another_spelling_or_identifier(opened, word):
    app = opened("entity", entity_name=word)
    assert "lei:5493001KJTIIGC8Y1R12" in said(app)


def test_a_servicer_has_figures_by_role(opened):
    app = opened("entity", entity_name="Serve Co")
    assert headlines(app)["Loans as servicer"].value == "2"
    assert "Loans" not in headlines(app)
    assert headlines(app)["Exposure"].value == "$20.0M"
    rows = {row["Name"]: row["Loans"] for row in listed(opened("entities"), "Name")}
    assert rows == {
        "Ada Quill": "1", "Elm Partners": "1", "Grocer": "1 as tenant", "Oak LP": "1",
        "Serve Co": "2 as servicer",
    }  # fmt: skip
    app = opened("capital_graph", entity_name="Serve Co")
    assert facts(app, "Facts of the chosen node")["Related loans"] == "2 as servicer"


def test_a_node_of_the_graph_says_what_its_edges_rest_on(opened):
    app = opened("capital_graph", loan_number="L1", **OPENED)
    assert {row[0] for row in evidence(app)} == {"L1 → Grocer", "L1 → Oak LP", "L1 → Serve Co"}
    assert ("L1 → Grocer", "stated in the filing", "1.00", "to 30 Jun 2030") in evidence(app)
    assert app.query_params["evidence"] == "yes"


def test_two_loans_of_one_servicer_say_so_first(opened):
    app = opened("connection", from_loan="L1", to_loan="L2", **OPENED)
    assert "Both serviced by Serve Co. None within 6 edges" in said(app)
    assert [row[0] for row in evidence(app)] == ["L1 → Serve Co", "L2 → Serve Co"]
    rows = next(rows for name, rows in tables(app).items() if name.startswith("Evidence: "))
    assert {row["In its words"] for row in rows} == {HOSTILE}
    assert rows[0]["Where"] == "a.xml, asset L1, primaryServicerName"


def test_the_witnesses_as_a_file(opened, pressed):
    opened("loan", loan_number="L1", **OPENED)
    written = pressed["credit-atlas-evidence-ownership-chain-of-l1.csv"]()
    text = (written if isinstance(written, bytes) else written.read()).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text[text.index('"from","to"') :])))
    assert [(r["from"], r["to"], r["relation"], r["share"]) for r in rows] == [
        ("L1", "Oak LP", "borrower", ""),
        ("Oak LP", "Elm Partners", "owned_by", "0.6"),
        ("Oak LP", "Elm Partners", "owned_by", "0.4"),
    ]

"""Each record as the wire has it, in both variants: files typed by hand from the specification.

Nothing here is derived from services/contract/wire.py: a suite in which both sides share the
translator would not notice a misspelt name.
"""

import json
from datetime import date
from pathlib import Path

import pytest

from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphPath,
    GraphResult,
    Hub,
    Loan,
    LoanDetail,
    OwnershipChain,
    Signal,
    SignalComponent,
)
from services.contract.wire import decode, encode, variant_of

HERE = Path(__file__).parent

BORROWED = Edge(
    source="LN-20417", target="Harbor Point Tower LLC", relation="borrower", confidence=0.97
)
OWNED = Edge(
    source="Harbor Point Tower LLC",
    target="Harbor Point Holdings LP",
    relation="owned_by",
    confidence=0.81,
)
RECORDS = {
    "loan": Loan(
        loan_number="LN-20417",
        book_value=48_500_000,
        interest_rate=4.125,
        property_type="mixed use",
        property_city="Dallas",
        property_state="TX",
        lender_normalized="Lakeshore Life Insurance",
        maturity_date=date(2027, 3, 15),
        rate_pressure="severe",
        confidence_tier="confirmed",
    ),
    "loan_detail": LoanDetail(
        loan_number="LN-20417",
        book_value=48_500_000,
        interest_rate=4.125,
        property_type="office",
        property_city="Dallas",
        property_state="TX",
        lender_normalized="Lakeshore Life Insurance",
        origination_date=date(2017, 3, 15),
        maturity_date=date(2027, 3, 15),
        rate_pressure="elevated",
        confidence_tier="probable",
        extended={
            "dscr": 1.21,
            "noi": None,
            "debt_layers": [
                {"rank": 1, "lender": "Lakeshore Life Insurance", "amount": 48_500_000}
            ],
        },
    ),
    "entity": Entity(
        entity_name="Alder Ridge Capital Partners",
        confidence=0.94,
        confidence_tier="confirmed",
        related_loan_count=12,
    ),
    "ownership": OwnershipChain(
        loan_number="LN-20417",
        chain=(
            ChainElement(entity_name="Harbor Point Tower LLC", role="borrower", confidence=0.97),
            ChainElement(
                entity_name="Harbor Point Holdings LP", role="operating entity", confidence=0.81
            ),
            ChainElement(
                entity_name="Maria K. Delgado",
                role="owner",
                confidence=0.6,
                extra={"level": 2, "share": 0.5},
            ),
        ),
        confidence_tier="inferred",
    ),
    "graph": GraphResult(
        root="LN-20417",
        depth_reached=2,
        paths=(GraphPath(edges=(BORROWED,)), GraphPath(edges=(BORROWED, OWNED))),
        stopped_by="budget",
        next_level_edges=61_200,
        hubs=(Hub(name="Lakeshore Life Insurance", edges=1_842),),
    ),
    "signal": Signal(
        signal_type="rate_pressure",
        severity="critical",
        loan_number="LN-20417",
        property_state="TX",
        property_city="Dallas",
        property_type="self storage",
        book_value=48_500_000,
        maturity_date=date(2027, 3, 15),
        lender_normalized="Lakeshore Life Insurance",
        description="Coupon 4.13 %, refinancing today at 6.80 %.",
        components=(
            SignalComponent(
                rule="RP-1",
                severity="critical",
                value=267.5,
                limit=250.0,
                title="Rate gap",
                rule_version=3,
                limits_version=7,
            ),
        ),
    ),
}
#: Spec 2.2 to 2.6, column by column; beyond it only what `OURS` names.
KEYS = {
    "loan.a": "loan_number book_value interest_rate property_type property_city property_state"
    " lender_normalized maturity_date rate_pressure confidence_tier",
    "loan.b": "loan_number book_value interest_rate property_type city state lender"
    " maturity_date rate_pressure confidence",
    "loan_detail.a": "loan_number book_value interest_rate property_type property_city"
    " property_state lender_normalized origination_date maturity_date rate_pressure"
    " confidence_tier",
    "loan_detail.b": "loan_number book_value interest_rate property_type city state lender"
    " origination_date maturity_date rate_pressure confidence",
    "entity.a": "entity_name confidence confidence_tier related_loan_count",
    "entity.b": "entity_name confidence_score confidence linked_loans",
    "ownership.a": "loan_number chain confidence_tier",
    "ownership.b": "loan_number chain confidence",
    "graph.a": "root depth_reached paths",
    "graph.b": "root depth_reached paths",
    "signal.a": "signal_type severity loan_number property_state property_city property_type"
    " book_value maturity_date lender_normalized description",
    "signal.b": "signal_type severity loan_number state city property_type book_value"
    " maturity_date lender description",
}
OURS = {"graph": {"stopped_by", "next_level_edges", "hubs"}, "signal": {"components"}}
BOTH = pytest.mark.parametrize("variant", ["a", "b"])
EACH = pytest.mark.parametrize("name", RECORDS)


def golden(name, variant):
    return json.loads((HERE / f"{name}.{variant}.json").read_text(encoding="utf-8"))


@BOTH
@EACH
def test_a_record_is_encoded_to_exactly_its_golden(name, variant):
    assert encode(RECORDS[name], variant) == golden(name, variant)


@BOTH
@EACH
def test_a_golden_is_decoded_to_its_record(name, variant):
    record = RECORDS[name]
    assert decode(type(record), golden(name, variant), "/v1") == record


@BOTH
@EACH
def test_the_variant_of_a_golden_is_told_by_its_keys(name, variant):
    # D1
    if name != "graph":  # its own keys are the same in both; its edges tell
        assert variant_of(type(RECORDS[name]), golden(name, variant)) == variant


@BOTH
@EACH
def test_the_keys_are_those_of_the_specification(name, variant):
    sent = encode(type(RECORDS[name])(**identity(name)), variant)
    assert set(sent) == set(KEYS[f"{name}.{variant}"].split()) | OURS.get(name, set())


def identity(name):
    """What a record cannot be without (D19)."""
    return {
        "entity": {"entity_name": "X"},
        "graph": {"root": "X"},
        "signal": {"loan_number": "X", "signal_type": "rate_pressure"},
    }.get(name, {"loan_number": "X"})


@BOTH
@EACH
def test_what_only_the_specification_names_is_read_without_our_extensions(name, variant):
    record = RECORDS[name]
    sent = golden(name, variant)
    plain = {key: sent[key] for key in KEYS[f"{name}.{variant}"].split()}
    bare = {"stopped_by": None, "next_level_edges": None, "hubs": (), "components": ()}
    bare = {key: bare[key] for key in OURS.get(name, ())}
    bare |= {"extended": {}} if name == "loan_detail" else {}
    assert decode(type(record), plain, "/v1") == record.model_copy(update=bare)


@BOTH
def test_the_edges_of_a_path_have_exactly_four_keys(variant):
    score = {"a": "confidence", "b": "confidence_score"}[variant]
    for path in encode(RECORDS["graph"], variant)["paths"]:
        assert set(path) == {"edges"}
        for edge in path["edges"]:
            assert set(edge) == {"from", "to", "relation", score}


@BOTH
def test_the_parties_of_a_chain_name_their_confidence_by_variant(variant):
    score = {"a": "confidence", "b": "confidence_score"}[variant]
    for element in encode(RECORDS["ownership"], variant)["chain"]:
        assert set(element) - {"level", "share"} == {"entity_name", "role", score}


@BOTH
def test_a_loan_in_a_list_has_no_origination_date(variant):
    assert "origination_date" not in encode(RECORDS["loan"], variant)
    assert "origination_date" in encode(RECORDS["loan_detail"], variant)


def test_the_confidence_of_an_entity_is_a_number_in_a_and_a_word_in_b():
    # D1
    assert encode(RECORDS["entity"], "a")["confidence"] == 0.94
    assert encode(RECORDS["entity"], "b")["confidence"] == "CONFIRMED"


@BOTH
@EACH
def test_what_is_not_known_is_null_never_left_out(name, variant):
    # D18
    sent = encode(type(RECORDS[name])(**identity(name)), variant)
    listed = {"chain", "paths", "hubs", "components"}
    assert all(sent[key] == [] for key in listed & set(sent))
    for key in set(sent) - listed - {"from", "to"} - set(identity(name)):
        assert sent[key] is None, key


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("Mixed use", "mixed use"),
        ("MIXED_USE", "mixed use"),
        ("  Self   Storage ", "self storage"),
        ("office", "office"),
    ],
)
def test_a_property_type_is_read_in_lower_case_with_single_spaces(written, word):
    sent = {"loan_number": "1", "city": "Dallas", "property_type": written}
    assert decode(Loan, sent, "/v1/loans").property_type == word


def test_signal_types_and_relations_keep_their_underscores():
    assert encode(RECORDS["signal"], "b")["signal_type"] == "rate_pressure"
    edges = encode(RECORDS["graph"], "b")["paths"][1]["edges"]
    assert [edge["relation"] for edge in edges] == ["borrower", "owned_by"]

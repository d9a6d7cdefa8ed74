"""Payloads as others send them: which variant it is, what is kept, what is refused (D19)."""

import json
import math

import pytest

from services.contract.errors import BadPayload
from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Signal,
)
from services.contract.wire import decode, variant_of

PATH = "/v1/somewhere"


def refused(kind, payload):
    """The error, after checking that its sentence names path and key."""
    with pytest.raises(BadPayload) as caught:
        decode(kind, payload, PATH)
    error = caught.value
    assert error.path == PATH
    assert str(error).startswith(f"{PATH}: ")
    assert "\n" not in str(error)
    assert len(str(error)) < 200
    if error.key is not None:
        assert f"'{error.key}'" in str(error)
    return error


@pytest.mark.parametrize(
    ("kind", "payload", "variant"),
    [
        (Loan, {"loan_number": "1"}, "a"),
        (Loan, {"loan_number": "1", "property_city": "Waco"}, "a"),
        (Loan, {"loan_number": "1", "city": "Waco"}, "b"),
        (Loan, {"loan_number": "1", "confidence": "CONFIRMED"}, "b"),
        (Loan, {"loan_number": "1", "property_city": "Waco", "state": "TX"}, "a"),
        (Loan, {"loan_number": "1", "property_city": "Waco", "state": "TX", "lender": "L"}, "b"),
        (Entity, {"entity_name": "X"}, "a"),
        (Entity, {"entity_name": "X", "confidence": 0.9}, "a"),
        (Entity, {"entity_name": "X", "confidence": "CONFIRMED"}, "b"),
        (Entity, {"entity_name": "X", "confidence_score": 0.9}, "b"),
        (Entity, {"entity_name": "X", "confidence": None, "linked_loans": 3}, "b"),
        (Entity, {"entity_name": "X", "confidence": None, "related_loan_count": 3}, "a"),
        (Entity, {"entity_name": "X", "confidence_tier": None}, "a"),
        (OwnershipChain, {"loan_number": "1", "chain": []}, "a"),
        (OwnershipChain, {"loan_number": "1", "chain": [], "confidence": None}, "b"),
        (OwnershipChain, {"loan_number": "1", "chain": [], "confidence_tier": None}, "a"),
        (ChainElement, {"entity_name": "X", "confidence_score": None}, "b"),
        (Edge, {"from": "1", "to": "2"}, "a"),
        (Edge, {"from": "1", "to": "2", "confidence_score": 0.5}, "b"),
        (Signal, {"loan_number": "1", "lender": "L"}, "b"),
    ],
)
def test_the_variant_is_the_one_with_more_keys_of_its_own_and_a_in_doubt(kind, payload, variant):
    # D1
    assert variant_of(kind, payload) == variant


def test_an_extension_named_confidence_does_not_turn_an_a_loan_into_b():
    sent = {"loan_number": "1", "property_city": "Waco", "confidence_tier": "confirmed"}
    loan = decode(LoanDetail, sent | {"confidence": "high"}, PATH)
    assert (loan.property_city, loan.confidence_tier) == ("Waco", "confirmed")
    assert loan.extended == {"confidence": "high"}


def test_a_number_sent_as_text_is_not_taken_for_the_tier_of_the_other_variant():
    sent = {"entity_name": "X", "confidence": "0.94", "confidence_tier": "confirmed"}
    assert refused(Entity, sent).key == "confidence"


@pytest.mark.parametrize(
    ("kind", "whole", "key"),
    [
        (Loan, {"loan_number": "1"}, "loan_number"),
        (LoanDetail, {"loan_number": "1"}, "loan_number"),
        (Signal, {"loan_number": "1", "signal_type": "rate_pressure"}, "loan_number"),
        (Signal, {"loan_number": "1", "signal_type": "rate_pressure"}, "signal_type"),
        (OwnershipChain, {"loan_number": "1", "chain": []}, "loan_number"),
        (OwnershipChain, {"loan_number": "1", "chain": []}, "chain"),
        (Entity, {"entity_name": "X"}, "entity_name"),
        (ChainElement, {"entity_name": "X"}, "entity_name"),
        (GraphResult, {"root": "1", "paths": []}, "root"),
        (GraphResult, {"root": "1", "paths": []}, "paths"),
        (Edge, {"from": "1", "to": "2"}, "from"),
        (Edge, {"from": "1", "to": "2"}, "to"),
    ],
)
def test_a_record_without_an_identity_key_is_refused_and_never_empty(kind, whole, key):
    decode(kind, whole, PATH)
    absent = {name: value for name, value in whole.items() if name != key}
    assert refused(kind, absent).key == key
    assert refused(kind, absent | {key: None}).key == key
    assert refused(kind, absent | {key: 17}).key == key


@pytest.mark.parametrize("inner", [{}, {"edges": None}, {"edges": {}}, {"edges": "none"}])
def test_a_path_without_a_list_of_edges_is_refused(inner):
    assert refused(GraphResult, {"root": "1", "paths": [inner]}).key == "edges"


def test_an_identity_key_that_a_nested_record_lacks_is_named():
    one = {"root": "1", "paths": [{"edges": [{"from": "1", "relation": "borrower"}]}]}
    assert refused(GraphResult, one).key == "to"
    chain = {"loan_number": "1", "chain": [{"role": "borrower"}]}
    assert refused(OwnershipChain, chain).key == "entity_name"


@pytest.mark.parametrize("one", ["x", None, 3, [], ["edges"]])
def test_a_path_that_is_no_object_is_refused(one):
    assert refused(GraphResult, {"root": "1", "paths": [one]}).key == "paths"


@pytest.mark.parametrize("payload", [None, [], "loan", 7, True, [{"loan_number": "1"}]])
def test_a_record_that_is_no_object_is_refused(payload):
    refused(Loan, payload)
    refused(GraphResult, {"root": "1", "paths": [{"edges": [payload]}]})
    refused(OwnershipChain, {"loan_number": "1", "chain": [payload]})


def test_any_other_key_that_is_absent_is_null():
    assert decode(Loan, {"loan_number": "1"}, PATH) == Loan(loan_number="1")
    assert decode(Entity, {"entity_name": "X"}, PATH) == Entity(entity_name="X")
    assert decode(Edge, {"from": "1", "to": "2"}, PATH) == Edge(source="1", target="2")
    signal = decode(Signal, {"loan_number": "1", "signal_type": "x"}, PATH)
    assert signal == Signal(loan_number="1", signal_type="x")


def test_unknown_keys_are_kept_as_they_came():
    more = {"ltv": 0.65, "Nested": {"a": [1, None]}, "": ""}
    assert decode(Loan, {"loan_number": "1"} | more, PATH).extra == more
    assert decode(LoanDetail, {"loan_number": "1"} | more, PATH).extended == more
    assert decode(Entity, {"entity_name": "X"} | more, PATH).extra == more
    assert decode(Edge, {"from": "1", "to": "2"} | more, PATH).extra == more
    assert decode(GraphResult, {"root": "1", "paths": []} | more, PATH).extra == more


def test_an_origination_date_in_a_list_is_an_unknown_key_there():
    loan = decode(Loan, {"loan_number": "1", "origination_date": "2020-01-01"}, PATH)
    assert loan.extra == {"origination_date": "2020-01-01"}


NO_TEXT = [7, 7.5, True, [], {}, ["office"]]
NO_NUMBER = ["7", "", True, False, [], {}, math.nan, math.inf, -math.inf, 10**400, 2**63, 1e300]
NO_DAY = ["", "soon", "2027-13-01", "2027-02-30", "2027-03-15garbage", "15.03.2027", 20270315, True]
WRONG = [
    *[(Loan, {"loan_number": "1"}, "property_type", value) for value in NO_TEXT],
    *[(Loan, {"loan_number": "1"}, "book_value", value) for value in NO_NUMBER],
    *[(Loan, {"loan_number": "1"}, "interest_rate", value) for value in NO_NUMBER],
    *[(Loan, {"loan_number": "1"}, "maturity_date", value) for value in NO_DAY],
    *[(Entity, {"entity_name": "X"}, "related_loan_count", value) for value in NO_NUMBER],
    *[(Edge, {"from": "1", "to": "2"}, "confidence", value) for value in [*NO_NUMBER, 1.01, -0.01]],
    *[(Edge, {"from": "1", "to": "2"}, "confidence_score", value) for value in [1.01, -0.01, "1"]],
    *[(Edge, {"from": "1", "to": "2"}, "relation", value) for value in NO_TEXT],
    *[(GraphResult, {"root": "1", "paths": []}, "paths", value) for value in [{}, "", 1]],
    *[(GraphResult, {"root": "1", "paths": []}, "hubs", value) for value in [5, [{"x": 1}], "a"]],
    *[(OwnershipChain, {"loan_number": "1", "chain": []}, "chain", value) for value in [{}, ""]],
    *[
        (Signal, {"loan_number": "1", "signal_type": "x"}, "components", value)
        for value in [
            *({}, [{"rule": 1}], ["RP-1"], [{"rule": "RP-1"}]),
            *([{"rule": "RP-1", "severity": "low", "rule_version": n}] for n in (-1, 2**15, "x")),
        ]
    ],
]


@pytest.mark.parametrize(("kind", "whole", "key", "value"), WRONG)
def test_a_value_of_another_type_is_refused(kind, whole, key, value):
    assert refused(kind, whole | {key: value}).key == key


def test_the_key_is_named_as_the_payload_has_it():
    error = refused(Entity, {"entity_name": "X", "confidence_score": 1.5, "confidence": "HIGH"})
    assert error.key == "confidence_score"
    error = refused(Loan, {"loan_number": "1", "city": "Waco", "state": 5})
    assert str(error) == "/v1/somewhere: 'state' is int 5, not text"


def test_what_was_sent_is_not_repeated_at_length():
    error = refused(Loan, {"loan_number": "1", "book_value": "9" * 10_000})
    assert str(error) == "/v1/somewhere: 'book_value' is text, not a usable number"


def test_cents_are_rounded_half_to_even():
    # D16
    for sent, kept in [(10.5, 10), (11.5, 12), (10.51, 11), (-0.5, 0), (7, 7)]:
        assert decode(Loan, {"loan_number": "1", "book_value": sent}, PATH).book_value == kept


def test_a_whole_number_is_a_rate_and_a_rate_keeps_its_decimals():
    for sent, kept in [(6, 6.0), (6.055, 6.055), (0, 0.0), (-0.25, -0.25)]:
        loan = decode(Loan, {"loan_number": "1", "interest_rate": sent}, PATH)
        assert loan.interest_rate == kept


def test_a_day_may_carry_a_time_that_is_left_out():
    for sent in ["2027-03-15", "2027-03-15T00:00:00Z", "2027-03-15T23:59:59-06:00"]:
        loan = decode(Loan, {"loan_number": "1", "maturity_date": sent}, PATH)
        assert loan.maturity_date.isoformat() == "2027-03-15"


def test_extensions_of_ours_that_are_null_are_none_at_all():
    assert decode(GraphResult, {"root": "1", "paths": [], "hubs": None}, PATH).hubs == ()
    sent = {"loan_number": "1", "signal_type": "x", "components": None}
    assert decode(Signal, sent, PATH).components == ()


def test_json_numbers_that_python_reads_as_infinite_are_refused():
    sent = json.loads('{"loan_number": "1", "interest_rate": 1e999}')
    assert refused(Loan, sent).key == "interest_rate"

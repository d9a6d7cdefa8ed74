"""What the six endpoints answer, as raw JSON: keys typed by hand from the specification."""

import pytest

LOAN = {
    "a": {
        "loan_number", "book_value", "interest_rate", "property_type", "property_city",
        "property_state", "lender_normalized", "maturity_date", "rate_pressure", "confidence_tier",
    },
    "b": {
        "loan_number", "book_value", "interest_rate", "property_type", "city",
        "state", "lender", "maturity_date", "rate_pressure", "confidence",
    },
}  # fmt: skip
ENTITY = {
    "a": {"entity_name", "confidence", "confidence_tier", "related_loan_count"},
    "b": {"entity_name", "confidence_score", "confidence", "linked_loans"},
}
CHAIN = {
    "a": {"loan_number", "chain", "confidence_tier"},
    "b": {"loan_number", "chain", "confidence"},
}
ELEMENT = {
    "a": {"entity_name", "role", "confidence"},
    "b": {"entity_name", "role", "confidence_score"},
}
EDGE = {
    "a": {"from", "to", "relation", "confidence"},
    "b": {"from", "to", "relation", "confidence_score"},
}
SIGNAL = {
    "a": {
        "signal_type", "severity", "loan_number", "property_state", "property_city",
        "property_type", "book_value", "maturity_date", "lender_normalized", "description",
    },
    "b": {
        "signal_type", "severity", "loan_number", "state", "city",
        "property_type", "book_value", "maturity_date", "lender", "description",
    },
}  # fmt: skip
VARIANTS = pytest.mark.parametrize("variant", ["a", "b"])


@VARIANTS
def test_a_list_of_loans_has_exactly_the_keys_of_its_variant(services, variant, assert_headers):
    answer = services[variant].get("/v1/loans")
    assert answer.status == 200
    assert_headers(answer)
    body = answer.body
    assert list(body) == ["data", "pagination", "meta"]
    assert body["pagination"] == {"page": 1, "per_page": 25, "total": 200}
    assert list(body["meta"]) == ["request_id"]
    assert [set(loan) for loan in body["data"]] == [LOAN[variant]] * 25


@VARIANTS
def test_a_loan_has_its_origination_date_and_no_pagination(services, variant):
    body = services[variant].get("/v1/loans/CA-000001").body
    assert list(body) == ["data", "meta"]
    assert LOAN[variant] | {"origination_date", "debt_layers", "noi"} <= set(body["data"])
    assert body["data"]["loan_number"] == "CA-000001"


@VARIANTS
def test_entities_have_the_keys_of_their_variant(services, variant):
    body = services[variant].get("/v1/entities?name=capital&per_page=2").body
    assert body["pagination"]["per_page"] == 2
    assert len(body["data"]) == 2
    for entity in body["data"]:
        assert set(entity) == ENTITY[variant] | {"kind", "match_score", "party_id"}


@VARIANTS
def test_an_ownership_chain_has_the_keys_of_its_variant(services, variant):
    body = services[variant].get("/v1/entities/CA-000001/ownership").body
    assert list(body) == ["data", "meta"]
    assert set(body["data"]) == CHAIN[variant]
    assert body["data"]["chain"]
    for element in body["data"]["chain"]:
        assert set(element) - {"level", "of", "share"} == ELEMENT[variant]


@VARIANTS
def test_paths_have_the_keys_of_their_variant_and_total_counts_them(services, variant):
    body = services[variant].get("/v1/graph/paths?loan_number=CA-000001&depth=2&per_page=2").body
    assert list(body) == ["data", "pagination", "meta"]
    assert {"root", "depth_reached", "paths"} <= set(body["data"])
    assert len(body["data"]["paths"]) == 2 < body["pagination"]["total"]
    for path in body["data"]["paths"]:
        assert set(path) == {"edges"}
        for edge in path["edges"]:
            assert set(edge) - {"from_kind", "to_kind"} == EDGE[variant]
            assert (edge["from_kind"] == "loan") == (edge["relation"] != "owned_by")  # D50


@VARIANTS
def test_signals_have_the_keys_of_their_variant(services, variant):
    body = services[variant].get("/v1/signals?severity=critical").body
    assert body["data"]
    for signal in body["data"]:
        assert set(signal) == SIGNAL[variant] | {"components"}
        assert signal["severity"] == "critical"


def test_the_variants_write_words_in_their_own_case(services):
    a, b = (services[v].get("/v1/loans?rate_pressure=severe&per_page=1").body for v in "ab")
    assert a["data"][0]["rate_pressure"] == "severe"
    assert b["data"][0]["rate_pressure"] == "SEVERE"
    assert a["data"][0]["property_type"].capitalize() == b["data"][0]["property_type"]
    assert a["data"][0]["property_type"].islower()


def test_a_page_beyond_the_last_is_empty_with_the_true_total(service):
    body = service.get("/v1/loans?page=99&per_page=100").body
    assert body["data"] == []
    assert body["pagination"] == {"page": 99, "per_page": 100, "total": 200}


def test_pages_partition_the_result(service):
    numbers = []
    for page in (1, 2, 3):
        data = service.get(f"/v1/loans?page={page}&per_page=80").body["data"]
        numbers += [loan["loan_number"] for loan in data]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 200


def test_a_graph_from_an_entity_begins_at_its_name(service):
    name = service.get("/v1/entities?name=capital&per_page=1").body["data"][0]["entity_name"]
    path = "/v1/graph/paths?depth=1&entity_name=" + name.replace(" ", "%20")
    assert service.get(path).body["data"]["root"] == name


def test_an_empty_parameter_counts_as_not_given(service):
    assert service.get("/v1/loans?state=&page=").body["pagination"]["total"] == 200


def test_every_answer_has_a_request_id_of_its_own(service):
    seen = {service.get("/v1/loans").body["meta"]["request_id"] for _ in range(5)}
    assert len(seen) == 5

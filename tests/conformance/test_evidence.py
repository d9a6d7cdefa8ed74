"""What edges rest on and who parties are (D196 to D199), in a store and in a mirror."""

import pytest

from services.contract.errors import InvalidRequest, NotFound
from services.contract.evidence import METHODS, EdgeQuery, confidence
from services.contract.queries import EntityQuery, parse


def asked(start, end, relation=None):
    words = {f"from_{start[0]}": start[1], "to_entity": end}
    return EdgeQuery(**words, relation=relation)


def dumped(found):
    return [one.model_dump() for one in found]


def test_every_edge_has_its_witnesses_and_no_other(held):
    seen = 0
    for start, end, relation, *_ in held.oracle.links:
        found = held.source.edge_evidence(asked(start, end[1], relation))
        assert (found.source, found.target) == (start[1], end[1])
        assert dumped(found.witnesses) == held.oracle.witnesses(start, end[1], relation)
        seen += len(found.witnesses)
    assert seen == (0 if held.mirrored else 4)


def test_every_party_has_its_particulars(held):
    for name in held.oracle.listed:
        found = held.source.party_evidence(name)
        assert (found.entity_name, found.party_id) == (name, held.oracle.party_id(name))
        assert dumped(found.particulars) == held.oracle.particulars(name)


def test_a_party_is_called_by_its_strongest_identifier(store_source):
    """D198: typed by hand."""
    cypress = store_source.party_evidence("Cypress Sponsor LP")
    assert cypress.party_id == "lei:5493001KJTIIGC8Y1R12"
    assert [(one.about, one.scheme, one.value) for one in cypress.particulars] == [
        ("name", None, "Cypress Sponsor Limited Partnership"),
        ("identifier", "LEI", "5493001KJTIIGC8Y1R12"),
        ("identifier", "company number", "GB 00012345"),
        ("address", None, "1 Cypress Way, Port Alder"),
    ]
    # By name alone: the first 16 digits of `printf 'Ada Quill' | sha256sum`.
    assert store_source.party_evidence("Ada Quill").party_id == "name:c9962252d7a0989e"


@pytest.mark.parametrize(
    "word",
    ["lei:5493001KJTIIGC8Y1R12", "GB 00012345", "Cypress Sponsor Limited Partnership"],
)
def test_another_spelling_or_an_id_finds_the_party(store_source, word):
    assert store_source.party_evidence(word).entity_name == "Cypress Sponsor LP"
    assert store_source.entity(word).entity_name == "Cypress Sponsor LP"


def test_what_is_not_there_is_not_found(held):
    start, end, relation, *_ = held.oracle.links[0]
    for query in (
        asked(("loan", "none"), end[1]),
        asked(start, "nobody"),
        asked(start, end[1], "no such relation"),
        asked(("entity", end[1]), end[1]),
    ):
        with pytest.raises(NotFound):
            held.source.edge_evidence(query)
    with pytest.raises(NotFound):
        held.source.party_evidence("nobody")
    with pytest.raises(InvalidRequest, match="exactly one of 'from_loan' and 'from_entity'"):
        parse(EdgeQuery, {"to_entity": "x"})
    assert asked(start, end[1], relation)


def test_confidence_follows_from_the_method_and_the_match():
    """D197."""
    assert {method: confidence(method, 0.8) for method in METHODS} == {
        "stated in the filing": 0.8,
        "recorded deed": 0.8,
        "same identifier": 0.8,
        "registered": 0.76,
        "user's tape": pytest.approx(0.72),
        "resolved by name and address": 0.8,
    }
    assert [confidence(one) for one in ("stated in the filing", "registered", "user's tape")] == [
        1.0, 0.95, 0.9,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="needs the score"):
        confidence("resolved by name and address")


def test_a_search_finds_a_party_by_its_other_spellings(store_source):
    # D198
    for asked, name in (
        ("Cypress Sponsor Limited Partnership", "Cypress Sponsor LP"),
        ("Quill, Ada", "Ada Quill"),
    ):
        found = store_source.entities(EntityQuery(name=asked)).items
        assert found[0].entity_name == name
        assert found[0].extra["match_score"] == 1.0
        assert len({one.entity_name for one in found}) == len(found)

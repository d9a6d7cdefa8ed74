"""GET /v1/entities/{loan_number}/ownership (spec 4.4)."""

import pytest

from services.contract.errors import NotFound


def told(source, number):
    """(level, name, confidence) of each element, and the tier."""
    found = source.ownership(number)
    assert found.loan_number == number
    elements = [(one.extra["level"], one.entity_name, one.confidence) for one in found.chain]
    return elements, found.confidence_tier


def test_every_chain_agrees(source, oracle):
    for number in oracle.by_number:
        found, expected = source.ownership(number), oracle.ownership(number)
        # Who stands first among joint owners is not promised.
        chain = tuple(sorted(found.chain, key=lambda e: (e.extra["level"], e.entity_name)))
        assert found.model_copy(update={"chain": chain}) == expected


def test_joint_owners_stand_side_by_side_and_a_common_owner_once(source):
    # D31
    elements, tier = told(source, "diamond")
    assert elements[:2] == [(0, "Pier 9 Owner LLC", 0.97), (1, "Pier 9 Operating LP", 0.95)]
    assert sorted(elements[2:4]) == [
        (2, "Cypress Sponsor LP", 0.92),
        (2, "Juniper Family Trust", 0.92),
    ]
    assert [element[:2] for element in elements[4:]] == [(3, "Ada Quill")]
    assert tier == "confirmed"  # the weakest link is 0.90


def test_shares_and_roles_stand_with_each_party(source):
    # D31
    chain = {one.entity_name: one for one in source.ownership("diamond").chain}
    assert chain["Pier 9 Owner LLC"].role == "borrower"
    assert chain["Cypress Sponsor LP"].role == "owner"
    assert chain["Cypress Sponsor LP"].extra == {
        "level": 2,
        "of": "Pier 9 Operating LP",
        "share": 0.6,
    }
    assert "share" not in chain["Pier 9 Owner LLC"].extra


@pytest.mark.parametrize(
    ("number", "tier"),
    [("lim-70", "probable"), ("lim-69", "inferred"), ("state-0", "probable"), ("A-1", "confirmed")],
)
def test_a_chain_is_as_sure_as_its_weakest_link(source, number, tier):
    # D29
    assert source.ownership(number).confidence_tier == tier


def test_a_ring_of_owners_ends_where_it_closes(source):
    elements, tier = told(source, "ring")
    assert [element[:2] for element in elements] == [
        (0, "Ring A LLC"),
        (1, "Ring B LLC"),
        (2, "Ring C LLC"),
    ]
    assert tier == "probable"


def test_a_party_found_at_two_levels_stands_at_the_lower_one(source):
    elements, _ = told(source, "two borrowers")
    assert sorted(elements) == [
        (0, "Oak Street Holding LLC", 0.96),
        (0, "Oak Street Holdings LLC", 0.96),
        (1, "José García", 0.93),
        (1, "OAK STREET HOLDINGS LLC", 0.91),
    ]


@pytest.mark.parametrize("number", ["guaranteed", "empty", "day-00", "bal-0", "Q/1"])
def test_a_loan_without_a_borrower_has_an_empty_chain_and_no_tier(source, number):
    # D11
    assert told(source, number) == ([], None)


def test_a_chain_crosses_sources_by_name(source):
    assert told(source, "Q/2")[0] == [(0, "Quay Owner LLC", 0.99), (1, "Ada Quill", 0.6)]


@pytest.mark.parametrize("number", ["Pier 9 Owner LLC", "Diamond", "diamond/ownership", "?"])
def test_the_chain_of_an_unknown_loan_is_not_found(source, number):
    # D11
    with pytest.raises(NotFound):
        source.ownership(number)

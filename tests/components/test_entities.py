"""What the page of a party says first, typed by hand."""

import pytest

from components.entities.panels import parts_of, state
from services.contract.parties import Party

PARTY = Party(
    entity_name="Ada Quill",
    kind="owner",
    confidence=0.9,
    confidence_tier="confirmed",
    match_score=None,
    role=None,
    loans=57,
    book_value=5_130_000_000,
    worst="critical",
    stressed=5,
    dollars_short=373_100_000,
    above=None,
    by_worst=(),
)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "57 loans, $5.13B: 5 distressed, $373.1M short at refinance."),
        (
            {"loans": 1, "stressed": 0, "dollars_short": 0, "book_value": 8_200_000},
            "1 loan, $8.2M: none distressed, nothing short at refinance.",
        ),
        (
            {"role": "servicer", "loans": 27},
            "27 loans as servicer, $5.13B: 5 distressed, $373.1M short at refinance.",
        ),
        (
            {"loans": 0},
            "No loan of this book is its own, and it services, originated or rents in none.",
        ),
    ],
)
def test_a_party_in_one_sentence(changed, said):
    # D263
    assert state(PARTY.model_copy(update=changed)) == said


def test_signals_and_shares_are_parts_of_who_has_loans_of_its_own():
    names = [[name for name, _ in parts_of(PARTY.model_copy(update=one))]
             for one in ({}, {"role": "tenant"}, {"loans": 0})]  # fmt: skip
    assert names[0] == ["summary", "loans", "signals", "shares", "roles", "ownership"]
    assert names[1] == names[2] == ["summary", "loans", "roles", "ownership"]

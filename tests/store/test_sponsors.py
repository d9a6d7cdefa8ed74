"""The sponsor of a loan is the party in the role sponsor, its owner one above it (D277)."""

import pytest

from services.contract.columns import LOAN_EXPORT
from services.contract.exposure import RoleOfParty
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Query
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

PALMETTO, FIONA = "Palmetto Bay", "Fiona K. Lang"
#: By loan: its sponsor and its owner, by the links of `book`.
BEHIND = {
    "P-1": (PALMETTO, FIONA),
    "P-2": (PALMETTO, FIONA),
    "S-1": (PALMETTO, FIONA),
    "O-1": (None, "Bela Orr"),
    "R-1": ("Sunny Homes", None),
    "T-1": ("Adder LP", "Bela Orr"),
    "N-1": (None, None),
}


def book():
    s = Sketch(info_of("sponsors"))
    for name, kind in (
        *(
            (one, "sponsor")
            for one in (PALMETTO, "Aster LP", "Sunny Homes", "Zinnia LP", "Adder LP")
        ),
        *((one, "owner") for one in (FIONA, "Bela Orr")),
    ):
        s.party(name, kind, 0.95)
    for number in BEHIND:
        s.loan(number, book_value=10_000_000)
        if number != "R-1":
            s.tie(number, "borrower", f"{number} Borrower LLC", 0.95)
            s.party(f"{number} Borrower LLC", "borrower")
    # Its owner has the same loans, and comes first in the alphabet.
    s.link(PALMETTO, "owned_by", FIONA, 0.95)
    for number in ("P-1", "P-2", "S-1"):
        s.link(f"{number} Borrower LLC", "owned_by", PALMETTO, 0.95)
    # A second sponsor, of one loan alone.
    s.link("S-1 Borrower LLC", "owned_by", "Aster LP", 0.95)
    s.link("O-1 Borrower LLC", "owned_by", "Bela Orr", 0.95)
    # A bid list names the sponsor of the loan, and no borrower.
    s.tie("R-1", "sponsor", "Sunny Homes", 0.9)
    # Two sponsors alike, and an owner of the borrower itself.
    for name in ("Zinnia LP", "Adder LP", "Bela Orr"):
        s.link("T-1 Borrower LLC", "owned_by", name, 0.9)
    # Not probable.
    s.link("N-1 Borrower LLC", "owned_by", PALMETTO, 0.69)
    return s.portfolio()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The store that the fixture `source` opens."""
    where = tmp_path_factory.mktemp("sponsors")
    load_once(where, [book()], rates=RATES)
    return where


def numbers(source, **conditions):
    found = source.loans_found(LoanFilter(order="loan_number", **conditions), ("sponsor",))
    return [one.loan_number for one in found.items]


def test_a_sponsor_is_no_owner_though_its_owner_has_as_much(source):
    # D277
    found = source.loans_found(LoanFilter(per_page=50), ("sponsor", "owner")).items
    assert {
        one.loan_number: (one.values["sponsor"], one.values["owner"]) for one in found
    } == BEHIND


def test_filter_ranking_share_and_export_go_by_the_same_sponsor(source):
    # D277
    assert numbers(source, sponsor=PALMETTO) == ["P-1", "P-2", "S-1"]
    assert numbers(source, sponsor=FIONA) == []
    ranked = source.loan_ranking(LoanFilter(), "sponsor", 10)
    assert [(one.word, one.loans) for one in ranked.groups] == [
        (PALMETTO, 3),
        (None, 2),
        ("Adder LP", 1),
        ("Sunny Homes", 1),
    ]
    assert {"sponsor", "owner"} <= set(LOAN_EXPORT)
    exported = {
        row["loan_number"]: (row["sponsor"], row["owner"])
        for batch in source.loan_batches(LoanFilter(), ("loan_number", "sponsor", "owner"))
        for row in batch.to_pylist()
    }
    assert exported == BEHIND
    shares = source.loans_found(LoanFilter(per_page=50), ("sponsor_share",)).items
    assert {one.loan_number: one.values["sponsor_share"] for one in shares} == pytest.approx(
        {"P-1": 3 / 7, "P-2": 3 / 7, "S-1": 3 / 7, "R-1": 1 / 7, "T-1": 1 / 7}
        | {"O-1": None, "N-1": None}
    )


def test_words_of_a_name_find_the_loans_of_an_owner_too(source):
    assert numbers(source, party="lang") == ["P-1", "P-2", "S-1"]
    assert numbers(source, party="bela") == ["O-1", "T-1"]


def test_an_owner_is_in_the_role_owner_alone(source):
    # D69
    def roles(name):
        return {one.loan_number: one.roles for one in source.loans_of(name, Query()).items}

    assert roles(FIONA)["P-1"] == (RoleOfParty(role="owner", level=2),)
    assert roles(PALMETTO)["P-1"] == (
        RoleOfParty(role="owner", level=1),
        RoleOfParty(role="sponsor"),
    )

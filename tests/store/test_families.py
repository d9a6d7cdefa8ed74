"""One family written down by hand: who belongs to it, by which links, whose trouble counts."""

import pytest

from services.contract.aggregates import Slice
from services.contract.families import Family, FamilyFilter, FamilyLink
from services.contract.loan_filter import LoanFilter
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

SPONSOR, OWNER, SMALL = "Quince Sponsor LP", "Ada Marl", "Nameless Sponsor LP"


def book():
    """Three loans under a sponsor, one of them critical; a fourth over a link that is too weak."""
    s = Sketch(info_of("family"))
    s.party(SPONSOR, "sponsor", 0.95)
    for number, status, lender in (
        ("F-1", "3", "Alder Bank"),  # 90 days late: critical
        ("F-2", "0", "Beech Life"),
        ("F-3", "0", "Alder Bank"),
        ("F-4", "3", "Cedar Credit"),
    ):
        s.loan(number, payment_status=status, lender_normalized=lender, interest_rate=8.0)
        s.layer(number, 1, lender, "Servicer Inc.")
    s.layer("F-2", 2, "Dogwood Mezzanine")
    for at, (number, sure) in enumerate((("F-1", 0.9), ("F-2", 0.8), ("F-3", 0.7), ("F-4", 0.69))):
        s.tie(number, "borrower", f"Borrower {at} LLC", 0.95)
        s.party(f"Borrower {at} LLC", "borrower")
        s.link(f"Borrower {at} LLC", "owned_by", SPONSOR, sure)
    # F-3 has a longer, surer way too; F-1 one as long and less sure, by another borrower.
    s.party("Holding LLC", "operating entity")
    s.link("Borrower 2 LLC", "owned_by", "Holding LLC", 1.0)
    s.link("Holding LLC", "owned_by", SPONSOR, 1.0)
    s.tie("F-1", "borrower", "A first name LLC", 0.9)
    s.party("A first name LLC", "borrower")
    s.link("A first name LLC", "owned_by", SPONSOR, 0.9)
    s.link(SPONSOR, "owned_by", OWNER, 0.75)
    # Who else owns the borrower of F-2, by name before its sponsor and after it.
    for other in ("Aster LLC", "Zinnia LLC"):
        s.party(other, "operating entity")
        s.link("Borrower 1 LLC", "owned_by", other, 0.99)
    # A small family; nobody is named as the lender of one of its loans.
    s.party(SMALL, "sponsor", 0.95)
    for number, lender in (("N-1", None), ("N-2", "Zed Bank")):
        s.loan(number, book_value=1, lender_normalized=lender, interest_rate=8.0)
    s.tie("N-1", "borrower", SMALL, 0.95)
    s.tie("N-2", "sponsor", SMALL, 0.95)  # its record names no borrower
    return s.portfolio()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The store that the fixture `source` opens."""
    where = tmp_path_factory.mktemp("family")
    load_once(where, [book()], rates=RATES)
    return where


def family(name, kind, **changed):
    whole = {"loans": 3, "book_value": 30_000_000, "worst": "critical", "stressed": 1,
             "lenders": 3, "dollars_short": 0}  # fmt: skip
    return Family(entity_name=name, kind=kind, **{**whole, **changed})


def test_a_sponsor_and_its_owner_head_the_same_loans_over_links_that_are_sure_enough(source):
    # D58, D70
    both = source.families(FamilyFilter(kind="either"))
    assert both.items[:2] == (family(OWNER, "owner"), family(SPONSOR, "sponsor"))
    assert [one.entity_name for one in both.items] == [OWNER, SPONSOR, SMALL]
    sponsors = source.families(FamilyFilter())
    assert [one.entity_name for one in sponsors.items] == [SPONSOR, SMALL]
    assert sponsors.items[0] == family(SPONSOR, "sponsor")
    assert source.families(FamilyFilter(kind="owner")).items == (family(OWNER, "owner"),)


def test_conditions_on_loans_count_fewer_loans_and_the_lenders_of_those(source):
    # D70
    found = source.families(FamilyFilter(severity="moderate"))
    quiet = {"worst": "moderate", "stressed": 0, "loans": 2, "book_value": 20_000_000}
    assert found.items == (family(SPONSOR, "sponsor", **quiet),)
    of_one = source.families(FamilyFilter(lender="beech life"))
    one = {"worst": "moderate", "stressed": 0, "loans": 1, "book_value": 10_000_000, "lenders": 2}
    assert of_one.items == (family(SPONSOR, "sponsor", **one),)
    assert source.families(FamilyFilter(state="WY")).total == 0


def test_the_filter_of_loans_finds_the_family_by_either_head_and_nobody_elses(source):
    for name, loans in ((SPONSOR, 3), (OWNER, 3), ("Borrower 0 LLC", 0), ("nobody", 0)):
        assert source.loan_totals(LoanFilter(family=name)).loans == loans


def test_contagion_is_no_part_of_the_worst_signal_of_a_loan(source):
    """Moderate is what concentration says of a family of three quarters of the book. D71, D279."""
    found = source.family(SPONSOR)
    said = [(one.loan_number, one.worst, one.contagion) for one in found.loans]
    others = [(number, "moderate", "elevated") for number in ("F-2", "F-3")]
    assert said == [("F-1", "critical", None), *others]
    assert (found.critical, found.severe) == (1, 0)
    assert found.family == family(SPONSOR, "sponsor")


def test_lenders_of_every_layer_are_touched_and_servicers_are_not(source):
    # D70
    million = 10**6
    assert source.family(SPONSOR).by_lender == (
        Slice(word="Alder Bank", loans=2, book_value=20 * million),
        Slice(word="Beech Life", loans=1, book_value=10 * million),
        Slice(word="Dogwood Mezzanine", loans=1, book_value=10 * million),
    )


def test_loans_of_no_known_lender_stand_last_and_are_no_lender(source):
    # D70
    found = source.family(SMALL)
    assert found.by_lender == (
        Slice(word="Zed Bank", loans=1, book_value=1),
        Slice(word=None, loans=1, book_value=1),
    )
    assert found.family.lenders == 1


def test_a_loan_that_names_its_sponsor_and_no_borrower_is_one_link_below_it(source):
    # D209
    ways = {one.loan_number: one.way for one in source.family(SMALL).loans}
    assert ways["N-2"] == (FamilyLink(below="N-2", above=SMALL, confidence=0.95),)


def test_a_way_up_is_the_shortest_then_the_surest(source):
    # D71
    ways = {one.loan_number: one.way for one in source.family(OWNER).loans}
    assert ways["F-3"] == (
        FamilyLink(below="F-3", above="Borrower 2 LLC", confidence=0.95),
        FamilyLink(below="Borrower 2 LLC", above=SPONSOR, confidence=0.7),
        FamilyLink(below=SPONSOR, above=OWNER, confidence=0.75),
    )
    assert [link.above for link in ways["F-1"]] == ["Borrower 0 LLC", SPONSOR, OWNER]
    assert [link.above for link in ways["F-2"]] == ["Borrower 1 LLC", SPONSOR, OWNER]

"""One party in every role, written down by hand: what is counted, and which dollars (D69)."""

import pytest

from services.contract.exposure import (
    ROLES,
    ByName,
    FundShare,
    RoleCount,
    RoleOfParty,
    RoleShare,
)
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Query
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

PARTY = "Marrow Capital LP"
FUND, OTHER_FUND = "Marrow Debt Fund I LP", "Marrow Debt Fund II LP"


def book():
    s = Sketch(info_of("roles"))
    s.party(PARTY, "sponsor", 0.95)
    s.party(FUND, "fund")
    s.party(OTHER_FUND, "fund")
    # Two layers of its own, 7 and 2 million; two of which nobody states the second amount.
    s.loan("L1", book_value=10_000_000)
    s.layer("L1", 1, PARTY, "Marrow Servicing LLC", amount=7_000_000)
    s.layer("L1", 2, PARTY, amount=2_000_000)
    s.tie("L1", "capital_source", PARTY, 0.9)
    s.loan("L2", book_value=20_000_000)
    s.layer("L2", 1, PARTY, amount=5_000_000)
    s.layer("L2", 2, PARTY)
    # Named as the lender, of no layer.
    s.loan("L3", book_value=30_000_000, lender_normalized=PARTY)
    # A quarter of a fund that lends 8 million to F1, and to F2 nobody knows how much; of another
    # fund its part is not known, and L1 has that fund beside the party's own layers.
    s.loan("F1", book_value=40_000_000)
    s.layer("F1", 1, FUND, amount=8_000_000)
    s.loan("F2", book_value=50_000_000)
    for number in ("F1", "F2"):
        s.tie(number, "capital_source", FUND, 0.9)
    s.link(FUND, "capital_source", PARTY, 0.8, 0.25)
    s.loan("F3", book_value=60_000_000)
    for number in ("F3", "L1"):
        s.tie(number, "capital_source", OTHER_FUND, 0.9)
    s.link(OTHER_FUND, "capital_source", PARTY, 0.8)
    # It borrows B1, owns the borrower of O1, and at two levels, over a weak link, that of O2.
    s.loan("B1", book_value=1_000_000)
    s.tie("B1", "borrower", PARTY, 0.9)
    s.loan("O1", book_value=2_000_000)
    s.tie("O1", "borrower", "O1 Owner LLC", 0.9)
    s.link("O1 Owner LLC", "owned_by", PARTY, 0.9)
    s.loan("O2", book_value=3_000_000)
    s.tie("O2", "borrower", "O2 Owner LLC", 0.9)
    s.link("O2 Owner LLC", "owned_by", "Middle LLC", 0.9)
    s.link("Middle LLC", "owned_by", PARTY, 0.5)
    s.loan("G1", book_value=4_000_000)
    s.tie("G1", "guarantor", PARTY, 0.9)
    s.loan("S1", book_value=5_000_000)
    s.layer("S1", 1, "Harbour Bank", PARTY)
    s.loan("N1", book_value=6_000_000)
    s.tie("N1", "originator", PARTY, 0.9)
    s.tie("N1", "servicer", PARTY, 0.9)
    s.loan("T1", book_value=7_000_000)
    s.tie("T1", "tenant", PARTY, 0.9)
    # The lender of another name that has all of its words.
    s.loan("A1", book_value=8_000_000, lender_normalized="Marrow Capital Markets LP")
    return s.portfolio()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The store that the fixture `source` opens."""
    where = tmp_path_factory.mktemp("roles")
    load_once(where, [book()], rates=RATES)
    return where


def test_every_role_has_its_loans_and_its_own_dollars(source):
    # D69
    million = 1_000_000

    def share(role, loans, worth, amount=None, known=0):
        amount = amount and amount * million
        return RoleShare(role=role, loans=loans, book_value=worth * million, amount=amount,
                         amount_loans=known)  # fmt: skip

    assert source.exposure(PARTY).roles == (
        share("lender", 2, 30, 9, 1),
        share("lender by name", 1, 30),
        share("source of a fund", 4, 160, 2, 1),
        share("borrower", 1, 1),
        share("owner", 2, 5),
        share("guarantor", 1, 4),
        share("sponsor", 2, 3),
        share("servicer", 2, 11),
        share("originator", 1, 6),
        share("tenant", 1, 7),
    )
    assert tuple(one.role for one in source.exposure(PARTY).roles) == ROLES


def test_its_loans_are_counted_once_each_and_what_does_not_count_is_named(source):
    # D68, D69
    found = source.exposure(PARTY)
    assert (found.loans, found.book_value) == (10, 220_000_000)
    assert found.counted == (
        RoleCount(role="lender", loans=2),
        RoleCount(role="lender by name", loans=1),
        RoleCount(role="source of a fund", loans=3),
        RoleCount(role="borrower", loans=1),
        RoleCount(role="owner", loans=2),
        RoleCount(role="guarantor", loans=1),
    )
    assert found.beyond == (
        RoleCount(role="servicer", loans=2),
        RoleCount(role="tenant", loans=1),
    )


def test_funds_are_named_with_the_part_that_is_known(source):
    assert source.exposure(PARTY).funds == (
        FundShare(entity_name=FUND, loans=2, only=2, share=0.25),
        FundShare(entity_name=OTHER_FUND, loans=2, only=1, share=None),
    )


def test_the_numbers_of_the_loans_page_and_of_the_graph_are_told_apart(source):
    found = source.exposure(PARTY)
    assert found.by_name == ByName(loans=5, lent=3, serviced=1, alike=1)
    assert source.loan_totals(LoanFilter(lender=PARTY)).loans == 5
    # L1, B1, G1, N1, T1; two funds, O1 Owner LLC, Middle LLC.
    assert (found.next_loans, found.next_parties) == (5, 4)


def test_each_row_says_the_roles_the_level_the_funds_and_the_dollars(source):
    rows = {one.loan_number: one.roles for one in source.loans_of(PARTY, Query()).items}
    fund = "source of a fund"
    assert rows == {
        "B1": (RoleOfParty(role="borrower"), RoleOfParty(role="sponsor")),
        "F1": (RoleOfParty(role=fund, amount=2_000_000, through=(FUND,)),),
        "F2": (RoleOfParty(role=fund, through=(FUND,)),),
        "F3": (RoleOfParty(role=fund, through=(OTHER_FUND,)),),
        "G1": (RoleOfParty(role="guarantor"),),
        "L1": (
            RoleOfParty(role="lender", amount=9_000_000),
            RoleOfParty(role=fund, through=(OTHER_FUND,)),
        ),
        "L2": (RoleOfParty(role="lender"),),
        "L3": (RoleOfParty(role="lender by name"),),
        "O1": (RoleOfParty(role="owner", level=1), RoleOfParty(role="sponsor")),
        "O2": (RoleOfParty(role="owner", level=2),),
    }


def test_a_role_asked_for_lists_its_loans_and_no_others(source):
    def numbers(role):
        return [one.loan_number for one in source.loans_of(PARTY, Query(), role).items]

    assert numbers("servicer") == ["N1", "S1"]
    assert numbers("source of a fund") == ["F1", "F2", "F3", "L1"]
    assert numbers("tenant") == ["T1"]


def test_a_fund_is_a_lender_whose_own_dollars_are_those_of_its_layers(source):
    lender = source.exposure(FUND).roles[0]
    assert lender == RoleShare(
        role="lender", loans=2, book_value=90_000_000, amount=8_000_000, amount_loans=1
    )

"""Why one party has several numbers of loans, in sentences; and its roles in a cell (D69)."""

import pytest

from components.exposure import words
from services.contract.exposure import (
    ROLES,
    ByName,
    Exposure,
    FundShare,
    RoleCount,
    RoleOfParty,
    RoleShare,
)

FUND, OTHER = "Kelder Fund I LP", "Kelder Fund II LP"


def funded(**counts):
    return [
        FundShare(entity_name=name.replace("_", " "), loans=9, only=only, share=None)
        for name, only in counts.items()
    ]


def exposure(counted, *, beyond=(), funds=(), by_name=None, near=(0, 0)):
    return Exposure(
        entity_name="Calder Life",
        loans=sum(loans for _, loans in counted),
        book_value=1,
        roles=(),
        counted=tuple(RoleCount(role=role, loans=loans) for role, loans in counted),
        beyond=tuple(RoleCount(role=role, loans=loans) for role, loans in beyond),
        funds=tuple(funds),
        by_name=by_name,
        next_loans=near[0],
        next_parties=near[1],
    )


def test_the_number_of_its_page_is_made_of_first_roles_and_funds_are_named():
    found = exposure([("lender", 287), ("source of a fund", 83)], funds=funded(Kelder_Fund=83))
    assert words.counted(found) == (
        "370 loans count as its own: 287 as lender and 83 only through Kelder Fund."
    )
    several = funded(One=1, Two=20, Three=3, Four=4, Five=5, None_at_all=0)
    found = exposure([("source of a fund", 33), ("owner", 1)], funds=several)
    assert words.counted(found) == (
        "34 loans count as its own: 33 only through funds (Two 20, Five 5, Four 4 and 2 more)"
        " and 1 as owner."
    )


def test_what_does_not_count_is_said_to_stand_beside_it():
    found = exposure([("borrower", 1)], beyond=[("servicer", 12), ("originator", 1)])
    assert words.counted(found) == "1 loan counts as its own: 1 as borrower."
    assert words.beyond(found) == (
        "Beside them stand 12 as servicer only and 1 as originator only;"
        " these do not count as its own."
    )
    alone = exposure([], beyond=[("servicer", 27)])
    assert words.beyond(alone) == "It has 27 as servicer only."
    assert words.beyond(exposure([])) == ""
    assert words.counted(exposure([])) == "No loan counts as its own."


def test_what_the_loans_page_finds_says_why():
    by_name = ByName(loans=290, lent=287, serviced=2, alike=1)
    assert words.on_loans(exposure([("lender", 287)], by_name=by_name)) == (
        "The filter Lender finds 290 loans by its name: 287 as lender, 2 as servicer and"
        " 1 of other parties whose names have its words."
    )
    nothing = ByName(loans=0, lent=0, serviced=0, alike=0)
    assert words.on_loans(exposure([], by_name=nothing)) == ""
    assert words.on_loans(exposure([])) == ""


@pytest.mark.parametrize(
    ("near", "said"), [((284, 1), "284 loans and 1 party"), ((1, 2), "1 loan and 2 parties")]
)
def test_edges_of_the_graph_are_counted_by_what_they_lead_to(near, said):
    assert words.on_graph(exposure([], near=near)) == (
        f"One edge away in the capital graph stand {said}."
    )


def test_a_row_says_every_role_its_dollars_its_funds_and_how_far_up():
    roles = (
        RoleOfParty(role="lender", amount=9_000_000),
        RoleOfParty(role="source of a fund", through=(FUND, OTHER)),
        RoleOfParty(role="owner", level=2),
        RoleOfParty(role="sponsor"),
    )
    assert words.of_loan(roles) == (
        f"Lender, $9.0M; through {FUND} and {OTHER}, share not stated; owner 2 levels up; sponsor"
    )
    assert words.of_loan((RoleOfParty(role="lender"),)) == "Lender, amount not stated"
    assert words.of_loan((RoleOfParty(role="owner", level=1),)) == "Owner"
    assert words.of_loan(()) == "—"


def test_own_dollars_are_never_the_book_value_nor_guessed():
    def share(role, loans, amount=None, known=0):
        return RoleShare(role=role, loans=loans, book_value=7, amount=amount, amount_loans=known)

    assert words.own_dollars(share("lender", 2, 9_000_000, 2)) == "$9.0M"
    assert words.own_dollars(share("lender", 2, 9_000_000, 1)) == "$9.0M, 1 of 2 loans"
    assert words.own_dollars(share("source of a fund", 2)) == "not stated"
    assert words.own_dollars(share("servicer", 2)) == "—"
    unknown = RoleShare(role="lender", loans=None, book_value=None)
    assert words.unknown([unknown, share("servicer", 0), share("tenant", 3)]) == (
        "Not known here: lender. The source names nobody in these roles, which is not a statement "
        "that there is nobody."
    )
    assert words.unknown([share("tenant", 3)]) == ""
    assert words.own_dollars(unknown) == "—"


def test_every_role_has_its_words():
    assert tuple(words.LABELS) == tuple(words.MEANINGS) == ROLES

"""What a party has to do with loans, role by role: how many, which dollars, through which funds."""

from typing import Final, Literal, get_args

from .records import Loan, Record

#: What a party is to a loan (D69). The first six are what its loans are counted by (D32, D45, D68).
Role = Literal[
    "lender",
    "lender by name",
    "source of a fund",
    "borrower",
    "owner",
    "guarantor",
    "sponsor",
    "servicer",
    "originator",
    "tenant",
]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
#: A loan is one of the party's own when the party is one of these to it.
COUNTED: Final = ROLES[:6]
#: Roles told by an edge from the loan that make it nobody's own (D201).
BESIDE: Final[tuple[Role, ...]] = ("originator", "servicer", "tenant")


class RoleOfParty(Record):
    """What a party is to one loan."""

    role: Role
    #: Links from the borrower up, for an owner: 1 owns the borrower itself. None for other roles.
    level: int | None = None
    #: US dollars of its own in this role; None where the source does not say, or none are meant.
    amount: int | None = None
    #: For the source of a fund: the funds next to the loan, by name.
    through: tuple[str, ...] = ()


class PartyLoan(Loan):
    """A loan as lists hold it, and what one party is to it, in order of the roles."""

    roles: tuple[RoleOfParty, ...]
    #: The worst of its signals; None without any.
    worst_severity: str | None
    #: US dollars short at refinance; None where it is not known.
    dollars_short: int | None


class RoleShare(Record):
    """A party's loans in one role. A loan counts in each role that the party has in it."""

    role: Role
    #: None where the snapshot names nobody in this role: that is not "none".
    loans: int | None
    #: Of the loans, whole: never the party's own money.
    book_value: int | None
    #: US dollars of its own: of its layers as lender, its share of what a fund lends as the
    #: source of one. Over the loans for which it is known; None where it is known for none.
    amount: int | None = None
    #: The loans for which it is known.
    amount_loans: int = 0


class RoleCount(Record):
    """Loans counted once each, under the first role that the party has in them."""

    role: Role
    loans: int


class FundShare(Record):
    """A fund through which a party lends."""

    entity_name: str
    #: Loans that the fund lends to.
    loans: int
    #: Of those, loans in which the party has no earlier role.
    only: int
    #: The party's part of the fund, 0 to 1, over all links between them; None where one is unknown.
    share: float | None


class ByName(Record):
    """What the `lender` filter finds by the party's name (D9, D39), each loan counted once."""

    loans: int
    #: As lender of a layer or by name.
    lent: int
    #: Only as servicer.
    serviced: int
    #: Only because another party's name has all of its words.
    alike: int


class Exposure(Record):
    """A party's loans by role, and how the numbers that pages show of it come about."""

    entity_name: str
    #: Its loans (D32, D45, D68), and their book value.
    loans: int
    book_value: int
    #: Every role, in order.
    roles: tuple[RoleShare, ...]
    #: Its loans by their first role; the counts add up to `loans`. Roles without any are left out.
    counted: tuple[RoleCount, ...]
    #: Loans that do not count as its own, by their first role. Roles without any are left out.
    beyond: tuple[RoleCount, ...]
    #: Funds through which it lends, most loans first, then by name.
    funds: tuple[FundShare, ...]
    #: None where its name is no text that the filter takes.
    by_name: ByName | None
    #: What stands one edge away in the capital graph.
    next_loans: int
    next_parties: int

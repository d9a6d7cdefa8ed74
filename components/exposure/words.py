"""Roles of a party and the counts of its loans, in words. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from components.kit.formatting import MISSING, count, loan_count, money, percent
from components.kit.text import line
from services.contract.exposure import Exposure, FundShare, Role, RoleCount, RoleOfParty, RoleShare
from services.contract.rounding import number_of

#: What a role is called as a label.
LABELS: Final[dict[Role, str]] = {
    "lender": "Lender",
    "lender by name": "Lender by name only",
    "source of a fund": "Lender through a fund",
    "borrower": "Borrower",
    "owner": "Owner",
    "guarantor": "Guarantor",
    "sponsor": "Sponsor",
    "servicer": "Servicer",
    "originator": "Originator",
    "tenant": "Tenant",
}
#: What each means.
MEANINGS: Final[dict[Role, str]] = {
    "lender": "Lends a layer, or is a direct source of its capital.",
    "lender by name": "The loan bears its name as lender; no layer and no tie to capital is its "
    "own. Filings name the originator so.",
    "source of a fund": "Stands behind a fund that lends.",
    "borrower": "Borrows.",
    "owner": "Owns the borrower, itself or over other parties, over links of any confidence.",
    "guarantor": "Guarantees.",
    "sponsor": "The sponsor over probable links; of several, the one with the largest book.",
    "servicer": "Services a layer or the loan. Does not count as its own.",
    "originator": "Originated the loan. Does not count as its own.",
    "tenant": "Rents in the property. Does not count as its own.",
}
#: After a number of loans, within a sentence.
_AS: Final[dict[Role, str]] = {
    "lender": "as lender",
    "lender by name": "as lender by name only",
    "source of a fund": "only through a fund",
    "borrower": "as borrower",
    "owner": "as owner",
    "guarantor": "as guarantor",
    "sponsor": "as sponsor",
    "servicer": "as servicer only",
    "originator": "as originator only",
    "tenant": "as tenant only",
}
_OF_FUNDS: Final = frozenset({"source of a fund"})
#: Roles in which money of the party's own is meant.
_MONEY: Final = frozenset({"lender", "source of a fund"})
_NAMED: Final = 3


def beside(loans: int | None, by_role: object) -> tuple[int, str] | None:
    """Of a party without loans of its own: how many in the role in which it has most; else None."""
    if loans or not isinstance(by_role, Mapping) or not by_role:
        return None
    role = max(by_role, key=lambda one: (by_role[one], one))
    return by_role[role], line(role)


def related(loans: int | None, by_role: object) -> str:
    """How many loans count as a party's own; of one that has none, in which role it has most."""
    found = beside(loans, by_role)
    return f"{count(found[0])} as {found[1]}" if found else count(loans)


def as_role(role: Role | None) -> str:
    """After loans that do not count as a party's own, in which role it has them: " as servicer"."""
    return f" as {LABELS[role].lower()}" if role else ""


def of_loan(roles: Iterable[RoleOfParty]) -> str:
    """What a party is to one loan: Lender, $9.0M; through Marrow Fund I, share not stated."""
    said = "; ".join(map(_role, roles))
    return said[:1].upper() + said[1:] if said else MISSING


def _role(one: RoleOfParty) -> str:
    if one.role == "lender":
        return f"lender, {'amount not stated' if one.amount is None else money(one.amount)}"
    if one.role == "source of a fund":
        part = "share not stated" if one.amount is None else money(one.amount)
        return f"through {' and '.join(one.through)}, {part}"
    if one.role == "owner":
        return "owner" if one.level == 1 else f"owner {one.level} levels up"
    return LABELS[one.role].lower()


def own_dollars(share: RoleShare) -> str:
    """Its own money in a role, and of how many of the loans it is known."""
    if share.role not in _MONEY or not share.loans:
        return MISSING
    if share.amount is None:
        return "not stated"
    part = f", {count(share.amount_loans)} of {loan_count(share.loans)}"
    return f"{money(share.amount)}{part if share.amount_loans < share.loans else ''}"


def unknown(shares: Iterable[RoleShare]) -> str:
    """The roles in which the source names nobody at all; empty without any."""
    named = [LABELS[one.role].lower() for one in shares if one.loans is None]
    if not named:
        return ""
    return (
        f"Not known here: {', '.join(named)}. The source names nobody in these roles, which is not "
        "a statement that there is nobody."
    )


def part_of(fund: FundShare) -> str:
    """The party's part of a fund."""
    return "not stated" if fund.share is None else percent(100 * fund.share, 0)


def counted(found: Exposure) -> str:
    """How its number of loans comes about, each loan counted once."""
    if not found.loans:
        return "No loan counts as its own."
    verb = "loan counts" if found.loans == 1 else "loans count"
    return f"{count(found.loans)} {verb} as its own: {_parts(found.counted, found.funds)}."


def beyond(found: Exposure) -> str:
    """The loans that do not count as its own, empty without any."""
    if not found.beyond:
        return ""
    if not found.loans:
        return f"It has {_parts(found.beyond)}."
    return f"Beside them stand {_parts(found.beyond)}; these do not count as its own."


def on_loans(found: Exposure) -> str:
    """What the Loans page finds by its name as lender; empty where that is nothing."""
    by_name = found.by_name
    if by_name is None or not by_name.loans:
        return ""
    reasons = [
        f"{count(number)} {why}"
        for number, why in (
            (by_name.lent, "as lender"),
            (by_name.serviced, "as servicer"),
            (by_name.alike, "of other parties whose names have its words"),
        )
        if number
    ]
    return f"The filter Lender finds {loan_count(by_name.loans)} by its name: {_and(reasons)}."


def on_graph(found: Exposure) -> str:
    """What stands one edge away from it in the capital graph."""
    loans = loan_count(found.next_loans)
    parties = number_of(found.next_parties, "party", "parties")
    return f"One edge away in the capital graph stand {loans} and {parties}."


def _parts(counts: Sequence[RoleCount], funds: Sequence[FundShare] = ()) -> str:
    return _and(
        [
            f"{count(one.loans)} {_through(funds) if one.role in _OF_FUNDS else _AS[one.role]}"
            for one in counts
        ]
    )


def _through(funds: Sequence[FundShare]) -> str:
    """The funds that bring loans of no other role, those with most of them by name."""
    most = sorted((one for one in funds if one.only), key=lambda one: -one.only)
    if len(most) <= 1:
        return f"only through {most[0].entity_name if most else 'a fund'}"
    named = [f"{one.entity_name} {count(one.only)}" for one in most[:_NAMED]]
    if len(most) > _NAMED:
        named.append(f"{count(len(most) - _NAMED)} more")
    return f"only through funds ({_and(named)})"


def _and(parts: Sequence[str]) -> str:
    """One, two and three."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))

"""How two loans of a family are connected: up from one to a party, down to the other. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from components.kit.formatting import score
from services.contract.families import SIBLING_RANKS, FamilyLink, FamilyLoan
from services.contract.vocabulary import SEVERE_OR_WORSE, SEVERITIES


@dataclass(frozen=True, slots=True)
class Joint:
    """The party at which the ways of two loans meet first, and the links up to it."""

    sibling: FamilyLoan
    party: str
    up: tuple[FamilyLink, ...]
    down: tuple[FamilyLink, ...]

    @property
    def weakest(self) -> float:
        """The least confidence of any link between the two."""
        return min(link.confidence for link in (*self.up, *self.down))

    @property
    def sentence(self) -> str:
        """CA-1 -0.93-> Borrower -0.98-> Owner <-0.91- Other borrower <-0.95- CA-2."""
        there = [self.up[0].below]
        there += [part for one in self.up for part in (f"–{score(one.confidence)}→", one.above)]
        back = [
            part for one in self.down[::-1] for part in (f"←{score(one.confidence)}–", one.below)
        ]
        return " ".join([*there, *back])


def joint(loan: FamilyLoan, sibling: FamilyLoan) -> Joint | None:
    """Where two loans of one family meet first; None where a way is not known."""
    other = [link.above for link in sibling.way]
    for at, link in enumerate(loan.way):
        if link.above in other:
            down = sibling.way[: other.index(link.above) + 1]
            return Joint(sibling, link.above, loan.way[: at + 1], down)
    return None


def siblings(loan: FamilyLoan, loans: Sequence[FamilyLoan]) -> list[Joint]:
    """The other loans that are severe or critical by themselves, the worst first."""
    found = [
        joint(loan, one)
        for one in loans
        if one.worst in SEVERE_OR_WORSE and one.loan_number != loan.loan_number
    ]
    return [one for one in found if one is not None]


def graded(critical: int, severe: int) -> str | None:
    """What so many critical and severe siblings under one owner come to (CT-1)."""
    for least_critical, least_ill, rank in SIBLING_RANKS:
        if critical >= least_critical and critical + severe >= least_ill:
            return SEVERITIES[rank]
    return None

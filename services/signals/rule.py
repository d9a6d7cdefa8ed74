"""What a rule is: what it reads and measures, its limits, its words and its source."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.facts import FACT
from services.signals.amortisation import BoolArray, FloatArray
from services.signals.book_rules import Siblings
from services.signals.features import Features
from services.signals.limits import Ladder, Limits

#: Feature -> why a rule that reads it is not testable without it, where its label does not say so.
MISSING: Final = {
    "interest_rate": "no coupon",
    "property_type": "no property type",
    "refi_rate": "no reference rate on or before the as-of date",
    "months_to_maturity": "no maturity date",
    "overdue_balance": "past maturity, and no book value",
    "book_value": "no book value",
    "balance_at_maturity": "the schedule to maturity is not known",
    "value": "no appraised value",
    "noi": "no NOI",
    "income_fall": "no NOI or DSCR of a period since the loan was made, or none underwritten",
    "underwritten_markup": "no NOI above 0 of before the loan, or none underwritten",
    "dscr": "no DSCR of a period since the loan was made",
    "occupancy": "no occupancy",
    "underwritten_occupancy": "no underwritten occupancy",
    "lease_rollover": "no dated lease, or no area",
    "whole_loan_debt": "the trust holds part of the loan",
    "payment_status": "no payment status",
    "status_rank": "payment status is not ranked",
    "family_share": "no resolved sponsor or owner",
    "sibling_rank": "no resolved sponsor or owner",
}


def missing(name: str) -> str:
    """Why a rule that reads a feature is not testable without it."""
    return MISSING.get(name) or f"no {FACT[name].label.lower()}"


#: Inputs that rates, NOI and cap rates change; all else that rules read stays as it is.
_MOVED: Final = frozenset({"refi_rate", "noi", "income_fall", "dscr", "value"})


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What a rule sees: the features of all loans, the limits, and what siblings came to."""

    features: Features
    limits: Limits
    #: Known once every rule but those about siblings has graded.
    siblings: Siblings | None = None

    def feature(self, name: str) -> FloatArray:
        """A feature by its name in `reads`."""
        of_book = name in {"family_share", "sibling_rank"}
        found: FloatArray = getattr(self if of_book else self.features, name)
        return found

    @property
    def on_value_alone(self) -> "Scene":
        """With the refinance gap that the value leaves, whatever the income would lend."""
        found = self.features
        return replace(self, features=replace(found, refinance_gap=found.gap_on_value))

    @property
    def family_share(self) -> FloatArray:
        """Share of the book under the sponsor or owner of each loan with most of it."""
        families = self.features.families
        return families.share(families.largest)

    @property
    def sibling_rank(self) -> FloatArray:
        """See Siblings.rank. Raises ValueError before the other rules have graded."""
        if self.siblings is None:
            raise ValueError("siblings are graded after all other rules")
        return self.siblings.rank


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule. Severity is that of the worst limit passed, then `steps_down` milder."""

    id: str
    version: int
    signal_type: str
    title: str
    #: Names of features; the first one missing is the reason for "not testable" (MISSING).
    reads: tuple[str, ...]
    measure: Callable[[Scene], FloatArray]
    ladder: Ladder
    #: Sentence about one loan, without its full stop; words are those of wording.WORDS.
    because: str
    clears_when: str
    source: str
    #: What the ladder alone does not say, for the rule's card.
    remark: str = ""
    #: Whether it asks about maturity or refinancing, of which a loan that its schedule repays in
    #: full has none, nor one whose property the trust has taken over.
    of_refinancing: bool = False
    #: Whether it looks at the other rules' severities of other loans.
    of_siblings: bool = False
    #: Loans that the rule is about; None: all that owe something and are not defeased.
    applies: Callable[[Scene], BoolArray] | None = None
    #: Severity -> further condition on it.
    only_if: tuple[tuple[str, Callable[[Scene], BoolArray]], ...] = ()
    #: Severity -> what reaches it whatever the limit says.
    also_if: tuple[tuple[str, Callable[[Scene], BoolArray]], ...] = ()
    #: Whether it rests on income, so that a part of a year carries no worse than
    #: `Inputs.worst_by_income`.
    of_income: bool = False
    #: What the scene is whatever the rest of the year earns: graded in it in full (D245).
    whatever_income: Callable[[Scene], Scene] | None = None
    #: Steps to lower the severity by, to `low` at the most; negative to raise it. A loan that
    #: passed no limit stays silent.
    steps_down: Callable[[Scene], NDArray[np.int16]] | None = None
    #: The worst severity, after any step, of the loans of which that holds.
    at_most: tuple[str, Callable[[Scene], BoolArray]] | None = None

    @property
    def moves(self) -> bool:
        """Whether a scenario of rates, NOI and cap rates can change what it finds."""
        return not _MOVED.isdisjoint(self.reads)

    @property
    def higher_is_worse(self) -> bool:
        """Direction of the measure."""
        return next(iter(self.ladder.limits.values())).sign.startswith(">")

"""The rules, as data: what each reads and measures, its limits, its words and its source.

Limits stand in limits.toml; design and origin of every number: signals.md, research 2.1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.signals.features import Features
from services.signals.limits import (
    SEVERE_LTV_OVER,
    SEVERE_TYPES,
    TYPE_WORDS,
    URGENCY_FULL_MONTHS,
    URGENCY_ONE_STEP_MONTHS,
    WINDOW_MONTHS,
    Ladder,
    ladder_of,
)
from services.signals.whole_loan import BoolArray, FloatArray

#: Feature -> why a rule that reads it is not testable without it.
MISSING: Final = {
    "interest_rate": "no coupon",
    "property_type": "no property type",
    "refi_rate": "no reference rate on or before the as-of date",
    "months_to_maturity": "no maturity date",
    "overdue_balance": "past maturity, and no book value",
    "book_value": "no book value",
    "value": "no appraised value",
    "noi": "no NOI",
    "dscr": "no DSCR",
    "whole_loan_debt": "the trust holds part of the loan",
    "payment_status": "no payment status",
    "payment_rank": "payment status is not ranked",
}


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule. Severity is that of the worst limit passed, then `steps_down` milder."""

    id: str
    version: int
    signal_type: str
    title: str
    #: Names of features; the first one missing is the reason for "not testable" (MISSING).
    reads: tuple[str, ...]
    measure: Callable[[Features], FloatArray]
    ladder: Ladder
    #: Sentence about one loan, without its full stop; words are those of wording.WORDS.
    because: str
    clears_when: str
    source: str
    #: What the ladder alone does not say, for the rule's card.
    remark: str = ""
    #: Loans that the rule is about; None: all that owe something.
    applies: Callable[[Features], BoolArray] | None = None
    #: Severity -> further condition on it.
    only_if: tuple[tuple[str, Callable[[Features], BoolArray]], ...] = ()
    #: Steps to lower the severity by, never below `low`.
    steps_down: Callable[[Features], NDArray[np.int8]] | None = None

    @property
    def higher_is_worse(self) -> bool:
        """Direction of the measure."""
        return self.ladder.limits["critical"].sign.startswith(">")


def urgency_steps(f: Features) -> NDArray[np.int8]:
    """RP x MT: 0 up to 36 months before maturity, after it and without one, 1 to 60, 2 beyond."""
    months = f.months_to_maturity
    over = (months > URGENCY_FULL_MONTHS).astype(np.int8)
    return over + (months > URGENCY_ONE_STEP_MONTHS).astype(np.int8)


def _levered(f: Features) -> BoolArray:
    """RP-4 `severe`: LTV over 80 %, or office or lodging; an unknown LTV is not over it."""
    of_type = np.array([*(word in SEVERE_TYPES for word in TYPE_WORDS), False])[f.type_index]
    levered: BoolArray = (f.ltv > SEVERE_LTV_OVER) | of_type
    return levered


RULES: Final[tuple[Rule, ...]] = (
    Rule(
        id="RP-1",
        version=1,
        signal_type="rate_pressure",
        title="Rate gap",
        reads=("interest_rate", "property_type", "refi_rate"),
        measure=lambda f: f.rate_gap_bp,
        ladder=ladder_of("RP-1"),
        steps_down=urgency_steps,
        because=(
            "Refi rate {refi_rate} ({reference} + {spread}{tenor}) is {value} above the {coupon} "
            "coupon, {base_passing} the {limit} limit for {graded}{urgency}"
        ),
        remark=(
            f"Counts in full up to {URGENCY_FULL_MONTHS:g} months before maturity, after it, and "
            f"where no maturity date is known; one step lower up to {URGENCY_ONE_STEP_MONTHS:g} "
            "months, two steps beyond, never below low."
        ),
        clears_when="The refi rate of the property type falls to the coupon or under it.",
        source=(
            "House limits; a gap over 200 bp inside 36 months of maturity is a published screen. "
            "Refi rate: Treasury of the loan's tenor (Federal Reserve H.15) + spread by type."
        ),
    ),
    Rule(
        id="RP-4",
        version=1,
        signal_type="stress_indicator",
        title="Pro-forma DSCR at the refi rate",
        reads=("dscr", "interest_rate", "property_type", "refi_rate", "months_to_maturity"),
        measure=lambda f: f.proforma_dscr,
        ladder=ladder_of("RP-4"),
        applies=lambda f: ~(f.months_to_maturity > WINDOW_MONTHS),
        only_if=(("severe", _levered),),
        because=(
            "Pro-forma DSCR {value} (DSCR {dscr} times coupon {coupon} / refi rate {refi_rate}, "
            "{reference} + {spread}{tenor}) is {passing} the {limit} limit for "
            "{severity}{escalated}; {maturing}"
        ),
        remark=(
            f"Only inside {WINDOW_MONTHS:g} months of maturity and after it. Severe only with "
            f"LTV over {SEVERE_LTV_OVER:.0%}, or for {' and '.join(sorted(SEVERE_TYPES))}."
        ),
        clears_when="DSCR x coupon / refi rate reaches 1.25x.",
        source=(
            "Tiers of a published refinance screen (1.25x, 1.10x, 1.00x; one step up for LTV over "
            "80 %, office and lodging); 1.25x is the bar of Trepp's refinancing studies."
        ),
    ),
    Rule(
        id="MT-1",
        version=1,
        signal_type="maturity_timing",
        title="Months to maturity",
        reads=("months_to_maturity", "overdue_balance"),
        measure=lambda f: f.months_to_maturity,
        ladder=ladder_of("MT-1"),
        because="{maturing}{due}",
        remark="A loan past maturity with a balance is critical.",
        clears_when="The loan is repaid, or extended to more than 24 months from the as-of date.",
        source=(
            "24 months: cmbs-radar; 12 to 18 months: OCC Bulletin 2024-29; 90 days: CREFC "
            "servicer watchlist code 5A; past maturity: payment status 4 and 5."
        ),
    ),
    Rule(
        id="DY-1",
        version=1,
        signal_type="stress_indicator",
        title="Debt yield",
        reads=("noi", "book_value", "property_type", "whole_loan_debt"),
        measure=lambda f: f.debt_yield,
        ladder=ladder_of("DY-1"),
        because=(
            "Debt yield {value} (NOI {noi} / {debt}) is {passing} the {limit} limit for {severity} "
            "(minimum for {property_type} {minimum})"
        ),
        remark="Limits count from the minimum debt yield of the property type.",
        clears_when="NOI / whole-loan debt reaches the minimum of the property type.",
        source=(
            "Minimum by type: cmbs-radar assumptions; delinquency rises below 8 % (Glancy and "
            "Kurtzman, FEDS 2024-072); steps of one point are house limits."
        ),
    ),
    Rule(
        id="CV-1",
        version=1,
        signal_type="stress_indicator",
        title="DSCR",
        reads=("dscr",),
        measure=lambda f: f.dscr,
        ladder=ladder_of("CV-1"),
        because="DSCR {value}{basis} is {passing} the {limit} limit for {severity}{of_type}",
        clears_when="DSCR reaches 1.25x (lodging and health care 1.35x).",
        source=(
            "CREFC servicer watchlist code 1E: under 1.10x, lodging and health care 1.20x; cash "
            "traps at 1.15x to 1.20x; lender minimum 1.25x; 1.35x for hotels is a house limit."
        ),
    ),
    Rule(
        id="LV-1",
        version=1,
        signal_type="stress_indicator",
        title="LTV",
        reads=("book_value", "value", "whole_loan_debt"),
        measure=lambda f: f.ltv,
        ladder=ladder_of("LV-1"),
        because=(
            "LTV {value} ({debt} / value {appraised}) is {passing} the {limit} limit for {severity}"
        ),
        remark="The date of the valuation is not known to the rule: an old one hides leverage.",
        clears_when="Whole-loan debt / appraised value falls to 65 % or under it.",
        source=(
            "Life companies lend 60 to 75 %, banks 65 to 80 %; over 80 % escalates refinance "
            "screens; over 100 % the debt exceeds the property."
        ),
    ),
    Rule(
        id="ST-1",
        version=1,
        signal_type="stress_indicator",
        title="Payment status",
        reads=("payment_status", "payment_rank"),
        measure=lambda f: f.payment_rank,
        ladder=ladder_of("ST-1"),
        because="{status} is graded {severity}",
        remark="Codes outside the list are not ranked. They are codes, not numbers of days.",
        clears_when="The loan is current (0) or within grace (A), and no foreclosure or REO runs.",
        source="SEC Regulation AB II, Schedule AL: payment status and workout strategy codes.",
    ),
)

#: Rule id -> rule.
RULE_OF: Final = {rule.id: rule for rule in RULES}

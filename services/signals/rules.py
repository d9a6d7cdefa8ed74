"""The rules, as data.

Their limits are in limits.toml. Severity is a claim that credit evidence must carry: the calendar
and the rate alone carry little. services/signals/README.md explains each rule.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.loan_figures import TELLS_FROM
from services.contract.vocabulary import SEVERITIES
from services.signals.amortisation import BoolArray
from services.signals.figures import figure
from services.signals.limits import Ladder, Limits
from services.signals.rule import Rule, Scene

_NEVER: Final = len(SEVERITIES)


def urgency_steps(s: Scene) -> NDArray[np.int16]:
    """By months to effective maturity; after it the gap counts in full (D40)."""
    months = s.features.months_to_maturity
    limits = [
        s.limits.number("RP-1", "urgency", name)
        for name in ("full_to_months", "one_step_to_months", "two_steps_to_months")
    ]
    steps = sum((months > limit).astype(np.int16) for limit in limits[:2])
    return np.where(months > limits[2], np.int16(_NEVER), steps).astype(np.int16)


def evidence_steps(s: Scene) -> NDArray[np.int16]:
    """By pro-forma DSCR against the minimum of the type; unknown income moves nothing."""
    dscr, minimum = s.features.proforma_dscr, s.features.min_dscr
    down, under = (
        s.limits.number("RP-1", "evidence", name) for name in ("steps_at_minimum", "step_up_under")
    )
    return np.select([dscr >= minimum, dscr < under], [down, -1], default=0).astype(np.int16)


def _short_of_yield(s: Scene, points: float) -> BoolArray:
    short: BoolArray = s.features.debt_yield <= s.features.min_debt_yield - points
    return short


def _no_way_out(s: Scene) -> BoolArray:
    """CV-1 critical: maturity is near, or the debt yield is far too low."""
    months = s.limits.number("CV-1", "critical_only", "months_to_maturity")
    points = s.limits.number("CV-1", "critical_only", "debt_yield_short")
    near: BoolArray = s.features.months_to_maturity <= months
    return near | _short_of_yield(s, points)


def _inside(s: Scene, key: str) -> BoolArray:
    inside: BoolArray = s.features.months_to_maturity <= s.limits.number("RG-1", "window", key)
    return inside


def _cannot_refinance(s: Scene) -> BoolArray:
    """RG-1 critical: past maturity, or half a year before it with a gap that nothing closes."""
    wide = s.features.refinance_gap >= s.limits.number("RG-1", "window", "critical_gap")
    late: BoolArray = s.features.months_to_maturity < 0
    return late | (_inside(s, "critical") & wide)


def _emptied_to(severity: str) -> Callable[[Scene], BoolArray]:
    """OC-1: occupancy under a level that underwriting had reached."""

    def under(s: Scene) -> BoolArray:
        level = s.limits.number("OC-1", "levels", severity)
        emptied: BoolArray = (s.features.occupancy < level) & (
            s.features.underwritten_occupancy >= level
        )
        return emptied

    return under


def _mildest(ladder: Ladder) -> str:
    """The limit from which the rule speaks at all, in its unit: "1.25x"."""
    limit = next(iter(ladder.limits.values())).figure
    return figure(abs(limit), ladder.unit)


def rules(limits: Limits) -> tuple[Rule, ...]:
    """All rules, at these limits."""
    ladders = limits.ladders
    mildest = {rule: _mildest(ladder) for rule, ladder in ladders.items() if ladder.unit != "code"}
    window = limits.sections["RG-1"]["window"]
    urgency, evidence = limits.sections["RP-1"]["urgency"], limits.sections["RP-1"]["evidence"]
    part_year = (
        f"Income of under {limits.part_year['elevated']:g} months carries elevated at most, of "
        f"under {limits.part_year['severe']:g} severe; of lodging elevated until a full year."
    )
    of_cooperatives = "Cooperatives are left out: their income is an imputed rent."
    of_before = "Income of before the loan was made is no income in place: UW-1 reads it."
    levels, last = limits.sections["OC-1"]["levels"], limits.sections["CV-1"]["critical_only"]
    return (
        Rule(
            id="ST-1",
            version=3,
            signal_type="stress_indicator",
            title="Status and workout",
            reads=("payment_status", "status_rank"),
            measure=lambda s: s.features.status_rank,
            ladder=ladders["ST-1"],
            because="{status} {severity}",
            remark=(
                "In special servicing: transferred, and not returned since. Codes outside the list "
                "are not ranked. They are codes, not numbers of days."
            ),
            clears_when=(
                "The loan is current (0) or within grace (A), back from special servicing, and no "
                "workout runs."
            ),
            source=(
                "SEC Regulation AB II, Schedule AL: payment status, workout strategy, modification "
                "and special servicer transfer."
            ),
        ),
        Rule(
            id="CV-1",
            version=5,
            signal_type="stress_indicator",
            title="DSCR in place",
            reads=("dscr",),
            measure=lambda s: s.features.dscr,
            ladder=ladders["CV-1"],
            applies=lambda s: ~s.features.imputed,
            only_if=(("critical", _no_way_out),),
            because=(
                "DSCR {value}{basis} is {passing} the {limit} limit for {severity}{of_type}"
                "{no_way_out}{held}"
            ),
            of_income=True,
            remark=(
                f"Critical only within {last['months_to_maturity']} months of effective maturity, "
                f"after it, or with a debt yield {last['debt_yield_short']:g} points under the "
                f"minimum of the property type. {part_year} {of_before} {of_cooperatives}"
            ),
            clears_when=f"DSCR of the latest filed period reaches {mildest['CV-1']}.",
            source=(
                "CREFC servicer watchlist code 1E: under 1.10x, lodging and health care 1.20x; "
                "lender minimum 1.25x; under 1.00x income does not pay the debt."
            ),
        ),
        Rule(
            id="LV-1",
            version=4,
            signal_type="stress_indicator",
            title="LTV",
            reads=("book_value", "value", "whole_loan_debt"),
            measure=lambda s: s.features.ltv,
            ladder=ladders["LV-1"],
            because=(
                "LTV {at_least}{value} ({debt_due} / value {appraised}{appraised_on}) is "
                "{passing} the {limit} limit for {severity}"
            ),
            remark=(
                "Debt of a loan that is 30 days late or more, in special servicing or REO is its "
                "exposure: scheduled balance and advances, as far as they are filed. An appraisal "
                "older than 24 months is marked as stale: it may hide leverage."
            ),
            clears_when=(
                f"Debt due with the loan / appraised value falls to {mildest['LV-1']} or less."
            ),
            source=(
                "Life companies lend 60 to 75%, banks 65 to 80%; over 80% escalates refinance "
                "screens; over 100% the debt exceeds the property."
            ),
        ),
        Rule(
            id="DY-1",
            version=3,
            signal_type="stress_indicator",
            title="Debt yield",
            reads=("noi", "book_value", "property_type", "whole_loan_debt"),
            measure=lambda s: s.features.debt_yield,
            ladder=ladders["DY-1"],
            because=(
                "Debt yield {at_most}{value}, NOI {noi}{period} / {debt}, is {passing} the {limit} "
                "limit for {severity} (minimum for {property_type} {minimum})"
            ),
            remark="Limits count from the minimum debt yield of the property type.",
            clears_when=(
                f"NOI / whole-loan debt comes within {mildest['DY-1']} of the type's minimum."
            ),
            source=(
                "Minimum by type: published lender programmes; delinquency rises below 8% (Glancy "
                "and Kurtzman, FEDS 2024-072)."
            ),
        ),
        Rule(
            id="NI-1",
            version=3,
            signal_type="stress_indicator",
            title="Income against underwriting",
            reads=("income_fall",),
            measure=lambda s: s.features.income_fall,
            ladder=ladders["NI-1"],
            because="{fallen}, {passing} the {limit} limit for {severity}{held}",
            of_income=True,
            remark=(
                "By the worse of NOI and DSCR, each against its own underwritten figure. A DSCR on "
                "NOI is never compared with one on NCF, nor one of more debt with the underwritten "
                f"one: where the debt service filed is over {TELLS_FROM:g} times the underwritten "
                f"NCF / DSCR, income alone counts. {part_year} {of_before}"
            ),
            clears_when=(
                f"NOI and DSCR of a filed period come within {mildest['NI-1']} of underwriting."
            ),
            source=(
                "CREFC servicer watchlist code 1F: NCF DSCR under 1.40x and under 75% of the "
                "underwritten one. Over 84 months of one trust these steps told later distress "
                "better than 20 and 40% alone (few events)."
            ),
        ),
        Rule(
            id="UW-1",
            version=1,
            signal_type="stress_indicator",
            title="Underwritten above trailing income",
            reads=("underwritten_markup",),
            measure=lambda s: s.features.underwritten_markup,
            ladder=ladders["UW-1"],
            applies=lambda s: s.features.income_before,
            because=(
                "Underwritten NOI {underwritten_noi} is {value} above the {noi}{period}, {passing} "
                "the {limit} limit for {severity}"
            ),
            remark="Of loans whose latest statement ended before they were made.",
            clears_when="A statement of a period since the loan was made is filed.",
            source="SEC Regulation AB II, Schedule AL: dates and income; steps are house limits.",
        ),
        Rule(
            id="OC-1",
            version=1,
            signal_type="stress_indicator",
            title="Occupancy",
            reads=("occupancy", "underwritten_occupancy"),
            measure=lambda s: s.features.occupancy_fall,
            ladder=ladders["OC-1"],
            also_if=tuple((word, _emptied_to(word)) for word in levels),
            because="Occupancy {occupancy} is {emptied}",
            remark=(
                f"Also moderate under {levels['moderate']:.0%}, elevated under "
                f"{levels['elevated']:.0%}, where underwriting had as much or more."
            ),
            clears_when=(
                f"Occupancy comes within {mildest['OC-1']} of underwriting, and over "
                f"{levels['moderate']:.0%}."
            ),
            source="CREFC servicer watchlist code 4A; levels are house limits.",
        ),
        Rule(
            id="LR-1",
            version=1,
            signal_type="stress_indicator",
            title="Lease rollover",
            reads=("lease_rollover",),
            measure=lambda s: s.features.lease_rollover,
            ladder=ladders["LR-1"],
            because=(
                "{value} of the area is let to the largest tenants by leases that end within 12 "
                "months, {passing} the {limit} limit for {severity}"
            ),
            remark="Of the leases that the source dates.",
            clears_when=f"Leases that end soon cover less than {mildest['LR-1']} of the area.",
            source="CREFC servicer watchlist codes 4C, 4D: tenants of 30% and more that roll.",
        ),
        Rule(
            id="RG-1",
            version=6,
            signal_type="maturity_timing",
            title="Refinance gap",
            reads=(
                *("months_to_maturity", "property_type", "refi_rate", "book_value"),
                *("whole_loan_debt", "balance_at_maturity", "noi"),
            ),
            measure=lambda s: s.features.refinance_gap,
            ladder=ladders["RG-1"],
            of_refinancing=True,
            applies=lambda s: (
                ~(s.features.imputed | (s.features.months_to_maturity > window["all"]))
            ),
            only_if=(
                ("severe", lambda s: _inside(s, "severe")),
                ("critical", _cannot_refinance),
            ),
            because=(
                "New proceeds of {proceeds}, bound by {bound} at a refi rate of {refi_rate}"
                "{fallback}, leave {at_least}{value} of the balance at maturity uncovered, "
                "{short}, {passing} the {gap_limit}; {time_left}{held}"
            ),
            of_income=True,
            whatever_income=lambda s: s.on_value_alone,
            remark=(
                f"Only inside {window['all']} months of effective maturity and after it. Severe "
                f"inside {window['severe']}; critical past maturity, or inside "
                f"{window['critical']} with a gap of {window['critical_gap']:.0%}. {part_year} "
                "Income of before the loan was made carries elevated at most. What the value alone "
                f"leaves uncovered carries all: more income would lend no more. {of_cooperatives}"
            ),
            clears_when=(
                f"Proceeds at the refi rate leave less than {mildest['RG-1']} of the balance at "
                "maturity uncovered."
            ),
            source="Proceeds by DSCR on NCF, debt yield on NOI and LTV; steps are house limits.",
        ),
        Rule(
            id="MT-1",
            version=3,
            signal_type="maturity_timing",
            title="Months to maturity",
            reads=("months_to_maturity", "overdue_balance"),
            measure=lambda s: s.features.months_to_maturity,
            ladder=ladders["MT-1"],
            of_refinancing=True,
            because="{maturing}{due}",
            remark="Counted to the anticipated repayment date where there is one.",
            clears_when=(
                f"The loan is repaid, or extended to more than {mildest['MT-1']} from today."
            ),
            source="12 months: OCC Bulletin 2024-29; past maturity: payment status 4 and 5.",
        ),
        Rule(
            id="RP-1",
            version=5,
            signal_type="rate_pressure",
            title="Rate gap",
            reads=("interest_rate", "property_type", "refi_rate", "months_to_maturity"),
            measure=lambda s: s.features.rate_gap_bp,
            ladder=ladders["RP-1"],
            of_refinancing=True,
            steps_down=lambda s: urgency_steps(s) + evidence_steps(s),
            at_most=("elevated", lambda s: s.features.dscr >= s.features.min_dscr),
            because=(
                "Refi rate {refi_rate} ({reference} + {spread}{tenor}) is {value} above the "
                "{coupon} coupon, {base_passing} the {limit} limit for {graded}{urgency}{evidence}"
            ),
            remark=(
                f"Urgency: in full up to {urgency['full_to_months']} months before effective "
                f"maturity and after it; one step lower up to "
                f"{urgency['one_step_to_months']}, two up to {urgency['two_steps_to_months']}, "
                f"none beyond. Evidence: {evidence['steps_at_minimum']:g} steps lower where the "
                "DSCR at the refi rate meets the minimum of the property type, one higher under "
                f"{evidence['step_up_under']:.2f}x. Elevated at most where the DSCR in place meets "
                "that minimum."
            ),
            clears_when=(
                f"The refi rate of the property type comes within {mildest['RP-1']} of the coupon."
            ),
            source=(
                "A gap over 200 bp near maturity is a published screen; steps are house limits. "
                "Refi rate: Treasury of the loan's tenor (Federal Reserve H.15) + spread by type."
            ),
        ),
        Rule(
            id="CN-1",
            version=2,
            signal_type="concentration_risk",
            title="Share of one sponsor or owner",
            reads=("family_share",),
            measure=lambda s: s.family_share,
            ladder=ladders["CN-1"],
            because=(
                "{head} accounts for {value} of the book value of all loans, {passing} the "
                "{limit} limit for {severity}"
            ),
            remark="Over ownership links that are probable or better.",
            clears_when=f"The family's share of the book falls under {mildest['CN-1']}.",
            source="House limit; single-obligor limits of lenders start at 5% of the book.",
        ),
        Rule(
            id="CT-1",
            version=2,
            signal_type="concentration_risk",
            title="Contagion",
            reads=("sibling_rank",),
            measure=lambda s: s.sibling_rank,
            ladder=ladders["CT-1"],
            of_siblings=True,
            because="Of the other loans under {owner}, {siblings}: graded {severity}",
            remark=(
                "Siblings are the other loans under one resolved sponsor or owner, over links that "
                "are probable or better. Moderate: one severe; elevated: one critical, or two "
                "severe; severe: two critical. A lead: no worst signal counts it."
            ),
            clears_when="The siblings' own signals clear.",
            source="Field practice: trouble of one loan is looked for at its sponsor's others.",
        ),
    )


#: All rules at the packaged limits, and by id.
RULES: Final = rules(Limits.packaged())
RULE_OF: Final = {rule.id: rule for rule in RULES}

"""Terms of a loan: what it pays, how its interest is reckoned, until when."""

from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.schedule_al import HYPER_AMORTISING, INTEREST_ONLY
from services.importers.base import Facts
from services.importers.values import as_float, whole_dollars

#: Where the coupon is taken from; a rate of 0 is not published.
RATES: Final = (
    "post_modification_interest_rate",
    "interest_rate_in_period",
    "interest_rate_at_securitization",
    "original_interest_rate",
)
#: A margin above this is no fraction of 1 but a percent figure.
_LARGEST_FRACTION: Final = Decimal("0.5")


def term_values(facts: Facts) -> dict[str, object]:
    """The columns of LOANS that say how a loan pays."""
    return {
        "interest_rate": as_float(coupon(facts)),
        "origination_date": facts.day("origination_date"),
        "maturity_date": maturity(facts),
        "original_amount": whole_dollars(facts.stated("original_loan_amount")),
        "original_term_months": facts.whole("original_term_months") or None,
        "amortization_months": amortization_months(facts),
        "payment_type": facts.text("payment_type_meaning"),
        "interest_only_months": facts.whole("original_interest_only_months"),
        "accrual_method": facts.text("interest_accrual"),
        "first_payment_date": facts.day("first_payment_due"),
        "monthly_payment": whole_dollars(monthly_payment(facts)),
        "ard_date": facts.day("hyper_amortizing_date"),
        "balloon": facts.flag("balloon"),
        "negative_amortisation": facts.flag("negative_amortization"),
        "rate_type": facts.text("interest_rate_type"),
        "rate_index": facts.text("arm_index"),
        "rate_margin": as_float(margin(facts)),
        "rate_cap": as_float(facts.stated("lifetime_rate_cap")),
        "rate_floor": as_float(facts.stated("lifetime_rate_floor")),
    }


def coupon(facts: Facts) -> Decimal | None:
    """Percent figure; after a modification the modified rate."""
    return next((rate for key in RATES if (rate := facts.stated(key))), None)


def maturity(facts: Facts) -> date | None:
    """After a modification the date it moved to."""
    return facts.day("post_modification_maturity_date") or facts.day("scheduled_maturity_date")


def margin(facts: Facts) -> Decimal | None:
    """Percent figure. Its element is no rate in the schema: filers may write 0.03 or 3."""
    filed = facts.stated("arm_margin_as_filed")
    if filed is None:
        return None
    return filed * 100 if abs(filed) <= _LARGEST_FRACTION else filed


def amortization_months(facts: Facts) -> int | None:
    """Original amortisation term; 0 for a loan that pays interest alone until maturity.

    The interest-only flag tells that only where no payment type is stated: it is also set on loans
    that amortise after some years.
    """
    kind = facts.text("payment_type_meaning")
    if kind == INTEREST_ONLY or (kind is None and facts.flag("interest_only")):
        return 0
    if kind == HYPER_AMORTISING and _interest_alone_throughout(facts):
        return 0
    term = facts.whole("original_amortization_term_months")
    return term if kind is None else term or None


def _interest_alone_throughout(facts: Facts) -> bool:
    """Whether the months of interest alone are all those to the anticipated repayment date."""
    alone = facts.whole("original_interest_only_months")
    term = facts.whole("original_term_months")
    return bool(alone and term and alone >= term)


def monthly_payment(facts: Facts) -> Decimal | None:
    """Principal and interest of a month, as filed; 0 is not stated.

    After a modification the modified payment; where principal is due now, what is due now; else
    the payment at securitisation.
    """
    modified = facts.stated("post_modification_payment")
    if modified and modified > 0:
        return modified
    principal = facts.stated("scheduled_principal")
    due = facts.stated("scheduled_payment_due")
    if due and principal and principal > 0:
        return due
    return facts.stated("periodic_payment_at_securitization")

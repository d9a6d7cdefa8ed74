"""The debt that income and value of a property stand against, where the trust holds one note.

A record may be one note of a larger loan while NOI and value are those of the whole property
(D22). What the record is, its structure code says; how large the whole is, underwriting says.
Income of later years plays no part: it moves and the debt does not. Of an A/B loan underwriting
may speak of the senior notes alone; the debt service that is filed is then the second witness
(D153).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from services.contract.loan_dates import VALUE_STALE_MONTHS
from services.contract.loan_figures import TELLS_FROM
from services.contract.schedule_al import JUNIOR_NOTES, SENIOR_NOTES
from services.signals.amortisation import (
    BoolArray,
    DateArray,
    FloatArray,
    LoanTerms,
    annual_constant,
    day_count_factor,
    debt_service_now,
    interest_only_to_maturity,
    level_payment,
)
from services.signals.loan_columns import BEYOND_ANY_LOAN
from services.signals.maturity import AsOf, months_between

#: What a record is of its loan. UNKNOWN_STRUCTURE: a code that the schema does not have.
WHOLE: Final = 0
PARI_PASSU: Final = 1
SENIOR_PART: Final = 2
JUNIOR_PART: Final = 3
UNKNOWN_STRUCTURE: Final = -1

#: Schedule AL, loan structure: code -> what the record is. A record without a code is whole.
STRUCTURES: Final = {
    "WL": WHOLE,
    "PP": PARI_PASSU,
    **dict.fromkeys(SENIOR_NOTES, SENIOR_PART),
    **dict.fromkeys(JUNIOR_NOTES, JUNIOR_PART),
}


@dataclass(frozen=True, slots=True, eq=False)
class WholeLoanDebt:
    """Aligned to the loans; NaN is missing."""

    #: Dollars on the date of the terms; never less than the record's own balance.
    debt: FloatArray
    #: Of the record's rank and of those before it, dollars; `debt` but for the A notes of a loan
    #: whose junior notes are known.
    rank_debt: FloatArray
    #: Where `debt` was implied by underwriting instead of being the record's balance.
    derived: BoolArray
    #: Where `debt` follows from the debt service that is filed.
    by_service: BoolArray
    #: Debt service filed over what the debt that is known without it pays by the record's terms:
    #: at 1 there is no further debt.
    filed_over_implied: FloatArray
    #: A note that others are paid before: B, C and mezzanine.
    junior: BoolArray
    #: Where debt outside `debt` is known to exist: LTV is then "at least", coverage and debt yield
    #: "at most".
    at_least: BoolArray


def underwriting_constant(terms: LoanTerms) -> FloatArray:
    """Underwritten annual debt service per dollar lent.

    That of the amortising payment wherever the loan amortises before maturity, also when it is
    still interest only; else a year's interest by day count. So the offering documents define the
    underwritten DSCR: of 49 whole loans of one trust and 29 of another it gives back each amount
    lent within the rounding of a DSCR of two decimals (0.4 % at most).
    """
    lent = np.where(np.isnan(terms.original_amount), terms.balance, terms.original_amount)
    with np.errstate(all="ignore"):
        amortising = 12 * level_payment(terms) / lent
    interest = annual_constant(terms.coupon, np.zeros(terms.coupon.shape))
    interest = interest * day_count_factor(terms.accrual)
    return np.where(interest_only_to_maturity(terms), interest, amortising)


def whole_loan_debt(
    terms: LoanTerms,
    structure: FloatArray,
    underwritten_ncf: FloatArray,
    underwritten_dscr: FloatArray,
    filed_service: FloatArray,
) -> WholeLoanDebt:
    """Debt of the whole loan on `terms.as_of`.

    `structure` holds the codes above; `underwritten_ncf` (dollars) and `underwritten_dscr` are
    those of securitisation, both of NCF, or both of NOI; `filed_service` is the debt service of
    the latest statement, dollars a year. WHOLE: the record's own balance, whatever the figures say.
    PARI_PASSU: underwritten NCF / DSCR / constant is what was lent on the whole loan, and falls as
    the record's own balance falls; NaN where underwriting is missing. SENIOR_PART and JUNIOR_PART:
    the same, or the record's balance where underwriting is missing; both are a lower bound, unless
    the filed service over the record's own implies a tenth more or above: that is then the debt.
    A record of unknown structure: NaN.
    """
    lent = np.where(np.isnan(terms.original_amount), terms.balance, terms.original_amount)
    stated = (underwritten_ncf > 0) & (underwritten_dscr > 0)
    own_service = debt_service_now(terms)
    with np.errstate(all="ignore"):
        service = np.where(stated, underwritten_ncf / underwritten_dscr, np.nan)
        implied = service / underwriting_constant(terms) * (terms.balance / lent)
        told = terms.balance * filed_service / np.where(own_service > 0, own_service, np.nan)
    implied, told = (np.where(one < BEYOND_ANY_LOAN, one, np.nan) for one in (implied, told))
    implied = np.where(
        np.isnan(terms.balance), np.nan, np.fmax(implied, terms.balance + 0 * implied)
    )
    junior = structure == JUNIOR_PART
    part = junior | (structure == SENIOR_PART)
    known = np.select(
        [structure == WHOLE, structure == PARI_PASSU, part],
        [terms.balance, implied, np.where(np.isnan(implied), terms.balance, implied)],
        default=np.nan,
    )
    by_service = part & (told >= TELLS_FROM * known)
    debt = np.where(by_service, told, known)
    return WholeLoanDebt(
        debt=debt,
        rank_debt=np.where(by_service & ~junior, known, debt),
        derived=(part | (structure == PARI_PASSU)) & ~np.isnan(implied) & ~by_service,
        by_service=by_service,
        filed_over_implied=told / np.where(known > 0, known, np.nan),
        junior=junior,
        at_least=part & ~by_service & (debt > 0),
    )


def debt_at_maturity(
    whole_debt: FloatArray, balance: FloatArray, balance_at_maturity: FloatArray
) -> FloatArray:
    """The whole loan's balance at maturity: notes of one loan amortise alike, pro rata."""
    with np.errstate(all="ignore"):
        at_maturity = whole_debt * balance_at_maturity / np.where(balance > 0, balance, np.nan)
    return np.where(balance == 0, 0.0, at_maturity)


def loan_to_value(whole_debt: FloatArray, value: FloatArray) -> FloatArray:
    """Debt / appraised value, fraction; "at least" where the debt is a lower bound.

    NaN for a value not above zero. The appraisal's date is shown beside it.
    """
    return whole_debt / np.where(value > 0, value, np.nan)


def debt_yield(noi: FloatArray, whole_debt: FloatArray) -> FloatArray:
    """Annual NOI / debt, percent figure; "at most" where the debt is a lower bound.

    NaN for a debt not above zero. Negative for negative income, where a lower bound of the debt
    tells nothing more.
    """
    return 100 * noi / np.where(whole_debt > 0, whole_debt, np.nan)


def appraisal_is_stale(as_of: AsOf, appraised: DateArray) -> BoolArray:
    """Where the appraisal is more than 24 months older than `as_of`; False without a date."""
    stale: BoolArray = months_between(as_of, appraised) < -VALUE_STALE_MONTHS
    return stale

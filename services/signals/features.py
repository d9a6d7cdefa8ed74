"""What the rules read of each loan, as arrays in the order of the loans table; NaN is missing.

Every figure stands at the as-of date (D26). services/signals/README.md says how each is computed,
with a worked number.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from services.contract.schedule_al import FULL_DEFEASANCE, PROPERTY_TYPES
from services.rates.reference import ReferenceRates, RefiBases
from services.rates.spreads import Sizings
from services.signals import refinancing
from services.signals.amortisation import (
    BoolArray,
    DateArray,
    FloatArray,
    LoanTerms,
    balance_at_maturity,
    day_count_factor,
    debt_service_now,
    pays_interest_only,
    self_amortising,
)
from services.signals.book_rules import Families, families
from services.signals.effective_maturity import effective_maturity
from services.signals.limits import Limits
from services.signals.maturity import months_between
from services.signals.whole_loan_debt import (
    PARI_PASSU,
    SENIOR_PART,
    STRUCTURES,
    UNKNOWN_STRUCTURE,
    WHOLE,
    WholeLoanDebt,
    debt_at_maturity,
    debt_yield,
    loan_to_value,
    whole_loan_debt,
)

#: From a quadrillion on a figure is a slip, not a loan.
BEYOND_ANY_LOAN: Final = 1e15
#: Ratios keep nine decimals, so that a figure on a limit does not miss it by rounding noise.
_DECIMALS: Final = 9
#: Canonical property types; a row's type is its index here, -1 where it is missing.
TYPE_WORDS: Final = tuple(PROPERTY_TYPES.values())
_MONTHS_A_YEAR: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Aligned to the rows of the loans table; dollars and percent figures as LOANS has them."""

    #: Dollars; 0 is a loan that has been paid off.
    book_value: FloatArray
    #: Coupon, percent figure above zero.
    interest_rate: FloatArray
    #: Index into TYPE_WORDS (words without an entry are "other"); -1 is missing.
    type_index: NDArray[np.int64]
    #: The same, NaN where missing: what rules name as an input.
    property_type: FloatArray
    #: What lenders ask of each loan's type; NaN without a type.
    min_dscr: FloatArray
    min_debt_yield: FloatArray
    amortisation_months: FloatArray
    #: The anticipated repayment date where there is one, else the maturity date.
    effective_maturity: DateArray
    #: Calendar months from the as-of date to it, negative past it.
    months_to_maturity: FloatArray
    #: Dollars still owed past effective maturity, 0 before it; NaN past it without a book value.
    overdue_balance: FloatArray
    #: Every property defeased in full: Treasuries pay the loan.
    defeased: BoolArray
    #: The schedule repays it in full: nothing is left to refinance.
    repays_itself: BoolArray
    in_special_servicing: BoolArray
    #: The Treasury of each loan's tenor.
    reference: RefiBases
    #: Reference + spread of the type, percent figure.
    refi_rate: FloatArray
    #: Refi rate less coupon, basis points.
    rate_gap_bp: FloatArray
    #: In place: of the latest filed period, else as underwritten; which, `income_basis` says.
    noi: FloatArray
    dscr: FloatArray
    #: What coverage is reckoned with: net cash flow, or NOI where none is stated.
    income: FloatArray
    #: Fraction by which NOI of a filed period lies below the underwritten one.
    noi_fall: FloatArray
    #: Fraction of the area, today, and how many points lower than underwritten.
    occupancy: FloatArray
    underwritten_occupancy: FloatArray
    occupancy_fall: FloatArray
    #: Fraction of the area under the leases of the three largest tenants that end within 12 months.
    lease_rollover: FloatArray
    #: Appraised value, dollars above zero.
    value: FloatArray
    #: The debt that income and value stand against.
    whole: WholeLoanDebt
    #: Whether the record is one note, or the senior part, of a larger loan.
    partial_note: BoolArray
    whole_loan_debt: FloatArray
    #: Whole-loan debt / value, fraction; "at least" where `whole.senior_part_only`.
    ltv: FloatArray
    #: NOI / whole-loan debt, percent figure; "at most" where `whole.senior_part_only`.
    debt_yield: FloatArray
    #: A year of what the loan pays now, dollars.
    own_debt_service: FloatArray
    #: Where the next payment is interest alone: which convention of refinance figures is graded.
    interest_only: BoolArray
    #: Of the record, dollars.
    balance_at_maturity: FloatArray
    #: Of the whole loan at the refi rate, in the graded convention, dollars.
    refi_debt_service: FloatArray
    #: Income in place / refi debt service.
    proforma_dscr: FloatArray
    #: Rise of the debt service of the record, fraction.
    payment_shock: FloatArray
    #: What a new lender would lend on the whole loan, dollars, and what binds it.
    max_proceeds: refinancing.MaxProceeds
    #: (Balance at maturity - max proceeds) / balance at maturity, fraction.
    refinance_gap: FloatArray
    #: The record's part of the gap, dollars; 0 where there is none.
    dollars_short: FloatArray
    #: 0 where a payment status, or a workout that ranks without one, is stated.
    payment_status: FloatArray
    #: Rank in SEVERITIES of the worst of payment status, workout, modification and special
    #: servicing; NaN for codes without one.
    status_rank: FloatArray
    #: Loans under one sponsor or owner.
    families: Families

    @property
    def paid_off(self) -> BoolArray:
        """Loans without a balance: no rule applies to them."""
        nothing_owed: BoolArray = self.book_value == 0
        return nothing_owed

    @property
    def sponsor_share(self) -> FloatArray:
        """Of its largest sponsor or owner in the book value of all loans, fraction."""
        return self.families.share

    def of_type(self, by_type: Mapping[str, float], otherwise: float) -> FloatArray:
        """A figure of each loan's property type."""
        figures = [by_type.get(word, otherwise) for word in TYPE_WORDS]
        return np.array([*figures, otherwise])[self.type_index]


@np.errstate(all="ignore")  # figures that no loan has overflow; `_rounded` drops them
def features(
    tables: Mapping[str, pa.Table],
    as_of: date,
    rates: ReferenceRates,
    sizings: Sizings,
    limits: Limits,
) -> Features:
    """Features of `tables["loans"]` (schemas of contract/portfolio.py) as of a date (D26).

    Values that no loan has are missing: a coupon or value not above zero, a negative balance, a
    figure of a quadrillion or more.
    """
    loans = tables["loans"]
    column = _Columns(loans)
    book = column.figures("book_value", at_least=0)
    types = column.coded("property_type", {word: i for i, word in enumerate(TYPE_WORDS)}, "other")
    type_index = np.where(np.isnan(types), -1, types).astype(np.int64)
    asked = {
        name: np.array([*(getattr(sizings.of(word), name) for word in TYPE_WORDS), np.nan])
        for name in ("spread_bp", "min_dscr", "min_debt_yield_pct", "max_ltv", "amortisation_years")
    }
    months = asked["amortisation_years"][type_index] * _MONTHS_A_YEAR
    due = effective_maturity(column.days("maturity_date"), column.days("ard_date"))
    terms = _terms(column, as_of, book, due)
    balloon = column.flags("balloon")
    reference = rates.refi_bases(column.figures("original_term_months"), as_of)
    refi = _rounded(reference.percent() + asked["spread_bp"][type_index] / 100)
    refi = np.where(refi > 0, refi, np.nan)
    noi, ncf = column.figures("noi"), column.figures("ncf")
    cash = np.where(np.isnan(ncf) | column.begins("income_basis", "NOI"), noi, ncf)
    cash = np.where(np.isnan(cash), ncf, cash)
    value = column.figures("value", above=0)
    structure = _structure(column)
    whole = _whole_loan(column, terms, structure)
    at_maturity = balance_at_maturity(terms, balloon)
    whole_at_maturity = debt_at_maturity(whole.debt, book, at_maturity)
    constants = refinancing.refi_constants(refi, months, day_count_factor(terms.accrual))
    alone = pays_interest_only(terms)
    service = refinancing.refi_debt_service(whole_at_maturity, constants).graded(alone)
    proceeds = refinancing.max_proceeds(
        noi,
        constant=constants.amortising,
        min_dscr=asked["min_dscr"][type_index],
        min_debt_yield=asked["min_debt_yield_pct"][type_index],
        max_ltv=asked["max_ltv"][type_index],
        value=value,
    )
    gap = _rounded(refinancing.refinance_gap(whole_at_maturity, proceeds.amount))
    own = debt_service_now(terms)
    shock = refinancing.payment_shock(at_maturity * constants.graded(alone), own)
    to_maturity = months_between(as_of, due)
    filed = ~np.isnat(column.days("income_to"))
    underwritten = column.figures("underwritten_noi", above=0)
    then, now = column.figures("underwritten_occupancy"), column.figures("occupancy")
    payment, rank, special = _status(column, limits)
    return Features(
        book_value=book,
        interest_rate=terms.coupon,
        type_index=type_index,
        property_type=types,
        min_dscr=asked["min_dscr"][type_index],
        min_debt_yield=asked["min_debt_yield_pct"][type_index],
        amortisation_months=months,
        effective_maturity=due,
        months_to_maturity=to_maturity,
        overdue_balance=np.where(to_maturity < 0, book, 0.0),
        defeased=column.coded("defeasance", {FULL_DEFEASANCE: 1.0}) == 1,
        repays_itself=self_amortising(terms.payment_type, balloon),
        in_special_servicing=special,
        reference=reference,
        refi_rate=refi,
        rate_gap_bp=_rounded((refi - terms.coupon) * 100),
        noi=noi,
        dscr=column.figures("dscr"),
        income=cash,
        noi_fall=_rounded(np.where(filed, 1 - noi / underwritten, np.nan)),
        occupancy=now,
        underwritten_occupancy=then,
        occupancy_fall=_rounded(then - now),
        lease_rollover=_rounded(_lease_rollover(tables.get("leases"), column, as_of)),
        value=value,
        whole=whole,
        partial_note=np.isin(structure, (PARI_PASSU, SENIOR_PART)),
        whole_loan_debt=whole.debt,
        ltv=_rounded(loan_to_value(whole.debt, value)),
        debt_yield=_rounded(debt_yield(noi, whole.debt)),
        own_debt_service=own,
        interest_only=alone,
        balance_at_maturity=at_maturity,
        refi_debt_service=service,
        proforma_dscr=_rounded(refinancing.proforma_dscr(cash, service)),
        payment_shock=_rounded(shock),
        max_proceeds=proceeds,
        refinance_gap=gap,
        dollars_short=np.where(at_maturity == 0, 0.0, np.round(np.maximum(gap, 0) * at_maturity)),
        payment_status=payment,
        status_rank=rank,
        families=families(tables, book),
    )


class _Columns:
    """Columns of the loans as arrays."""

    def __init__(self, loans: pa.Table) -> None:
        self._loans = loans

    def figures(
        self, name: str, *, above: float = -np.inf, at_least: float = -np.inf
    ) -> FloatArray:
        """A numeric column; NaN for null, for what is out of range and what no loan reaches."""
        array: FloatArray = pc.cast(self._loans[name], pa.float64(), safe=False).to_numpy()
        usable = (np.abs(array) < BEYOND_ANY_LOAN) & (array > above) & (array >= at_least)
        return np.where(usable, array, np.nan)

    def days(self, name: str) -> DateArray:
        """A date column as datetime64[D]; null is NaT."""
        days: DateArray = self._loans[name].to_numpy()
        return days.astype("datetime64[D]")

    def flags(self, name: str) -> FloatArray:
        """A flag as 1 and 0; NaN for null."""
        flags: FloatArray = pc.cast(self._loans[name], pa.float64()).to_numpy()
        return flags

    def coded(
        self, name: str, codes: Mapping[str, float], unknown: str | float = np.nan
    ) -> FloatArray:
        """A word column as the number that `codes` gives it, whatever its case; NaN for null and
        blank. Other words take `unknown`: a number, or the word whose number they take.
        """
        folded = {word.lower(): number for word, number in codes.items()}
        other = folded[unknown] if isinstance(unknown, str) else unknown
        encoded = self._loans[name].combine_chunks().dictionary_encode()
        words = (str(word).strip().lower() for word in encoded.dictionary.to_pylist())
        numbers = [folded.get(word, other) if word else np.nan for word in words]
        rows = encoded.indices.fill_null(len(numbers)).to_numpy()
        coded: FloatArray = np.array([*numbers, np.nan], dtype=np.float64)[rows]
        return coded

    def begins(self, name: str, word: str) -> BoolArray:
        """Where a text column begins with the word."""
        found = pc.starts_with(self._loans[name], word).fill_null(fill_value=False)
        begins: BoolArray = found.to_numpy()
        return begins


def _terms(column: _Columns, as_of: date, book: FloatArray, due: DateArray) -> LoanTerms:
    codes = {str(code): float(code) for code in range(10)}
    return LoanTerms(
        as_of,
        balance=book,
        original_amount=column.figures("original_amount", above=0),
        coupon=column.figures("interest_rate", above=0),
        payment_type=column.coded("payment_type", codes),
        accrual=column.coded("accrual_method", codes),
        amortisation_months=column.figures("amortization_months", at_least=0),
        interest_only_months=column.figures("interest_only_months", at_least=0),
        first_payment=column.days("first_payment_date"),
        maturity=due,
        filed_payment=column.figures("monthly_payment", above=0),
    )


def _structure(column: _Columns) -> FloatArray:
    """What each record is of its loan; without a code it is the whole."""
    codes = {code: float(kind) for code, kind in STRUCTURES.items()}
    structure = column.coded("structure", codes, float(UNKNOWN_STRUCTURE))
    return np.where(np.isnan(structure), WHOLE, structure)


def _whole_loan(column: _Columns, terms: LoanTerms, structure: FloatArray) -> WholeLoanDebt:
    ncf = column.figures("underwritten_ncf")
    return whole_loan_debt(
        terms,
        structure,
        np.where(np.isnan(ncf), column.figures("underwritten_noi"), ncf),
        column.figures("underwritten_dscr"),
    )


def _status(column: _Columns, limits: Limits) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Whether a status is stated (0, else NaN), its worst rank, and who is in special servicing."""
    payment = column.coded("payment_status", limits.payment_ranks, unknown=np.inf)
    workout = column.coded("workout", limits.workout_ranks)
    modified = column.coded("modification", limits.modification_ranks)
    since, until = column.days("special_servicing_since"), column.days("special_servicing_returned")
    special: BoolArray = ~np.isnat(since) & ~(until >= since)
    ranks = np.fmax(np.where(np.isinf(payment), np.nan, payment), workout)
    ranks = np.fmax(ranks, modified)
    ranks = np.fmax(ranks, np.where(special, limits.special_servicing_rank, np.nan))
    unstated = np.isnan(payment) & np.isnan(ranks)
    return np.where(unstated, np.nan, 0.0), ranks, special


def _lease_rollover(leases: pa.Table | None, column: _Columns, as_of: date) -> FloatArray:
    """Fraction of the area; NaN without the area, or a lease that states its area and its end."""
    area = column.figures("rentable_area", above=0)
    rolling, dated = np.zeros((2, len(area)))
    if leases is not None and leases.num_rows:
        rows = leases["loan"].to_numpy()
        ends = leases["expires"].to_numpy().astype("datetime64[D]")
        feet = pc.cast(leases["square_feet"], pa.float64()).to_numpy()
        known = ~np.isnat(ends) & (feet >= 0)
        months = months_between(as_of, ends)
        soon = known & (months >= 0) & (months <= _MONTHS_A_YEAR)
        np.add.at(dated, rows[known], 1)
        np.add.at(rolling, rows[soon], feet[soon])
    return np.where(dated > 0, np.minimum(rolling / area, 1.0), np.nan)


def _rounded(array: FloatArray) -> FloatArray:
    return np.where(np.isfinite(array), np.round(array, _DECIMALS), np.nan)

"""The features that rates, income and value move, and what they are made of.

`features.py` makes them of a book; `rescoring.py` makes them again of a scenario, from the same
inputs and by the same code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.schedule_al import COOPERATIVE, PROPERTY_TYPES
from services.rates.reference import RefiBases
from services.rates.spreads import Sizings
from services.signals import refinancing
from services.signals.amortisation import BoolArray, FloatArray
from services.signals.debt_due import DebtDue, debt_due
from services.signals.whole_loan_debt import debt_yield, loan_to_value

#: Canonical property types; a row's type is its index here, -1 where it is missing.
TYPE_WORDS: Final = tuple(PROPERTY_TYPES.values())
_COOPERATIVE: Final = TYPE_WORDS.index(COOPERATIVE)
#: Ratios keep nine decimals, so that a figure on a limit does not miss it by rounding noise.
_DECIMALS: Final = 9
_MONTHS_A_YEAR: Final = 12
_ASKED: Final = ("min_dscr", "min_debt_yield_pct", "max_ltv", "amortisation_years")


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What the moving features of each loan are made of; NaN is missing."""

    #: Dollars; 0 is a loan that has ended, however it did.
    book_value: FloatArray
    #: Coupon, percent figure above zero.
    interest_rate: FloatArray
    #: Whether it floats; then index and margin before floor and caps, and what holds them
    #: (floating_rate.py), percent figures, NaN where there is none.
    floats: BoolArray
    rate_at_index: FloatArray
    rate_floor: FloatArray
    rate_cap: FloatArray
    rate_own_cap: FloatArray
    #: Index into TYPE_WORDS (words without an entry are "other"); -1 is missing.
    type_index: NDArray[np.integer]
    #: Calendar months from the loan's as-of date to effective maturity, negative past it.
    months_to_maturity: FloatArray
    #: Every property defeased in full: Treasuries pay the loan.
    defeased: BoolArray
    #: The schedule repays it in full: nothing is left to refinance.
    repays_itself: BoolArray
    #: Where the next payment is interest alone: which convention of refinance figures is graded.
    interest_only: BoolArray
    #: Interest of a year by the loan's day count over rate x balance.
    day_count: FloatArray
    #: Of the record, dollars.
    balance_at_maturity: FloatArray
    #: Of the loan that the record is of, and of that up to the record's rank, dollars.
    whole_loan_debt: FloatArray
    rank_debt: FloatArray
    #: A note that others are paid before.
    junior: BoolArray
    #: Mezzanine debt behind the loan, dollars; 0 where there is none.
    debt_behind: FloatArray
    #: What was advanced on the whole loan over its debt, where LTV is of exposure, dollars; else 0.
    advanced: FloatArray
    #: Taken over by the trust: nobody refinances it.
    reo: BoolArray
    #: What NOI and DSCR of a filed period since the loan was made are compared with; NaN without
    #: one, and for a DSCR where one of the two is on NOI and the other on NCF.
    underwritten_noi: FloatArray
    underwritten_dscr: FloatArray
    #: Index in SEVERITIES of the worst that the length of the income's period carries.
    worst_by_income: FloatArray
    #: In place: of the latest filed period, else as underwritten; which, `income_basis` says. DSCR
    #: is NaN where that period ended before the loan was made.
    noi: FloatArray
    #: What coverage is reckoned with: net cash flow, or NOI where none is stated.
    income: FloatArray
    dscr: FloatArray
    #: Appraised value, dollars above zero.
    value: FloatArray

    @property
    def paid_off(self) -> BoolArray:
        """Loans without a balance, liquidated ones too: no rule applies to them."""
        nothing_owed: BoolArray = self.book_value == 0
        return nothing_owed

    @property
    def settled(self) -> BoolArray:
        """Loans that no rule is about and no scenario moves: ended, or defeased in full."""
        return self.paid_off | self.defeased

    @property
    def pays_from_property(self) -> BoolArray:
        """Loans that owe, and that neither Treasuries pay nor a trust that took the property."""
        elsewhere: BoolArray = self.settled | self.reo
        return ~elsewhere

    @property
    def must_refinance(self) -> BoolArray:
        """Loans that owe a balance which somebody has to refinance: the only ones that maturities
        and dollars short are about.
        """
        left: BoolArray = self.pays_from_property & ~self.repays_itself
        return left

    @property
    def imputed(self) -> BoolArray:
        """Cooperatives, whose income is the rent that their homes would bring."""
        found: BoolArray = self.type_index == _COOPERATIVE
        return found

    def of_type(self, by_type: Mapping[str, float], otherwise: float) -> FloatArray:
        """A figure of each loan's property type; one for all where types do not differ."""
        if not by_type:
            return np.array(otherwise)
        figures = [by_type.get(word, otherwise) for word in TYPE_WORDS]
        of_each: FloatArray = np.array([*figures, otherwise])[self.type_index]
        return of_each


@dataclass(frozen=True, slots=True, eq=False)
class MovingFeatures(Inputs):
    """What rules read that rates, income or value move."""

    #: Index of the property type, NaN where missing: what rules name as an input.
    property_type: FloatArray
    #: What lenders ask of each loan's type; NaN without a type.
    min_dscr: FloatArray
    min_debt_yield: FloatArray
    amortisation_months: FloatArray
    #: The Treasury of each loan's tenor.
    reference: RefiBases
    #: Reference + spread of the type, percent figure.
    refi_rate: FloatArray
    #: Refi rate less coupon, basis points.
    rate_gap_bp: FloatArray
    #: Fraction by which NOI or DSCR of a filed period lies below underwriting, the worse of both.
    income_fall: FloatArray
    #: What must be repaid with the loan, all ranks.
    due: DebtDue
    #: Debt due / value, fraction; "at least" where more is due than is known.
    ltv: FloatArray
    #: NOI / whole-loan debt, percent figure: what lenders ask of a loan itself, whatever stands
    #: behind it; "at most" where more is due than is known.
    debt_yield: FloatArray
    #: A year's debt service per dollar of a new loan, in the graded convention.
    refi_constant: FloatArray
    #: Of all debt due at the refi rate, in the graded convention, dollars.
    refi_debt_service: FloatArray
    #: Income in place / refi debt service.
    proforma_dscr: FloatArray
    #: What a new lender would lend on the whole loan, dollars, and what binds it; NaN of a
    #: cooperative, as the gap is: no lender sizes a loan on a rent that is not paid.
    max_proceeds: refinancing.MaxProceeds
    #: (Balance at maturity - max proceeds) / balance at maturity, fraction.
    refinance_gap: FloatArray
    #: The same of what is lent on the value alone; NaN without income above 0.
    gap_on_value: FloatArray
    #: The gap on the record and the debt behind it, dollars; 0 where there is none, NaN where
    #: nobody refinances it.
    dollars_short: FloatArray
    #: On the record alone: ranks before it are repaid first.
    own_dollars_short: FloatArray


@np.errstate(all="ignore")  # figures that no loan has overflow; `rounded` drops them
def moving_features(of: Inputs, reference: RefiBases, sizings: Sizings) -> MovingFeatures:
    """Refinance figures, leverage and debt yield of each loan; `reference` is each loan's Treasury,
    over which the spreads of its date are taken.

    services/signals/README.md says how each is computed, with a worked number.
    """
    kind = of.type_index
    asked = {
        name: np.array([*(getattr(sizings.of(word), name) for word in TYPE_WORDS), np.nan])
        for name in _ASKED
    }
    months = asked["amortisation_years"] * _MONTHS_A_YEAR
    # Refi rate and constant are those of a Treasury and a property type: there are few of both.
    each = _each_pair(reference, sizings)
    constants = refinancing.refi_constants(each, np.broadcast_to(months, each.shape))
    refi, alone, amortising = (
        table[reference.code, kind]
        for table in (each, constants.interest_only, constants.amortising)
    )
    alone = alone * of.day_count
    constant = refinancing.ByConvention(alone, amortising).graded(of.interest_only)
    due = debt_due(
        balance=of.book_value,
        balance_at_maturity=of.balance_at_maturity,
        whole_loan_debt=of.whole_loan_debt,
        rank_debt=of.rank_debt,
        junior=of.junior,
        behind=of.debt_behind,
        advanced=of.advanced,
    )
    service = due.at_maturity * constant
    proceeds = refinancing.max_proceeds(
        np.where(of.imputed, np.nan, of.noi),
        of.income,
        constant=amortising,
        min_dscr=asked["min_dscr"][kind],
        min_debt_yield=asked["min_debt_yield_pct"][kind],
        max_ltv=asked["max_ltv"][kind],
        value=of.value,
    )
    return MovingFeatures(
        **{one.name: getattr(of, one.name) for one in fields(Inputs)},
        property_type=np.where(kind < 0, np.nan, kind),
        min_dscr=asked["min_dscr"][kind],
        min_debt_yield=asked["min_debt_yield_pct"][kind],
        amortisation_months=months[kind],
        reference=reference,
        refi_rate=refi,
        rate_gap_bp=rounded((refi - of.interest_rate) * 100),
        income_fall=rounded(
            np.fmax(1 - of.noi / of.underwritten_noi, 1 - of.dscr / of.underwritten_dscr)
        ),
        due=due,
        ltv=rounded(loan_to_value(due.today, of.value)),
        debt_yield=rounded(debt_yield(of.noi, of.whole_loan_debt)),
        refi_constant=constant,
        refi_debt_service=service,
        proforma_dscr=rounded(refinancing.proforma_dscr(of.income, service)),
        max_proceeds=proceeds,
        refinance_gap=rounded(refinancing.refinance_gap(due.at_maturity, proceeds.amount)),
        gap_on_value=rounded(
            refinancing.refinance_gap(
                due.at_maturity, np.where(of.noi > 0, proceeds.by_ltv, np.nan)
            )
        ),
        dollars_short=np.where(of.must_refinance, np.round(due.short(proceeds.amount)), np.nan),
        own_dollars_short=np.where(
            of.must_refinance, np.round(due.own_short(proceeds.amount)), np.nan
        ),
    )


def _each_pair(reference: RefiBases, sizings: Sizings) -> FloatArray:
    """Refi rates by quote and property type, percent figures; NaN where none is above zero.

    The last row is of loans without a quote, the last column of loans without a type.
    """
    refi = np.full((len(reference.quotes) + 1, len(TYPE_WORDS) + 1), np.nan)
    for at, (quote, day) in enumerate(zip(reference.quotes, reference.as_of, strict=True)):
        then = sizings.on(day)
        spread_bp = np.array([then.of(word).spread_bp for word in TYPE_WORDS])
        refi[at, :-1] = rounded(quote.percent + spread_bp / 100)
    return np.where(refi > 0, refi, np.nan)


def rounded(array: FloatArray) -> FloatArray:
    """To nine decimals; what is not finite is missing."""
    return np.where(np.isfinite(array), np.round(array, _DECIMALS), np.nan)

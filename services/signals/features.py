"""What the rules read of each loan, as arrays in the order of the loans table; NaN is missing.

Every figure stands at the as-of date of its loan (D211). services/signals/README.md says how each
is computed, with a worked number.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.loan_figures import TELLS_FROM
from services.contract.schedule_al import (
    DELINQUENT,
    EXTENDING,
    FULL_DEFEASANCE,
    REO,
    SEASONAL,
)
from services.rates.reference import ReferenceRates
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
from services.signals.debt_due import behind_loans
from services.signals.effective_maturity import effective_maturity, extended_on
from services.signals.ended import without_ended
from services.signals.floating_rate import floating
from services.signals.income_periods import (
    before_loan,
    markup,
    period_days,
    period_months,
    room_to_fall,
    worst_carried,
)
from services.signals.limits import Limits
from services.signals.loan_columns import LoanColumns
from services.signals.maturity import AsOf, months_between
from services.signals.notes import Notes, notes_of
from services.signals.refinance_features import (
    TYPE_WORDS,
    Inputs,
    MovingFeatures,
    moving_features,
    rounded,
)
from services.signals.servicing import CHANGES, in_special_servicing, recent
from services.signals.trust_exposure import (
    Advanced,
    TrustExposure,
    months_unpaid,
    trust_exposure,
)
from services.signals.whole_loan_debt import (
    STRUCTURES,
    UNKNOWN_STRUCTURE,
    WHOLE,
    WholeLoanDebt,
    whole_loan_debt,
)

_MONTHS_A_YEAR: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class Features(MovingFeatures):
    """Aligned to the rows of the loans table; dollars and percent figures as LOANS has them."""

    #: The date at which the loan is scored.
    as_of: DateArray
    #: The anticipated repayment date where there is one, else the maturity date.
    effective_maturity: DateArray
    #: Dollars still owed past effective maturity, 0 before it; NaN past it without a book value.
    overdue_balance: FloatArray
    in_special_servicing: BoolArray
    #: Whether coverage is reckoned with NOI, for want of NCF; length of the filed period, months.
    income_is_noi: BoolArray
    income_months: FloatArray
    #: Whether that period ended before the loan was made; then by how much underwriting is over its
    #: NOI, fraction.
    income_before: BoolArray
    underwritten_markup: FloatArray
    #: Part of NOI that can be lost before DSCR in place is 1.00x, reserves as they are; negative
    #: below it.
    noi_room: FloatArray
    #: Fraction of the area, today, and how many points lower than underwritten.
    occupancy: FloatArray
    underwritten_occupancy: FloatArray
    occupancy_fall: FloatArray
    #: Fraction of the area under the leases of the three largest tenants that end within 12 months.
    lease_rollover: FloatArray
    #: The debt that income and value stand against.
    whole: WholeLoanDebt
    #: Whether the record is a note of a larger loan.
    partial_note: BoolArray
    #: Whether more is due with the loan than `debt_due` knows: LTV and gap are "at least".
    debt_at_least: BoolArray
    #: What the trust has out on the loan, and whole months since the last full payment.
    exposure: TrustExposure
    months_unpaid: FloatArray
    #: A year of what the loan pays now, dollars.
    own_debt_service: FloatArray
    #: Payment shock of the record, fraction.
    payment_shock: FloatArray
    #: 0 where a payment status, or a workout that ranks without one, is stated.
    payment_status: FloatArray
    #: Rank in SEVERITIES of the worst of payment status, workout, modification and special
    #: servicing; NaN for codes without one.
    status_rank: FloatArray
    #: Loans under one sponsor or owner.
    families: Families
    #: Records of one loan.
    notes: Notes


@np.errstate(all="ignore")  # figures that no loan has overflow; `rounded` drops them
def features(
    tables: Mapping[str, pa.Table],
    as_of: AsOf,
    rates: ReferenceRates,
    sizings: Sizings,
    limits: Limits,
) -> Features:
    """Features of `tables["loans"]` (schemas of contract/portfolio.py), each loan at its date.

    Values that no loan has are missing: a coupon or value not above zero, a negative balance, a
    figure of a quadrillion or more. Of a loan that has ended nothing is known but that it owes
    nothing.
    """
    loans = without_ended(tables["loans"])
    each_day = np.broadcast_to(np.asarray(as_of, "datetime64[D]"), loans.num_rows)
    column = LoanColumns(loans)
    book = column.figures("book_value", at_least=0)
    types = column.coded("property_type", {word: i for i, word in enumerate(TYPE_WORDS)}, "other")
    extends = column.coded("modification", dict.fromkeys(EXTENDING, 1.0)) == 1
    due = effective_maturity(
        column.days("maturity_date"),
        column.days("ard_date"),
        extended_on(extends, column.days("modified_on")),
    )
    loan = _terms(column, as_of, book, due)
    balloon = column.flags("balloon")
    to_maturity = months_between(as_of, due)
    structure = _structure(column)
    whole = _whole_loan(column, loan, structure)
    behind = behind_loans(tables.get("layers"), loans.num_rows)
    filed_to = column.days("income_to")
    before = before_loan(filed_to, column.days("origination_date"))
    since = ~np.isnat(filed_to) & ~before
    underwritten = column.figures("underwritten_noi", above=0)
    noi, income, on_noi = _income(column)
    months = _income_months(column)
    payment, rank, special = _status(column, as_of, limits)
    late = column.coded("payment_status", dict.fromkeys(DELINQUENT, 1.0)) == 1
    reo = column.coded("workout", {REO: 1.0}) == 1
    value = column.figures("value", above=0)
    advanced = Advanced.of(lambda name: column.figures(name, at_least=0))
    defeased = column.coded("defeasance", {FULL_DEFEASANCE: 1.0}) == 1
    rate = floating(column, loan.coupon, each_day, rates)
    exposure = trust_exposure(
        advanced, whole, book, value, late=late, special=special, reo=reo, defeased=defeased
    )
    inputs = Inputs(
        book_value=book,
        interest_rate=loan.coupon,
        floats=rate.floats,
        rate_at_index=rate.at_index,
        rate_floor=rate.floor,
        rate_cap=rate.cap,
        rate_own_cap=rate.own_cap,
        type_index=np.where(np.isnan(types), -1, types).astype(np.int64),
        months_to_maturity=to_maturity,
        defeased=defeased,
        repays_itself=self_amortising(loan.payment_type, balloon),
        interest_only=pays_interest_only(loan),
        day_count=day_count_factor(loan.accrual),
        balance_at_maturity=balance_at_maturity(loan, balloon),
        whole_loan_debt=whole.debt,
        rank_debt=whole.rank_debt,
        junior=whole.junior,
        debt_behind=behind.amount,
        advanced=exposure.over_debt,
        reo=reo,
        underwritten_noi=np.where(since, underwritten, np.nan),
        underwritten_dscr=np.where(
            since, _underwritten_dscr(column, income, on_noi, whole.by_service), np.nan
        ),
        worst_by_income=worst_carried(months, _seasonal(column), before, limits.part_year),
        noi=noi,
        income=income,
        dscr=np.where(before, np.nan, column.figures("dscr")),
        value=value,
    )
    reference = rates.refi_bases(column.figures("original_term_months"), as_of)
    moving = moving_features(inputs, reference, sizings)
    own = debt_service_now(loan)
    then, now = column.figures("underwritten_occupancy"), column.figures("occupancy")
    notes = notes_of(loans)
    of_moving: dict[str, Any] = {
        one.name: getattr(moving, one.name) for one in fields(MovingFeatures)
    }
    return Features(
        **of_moving,
        as_of=each_day,
        effective_maturity=due,
        overdue_balance=np.where(to_maturity < 0, book, 0.0),
        in_special_servicing=special,
        income_is_noi=on_noi,
        income_months=months,
        income_before=before,
        underwritten_markup=rounded(np.where(before, markup(underwritten, noi), np.nan)),
        noi_room=rounded(room_to_fall(noi, income, inputs.dscr)),
        occupancy=now,
        underwritten_occupancy=then,
        occupancy_fall=rounded(then - now),
        lease_rollover=rounded(_lease_rollover(tables.get("leases"), column, each_day)),
        whole=whole,
        partial_note=(structure != WHOLE) & (structure != UNKNOWN_STRUCTURE),
        debt_at_least=whole.at_least | (behind.at_least & (book != 0)),
        exposure=exposure,
        months_unpaid=months_unpaid(column.days("paid_through"), each_day, late),
        own_debt_service=own,
        payment_shock=rounded(
            refinancing.payment_shock(moving.balance_at_maturity * moving.refi_constant, own)
        ),
        payment_status=payment,
        status_rank=rank,
        families=families(tables, np.where(notes.sums_notes, 0.0, book)),
        notes=notes,
    )


def _terms(column: LoanColumns, as_of: AsOf, book: FloatArray, due: DateArray) -> LoanTerms:
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
        negative=column.flags("negative_amortisation") == 1,
    )


def _income(column: LoanColumns) -> tuple[FloatArray, FloatArray, BoolArray]:
    """NOI in place, what coverage is reckoned with, and where that is NOI."""
    noi, ncf = column.figures("noi"), column.figures("ncf")
    on_noi = np.isnan(ncf) | column.basis(lambda one: one.measure == "NOI")
    cash = np.where(on_noi, noi, ncf)
    return noi, np.where(np.isnan(cash), ncf, cash), on_noi


def _underwritten_income(column: LoanColumns) -> FloatArray:
    """What the underwritten DSCR rests on: NCF, or NOI where none is stated."""
    ncf = column.figures("underwritten_ncf")
    return np.where(np.isnan(ncf), column.figures("underwritten_noi"), ncf)


def _underwritten_dscr(
    column: LoanColumns, income: FloatArray, on_noi: BoolArray, by_service: BoolArray
) -> FloatArray:
    """What the DSCR in place is compared with; NaN where that is on NOI and this on NCF.

    Where the debt service filed is over that of underwriting, which was of less debt, the figure
    is such that the DSCR falls as the income does: NaN without both incomes.
    """
    stated = column.figures("underwritten_dscr", above=0)
    then = _underwritten_income(column)
    same = (on_noi == np.isnan(column.figures("underwritten_ncf"))) & (stated > 0)
    filed = column.figures("filed_debt_service", above=0)
    more = by_service | ((then > 0) & (filed > TELLS_FROM * then / stated))
    of_income = np.where(then > 0, column.figures("dscr") * then / income, np.nan)
    return np.where(same, np.where(more, of_income, stated), np.nan)


def _income_months(column: LoanColumns) -> FloatArray:
    """Of the filed period; NaN for amounts of a year, and where no period is dated."""
    days = period_days(column.days("income_from"), column.days("income_to"))
    of_a_year = column.basis(lambda one: one.of_a_year)
    return np.where(of_a_year, np.nan, period_months(days))


def _seasonal(column: LoanColumns) -> BoolArray:
    seasonal: BoolArray = column.coded("property_type", dict.fromkeys(SEASONAL, 1.0)) == 1
    return seasonal


def _structure(column: LoanColumns) -> FloatArray:
    """What each record is of its loan; without a code it is the whole."""
    codes = {code: float(kind) for code, kind in STRUCTURES.items()}
    structure = column.coded("structure", codes, float(UNKNOWN_STRUCTURE))
    return np.where(np.isnan(structure), WHOLE, structure)


def _whole_loan(column: LoanColumns, terms: LoanTerms, structure: FloatArray) -> WholeLoanDebt:
    return whole_loan_debt(
        terms,
        structure,
        _underwritten_income(column),
        column.figures("underwritten_dscr"),
        column.figures("filed_debt_service", above=0),
    )


def _status(
    column: LoanColumns, as_of: AsOf, limits: Limits
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Whether a status is stated (0, else NaN), its worst rank, and who is in special servicing."""
    payment = column.coded("payment_status", limits.payment_ranks, unknown=np.inf)
    workout = column.coded("workout", limits.workout_ranks)
    changed = column.coded("modification", dict.fromkeys(CHANGES, 1.0)) == 1
    when = limits.modification_ranks
    ranked = np.where(recent(as_of, column.days("modified_on")), when["recent"], when["before"])
    modified = np.where(changed, ranked, np.nan)
    since, until = column.days("special_servicing_since"), column.days("special_servicing_returned")
    special = in_special_servicing(since, until)
    ranks = np.fmax(np.where(np.isinf(payment), np.nan, payment), workout)
    ranks = np.fmax(ranks, modified)
    ranks = np.fmax(ranks, np.where(special, limits.special_servicing_rank, np.nan))
    unstated = np.isnan(payment) & np.isnan(ranks)
    return np.where(unstated, np.nan, 0.0), ranks, special


def _lease_rollover(leases: pa.Table | None, column: LoanColumns, as_of: DateArray) -> FloatArray:
    """Fraction of the area; NaN without the area, or a lease that states its area and its end."""
    area = column.figures("rentable_area", above=0)
    rolling, dated = np.zeros((2, len(area)))
    if leases is not None and leases.num_rows:
        rows = leases["loan"].to_numpy()
        ends = leases["expires"].to_numpy().astype("datetime64[D]")
        feet = pc.cast(leases["square_feet"], pa.float64()).to_numpy()
        known = ~np.isnat(ends) & (feet >= 0)
        months = months_between(as_of[rows], ends)
        soon = known & (months >= 0) & (months <= _MONTHS_A_YEAR)
        np.add.at(dated, rows[known], 1)
        np.add.at(rolling, rows[soon], feet[soon])
    return np.where(dated > 0, np.minimum(rolling / area, 1.0), np.nan)

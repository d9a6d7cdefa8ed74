"""Columns of LOANS on how a loan is owed and paid."""

import numpy as np
import pyarrow as pa

from services.importers.demo.assumptions import Bools, Ints
from services.importers.demo.floating import LIBOR, SOFR, SOFR_IN_ARREARS
from services.importers.demo.market import Debt
from services.importers.demo.names import dated, figures, picked_or_null

FIXED_OR_ADJUSTABLE = ("1", "2")  # rate types of Schedule AL
DAYS_OF_A_MONTH = 30  # of the interest that a filed payment is, while nothing is repaid


def term_columns(debt: Debt, missing: dict[str, Bools], *, libor: bool) -> dict[str, pa.Array]:
    """Columns by name. `libor`: floating loans follow it still."""
    when, pays, rate = debt.dates, debt.repayment, debt.floating
    fixed = ~rate.floats
    indexes = (LIBOR, LIBOR) if libor else (SOFR, SOFR_IN_ARREARS)
    none = np.zeros(len(fixed), dtype=np.bool_)
    return {
        "interest_rate": pa.array(debt.coupon, mask=missing["interest_rate"]),
        "origination_date": dated(when.origination, missing["origination_date"]),
        "maturity_date": dated(when.maturity, missing["maturity_date"]),
        "ard_date": dated(when.ard, missing["maturity_date"]),
        "first_payment_date": dated(when.first_payment, missing["origination_date"]),
        "original_term_months": pa.array(when.term_months - when.extended, type=pa.int32()),
        "amortization_months": pa.array(pays.amortization_months, type=pa.int32()),
        "interest_only_months": pa.array(pays.interest_only_months, type=pa.int32()),
        "payment_type": figures(pays.payment_type),
        "accrual_method": figures(pays.accrual),
        "balloon": pa.array(~pays.repays_all),
        "monthly_payment": pa.array(
            monthly_payment(debt), mask=debt.paid_off | missing["interest_rate"]
        ),
        "rate_type": picked_or_null(FIXED_OR_ADJUSTABLE, rate.floats.astype(np.int64), none),
        "rate_index": picked_or_null(indexes, rate.in_arrears.astype(np.int64), fixed),
        "rate_margin": pa.array(rate.margin, mask=fixed),
        "rate_floor": pa.array(rate.floor, mask=fixed),
        "cap_strike": pa.array(rate.strike, mask=fixed),
        "cap_expires": dated(rate.expires, fixed),
    }


def monthly_payment(debt: Debt) -> Ints:
    """The level payment, or interest of a month while that is all that is paid."""
    pays = debt.repayment
    alone = ~pays.amortises | (pays.paid < pays.interest_only_months)
    interest = debt.coupon / 100 * DAYS_OF_A_MONTH / 360
    return np.asarray(np.rint(debt.original * np.where(alone, interest, pays.level))).astype(
        np.int64
    )

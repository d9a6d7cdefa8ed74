"""The LOANS table of the demonstration portfolio, and what it leaves out (D18)."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.portfolio import LOANS, shaped
from services.importers.demo.assumptions import Assumptions, Bools, Ints
from services.importers.demo.draws import Generator, chance
from services.importers.demo.income import Income
from services.importers.demo.market import Debt
from services.importers.demo.names import joined, one_of, picked
from services.importers.demo.owners import tiers
from services.importers.demo.properties import Sites

LEAST_DIGITS = 6  # of a loan number


def left_out(rng: Generator, data: Assumptions, debt: Debt) -> dict[str, Bools]:
    """By column of LOANS: True where the source does not say."""
    rows = len(debt.kind)
    usual = data.chances["missing"]
    silent = ~chance(rng, data.of_layer["reports"][debt.layer], rows)
    return {
        "dscr": silent,
        "noi": silent & ~chance(rng, data.chances["income_kept"], rows),
        "interest_rate": chance(rng, usual, rows),
        "maturity_date": chance(rng, usual, rows),
        "value": chance(rng, usual, rows),
        "occupancy": chance(rng, usual, rows),
        "payment_status": chance(rng, data.chances["missing_status"], rows),
        "origination_date": chance(rng, data.chances["missing_origination"], rows),
    }


def loan_table(
    data: Assumptions,
    debt: Debt,
    income: Income,
    at: Sites,
    *,
    lender: pa.Array,
    weakest: Ints,
    missing: dict[str, Bools],
) -> pa.Table:
    """LOANS rows in the order of their numbers; `weakest` as `ownership` returns it."""
    places = data.places
    own = pa.array(at.first)
    title = one_of(at.several, pa.scalar("Portfolio"), at.noun.take(own))
    return shaped(
        LOANS,
        {
            "loan_number": loan_numbers(len(debt.kind)),
            "book_value": pa.array(debt.balance),
            "interest_rate": pa.array(debt.coupon, mask=missing["interest_rate"]),
            "property_type": picked(pa.array(data.types), debt.kind),
            "property_city": picked(pa.array(places.city), debt.city),
            "property_state": picked(pa.array(places.states), debt.state),
            "lender_normalized": lender,
            "origination_date": _dated(debt.origination, missing["origination_date"]),
            "maturity_date": _dated(debt.maturity, missing["maturity_date"]),
            "confidence_tier": tiers(weakest),
            "property_name": joined(at.stem.take(own), " ", title),
            "address": at.address.take(own),
            "original_amount": pa.array(debt.original),
            "original_term_months": pa.array(debt.term_months, type=pa.int32()),
            "amortization_months": pa.array(debt.amortization_months, type=pa.int32()),
            "value": pa.array(income.value, mask=missing["value"]),
            **_income_columns(income, missing),
            "payment_status": _words(income.payment_status, missing["payment_status"]),
            "workout": _words(income.workout, income.workout == ""),
            "structure": _words(debt.structure, None),
            "multi_state": pa.array(at.multi_state),
        },
    )


def loan_numbers(loans: int) -> pa.Array:
    """CA-000001 and onwards; wide enough that the order of strings is the order of numbers."""
    digits = max(LEAST_DIGITS, len(str(loans)))
    count = pa.array(np.arange(1, loans + 1)).cast(pa.string())
    return joined("CA-", pc.utf8_lpad(count, width=digits, padding="0"))


def _income_columns(income: Income, missing: dict[str, Bools]) -> dict[str, pa.Array]:
    return {
        "noi": pa.array(income.noi, mask=missing["noi"]),
        "ncf": pa.array(income.ncf, mask=missing["noi"] | income.on_noi),
        "dscr": pa.array(income.dscr, mask=missing["dscr"]),
        "income_basis": _basis(income, missing["noi"]),
        "occupancy": pa.array(income.occupancy, mask=missing["occupancy"]),
    }


def _basis(income: Income, none: Bools) -> pa.Array:
    """What the income is and until when: "NCF, most recent to 2026-06-30", "NCF, underwritten"."""
    days, which = np.unique(income.basis_date, return_inverse=True)
    periods = [", underwritten", *(f", most recent to {day}" for day in days)]
    kinds = [f"{kind}{period}" for kind in ("NCF", "NOI") for period in periods]
    row = np.where(income.underwritten, 0, which + 1) + income.on_noi * len(periods)
    return pa.array(kinds).take(pa.array(row, mask=none))


def _dated(days: np.ndarray[tuple[int], np.dtype[np.datetime64]], none: Bools) -> pa.Array:
    return pa.array(days.astype("datetime64[D]"), type=pa.date32(), mask=none)


def _words(values: np.ndarray[tuple[int], np.dtype[np.str_]], none: Bools | None) -> pa.Array:
    words, row = np.unique(values, return_inverse=True)
    return pa.array(words.tolist()).take(pa.array(row, mask=none))

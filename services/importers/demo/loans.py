"""The LOANS table of the demonstration portfolio, and what it leaves out (D18)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.income_basis import IncomeBasis, Measure, Remark
from services.contract.portfolio import LOANS, shaped
from services.importers.demo.arrears import STATUSES
from services.importers.demo.assumptions import Assumptions, Bools, Ints
from services.importers.demo.draws import Generator, chance
from services.importers.demo.floating import FIRST_YEAR_OF_SOFR
from services.importers.demo.income import Appraisals, Income
from services.importers.demo.market import STRUCTURES, Debt
from services.importers.demo.names import dated, joined, one_of, picked, picked_or_null
from services.importers.demo.owners import tiers
from services.importers.demo.properties import Sites
from services.importers.demo.servicing import DEFEASANCES, MODIFICATIONS, WORKOUTS, Servicing
from services.importers.demo.statements import A_YEAR
from services.importers.demo.terms import term_columns
from services.importers.demo.underwriting import Underwriting

LEAST_DIGITS = 6  # of a loan number


@dataclass(frozen=True, slots=True)
class Book:
    """Everything that is known of the loans, before anything is left out."""

    debt: Debt
    then: Underwriting
    now: Income
    worth: Appraisals
    served: Servicing
    at: Sites
    area: Ints  # square feet, 0: none
    as_of: date


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
    book: Book,
    *,
    lender: pa.Array,
    weakest: Ints,
    reported: Mapping[str, pa.Array],
    missing: dict[str, Bools],
) -> pa.Table:
    """LOANS rows in the order of their numbers; `weakest` as `ownership` returns it, `reported` as
    `reports` does.
    """
    places, debt, at = data.places, book.debt, book.at
    own = pa.array(at.first)
    portfolio = joined(at.named.stem.take(own), " Portfolio")
    return shaped(
        LOANS,
        {
            "loan_number": loan_numbers(len(debt.kind)),
            "book_value": pa.array(debt.balance),
            "property_type": picked(pa.array(data.types), debt.kind),
            "property_city": picked(pa.array(places.city), debt.city),
            "property_state": picked(pa.array(places.states), debt.state),
            "lender_normalized": lender,
            "confidence_tier": tiers(weakest),
            "property_name": one_of(at.several, portfolio, at.named.name.take(own)),
            "address": at.where.whole.take(own),
            "original_amount": pa.array(debt.original),
            "structure": picked(pa.array(STRUCTURES), debt.structure),
            "multi_state": pa.array(at.multi_state),
            "rentable_area": pa.array(book.area, mask=book.area == 0),
            **reported,
            **term_columns(debt, missing, libor=book.as_of.year < FIRST_YEAR_OF_SOFR),
            **_income_columns(data, book, missing),
            **_servicing_columns(book.served, missing),
        },
    )


def loan_numbers(loans: int) -> pa.Array:
    """CA-000001 and onwards; wide enough that the order of strings is the order of numbers."""
    digits = max(LEAST_DIGITS, len(str(loans)))
    count = pa.array(np.arange(1, loans + 1)).cast(pa.string())
    return joined("CA-", pc.utf8_lpad(count, width=digits, padding="0"))


def _income_columns(
    data: Assumptions, book: Book, missing: dict[str, Bools]
) -> dict[str, pa.Array]:
    then, now, worth = book.then, book.now, book.worth
    unknown, no_ncf = missing["noi"], missing["noi"] | then.on_noi
    no_period = unknown | ~now.filed
    firsts = np.array([one.first for one in now.listed], dtype="datetime64[D]")
    lasts = np.array([one.last for one in now.listed], dtype="datetime64[D]")
    return {
        "value": pa.array(worth.value, mask=missing["value"]),
        "value_date": dated(worth.day, missing["value"]),
        "underwritten_value": pa.array(then.value, mask=missing["value"]),
        "noi": pa.array(now.noi, mask=unknown),
        "ncf": pa.array(now.ncf, mask=no_ncf),
        "dscr": pa.array(now.dscr, mask=missing["dscr"]),
        "income_basis": _basis(data, book, unknown),
        "income_from": dated(firsts[now.period], no_period),
        "income_to": dated(lasts[now.period], no_period),
        # What a floating rate paid then tells nothing of further debt.
        "filed_debt_service": pa.array(
            np.rint(np.nan_to_num(now.service)).astype(np.int64),
            mask=no_period | missing["dscr"] | book.debt.floating.floats | np.isnan(now.service),
        ),
        "underwritten_noi": pa.array(then.noi, mask=unknown),
        "underwritten_ncf": pa.array(then.ncf, mask=no_ncf),
        "underwritten_dscr": pa.array(then.dscr, mask=missing["dscr"]),
        "occupancy": pa.array(now.occupancy, mask=missing["occupancy"]),
        "underwritten_occupancy": pa.array(then.occupancy, mask=missing["occupancy"]),
    }


def _basis(data: Assumptions, book: Book, none: Bools) -> pa.Array:
    """What the income is and of when: "NCF, 1 Jan to 30 Jun 2026, 6 months, annualised"."""
    words = []
    measures: tuple[Measure, ...] = ("NCF", "NOI")
    seasons: tuple[tuple[Remark, ...], ...] = ((), ("seasonal",))
    for kind in measures:
        for season in seasons:
            for period in book.now.listed:
                scaled = ("annualised", *season) if period.months < A_YEAR else ()
                words.append(IncomeBasis(kind, period.words, remarks=scaled).words)
            words.append(IncomeBasis(kind, underwritten=True).words)
    each = len(book.now.listed) + 1
    seasonal = book.debt.kind == data.types.index("lodging")
    row = (2 * book.then.on_noi + seasonal) * each + book.now.period % each
    return picked_or_null(words, row, none)


def _servicing_columns(served: Servicing, missing: dict[str, Bools]) -> dict[str, pa.Array]:
    none = np.zeros(len(served.status), dtype=np.bool_)
    since, back, changed = served.special_since, served.special_returned, served.modification == 0
    return {
        "payment_status": picked_or_null(STATUSES, served.status, missing["payment_status"]),
        "workout": picked_or_null(WORKOUTS, served.workout, served.workout == 0),
        "special_servicing_since": dated(since, none),
        "special_servicing_returned": dated(back, none),
        "modification": picked_or_null(MODIFICATIONS, served.modification, changed),
        "modified_on": dated(served.modified_on, none),
        "defeasance": picked_or_null(DEFEASANCES, served.defeasance, served.defeasance == 0),
    }

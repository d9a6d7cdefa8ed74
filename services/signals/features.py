"""What the rules read of each loan, as arrays in the order of the loans table; NaN is missing."""

from dataclasses import dataclass
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from services.rates.reference import ReferenceRates, RefiBases
from services.rates.spreads import sizing_of
from services.signals.limits import NOTE_STRUCTURES, PAYMENT_RANKS, TYPE_WORDS, WORKOUT_RANKS
from services.signals.maturity import months_between
from services.signals.whole_loan import (
    BEYOND_ANY_LOAN,
    BoolArray,
    FloatArray,
    WholeLoan,
    whole_loan,
)

#: Ratios keep nine decimals, so that a figure on a limit does not miss it by rounding noise.
_DECIMALS = 9

#: Sizing defaults by index of TYPE_WORDS.
_SIZINGS = tuple(sizing_of(word) for word in TYPE_WORDS)


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Aligned to the rows of the loans table; dollars and percent figures as LOANS has them."""

    #: Dollars; 0 is a loan that has been paid off.
    book_value: FloatArray
    #: Coupon, percent figure above zero.
    interest_rate: FloatArray
    #: Index into limits.TYPE_WORDS (words without an entry are "other"); -1 is missing.
    type_index: NDArray[np.int64]
    #: The same, NaN where missing: what rules name as an input.
    property_type: FloatArray
    #: Calendar months from the as-of date, negative past maturity.
    months_to_maturity: FloatArray
    #: Dollars still owed past maturity, 0 before it; NaN past maturity without a book value.
    overdue_balance: FloatArray
    #: The Treasury of each loan's tenor.
    reference: RefiBases
    #: Reference + spread of the type, percent figure.
    refi_rate: FloatArray
    #: Refi rate less coupon, basis points.
    rate_gap_bp: FloatArray
    dscr: FloatArray
    noi: FloatArray
    #: Appraised value, dollars above zero.
    value: FloatArray
    #: D22, field by field in services/signals/whole_loan.py.
    whole: WholeLoan
    whole_loan_debt: FloatArray
    #: Whole-loan debt / value, fraction.
    ltv: FloatArray
    #: NOI / whole-loan debt, percent figure.
    debt_yield: FloatArray
    #: DSCR x coupon / refi rate.
    proforma_dscr: FloatArray
    #: 0 where a payment status, or a workout that ranks without one, is stated.
    payment_status: FloatArray
    #: Rank in SEVERITIES of the worse of payment status and workout; NaN for codes without one.
    payment_rank: FloatArray

    def sizing(self, figure: str) -> FloatArray:
        """A figure of the type's sizing defaults (services.rates.spreads); NaN without a type."""
        by_type = [float(getattr(sizing, figure)) for sizing in _SIZINGS]
        return np.array([*by_type, np.nan])[self.type_index]

    @property
    def paid_off(self) -> BoolArray:
        """Loans without a balance: no rule applies to them."""
        nothing_owed: BoolArray = self.book_value == 0
        return nothing_owed


def features(loans: pa.Table, as_of: date, rates: ReferenceRates) -> Features:
    """Features of `loans` (schema LOANS) as of a date, with the reference rates of that date (D26).

    Values that no loan has are missing: a coupon or value not above zero, a negative balance, a
    figure of a quadrillion or more.
    """
    book = _figures(loans, "book_value", at_least=0)
    coupon = _figures(loans, "interest_rate", above=0)
    types = _coded(loans, "property_type", {word: i for i, word in enumerate(TYPE_WORDS)}, "other")
    type_index = np.where(np.isnan(types), -1, types).astype(np.int64)
    months = months_between(as_of, _days(loans, "maturity_date"))
    reference = rates.refi_bases(_figures(loans, "original_term_months"), as_of)
    spread = np.array([*(sizing.spread_bp for sizing in _SIZINGS), np.nan])[type_index]
    refi = _rounded(reference.percent() + spread / 100)
    refi = np.where(refi > 0, refi, np.nan)
    dscr, noi = _figures(loans, "dscr"), _figures(loans, "noi")
    value = _figures(loans, "value", above=0)
    years = np.array([*(sizing.amortisation_years for sizing in _SIZINGS), 30])[type_index]
    whole = whole_loan(
        book_value=book,
        original_amount=_figures(loans, "original_amount", above=0),
        interest_rate=coupon,
        amortization_months=_figures(loans, "amortization_months", at_least=0),
        default_amortization_months=years * 12.0,
        income=_income(loans, noi),
        dscr=dscr,
        noted=_noted(loans),
    )
    payment, rank = _payment(loans)
    with np.errstate(all="ignore"):
        ltv = whole.debt / value
        debt_yield = 100 * noi / np.where(whole.debt > 0, whole.debt, np.nan)
        proforma = dscr * coupon / refi
    return Features(
        book_value=book,
        interest_rate=coupon,
        type_index=type_index,
        property_type=types,
        months_to_maturity=months,
        overdue_balance=np.where(months < 0, book, 0.0),
        reference=reference,
        refi_rate=refi,
        rate_gap_bp=_rounded((refi - coupon) * 100),
        dscr=dscr,
        noi=noi,
        value=value,
        whole=whole,
        whole_loan_debt=whole.debt,
        ltv=_rounded(ltv),
        debt_yield=_rounded(debt_yield),
        proforma_dscr=_rounded(proforma),
        payment_status=payment,
        payment_rank=rank,
    )


def _income(loans: pa.Table, noi: FloatArray) -> FloatArray:
    """The income that the DSCR rests on: NCF where reported, unless the basis says NOI (D22)."""
    ncf = _figures(loans, "ncf")
    starts = pc.starts_with(loans.column("income_basis"), "NOI").fill_null(fill_value=False)
    on_noi: BoolArray = starts.to_numpy()
    return np.where(on_noi, np.where(np.isnan(noi), ncf, noi), np.where(np.isnan(ncf), noi, ncf))


def _noted(loans: pa.Table) -> BoolArray:
    """Where the structure code says that the record is a note (D22)."""
    codes = dict.fromkeys((code.lower() for code in NOTE_STRUCTURES), 1.0)
    return ~np.isnan(_coded(loans, "structure", codes))


def _payment(loans: pa.Table) -> tuple[FloatArray, FloatArray]:
    """Whether a status is stated (0, else NaN), and the worse rank of payment and workout."""
    codes = {code.lower(): rank for code, rank in PAYMENT_RANKS.items()}
    payment = _coded(loans, "payment_status", codes, unknown=np.inf)
    workout = _coded(loans, "workout", dict(WORKOUT_RANKS))
    rank = np.fmax(np.where(np.isinf(payment), np.nan, payment), workout)
    return np.where(np.isnan(payment) & np.isnan(workout), np.nan, 0.0), rank


def _figures(
    loans: pa.Table, name: str, *, above: float = -np.inf, at_least: float = -np.inf
) -> FloatArray:
    """A numeric column; NaN for null, for what lies out of range and for what no loan reaches."""
    array: FloatArray = pc.cast(loans.column(name), pa.float64(), safe=False).to_numpy()
    usable = (np.abs(array) < BEYOND_ANY_LOAN) & (array > above) & (array >= at_least)
    return np.where(usable, array, np.nan)


def _days(loans: pa.Table, name: str) -> NDArray[np.datetime64]:
    """A date column as datetime64[D]; null is NaT."""
    days: NDArray[np.datetime64] = loans.column(name).to_numpy()
    return days.astype("datetime64[D]")


def _coded(
    loans: pa.Table, name: str, codes: dict[str, float], unknown: str | float = np.nan
) -> FloatArray:
    """A word column as the number that `codes` (lower case) gives it; NaN for null and blank.

    Other words take `unknown`: a number, or the word whose number they take.
    """
    other = codes[unknown] if isinstance(unknown, str) else unknown
    encoded = loans.column(name).combine_chunks().dictionary_encode()
    words = (str(word).strip().lower() for word in encoded.dictionary.to_pylist())
    numbers = [codes.get(word, other) if word else np.nan for word in words]
    rows = encoded.indices.fill_null(len(numbers)).to_numpy()
    coded: FloatArray = np.array([*numbers, np.nan], dtype=np.float64)[rows]
    return coded


def _rounded(array: FloatArray) -> FloatArray:
    return np.round(array, _DECIMALS)

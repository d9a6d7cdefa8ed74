"""The words of rules' sentences about income: what it is of, and what is sized on it."""

from functools import lru_cache

from services.contract.income_basis import IncomeBasis
from services.contract.loan_figures import BOUND_BY
from services.rates.spreads import Sizings
from services.signals.figures import count_of_months, dollars, figure


@lru_cache(maxsize=4_096)
def _read(income_basis: str) -> IncomeBasis:
    return IncomeBasis.read(income_basis)


def basis(income_basis: str, income_stale: float) -> str:
    """What the DSCR is of."""
    return _in_brackets(_read(income_basis).of_dscr, income_stale)


def period(income_basis: str, income_stale: float) -> str:
    """What the income is of, without the kind of income that DSCR rests on."""
    return _in_brackets(_read(income_basis).of, income_stale)


def _in_brackets(words: str, stale: float) -> str:
    return f" ({words}{', stale' if stale else ''})" if words else ""


def short_period(
    held: float, severity: str, income_before: float, income_months: float | None = None
) -> str:
    """That the figure alone would be graded worse, and why it is not."""
    if not held:
        return ""
    if income_before:
        why = "is of before the loan was made"
    elif income_months is None:
        return ""
    else:
        why = f"covers {count_of_months(income_months)}"
    return f"; no worse than {severity}, as the income {why}"


def bound(
    sizings: Sizings,
    binding_constraint: str,
    property_type: str,
    income_basis: str,
    income_stale: float,
    noi: float,
    income: float,
    value: float | None = None,
) -> str:
    """The constraint that binds, its limit, and the figure that it is sized on."""
    asked, of = sizings.of(property_type), period(income_basis, income_stale)
    on_ncf, on_noi, on_value, _ = BOUND_BY
    if binding_constraint == on_value:
        return f"an LTV of {figure(asked.max_ltv, 'fraction')} on a value of {dollars(value or 0)}"
    if binding_constraint == on_noi:
        yields = figure(asked.min_debt_yield_pct, "percent")
        return f"a debt yield of {yields} on NOI of {dollars(noi)}{of}"
    covers = f"a DSCR of {figure(asked.min_dscr, 'x')} on"
    if binding_constraint == on_ncf:
        return f"{covers} NCF of {dollars(income)}{of}"
    return f"{covers} NOI of {dollars(noi)}{of}, without an NCF after reserves,"

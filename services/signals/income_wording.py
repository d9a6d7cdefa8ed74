"""The words of rules' sentences about income: what it is of, and what is sized on it."""

from functools import lru_cache
from typing import Final

from services.contract.income_basis import IncomeBasis
from services.contract.loan_figures import BOUND_BY
from services.rates.spreads import Sizings
from services.signals.figures import count_of_months, dollars, figure
from services.signals.rule import Rule

#: Falls nearer to each other than this are one: features are rounded to nine decimals.
_SAME_FALL: Final = 1e-8


@lru_cache(maxsize=4_096)
def _read(income_basis: str) -> IncomeBasis:
    return IncomeBasis.read(income_basis)


def basis(income_basis: str, income_stale: float) -> str:
    """What the DSCR is of."""
    return _in_brackets(_read(income_basis).of_dscr, income_stale)


def period(income_basis: str, income_stale: float, income_before: float = 0) -> str:
    """What the income is of, without the kind of income that DSCR rests on."""
    return _in_brackets(_read(income_basis).of, income_stale, income_before)


def _in_brackets(words: str, stale: float, before: float = 0) -> str:
    marks = (words, "stale" if stale else "", "before the loan" if before else "")
    return f" ({', '.join(one for one in marks if one)})" if words or before else ""


def short_period(
    held: float, severity: str, income_before: float, income_months: float | None = None
) -> str:
    """That the figure alone would be graded worse, and why it is not."""
    if not held:
        return ""
    if income_before:
        why = "was earned before the loan was made"
    elif income_months is None:
        return ""
    else:
        why = f"covers {count_of_months(income_months)}"
    return f"; no worse than {severity}, as the income {why}"


def fallen(
    rule: Rule,
    measure: float,
    income_basis: str,
    income_stale: float,
    noi: float | None = None,
    underwritten_noi: float | None = None,
    income: float | None = None,
    underwritten_ncf: float | None = None,
    dscr: float | None = None,
    underwritten_dscr: float | None = None,
) -> str:
    """Which of NOI and DSCR fell further, and by how much; where the DSCR in place is of more debt
    than the underwritten one, what coverage is reckoned with.
    """
    on = "NOI" if underwritten_ncf is None else "NCF"
    before = underwritten_noi if underwritten_ncf is None else underwritten_ncf
    of = period(income_basis, income_stale)
    if underwritten_noi and noi is not None and _fell(noi, underwritten_noi, measure):
        now, then = f"NOI {dollars(noi)}{of}", dollars(underwritten_noi)
    elif underwritten_dscr and dscr is not None and _fell(dscr, underwritten_dscr, measure):
        now, then = (
            f"DSCR {figure(dscr, 'x')}{basis(income_basis, income_stale)}",
            figure(underwritten_dscr, "x"),
        )
    else:
        now, then = f"{on} {dollars(income or 0)}{of}", dollars(before or 0)
    limits = [limit.figure for limit in rule.ladder.limits.values()]
    return f"{now} is {figure(measure, rule.ladder.unit, limits)} under the underwritten {then}"


def _fell(now: float, then: float, measure: float) -> bool:
    return abs(1 - now / then - measure) <= _SAME_FALL


def bound(
    sizings: Sizings,
    binding_constraint: str,
    property_type: str,
    income_basis: str,
    income_stale: float,
    income_before: float,
    noi: float,
    income: float,
    value: float | None = None,
) -> str:
    """The constraint that binds, its limit, and the figure that it is sized on."""
    asked, of = sizings.of(property_type), period(income_basis, income_stale, income_before)
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

"""A new loan on one property, sized as a calculator does."""

from services.contract.sizing import Sized, SizingInputs
from services.signals.refinancing import size_loan


def sized(inputs: SizingInputs) -> Sized:
    """Proceeds by each constraint, and which one binds."""
    years = inputs.amortisation_years
    return size_loan(
        inputs.noi,
        inputs.ncf,
        rate=inputs.refi_rate,
        amortisation_months=360 if years is None else years * 12,
        min_dscr=None if years is None else inputs.min_dscr,
        min_debt_yield=inputs.min_debt_yield,
        max_ltv=None if inputs.max_ltv is None else inputs.max_ltv / 100,
        cap_rate=inputs.cap_rate,
    )

"""A new loan on one property, as a calculator shows it: the loan's own figures, or others."""

from dataclasses import dataclass, replace

from services.signals.one_loan.figures import LoanFigures
from services.signals.refinancing import Sizing, size_loan


@dataclass(frozen=True, slots=True)
class SizingInputs:
    """What a new loan is sized by; None is left out. Rates are percent figures."""

    #: Dollars a year.
    noi: float | None = None
    min_dscr: float | None = None
    #: Percent figure.
    min_debt_yield: float | None = None
    #: Percent figure, of the value NOI / cap rate.
    max_ltv: float | None = None
    cap_rate: float | None = None
    refi_rate: float | None = None
    #: 0 sizes interest only.
    amortisation_years: int | None = None

    @classmethod
    def of(cls, figures: LoanFigures) -> "SizingInputs":
        """What the loan itself says: income in place, value as a cap rate, its type's terms."""
        in_place, terms = figures.income.in_place, figures.refinance.terms
        noi, value = None if in_place is None else in_place.noi, figures.income.value
        asked = (
            cls()
            if terms is None
            else cls(
                min_dscr=terms.min_dscr,
                min_debt_yield=terms.min_debt_yield_pct,
                max_ltv=100 * terms.max_ltv,
                amortisation_years=terms.amortisation_years,
            )
        )
        return replace(
            asked,
            noi=noi,
            cap_rate=100 * noi / value if noi is not None and noi > 0 and value else None,
            refi_rate=figures.refinance.rate.value,
        )

    @property
    def value(self) -> float | None:
        """NOI / cap rate, dollars; None without both, or without income above zero."""
        if self.noi is None or not self.cap_rate or self.noi <= 0:
            return None
        return self.noi / (self.cap_rate / 100)

    def sized(self) -> Sizing:
        """Proceeds by each constraint, and which one binds."""
        years = self.amortisation_years
        return size_loan(
            self.noi,
            rate=self.refi_rate,
            amortisation_months=360 if years is None else years * 12,
            min_dscr=None if years is None else self.min_dscr,
            min_debt_yield=self.min_debt_yield,
            max_ltv=None if self.max_ltv is None else self.max_ltv / 100,
            cap_rate=self.cap_rate,
        )

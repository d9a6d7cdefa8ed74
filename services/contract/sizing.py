"""A new loan as a calculator sizes it: what it is sized by, and what it comes to."""

from dataclasses import dataclass, replace

from .loan_figures import LoanFigures


@dataclass(frozen=True, slots=True)
class SizingInputs:
    """What a new loan is sized by; None is left out. Rates are percent figures."""

    #: Dollars a year; DSCR is on NCF, on NOI where that is None.
    noi: float | None = None
    ncf: float | None = None
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
            ncf=None if in_place is None or in_place.basis == "NOI" else in_place.ncf,
            cap_rate=100 * noi / value if noi is not None and noi > 0 and value else None,
            refi_rate=figures.refinance.rate.value,
        )

    @property
    def dscr_basis(self) -> str:
        """The income that DSCR is on."""
        return "NOI" if self.ncf is None else "NCF"

    @property
    def value(self) -> float | None:
        """NOI / cap rate, dollars; None without both, or without income above zero."""
        if self.noi is None or not self.cap_rate or self.noi <= 0:
            return None
        return self.noi / (self.cap_rate / 100)


@dataclass(frozen=True, slots=True)
class Sized:
    """Proceeds of a new loan by each constraint, dollars; None where an input is missing."""

    by_dscr: float | None
    by_debt_yield: float | None
    by_ltv: float | None
    amount: float | None
    #: One of CONSTRAINTS; None without an amount.
    binding: str | None

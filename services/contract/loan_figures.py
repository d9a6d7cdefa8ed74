"""Every credit figure of one loan: income, debt, refinance, capital stack.

services/signals computes them by the tables that scored the snapshot; `Dossiers` answers with
them. Amounts are dollars, rates percent figures, shares fractions, unless a field says otherwise.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from .snapshot_info import RateUsed, SpreadsUsed

#: Why maturity, rate and refinance do not concern a loan.
Exemption = Literal["without a balance", "defeased", "REO", "fully amortising"]
#: Those for which no rule at all is about it.
SETTLED: Final[frozenset[Exemption]] = frozenset({"without a balance", "defeased"})
FloatArray = npt.NDArray[np.float64]

#: What limits a new loan, in the order in which equals bind.
CONSTRAINTS: Final = ("DSCR", "debt yield", "LTV")
#: The same with what each is sized on; the last where no NCF after reserves is filed.
BOUND_BY: Final = ("DSCR on NCF", "debt yield on NOI", "LTV on value", "DSCR on NOI")
#: The part of an appraisal that servicers lend on: the exposure over it is the appraisal reduction.
LENT_ON_VALUE: Final = 0.90
#: From so many times what the debt known would pay, debt service filed tells of further notes.
TELLS_FROM: Final = 1.1
#: Positions of the notes of a larger loan that the record does not hold: paid with it, before it
#: and after it.
OTHER_NOTES: Final = "other notes"
NOTES_BEFORE: Final = "notes before it"
NOTES_AFTER: Final = "notes behind it"
ADVANCES: Final = "advances"  # on a loan in trouble, repaid before every note


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, or why there is none."""

    value: float | None
    #: "not testable: no NOI", "none: ..."; empty where there is a value.
    why: str = ""

    def written(self, write: Callable[[float], str]) -> str:
        """The value as `write` puts it, else why there is none."""
        return self.why if self.value is None else write(self.value)


@dataclass(frozen=True, slots=True)
class Both:
    """A figure in both conventions of the new loan's payments."""

    interest_only: Figure
    amortising: Figure


# Income


@dataclass(frozen=True, slots=True)
class Statement:
    """Income of one period. NOI and NCF are dollars of a year, DSCR that of the period itself."""

    noi: float | None = None
    ncf: float | None = None
    dscr: float | None = None
    #: First and last day; None for underwriting, and where they are not stated.
    start: date | None = None
    end: date | None = None
    #: What the source says of it, such as "NCF, 1 Jan to 30 Sep 2025, 9 months, annualised".
    said: str | None = None
    #: Length of the period to the nearest month; None without its days.
    months: int | None = None
    #: Whether NOI and NCF were scaled from another period than a year.
    annualised: bool = False
    #: Whether what is filed as NCF is NOI to the cent.
    without_reserves: bool = False
    #: What coverage rests on: "NCF", or "NOI" where the source says so or gives no NCF.
    basis: str = "NCF"

    @property
    def cash(self) -> float | None:
        """Income of a year that coverage rests on, dollars."""
        return self.noi if self.basis == "NOI" else self.ncf


@dataclass(frozen=True, slots=True)
class TenantLease:
    """The lease of one of the largest tenants."""

    tenant: str | None
    square_feet: float | None
    expires: date | None


@dataclass(frozen=True, slots=True)
class Income:
    """Income, occupancy, value and leases of all properties of the whole loan."""

    #: The latest filed period, whatever its length; None where none is filed.
    filed: Statement | None
    underwritten: Statement | None
    #: The one of the two that the loan's NOI, NCF and DSCR are of, on which all else rests; None
    #: where those are not known.
    in_place: Statement | None
    #: Whether a filed part of a year is of a trade that earns by the season.
    seasonal: bool
    imputed: bool  # of a cooperative: what its homes would rent for
    old: bool  # the filed period ended more than 12 months ago
    before_loan: bool  # it ended before the loan was made
    #: Part of NOI in place that can be lost before DSCR is 1.00x; underwritten over trailing NOI,
    #: where the filed period is of before the loan. Fractions.
    room: Figure
    markup: Figure
    #: Fractions.
    occupancy: float | None
    underwritten_occupancy: float | None
    #: Dollars, as appraised on `value_date`.
    value: float | None
    value_date: date | None
    #: Appraised more than 24 months ago.
    stale: bool
    reappraised: bool  # since the loan was made, as far as dates tell
    underwritten_value: float | None
    #: Square feet.
    rentable_area: float | None
    #: By expiry, undated ones last.
    leases: tuple[TenantLease, ...]


# Debt


@dataclass(frozen=True, slots=True)
class Floating:
    """How the coupon of a floating loan moves; percent figures, None where there is none."""

    index: str | None  # what it follows, in words
    margin: float | None
    cap: float | None  # of the loan's own rate, for its lifetime
    floor: float | None
    #: Of the cap that the borrower has bought, on the index; and the last day that it holds.
    strike: float | None
    expires: date | None
    at: str | None  # where the coupon is: "floor", "cap", "strike", or None between them


@dataclass(frozen=True, slots=True)
class Debt:
    """Dollars; of the record unless the name says "whole"."""

    balance: float | None
    #: Owed after every scheduled payment before effective maturity.
    at_maturity: Figure
    whole: Figure
    whole_at_maturity: Figure
    #: Of the record's rank and of those paid before it; `whole` but for a senior note.
    rank: Figure
    #: Mezzanine debt behind the loan, which is due with it; 0 where there is none.
    behind: float
    #: `whole` and `behind`, with the advances of a troubled loan: what value stands against.
    due: Figure
    #: `whole` and `behind` at effective maturity: what new proceeds stand against.
    due_at_maturity: Figure
    #: Whether the record is one note of a larger loan, by its structure code.
    part: bool
    #: A note that others are paid before.
    junior: bool
    #: Whether `whole` follows from the debt service that is filed, not from underwriting.
    by_service: bool
    #: More is due than is known: LTV and gap are "at least", coverage and debt yield "at most".
    at_least: bool
    #: Debt due / appraised value, fraction.
    ltv: Figure
    #: NOI in place / whole-loan debt, percent figure.
    debt_yield: Figure
    #: A year of the payment that is due next.
    service: Figure
    #: Debt service filed over what the debt that is known without it pays, times.
    filed_over_implied: Figure
    #: Whether that payment is interest alone, and whether all before maturity are.
    interest_only_now: bool
    interest_only_throughout: bool
    #: When principal is first due, of a loan that begins as interest only.
    amortises_from: date | None
    #: Interest of a year over rate x balance: 365/360 for actual/360.
    day_count: float
    floating: Floating | None  # None for a fixed rate
    maturity: date | None
    anticipated_repayment: date | None
    #: The anticipated repayment date where there is one, else maturity; and calendar months to it.
    effective: date | None
    months_to_effective: float | None


@dataclass(frozen=True, slots=True)
class Exposure:
    """What a trust has out on the record: dollars, None where the source does not say."""

    scheduled_balance: float | None
    payments: float | None  # advances: of principal and interest
    taxes: float | None  # of taxes and insurance
    other: float | None
    amount: Figure  # scheduled balance and advances
    troubled: bool  # 30 days late or more, in special servicing or REO
    reduction: Figure  # of a troubled loan, as the next
    expected_loss: Figure
    paid_through: date | None
    months_unpaid: int | None  # whole ones, of a loan that is late

    @property
    def counts(self) -> bool:
        """Whether LTV is of it."""
        return self.troubled and self.amount.value is not None


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the capital stack; None where the source does not say."""

    #: senior, junior note, mezzanine, preferred, or one of the three above.
    position: str
    #: Of its lender: insurance, bank, private credit.
    kind: str | None
    lender: str | None
    servicer: str | None
    #: Dollars.
    amount: float | None
    #: Percent figure.
    rate: float | None
    #: All debt up to its rank, notes of that rank included, dollars; over the appraised value.
    cumulative: Figure
    ltv: Figure


# Refinance


@dataclass(frozen=True, slots=True)
class LenderTerms:
    """What a lender asks of one property type."""

    #: NOI / debt, percent figure: 8.0 is 8 %.
    min_debt_yield_pct: float
    #: Net cash flow / debt service.
    min_dscr: float
    #: Debt / appraised value, fraction.
    max_ltv: float
    #: Over the reference rate of the loan's tenor, basis points.
    spread_bp: float
    #: Amortisation of the new loan.
    amortisation_years: int


@dataclass(frozen=True, slots=True, eq=False)
class Sensitivity:
    """One loan over a grid: a row a fall of income, a column a shift of the refi rate."""

    #: Basis points, of the columns; 0 is today's rate.
    rate_shifts_bp: tuple[float, ...]
    #: Refi rates of the columns, percent figures; NaN where the shift leaves none above zero.
    rates: FloatArray
    #: Fractions by which income is lower, of the rows.
    income_falls: FloatArray
    #: Pro-forma DSCR in the convention asked for.
    dscr: FloatArray
    #: Refinance gap, fraction and dollars.
    gap: FloatArray
    gap_usd: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Refinance:
    """Of all debt due with the loan at effective maturity; dollars, or dollars a year."""

    #: Percent figure: reference rate + spread.
    rate: Figure
    #: The reference rate; None where the source does not say.
    reference: RateUsed | None
    #: The series that the original term asks for, where another one had to stand in for it.
    instead_of: str | None
    spread_bp: float | None
    #: The date of that spread, and whether it fits the as-of date; None without dates.
    spreads: SpreadsUsed | None
    #: Years of the new loan: those of the tenor that the original term asks for.
    term_years: int
    #: Refi rate less coupon, basis points.
    rate_gap: Figure
    #: What a new lender asks of the property type; None without a type.
    terms: LenderTerms | None
    #: Whether the interest-only figures are the graded ones: how the loan pays now.
    interest_only_graded: bool
    service: Both
    #: NCF in place / refi debt service.
    dscr: Both
    #: Income that carries the refi debt service at the type's minimum DSCR.
    required_noi: Both
    #: Payment shock: how much the debt service rises, fraction, in the graded convention.
    shock: Figure
    #: Refi rate at which the DSCR is 1.00x, percent figure.
    break_even: Both
    #: By constraint, in the order of CONSTRAINTS.
    proceeds: tuple[Figure, ...]
    most: Figure
    #: The one of CONSTRAINTS that gives `most`.
    binding: str | None
    #: (Balance at maturity - most) / balance at maturity, and in dollars; negative: a surplus.
    gap: Figure
    gap_usd: Figure
    #: The record's share of it: what is paid before the record is repaid first.
    own_gap_usd: Figure
    #: None where refi rate, type, balance at maturity or all income is missing.
    sensitivity: Sensitivity | None

    def graded(self, both: Both) -> Figure:
        """The figure in the convention that is graded."""
        return both.interest_only if self.interest_only_graded else both.amortising


@dataclass(frozen=True, slots=True, eq=False)
class LoanFigures:
    """What a credit officer reads of a loan."""

    as_of: date
    income: Income
    debt: Debt
    exposure: Exposure
    refinance: Refinance
    #: Paid first to last; empty where the source gives none.
    stack: tuple[Layer, ...]
    #: Empty where maturity, rate and refinance concern it.
    exempt: tuple[Exemption, ...]
    #: When it went to the special servicer, if it has not returned since.
    special_servicing_since: date | None

    @property
    def ended(self) -> bool:
        """Whether nothing is owed any more, however that came."""
        return "without a balance" in self.exempt

    @property
    def settled(self) -> bool:
        """Whether no rule is about it: it has ended, or Treasuries pay it."""
        return not SETTLED.isdisjoint(self.exempt)

    @property
    def taken_over(self) -> bool:
        """Whether the lender owns the property (REO), and something is still owed."""
        return "REO" in self.exempt and not self.ended

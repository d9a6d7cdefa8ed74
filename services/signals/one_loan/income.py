"""What the property earns and is worth: the latest filed period beside underwriting."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from services.signals.income_periods import covers_a_year, is_before_reserves, period_days
from services.signals.one_loan.record import Facts, days, one
from services.signals.whole_loan_debt import appraisal_is_stale

#: Property types that earn by the season, so that a part of a year is no measure of a year.
_SEASONAL: Final = frozenset({"lodging"})
_AMOUNTS: Final = ("noi", "ncf", "dscr")
_DAYS_A_MONTH: Final = 365.25 / 12


@dataclass(frozen=True, slots=True)
class Statement:
    """Income of one period. NOI and NCF are dollars of a year, DSCR that of the period itself."""

    noi: float | None
    ncf: float | None
    dscr: float | None
    #: First and last day; None for underwriting, and where they are not stated.
    start: date | None = None
    end: date | None = None
    #: What the source says of it, such as "NCF, 1 Jan to 30 Sep 2025, 9 months, annualised".
    said: str | None = None

    @property
    def months(self) -> int | None:
        """Length of the period to the nearest month; None without its days."""
        length = self._days
        return None if length is None else max(round(length / _DAYS_A_MONTH), 1)

    @property
    def annualised(self) -> bool:
        """Whether NOI and NCF were scaled from another period than a year.

        Some filers date a part of a year and state amounts of a year; the basis says so.
        """
        length = self._days
        if length is None or "amounts of a year" in (self.said or ""):
            return False
        return self.cash is not None and not covers_a_year(one(length))[0]

    @property
    def without_reserves(self) -> bool:
        """Whether what is filed as NCF is NOI to the cent."""
        return bool(is_before_reserves(one(self.noi), one(self.ncf))[0])

    @property
    def basis(self) -> str:
        """What coverage rests on: "NCF", or "NOI" where the source says so or gives no NCF."""
        on_noi = self.ncf is None or (self.said or "").startswith("NOI")
        return "NOI" if self.noi is not None and (on_noi or self.without_reserves) else "NCF"

    @property
    def cash(self) -> float | None:
        """Income of a year that coverage rests on, dollars."""
        return self.noi if self.basis == "NOI" else self.ncf

    @property
    def _days(self) -> float | None:
        length = float(period_days(days(self.start), days(self.end))[0])
        return length if length > 0 else None


@dataclass(frozen=True, slots=True)
class Lease:
    """One of the largest tenants."""

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
    #: Fractions.
    occupancy: float | None
    underwritten_occupancy: float | None
    #: Dollars, as appraised on `value_date`.
    value: float | None
    value_date: date | None
    #: Appraised more than 24 months ago.
    stale: bool
    underwritten_value: float | None
    #: Square feet.
    rentable_area: float | None
    #: By expiry, undated ones last.
    leases: tuple[Lease, ...]


def income_of(facts: Facts, property_type: str | None, as_of: date) -> Income:
    """Income from the facts of a loan on a day."""
    said = facts.word("income_basis")
    stated = {name: facts.figure(name) for name in _AMOUNTS}
    underwritten = {name: facts.figure(f"underwritten_{name}") for name in _AMOUNTS}
    start, end = facts.day("income_from"), facts.day("income_to")
    # A source that gives neither days nor a basis is taken at its word: these are its figures.
    is_filed = end is not None or "underwritten" not in (said or "").casefold()
    in_place = _statement(stated, start, end, said)
    if not is_filed:
        underwritten = {
            n: stated[n] if known is None else known for n, known in underwritten.items()
        }
    at_signing = _statement(underwritten, said=None if is_filed else said)
    value_date = facts.day("value_date")
    return Income(
        filed=in_place if is_filed and _any(stated) else None,
        underwritten=at_signing if _any(underwritten) else None,
        in_place=in_place if _any(stated) else None,
        seasonal=is_filed and in_place.annualised and property_type in _SEASONAL,
        occupancy=facts.figure("occupancy", above=0),
        underwritten_occupancy=facts.figure("underwritten_occupancy", above=0),
        value=facts.figure("value", above=0),
        value_date=value_date,
        stale=bool(appraisal_is_stale(as_of, days(value_date))[0]),
        underwritten_value=facts.figure("underwritten_value", above=0),
        rentable_area=facts.figure("rentable_area", above=0),
        leases=_leases(facts),
    )


def _statement(
    amounts: Mapping[str, float | None],
    start: date | None = None,
    end: date | None = None,
    said: str | None = None,
) -> Statement:
    return Statement(amounts["noi"], amounts["ncf"], amounts["dscr"], start, end, said)


def _leases(facts: Facts) -> tuple[Lease, ...]:
    found = [
        Lease(row.word("tenant"), row.figure("square_feet", above=0), row.day("expires"))
        for row in facts.rows("leases")
    ]
    return tuple(sorted(found, key=lambda lease: lease.expires or date.max))


def _any(amounts: Mapping[str, float | None]) -> bool:
    return any(amount is not None for amount in amounts.values())

"""Income of a loan: the latest filed period of any length, else what was underwritten (D52).

A servicer reports the year to date, so half of all statements cover a part of a year. NOI and NCF
are made those of a year; DSCR stays as filed, for its income and its debt service are of the same
months. It is on NCF where that is reported, else on NOI: what a lender sizes a loan on. DSCR and
its numerator are always of one period.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Self, TypeVar

from services.contract.income_basis import IncomeBasis, Measure, Remark
from services.importers.base import Facts

#: Days, first and last included, of a period that is a year: filers date a year's statement from
#: 1 January, from the 31 December before it, or from a month of 28 to 31 days earlier.
YEAR_DAYS: Final = (360, 371)
_A_YEAR: Final = 365
#: DSCR codes of statements that cover every property; A, P and W do not.
_COMPLETE: Final = (None, "C", "F")
#: The DSCR code that says that no statement was collected.
_NONE_COLLECTED: Final = "N"
#: CREFC's indicator of a year to date that was made a year's.
_ANNUALISED: Final = "YA"
#: Two amounts of debt service are the same within this: rounding, months of unequal length.
_NEAR: Final = Decimal("0.1")
_MONTHS: Final = "JanFebMarAprMayJunJulAugSepOctNovDec"
_Value = TypeVar("_Value")
_FILED: Final = (
    "most_recent_financials_start",
    "most_recent_financials_end",
    "most_recent_noi",
    "most_recent_ncf",
    "most_recent_noi_dscr",
    "most_recent_ncf_dscr",
)


@dataclass(frozen=True, slots=True)
class Income:
    """Figures of a year."""

    noi: Decimal | None = None
    ncf: Decimal | None = None
    dscr: Decimal | None = None
    #: None where there is no income.
    basis: IncomeBasis | None = None
    #: First and last day of the filed period; None where underwritten, or where none is stated.
    start: date | None = None
    end: date | None = None
    #: Days that the amounts were of as filed, 365 for a year; None where that is not known.
    days: int | None = None
    #: Whether this is a filed period, not the underwriting.
    filed: bool = False
    #: A year's debt service as the statement of that period has it; None where it has none.
    filed_service: Decimal | None = None

    @property
    def debt_service(self) -> Decimal | None:
        """A year's, by the DSCR and its numerator; None where one is missing or not above zero."""
        net = self.noi if self.basis is not None and self.basis.measure == "NOI" else self.ncf
        if net is None or self.dscr is None or net <= 0 or self.dscr <= 0:
            return None
        return net / self.dscr

    def noi_of(self, facts: Facts) -> Decimal | None:
        """A year's NOI of one property, of the same period as the loan's."""
        if not self.filed:
            return facts.stated("underwritten_noi")
        own = Statement.of(facts)
        same = own.days in (None, _days(self.start, self.end))
        return _of_year(own.noi, self.days if same else own.amount_days([]))


@dataclass(frozen=True, slots=True)
class Statement:
    """The latest period that one block files, as filed."""

    #: All three None without a period.
    start: date | None
    end: date | None
    #: First and last included.
    days: int | None
    #: Whether it covers every property.
    complete: bool
    #: Whether the servicer says that the amounts are those of a year, whatever the dates.
    annualised: bool
    noi: Decimal | None
    ncf: Decimal | None
    by_noi: Decimal | None
    by_ncf: Decimal | None
    debt_service: Decimal | None

    @classmethod
    def of(cls, facts: Facts) -> Self:
        """What a block files. A zero is a figure only where its period is stated."""
        start = facts.day("most_recent_financials_start")
        end = facts.day("most_recent_financials_end")
        days = _days(start, end)
        code = facts.text("most_recent_statements")
        counts = days is not None and code != _NONE_COLLECTED

        def figure(key: str) -> Decimal | None:
            return (
                facts.number(f"most_recent_{key}") if counts else facts.stated(f"most_recent_{key}")
            )

        noi, ncf = figure("noi"), figure("ncf")
        if noi and ncf == 0:  # reserves never take a NOI to the cent
            ncf = None
        if ncf and ncf > 0 and noi == 0:  # nor is there more after reserves than before
            noi = None
        by_noi, by_ncf = figure("noi_dscr"), figure("ncf_dscr")
        service = facts.number("most_recent_debt_service")
        return cls(
            start=start if days else None,
            end=end if days else None,
            days=days,
            complete=code in _COMPLETE,
            annualised=facts.text("most_recent_financials_kind") == _ANNUALISED,
            noi=noi,
            ncf=ncf,
            by_noi=None if by_noi == 0 and noi else by_noi,
            by_ncf=None if by_ncf == 0 and ncf else by_ncf,
            debt_service=service if service and service > 0 else None,
        )

    @classmethod
    def of_all(cls, properties: Sequence[Facts]) -> Self | None:
        """That of all properties together, whose amounts add up where they are of one period."""
        said = [cls.of(one) for one in properties]
        if not said:
            return None
        start, end = _same(one.start for one in said), _same(one.end for one in said)
        return cls(
            start=start,
            end=end,
            days=_days(start, end),
            complete=all(one.complete for one in said),
            annualised=all(one.annualised for one in said),
            noi=total_of(one.noi for one in said),
            ncf=total_of(one.ncf for one in said),
            by_noi=_same(one.by_noi for one in said),
            by_ncf=_same(one.by_ncf for one in said),
            debt_service=None,
        )

    def amount_days(self, yearly: Sequence[Decimal]) -> int | None:
        """Days that its amounts are of, 365 for a year; None where they are no totals."""
        if self.days is None or not self.complete:
            return None
        return _A_YEAR if self._of_a_year(yearly) else _rounded(self.days)

    def _of_a_year(self, yearly: Sequence[Decimal]) -> bool:
        """Whether a part of a year is dated, but the debt service is that of a year."""
        if self.days is None or _rounded(self.days) == _A_YEAR:
            return False
        if self.annualised or self.debt_service is None:
            return self.annualised
        part = Decimal(self.days) / _A_YEAR
        ratios = [self.debt_service / year for year in yearly]
        return any(abs(one - 1) <= min(_NEAR, abs(one - part)) for one in ratios)


def underwriting(total: Facts, properties: Sequence[Facts], *, whole: bool) -> Income:
    """Income when the loan was underwritten.

    `total` is the block that speaks for the whole loan, empty where there is none; `properties`
    are summed where it is silent; `whole` says that none of them is missing.
    """
    if not whole:
        properties = ()
    noi = total.stated("underwritten_noi") or _summed(properties, "underwritten_noi")
    ncf = total.stated("underwritten_ncf") or _summed(properties, "underwritten_ncf")
    by_noi = _ratio(total, properties, "underwritten_noi_dscr")
    by_ncf = _ratio(total, properties, "underwritten_ncf_dscr")
    word, dscr = _coverage(noi, ncf, by_noi, by_ncf)
    return Income(noi, ncf, dscr, IncomeBasis(word, underwritten=True)) if word else Income()


def latest(
    total: Facts,
    properties: Sequence[Facts],
    *,
    whole: bool,
    yearly: Iterable[Decimal] = (),
    seasonal: bool = False,
) -> Income | None:
    """Income of the latest filed period; None where no figure of one is filed.

    Arguments as for `underwriting`. `yearly` are the amounts that a year's debt service may be:
    some filers state the dates of a quarter with amounts of a year, and the debt service among
    these gives them away. `seasonal`: a part of a year tells less of the whole (lodging).

    Without a single period, or where statements of some properties are missing, there are no
    amounts of a year: a DSCR counts as filed, and without one there is nothing.
    """
    if any(total.get(key) for key in _FILED):
        said: Statement | None = Statement.of(total)
    else:
        said = Statement.of_all(properties) if whole else None
    if said is None:
        return None
    days = said.amount_days(list(yearly))
    noi, ncf = (None, None) if days is None else (said.noi, said.ncf)
    word, dscr = _coverage(noi, ncf, said.by_noi, said.by_ncf)
    if word is None:
        return None
    remarks = list(_remarks(said, days, seasonal=seasonal, amounts=bool(noi or ncf)))
    amount = ncf if word == "NCF" else noi
    if dscr is None and amount is not None and said.debt_service is not None:
        dscr = amount / said.debt_service
        remarks.append("DSCR computed")
    return Income(
        noi=_of_year(noi, days),
        ncf=_of_year(ncf, days),
        dscr=dscr,
        basis=IncomeBasis(word, _period(said), remarks=tuple(remarks)),
        start=said.start,
        end=said.end,
        days=days,
        filed=True,
        filed_service=_of_year(said.debt_service, days),
    )


def _remarks(
    said: Statement, days: int | None, *, seasonal: bool, amounts: bool
) -> Iterator[Remark]:
    """What is so of the amounts of a statement."""
    if not said.complete:
        yield "some statements missing"
    if said.days is None or days is None:
        return
    if days != _A_YEAR and amounts:
        yield "annualised"
        if seasonal:
            yield "seasonal"
    if days != _rounded(said.days):
        yield "amounts of a year"


def total_of(figures: Iterable[Decimal | None]) -> Decimal | None:
    """Sum over all properties; None where one does not say: a partial sum is no total."""
    listed = list(figures)
    known = [figure for figure in listed if figure is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(listed) else None


def _summed(properties: Sequence[Facts], key: str) -> Decimal | None:
    return total_of(one.stated(key) for one in properties)


def _same(values: Iterable[_Value | None]) -> _Value | None:
    """What all of them are; None where they differ."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


def _coverage(
    noi: Decimal | None, ncf: Decimal | None, by_noi: Decimal | None, by_ncf: Decimal | None
) -> tuple[Measure | None, Decimal | None]:
    """What DSCR is on, "NCF" or "NOI", and the DSCR. NCF that is NOI to the cent is NOI."""
    net: Measure = "NOI" if ncf is not None and ncf == noi else "NCF"
    # A ratio with its numerator first, then a ratio alone, then an amount alone.
    order: list[tuple[Measure, Decimal | None, bool]] = [
        (net, by_ncf, None not in (by_ncf, ncf)),
        ("NOI", by_noi, None not in (by_noi, noi)),
        ("NCF", by_ncf, by_ncf is not None),
        ("NOI", by_noi, by_noi is not None),
        (net, None, ncf is not None),
        ("NOI", None, noi is not None),
    ]
    return next(((word, ratio) for word, ratio, known in order if known), (None, None))


def _ratio(total: Facts, properties: Sequence[Facts], key: str) -> Decimal | None:
    """DSCR of the whole loan; filers who have no block for it repeat it on every property."""
    if (stated := total.stated(key)) is not None:
        return stated
    return _same(one.stated(key) for one in properties)


def _days(start: date | None, end: date | None) -> int | None:
    """Days of a period, first and last included; None without one, or of a reversed one."""
    if start is None or end is None or end < start:
        return None
    return (end - start).days + 1


def _rounded(days: int) -> int:
    """365 for every length that counts as a year."""
    return _A_YEAR if YEAR_DAYS[0] <= days <= YEAR_DAYS[1] else days


def _of_year(amount: Decimal | None, days: int | None) -> Decimal | None:
    """A year of an amount of so many days."""
    return None if amount is None or days is None else amount * _A_YEAR / days


def _period(said: Statement) -> str:
    """A period in words: "1 Jan to 30 Sep 2025, 9 months"."""
    if said.start is None or said.end is None or said.days is None:
        return "no single period"
    first = _day(said.start)
    if said.start.year == said.end.year:
        first = first.rpartition(" ")[0]
    months = round(said.days * 12 / _A_YEAR)
    length = f"{months} months" if months > 1 else "1 month" if months else f"{said.days} days"
    return f"{first} to {_day(said.end)}, {length}"


def _day(day: date) -> str:
    month = _MONTHS[3 * day.month - 3 : 3 * day.month]  # %b would follow the machine's locale
    return f"{day.day} {month} {day.year}"

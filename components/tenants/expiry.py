"""Area by the year in which its lease expires, as bars that lead to the leases."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Final

from components.frame import bars, session
from components.frame.ledger import Column, ledger
from components.frame.routes import TENANTS
from components.kit import theme
from components.kit.card import card, opening
from components.kit.chart import EDGE
from components.kit.formatting import axis_count, count, share
from components.tenants.view import TenantView
from services.contract.months import year_of
from services.contract.rounding import number_of
from services.contract.tenants import TenantTotals, YearOfLeases

#: Years that have a bar of their own, that of the as-of date first; those after them share one.
_YEARS: Final = 10


@dataclass(frozen=True, slots=True)
class _Span:
    """Leases that expire between two days, None where there is no end."""

    label: str
    first: date | None
    last: date | None
    leases: int
    square_feet: int


def panel(view: TenantView, totals: TenantTotals) -> None:
    """The bars in their card, and the same as a table; nothing where no dated lease has an area."""
    spans = _spans(totals.years, session.today())
    if not any(one.square_feet for one in spans):
        return
    with card("Square feet by year of lease expiry", level=2):
        looks = {
            "ahead": bars.Look(theme.ACCENT[theme.dark()]),
            "over": bars.Look(EDGE, hatched=True),
        }
        bars.bars(
            [_bar(one, view, totals.square_feet) for one in spans],
            looks,
            key="leases by year",
            caption="Square feet by the year in which the lease expires; the same figures are in "
            "the table below",
            height=190,
            write=axis_count,
        )
        opening("The same as a table", "years_as_table", partial(_table, spans, view, totals))


def _spans(years: Sequence[YearOfLeases], today: date) -> list[_Span]:
    """What has expired, ten years from the as-of date on, and the rest. A year without a lease is
    there only between years with one.
    """
    found = {one.year: one for one in years}
    last = today.year + _YEARS - 1
    spans = []
    if None in found:
        over = found[None]
        day_before = today - timedelta(days=1)
        spans.append(_Span("Expired", None, day_before, over.leases, over.square_feet))
    ahead = [one.year for one in years if one.year and one.year <= last]
    for year in range(min(ahead, default=last + 1), max(ahead, default=last) + 1):
        one = found.get(year) or YearOfLeases(year=year, leases=0, square_feet=0)
        first, end = year_of(year)
        spans.append(_Span(str(year), max(first, today), end, one.leases, one.square_feet))
    if later := [one for one in years if one.year and one.year > last]:
        leases, feet = (
            sum(getattr(one, name) for one in later) for name in ("leases", "square_feet")
        )
        spans.append(_Span("Later", year_of(last + 1)[0], None, leases, feet))
    return spans


def _leads(one: _Span, view: TenantView) -> dict[str, str]:
    day = timedelta(days=1)
    return view.but(
        look="leases",
        order=None,
        expires_after=one.first and one.first - day,
        expires_before=one.last and one.last + day,
    )


def _bar(one: _Span, view: TenantView, whole: int) -> bars.Bar:
    return bars.Bar(
        one.label,
        {"ahead" if one.first else "over": one.square_feet},
        [
            f"{number_of(one.leases, 'lease')}, {count(one.square_feet)} sq ft",
            f"{share(one.square_feet, whole)} of the area listed",
        ],
        (TENANTS, _leads(one, view)),
    )


def _table(spans: Sequence[_Span], view: TenantView, totals: TenantTotals) -> None:
    ledger(
        (
            Column[_Span]("label", "Expires", lambda one: one.label),
            Column[_Span]("leases", "Leases", lambda one: count(one.leases), figure=True),
            Column[_Span]("area", "Square feet", lambda one: count(one.square_feet), figure=True),
            Column[_Span](
                "share",
                "Of the area listed",
                lambda one: share(one.square_feet, totals.square_feet),
                figure=True,
            ),
        ),
        spans,
        opens=lambda one: (TENANTS, _leads(one, view)),
        caption="Leases by the year in which they expire",
    )

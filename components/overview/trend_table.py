"""Trends as a table and as a file: every month and group, those of few loans too."""

from datetime import date
from typing import Final

from components.frame import exports
from components.kit import severity, tables
from components.kit.formatting import MISSING, count, money, multiple, percent, share
from components.overview.trend_lines import PARTS, SEVERE, group, hit, whole
from components.overview.view import FIELD, Groups, Unit
from services.contract.compared import MonthDeals
from services.contract.distributions import FEW
from services.contract.history import COUNTED_BY, TrendPoint, Trends

#: Parts that a file has by the fields of TrendPoint; severities are named by themselves.
_FILED: Final = tuple(part for part in PARTS if part != SEVERE)

#: The column that says of which group a row is.
_WORDS: Final[dict[Groups, str]] = {"property_type": "Property type", "vintage": "Vintage"}


def table(found: Trends, by: Groups, unit: Unit) -> None:
    """The newest month first."""
    points = found.points
    deals = {one.month: deals_of(one) for one in found.deals}
    rows = [
        _row(one, by, unit, deals[one.month])
        for one in sorted(points, key=lambda one: one.month, reverse=True)
    ]
    tables.sheet(rows, "Trends by month", prose=_WORDS.values(), scrolls=True)


def deals_of(one: MonthDeals) -> str:
    """2 of 3: deals that filed in a month, of those that had filed by then."""
    return f"{count(one.deals)} of {count(one.of_deals)}"


def _row(one: TrendPoint, by: Groups, unit: Unit, deals: str) -> dict[str, str]:
    head = _WORDS.get(by)
    words = {word: severity.label(word) for word in reversed(COUNTED_BY)}
    return {
        "Month": f"{one.month:%b %Y}",
        **({head: group(one.word, by)} if head else {}),
        "Deals": deals,
        "Loans": count(one.loans),
        "Balance": money(one.balance),
        **{label: _share(one, part, unit) for part, label in {**PARTS, **words}.items()},
        "DSCR": _mean(multiple(one.dscr), one.dscr_loans),
        "Occupancy": _mean(percent(one.occupancy and 100 * one.occupancy, 1), one.occupancy_loans),
    }


def _share(one: TrendPoint, part: str, unit: Unit) -> str:
    """12.3%; of few loans how many of how many, whatever the unit."""
    if one.loans >= FEW:
        return share(hit(one, part, unit), whole(one, unit))
    return f"{hit(one, part, 'loans')} of {one.loans}"


def _mean(wrote: str, loans: int) -> str:
    """1.42x (63); a mean of few loans stands with their number too."""
    return f"{wrote} ({count(loans)})" if loans else MISSING


def export(found: Trends, by: Groups, shown: str) -> exports.Export:
    """Every point, in loans and in dollars."""
    deals = {one.month: one for one in found.deals}
    counts = ("loans", "balance", *(f"{part}_{of}" for part in _FILED for of in FIELD.values()))
    worst = [(word, of) for word in COUNTED_BY for of in FIELD.values()]
    means = {"dscr": float, "dscr_loans": int, "occupancy": float, "occupancy_loans": int}
    rows = [
        {
            "month": one.month,
            by: one.word,
            "deals": deals[one.month].deals,
            "of_deals": deals[one.month].of_deals,
            **{name: getattr(one, name) for name in (*counts, *means)},
            **{f"worst_{word}_{of}": getattr(one, f"severity_{of}").get(word, 0)
               for word, of in worst},
        }
        for one in found.points
    ]  # fmt: skip
    whole = ("deals", "of_deals", *counts, *(f"worst_{word}_{of}" for word, of in worst))
    kinds = {"month": date, by: str, **dict.fromkeys(whole, int), **means}
    if by == "all":
        del kinds[by]
    return exports.of_rows("trends by month", shown, rows, kinds)

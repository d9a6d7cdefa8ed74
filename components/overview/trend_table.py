"""Trends as a table and as a file: every month and group, those of few loans too."""

from typing import Final

from components.frame import exports
from components.kit import severity, tables
from components.kit.formatting import MISSING, count, money, multiple, percent, share
from components.overview.trend_lines import PARTS, SEVERE, group, hit, whole
from components.overview.view import FIELD, Groups, Unit
from services.contract.compared import MonthDeals
from services.contract.distributions import FEW
from services.contract.history import TrendPoint, Trends
from services.contract.vocabulary import GRADED, NO_SIGNAL

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
    tables.plain(
        rows,
        "Trends by month",
        figures=[name for name in (rows[0] if rows else ()) if name not in _WORDS.values()],
        scrolls=True,
    )


def deals_of(one: MonthDeals) -> str:
    """2 of 3: deals that filed in a month, of those that had filed by then."""
    return f"{count(one.deals)} of {count(one.of_deals)}"


def _row(one: TrendPoint, by: Groups, unit: Unit, deals: str) -> dict[str, str]:
    head = _WORDS.get(by)
    words = {word: severity.label(word) for word in (*reversed(GRADED), NO_SIGNAL)}
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
    import pyarrow as pa

    points, deals = found.points, {one.month: one for one in found.deals}
    columns: dict[str, pa.Array] = {
        "month": pa.array([one.month for one in points], pa.date32()),
        **({} if by == "all" else {by: pa.array([one.word for one in points], pa.string())}),
    }
    for name in ("deals", "of_deals"):
        columns[name] = pa.array([getattr(deals[one.month], name) for one in points], pa.int64())
    counts = ("loans", "balance", *(f"{part}_{of}" for part in _FILED for of in FIELD.values()))
    for name in counts:
        columns[name] = pa.array([getattr(one, name) for one in points], pa.int64())
    for word in (*GRADED, NO_SIGNAL):
        for of in FIELD.values():
            listed = [getattr(one, f"severity_{of}").get(word, 0) for one in points]
            columns[f"worst_{word}_{of}"] = pa.array(listed, pa.int64())
    for name in ("dscr", "occupancy"):
        columns[name] = pa.array([getattr(one, name) for one in points], pa.float64())
        loans = [getattr(one, f"{name}_loans") for one in points]
        columns[f"{name}_loans"] = pa.array(loans, pa.int64())
    return exports.of_table("trends by month", shown, exports.origin(), pa.table(columns))

"""What the charts of trends draw: one line a figure or group, each point with its loans. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from components.kit.fields import label
from components.kit.formatting import count, loan_count, money, multiple, percent, words
from components.overview.view import FIELD, Groups, Unit
from services.contract.distributions import FEW
from services.contract.history import TrendPoint
from services.contract.vocabulary import SEVERE_OR_WORSE

SEVERE: Final = "severe or worse"
#: Parts of a book by the fields of TrendPoint that count them.
PARTS: Final = {
    "delinquent": "30+ days delinquent",
    "late_60": "60+ days delinquent",
    "late_90": "90+ days delinquent",
    "special": label("special_servicing"),
    SEVERE: "Severe or critical",
}
#: From how many days on -> the part.
LATE: Final = {"30": "delinquent", "60": "late_60", "90": "late_90"}
#: Groups that have a line at most: the largest.
MOST: Final = 6


@dataclass(frozen=True, slots=True)
class Line:
    """A figure by month."""

    name: str
    months: tuple[date, ...]
    #: Shares and occupancy as percent figures; None where under FEW loans are behind it.
    values: tuple[float | None, ...]
    #: What each point says when it is pointed at.
    said: tuple[str, ...]
    #: How many of them have loans, but under FEW.
    few: int


def hit(point: TrendPoint, part: str, unit: Unit) -> int:
    """Loans or dollars of a part, or of a worst severity."""
    of: Mapping[str, int] = getattr(point, f"severity_{FIELD[unit]}")
    if part in of:
        return of[part]
    if part == SEVERE:
        return sum(of[word] for word in SEVERE_OR_WORSE)
    return int(getattr(point, f"{part}_{FIELD[unit]}"))


def whole(point: TrendPoint, unit: Unit) -> int:
    """Loans or dollars of all."""
    return point.balance if unit == "dollars" else point.loans


def part_line(name: str, points: Sequence[TrendPoint], part: str, unit: Unit) -> Line:
    """The share of a part by month."""
    values, said = [], []
    for one in points:
        share = 100 * hit(one, part, unit) / whole(one, unit) if whole(one, unit) else None
        values.append(share if one.loans >= FEW else None)
        said.append(
            f"{one.month:%b %Y}: {percent(share, 1)}, "
            f"{count(hit(one, part, 'loans'))} of {loan_count(one.loans)}, "
            f"{money(hit(one, part, 'dollars'))} of {money(one.balance)}"
        )
    return _line(name, points, values, said, [one.loans for one in points])


def figure_line(name: str, points: Sequence[TrendPoint], figure: str) -> Line:
    """DSCR or occupancy by month, weighted by balance."""
    values, said, loans = [], [], []
    for one in points:
        value, known = getattr(one, figure), getattr(one, f"{figure}_loans")
        if value is not None and figure == "occupancy":
            value *= 100
        wrote = percent(value, 1) if figure == "occupancy" else multiple(value)
        values.append(value if known >= FEW else None)
        loans.append(known)
        said.append(f"{one.month:%b %Y}: {wrote}, of {count(known)} of {loan_count(one.loans)}")
    return _line(name, points, values, said, loans)


def loans_line(name: str, points: Sequence[TrendPoint]) -> Line:
    """How many loans there are by month."""
    loans = [one.loans for one in points]
    said = [f"{one.month:%b %Y}: {loan_count(one.loans)}, {money(one.balance)}" for one in points]
    return _line(name, points, loans, said, loans)


def _line(
    name: str,
    points: Sequence[TrendPoint],
    values: Sequence[float | None],
    said: Sequence[str],
    loans: Sequence[int],
) -> Line:
    months = tuple(one.month for one in points)
    few = sum(0 < known < FEW for known in loans)
    return Line(name, months, tuple(values), tuple(said), few)


def group(word: str | None, by: Groups) -> str:
    """What a group is called."""
    if by == "all":
        return "All loans"
    return "Not known" if word is None else word if by == "vintage" else words(word)


def grouped(points: Sequence[TrendPoint], by: Groups) -> dict[str, list[TrendPoint]]:
    """The points of each group by month, the group of most loans in its last month first."""
    found: dict[str, list[TrendPoint]] = {}
    for one in points:
        found.setdefault(group(one.word, by), []).append(one)
    last = max((one.month for one in points), default=None)

    def size(name: str) -> int:
        end = found[name][-1]
        return end.loans if end.month == last else 0

    return {name: found[name] for name in sorted(found, key=lambda name: (-size(name), name))}


def drawn(groups: Mapping[str, list[TrendPoint]]) -> dict[str, list[TrendPoint]]:
    """The largest groups of those that have FEW loans in any month."""
    many = {name: one for name, one in groups.items() if any(at.loans >= FEW for at in one)}
    return dict(list(many.items())[:MOST])

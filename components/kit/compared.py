"""Facts of several records, line by line: which record is the best in each, and which the weakest.
Pure.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from components.kit.formatting import MISSING
from services.contract.facts import Worse

#: The group of the facts that decide.
KEY: Final = "Key figures"
#: Columns beside those of the records.
HEADS: Final = ("Group", "Fact", "Best", "Weakest", "Differs")


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact of one record."""

    group: str
    label: str
    written: str
    #: Its size, for marks and bars; None of what has none.
    amount: float | None = None
    #: Which end of the amounts is the bad one.
    worse: Worse = ""
    #: Whether it may be worse than what is written: an LTV of at least 80%.
    bound: bool = False
    #: Whether its size is drawn as a bar.
    barred: bool = False


@dataclass(frozen=True)
class Line:
    """A fact of several records, by the name of each that states it."""

    group: str
    label: str
    cells: Mapping[str, Stated]

    def written(self, name: str) -> str:
        """The fact of a record as it is written."""
        return self.cells[name].written if name in self.cells else MISSING

    def differs(self, names: Sequence[str]) -> bool:
        """Whether the records are not alike in it."""
        return len({self.written(name) for name in names}) > 1

    @cached_property
    def ranked(self) -> list[str]:
        """The records that state an amount, the best first; empty where no end is the bad one, or
        fewer than two state one.
        """
        sizes = {
            name: -one.amount if one.worse == "low" else one.amount
            for name, one in self.cells.items()
            if one.worse and one.amount is not None
        }
        return sorted(sizes, key=lambda name: sizes[name]) if len(sizes) > 1 else []

    @cached_property
    def best(self) -> str | None:
        """The one record that is better than the others for a lender, where that is certain."""
        order = self.ranked
        sure = order and not self.cells[order[0]].bound
        return self._apart(*order[:2]) if sure else None

    @cached_property
    def weakest(self) -> str | None:
        """The one record that is worse than the others for a lender, where that is certain."""
        order = self.ranked
        sure = order and not any(self.cells[name].bound for name in order[:-1])
        return self._apart(*order[:-3:-1]) if sure else None

    def _apart(self, outermost: str, following: str) -> str | None:
        return outermost if self.written(outermost) != self.written(following) else None


def lines_of(records: Mapping[str, Sequence[Stated]]) -> list[Line]:
    """A line a fact that one of the records states, group by group.

    Groups, and facts of a group, come in the order of the first record that has them.
    """
    cells: dict[str, dict[str, dict[str, Stated]]] = {}
    for name, facts in records.items():
        for one in facts:
            cells.setdefault(one.group, {}).setdefault(one.label, {})[name] = one
    return [
        Line(group, label, found)
        for group, lines in cells.items()
        for label, found in lines.items()
    ]


def weakest_in_words(lines: Sequence[Line], called: Mapping[str, str]) -> str:
    """Which record is the weakest in most figures; empty where none is in more than one, or than
    the others.
    """
    most = Counter(line.weakest for line in lines if line.weakest).most_common(2)
    if not most or most[0][1] < 2 or len({times for _, times in most}) < len(most):  # noqa: PLR2004
        return ""
    (name, times), *_ = most
    return f"{called[name]} is the weakest in {times} of {ranked(lines)} figures."


def ranked(lines: Sequence[Line]) -> int:
    """How many of the facts tell a better record from a worse one."""
    return sum(bool(line.ranked) for line in lines)


def rows_of(lines: Sequence[Line], called: Mapping[str, str]) -> list[dict[str, str]]:
    """A row a fact, a column a record; which is best and weakest, and whether they differ."""
    return [
        {
            "Group": line.group,
            "Fact": line.label,
            **{label: line.written(name) for name, label in called.items()},
            "Best": called.get(line.best or "", ""),
            "Weakest": called.get(line.weakest or "", ""),
            "Differs": "≠" if line.differs(tuple(called)) else "",
        }
        for line in lines
    ]

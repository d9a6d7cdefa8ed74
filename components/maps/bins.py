"""What maps and matrices show, and in which fixed classes. Pure; no Streamlit.

The bins are fixed: the same colour means the same figure in every view and on every day.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from components.kit.formatting import count, money, percent
from services.contract.aggregates import Behind

#: ColorBrewer YlOrBr-5: darker is worse, on a light page and on a dark one.
RAMP: Final = ("#ffffd4", "#fed98e", "#fe9929", "#d95f0e", "#993404")
#: What is read on each of them.
INKS: Final = dict(zip(RAMP, ("#10171f",) * 4 + ("#ffffff",), strict=True))
#: A share of fewer loans than these says little: such a state is hatched.
FEW: Final = 10


@dataclass(frozen=True, slots=True)
class Measure:
    """One way to look at stress: a figure of the loans behind it, its bins, how it is written."""

    name: str
    label: str
    title: str
    figure: Callable[[Behind], float | None]
    #: Upper ends of all classes but the last.
    ends: tuple[float, ...]
    write: Callable[[float], str]

    def bin(self, value: float | None) -> int | None:
        """Class of a figure, 0 to 4; None where there is nothing to show."""
        if not value:
            return None
        return sum(value >= end for end in self.ends)

    def labels(self) -> list[str]:
        """The classes in words, mildest first."""
        ends = [self.write(end) for end in self.ends]
        inner = [f"{low} to {high}" for low, high in pairwise(ends)]
        return [f"under {ends[0]}", *inner, f"{ends[-1]} or more"]


def part(found: Behind) -> float | None:
    """Share of the book value that the loans behind the signals are of, a percent figure."""
    return 100 * found.book_value / found.of_book_value if found.of_book_value else None


MEASURES: Final = {
    measure.name: measure
    for measure in (
        Measure(
            "share",
            "Share of book",
            "share of the book value",
            part,
            (5, 10, 20, 30),
            lambda v: percent(v, 0),
        ),
        Measure(
            "dollars",
            "Book value",
            "book value of the loans",
            lambda found: found.book_value,
            (1e7, 1e8, 5e8, 2e9),
            money,
        ),
        Measure(
            "short",
            "Dollars short",
            "dollars short at refinance",
            lambda found: found.dollars_short,
            (5e6, 2.5e7, 1e8, 2.5e8),
            money,
        ),
        Measure(
            "loans",
            "Loans",
            "number of loans",
            lambda found: found.loans,
            (5, 10, 25, 50),
            lambda v: count(int(v)),
        ),
    )
}

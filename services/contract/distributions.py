"""How figures of loans lie against each other: what is asked, and what is answered.

One question, whether it is seen as points, as classes or as a place among peers: which loans have
the figure, and where among them does one lie?
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

from .aggregates import FoundTotals
from .facts import FACT, Fact
from .loan_filter import LoanFilter
from .records import Record

#: A figure that loans are laid out by.
FigureName = Literal[
    "dscr", "ltv", "debt_yield", "interest_rate", "rate_gap_bp", "refinance_gap", "occupancy",
    "months_to_maturity", "noi_change", "dollars_short", "book_value", "proforma_dscr",
    "noi_room", "underwritten_markup", "filed_over_implied",
]  # fmt: skip
#: What tells the loans of a plot apart by colour.
ColourBy = Literal["worst_severity", "property_type", "rate_pressure", "confidence_tier"]
#: What a distribution is split by; vintage is the year of origination.
SplitBy = Literal["property_type", "state", "vintage", "lender"]
#: Which axes of a plot count in powers of ten.
LogAxes = Literal["x", "y", "xy"]

#: Figures of a year's income against that of underwriting: -0.2 is a fifth less. Of loans with a
#: filed period, as rule NI-1.
NOI_CHANGE: Final = Fact(
    "noi_change", "fraction", "NOI against underwriting", "scored",
    missing="no period is filed since underwriting, or none was underwritten",
)  # fmt: skip
#: Every figure by name, in the order in which a reader chooses among them.
FIGURES: Final[Mapping[FigureName, Fact]] = {
    name: NOI_CHANGE if name == NOI_CHANGE.name else FACT[name] for name in get_args(FigureName)
}

#: Loans that are drawn as points; more of them are a density of cells.
MOST_POINTS: Final = 5_000
#: Cells from left to right, and from bottom to top.
CELLS: Final = (40, 30)
#: Classes of a histogram.
CLASSES: Final = 30
#: Groups of a distribution; those of fewer loans are left out and counted.
MOST_GROUPS: Final = 20
#: Percentiles between which the axes of a clipped plot lie, and the fewest loans of one: of fewer,
#: the percentiles cut off single loans and save no room.
CLIPPED: Final = (1.0, 99.0)
FEWEST_CLIPPED: Final = 200
#: How far below an axis loans without its figure are drawn, in parts of its length.
_ASIDE: Final = 0.12
#: Fewer loans than these say little of a group (D127).
FEW: Final = 10


@dataclass(frozen=True, slots=True)
class Plot:
    """Two figures of each loan against each other."""

    x: FigureName
    y: FigureName
    colour: ColourBy = "worst_severity"
    log: LogAxes | None = None
    #: Whether the axes end at the percentiles of CLIPPED. A loan beyond an end lies on that end.
    clip: bool = False

    def is_log(self, axis: Literal["x", "y"]) -> bool:
        """Whether an axis counts in powers of ten."""
        return axis in (self.log or "")


def aside(ends: tuple[float, float], *, log: bool) -> float:
    """Where points are drawn that have no figure on an axis, or none above zero on one of powers of
    ten: below its lower end.
    """
    low, high = ends
    if log:
        return low / ((high / low) ** _ASIDE if high > low else 2.0)
    return low - (_ASIDE * (high - low) or abs(low) / 10 or 1.0)


def drawn_at(value: float | None, ends: tuple[float, float], *, log: bool) -> float:
    """Where on an axis a point of this figure is drawn: beyond an end of it, on that end."""
    if value is None or (log and value <= 0):
        return aside(ends, log=log)
    return min(max(value, ends[0]), ends[1])


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a plot, by the corners of its outline in the figures' own units.

    Its edges are straight as the plot is drawn, on axes of powers of ten too. A loan lies where it
    is drawn: one beyond the end of an axis on that end, a point without a figure where `aside`
    says. A loan on the outline of a box lies in it.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]

    @property
    def is_box(self) -> bool:
        """Whether two opposite corners are all that is given."""
        return len(self.x) == 2  # noqa: PLR2004 - a box has two opposite corners


class Points(Record):
    """Loans of a plot, by loan_number: the same place in each stands for the same loan. All that
    match, with their own figures, wherever these are drawn.
    """

    loan_number: tuple[str, ...]
    x: tuple[float | None, ...]
    y: tuple[float | None, ...]
    #: What colours them; None where it is not known.
    word: tuple[str | None, ...]
    book_value: tuple[int | None, ...]
    property_name: tuple[str | None, ...]
    property_city: tuple[str | None, ...]
    property_state: tuple[str | None, ...]


class Cell(Record):
    """Loans of a plot whose figures lie in one cell of it."""

    #: Its place from the left and from the bottom, from 0.
    column: int
    row: int
    loans: int
    book_value: int


class Scatter(Record):
    """Loans by two figures: as points, or as cells where more than MOST_POINTS match."""

    #: That match.
    loans: int
    #: Of these: with a place by both figures; without one of them; zero or less where an axis is of
    #: powers of ten. Only as points are the last two in the plot.
    drawn: int
    missing: int
    not_positive: int
    #: Beyond the end of an axis.
    beyond: int
    #: Where the axes end; None where the plot is empty.
    x_ends: tuple[float, float] | None
    y_ends: tuple[float, float] | None
    points: Points | None
    #: Without empty cells, column by column.
    cells: tuple[Cell, ...]
    #: Between which the columns and rows of cells lie; a cell holds its lower end, the last both.
    x_edges: tuple[float, ...]
    y_edges: tuple[float, ...]


class Within(Record):
    """The loans of a plot that lie in some areas of it."""

    #: By loan_number, at most so many as one set can hold.
    numbers: tuple[str, ...]
    #: Of all of them.
    totals: FoundTotals


class FigureGroup(Record):
    """The loans of one word, by a figure. Percentiles lie between two loans where they have to."""

    #: None for the loans without one.
    word: str | None
    #: With the figure, and without it.
    loans: int
    missing: int
    p5: float
    p25: float
    median: float
    p75: float
    p95: float
    #: Loans by class.
    counts: tuple[int, ...]


class Distribution(Record):
    """Loans by one figure, all of them and split by a word."""

    #: That match; None where none has the figure.
    whole: FigureGroup | None
    #: With most loans first, then by word; without those that have no loan with the figure.
    groups: tuple[FigureGroup, ...]
    #: Groups left out, and their loans.
    groups_left: int
    loans_left: int
    #: Lower ends of the classes, and the upper end of the last; a class holds its lower end, the
    #: first all below it, the last all above it.
    edges: tuple[float, ...]


class SeverityCell(Record):
    """Loans of one vintage and property type, and how many are severe or worse."""

    #: Year of origination.
    vintage: int | None
    property_type: str | None
    loans: int
    severe: int
    book_value: int


class Standing(Record):
    """Where one loan lies among others by a figure."""

    figure: FigureName
    #: Of the loan; None where it is not known.
    value: float | None
    #: Share of the others whose figure is lower, 0 to 100; None without a figure, or others.
    percentile: float | None
    #: Loans with the figure, this one included where it has one.
    loans: int
    median: float | None


class Distributions(Protocol):
    """How figures of loans lie against each other, and where one loan lies among others.

    Of a query its paging and order are ignored.
    """

    def loan_scatter(self, query: LoanFilter, plot: Plot) -> Scatter:
        """The loans that match by two figures: as points, or as cells where they are many."""
        ...

    def loans_within(self, query: LoanFilter, plot: Plot, areas: tuple[Area, ...]) -> Within:
        """The loans of that plot that lie in any of these areas of it."""
        ...

    def loan_distribution(self, query: LoanFilter, figure: FigureName, by: SplitBy) -> Distribution:
        """The loans that match by one figure, all of them and split by a word."""
        ...

    def severe_shares(self, query: LoanFilter) -> list[SeverityCell]:
        """The loans that match by vintage and property type, in that order, nulls last: how many
        there are, and how many have a severe or critical signal.
        """
        ...

    def standings(
        self, query: LoanFilter, loan_number: str, figures: tuple[FigureName, ...]
    ) -> list[Standing]:
        """Where one loan lies among those that match, whether or not it matches itself, by each of
        these figures, in their order. Raises NotFound.
        """
        ...

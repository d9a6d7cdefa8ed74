"""Properties on a map: each a point with a position of a known kind, or counted in cells."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final, Literal, Protocol, Self

from pydantic import AfterValidator, BeforeValidator, Field

from .cells import FARTHEST, PATTERN, Place, Resolution
from .loan_filter import LoanFilter
from .queries import Exact, Number, four
from .records import Page, Record

if TYPE_CHECKING:  # pages import this module; only exports need pyarrow
    import pyarrow as pa

#: How a position came to be known, the surest first: from the source's own coordinates, as the
#: middle of the ZIP code or of the city; or not at all.
PositionKind = Literal["source", "zip", "city", "none"]
POSITION_KINDS: Final[tuple[PositionKind, ...]] = ("source", "zip", "city", "none")


def _cell(value: str) -> str:
    if not re.fullmatch(f"{PATTERN}", value, re.ASCII):
        raise ValueError("must be the name of a cell, such as middle.-143.62")
    return value


def _no_order(_: str) -> str:
    raise ValueError("properties have one order: the worst first, then the most dollars")


def _in_order(sides: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    west, south, east, north = (round(one, 3) for one in sides)
    if not (-FARTHEST <= south < north <= FARTHEST and -_AROUND <= west < east <= _AROUND):
        raise ValueError(
            f"must be west, south, east and north in this order, at most {FARTHEST:g} degrees north"
            " or south"
        )
    return west, south, east, north


#: A cell's name, of any size.
Cell = Annotated[str, AfterValidator(_cell)]
#: A map may show the earth more than once.
_AROUND: Final = 540.0
#: Part of the map, as it is drawn: west, south, east and north in degrees (insets.py).
Sides = Annotated[
    tuple[Number, Number, Number, Number],
    BeforeValidator(four("degrees: west, south, east, north")),
    AfterValidator(_in_order),
]


class PropertyFilter(LoanFilter):
    """The properties of which loans, and where. The order is always the same: the worst first, then
    the most dollars, then by loan_number, then as the source lists them.
    """

    order: Annotated[str, Field(max_length=60), AfterValidator(_no_order)] | None = None
    cell: Cell | None = None
    #: Of this loan alone.
    loan: Exact | None = None
    #: What is drawn within this part of the map.
    view: Sides | None = None

    def of_loans(self) -> LoanFilter:
        """Its conditions on loans."""
        return self.part(LoanFilter).without("order").at(1)

    def everywhere(self) -> Self:
        """The same without cell, loan or part of the map."""
        return self.model_copy(update={"cell": None, "loan": None, "view": None, "page": 1})


class PropertyTotals(Record):
    """The properties of a result. A loan's book value is divided among its properties, by their
    values where the source gives all of them, else evenly.
    """

    properties: int
    loans: int
    dollars: int
    #: How many have a position of each kind.
    positions: dict[PositionKind, int]


class PropertyCell(Record):
    """The properties of a result that lie in one cell."""

    cell: Cell
    properties: int
    loans: int
    dollars: int
    #: Of these, under loans whose worst signal is severe or critical.
    bad_dollars: int
    #: Where its properties lie on average, in degrees.
    longitude: float
    latitude: float


class PropertyCells(Record):
    """A result in cells, the most dollars first, then by name."""

    resolution: Resolution
    cells: tuple[PropertyCell, ...]
    #: Of all cells; `cells` may be the first of them.
    total: int


class FoundProperty(Record):
    """A property of a result."""

    loan_number: str
    property_name: str | None
    address: str | None
    city: str | None
    state: str | None
    zip: str | None
    property_type: str | None
    value: int | None
    #: Its part of the loan's book value.
    dollars: int
    worst: str | None
    maturity_year: int | None
    position: PositionKind


#: Columns of `Properties.property_points`: one row a property with a position, in the order of the
#: list. Positions are degrees where a map draws them: properties of one position around it, those
#: of Alaska and Hawaii in their insets. The DSCR is the loan's.
POINTS: Final = (
    "longitude", "latitude", "dollars", "grade", "property_type", "maturity_year", "position",
    "loan_number", "property_name", "city", "state", "dscr",
)  # fmt: skip
#: Columns of `Properties.property_batches`, raw values; where a position is not known its degrees
#: are empty.
PROPERTY_EXPORT: Final = (*FoundProperty.model_fields, "longitude", "latitude")


class Properties(Protocol):
    """Where properties are, one by one and in cells (D123)."""

    def property_totals(self, query: PropertyFilter) -> PropertyTotals:
        """How many properties match, of how many loans, and how their positions are known."""
        ...

    def property_points(self, query: PropertyFilter, limit: int) -> "pa.Table":
        """The first `limit` properties with a position, as POINTS has it."""
        ...

    def property_middle(self, query: PropertyFilter) -> Place | None:
        """Longitude and latitude of the middle of the properties with a position, weighted by
        dollars; each the same where none has any. None without a position (D133).
        """
        ...

    def property_cells(
        self, query: PropertyFilter, resolution: Resolution, limit: int
    ) -> PropertyCells:
        """The properties with a position in cells of this size, else of the finest that makes no
        more than `limit` of them; the first `limit` where even the widest make more. Cell, loan and
        part of the map asked for are ignored.
        """
        ...

    def properties_found(self, query: PropertyFilter) -> Page[FoundProperty]:
        """Page of the properties that match, with a position or without."""
        ...

    def property_batches(self, query: PropertyFilter) -> Iterator["pa.RecordBatch"]:
        """Every property that matches: the columns of PROPERTY_EXPORT, some thousands at a time."""
        ...

    def property_columns(
        self, query: PropertyFilter, columns: tuple[str, ...]
    ) -> Iterator["pa.ChunkedArray"]:
        """The same by the columns named, one whole column after the other, so that who lets go of
        each holds no two of them. Words that many share may be held once, as a dictionary.
        """
        ...

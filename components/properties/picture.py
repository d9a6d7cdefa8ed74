"""What is drawn of properties, on a screen or on paper: points or cells in classes. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

import numpy as np

from components.properties import base, classes
from components.properties.classes import Class
from services.contract.cells import middle
from services.contract.properties import PositionKind, PropertyCell
from services.contract.vocabulary import SEVERITIES

Colour = Literal["severity", "type", "maturity"]
#: How a position came to be known, in words.
POSITIONS: Final[dict[PositionKind, str]] = {
    "source": "by the source",
    "zip": "by ZIP",
    "city": "by city",
    "none": "without a position",
}
#: Arcs that are drawn at most: to the properties of most dollars.
MOST_ARCS: Final = 500
#: Radius of a point in pixels: of the largest, and what every point has at least.
LARGEST, LEAST = 14, 3


@dataclass(frozen=True, slots=True)
class Points:
    """Properties, the most dollars first."""

    places: Sequence[base.Place]
    dollars: Sequence[int]
    #: Our own words for the tooltip.
    said: Sequence[str]
    classes: Sequence[Class]
    #: What a click on each of them chooses.
    names: Sequence[str]
    #: Those with a ring.
    chosen: Sequence[base.Place]
    #: Where arcs to them begin; None without arcs.
    centre: base.Place | None
    fit: base.Fit
    #: What of a mark is its dollars.
    size: ClassVar[str] = "Area"

    def radii(self) -> list[int]:
        """In pixels; their areas are as their dollars."""
        top = max(self.dollars, default=0) or 1
        part = np.maximum(np.array(self.dollars, float), 0) / top
        radii: list[int] = np.rint(LEAST + (LARGEST - LEAST) * part**0.5).astype(int).tolist()
        return radii


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of properties, the most dollars first."""

    cells: Sequence[PropertyCell]
    classes: Sequence[Class]
    names: Sequence[str]
    #: The one with an edge.
    chosen: str | None
    #: Columns where the properties of a cell lie on average, not whole hexagons.
    slender: bool
    fit: base.Fit
    size: ClassVar[str] = "Height"

    @property
    def top(self) -> int:
        """The most dollars of a cell."""
        return max((one.dollars for one in self.cells), default=0) or 1


Picture = Points | Cells


def points(
    rows: Mapping[str, Sequence[Any]],
    colour: Colour,
    this_year: int,
    loan: str | None = None,
    centre: base.Place | None = None,
    *,
    dark: bool,
    width: int = base.WIDTH,
) -> Points:
    """Properties as `Properties.property_points` has them; those of `loan` have a ring."""
    of = {
        "severity": lambda: classes.by_severity(rows["worst"], dark=dark),
        "type": lambda: classes.by_type(rows["property_type"], dark=dark),
        "maturity": lambda: classes.by_maturity(rows["maturity_year"], this_year, dark=dark),
    }[colour]()
    places = list(zip(rows["longitude"], rows["latitude"], strict=True))
    numbers = rows["loan_number"]
    ringed = [at for at, one in zip(places, numbers, strict=True) if one == loan] if loan else []
    pairs = zip(rows["worst"], rows["position"], strict=True)
    return Points(
        places=places,
        dollars=rows["dollars"],
        said=[f"{_word(worst)}, {POSITIONS[position]}" for worst, position in pairs],
        classes=of,
        names=numbers,
        chosen=ringed,
        centre=centre,
        fit=base.fit(rows["longitude"], rows["latitude"], width=width),
    )


def cells(
    found: Sequence[PropertyCell],
    chosen: str | None,
    *,
    slender: bool,
    dark: bool,
    width: int = base.WIDTH,
) -> Cells:
    """Cells as `Properties.property_cells` has them."""
    across, up = zip(*(middle(one.cell) for one in found), strict=True) if found else ((), ())
    return Cells(
        cells=found,
        classes=classes.of_cells(found, dark=dark),
        names=[one.cell for one in found],
        chosen=chosen,
        slender=slender,
        fit=base.fit(across, up, [one.properties for one in found], width=width),
    )


def _word(worst: str | None) -> str:
    """One of our words for a severity, whatever a source says."""
    if worst is None:
        return "no signal"
    return worst if worst in SEVERITIES else "unranked"

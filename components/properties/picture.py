"""What is drawn of properties, on a screen or on paper: points or cells in classes. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np

from components.kit import severity, text
from components.kit.formatting import MISSING, money, multiple
from components.properties import base, classes
from components.properties.classes import Class
from services.contract.cells import corners, middle
from services.contract.insets import drawn, together
from services.contract.properties import PositionKind, PropertyCell, Sides
from services.contract.vocabulary import SEVERITIES, UNGRADED

Colour = Literal["severity", "type", "maturity"]
#: How a position came to be known, in words.
POSITIONS: Final[dict[PositionKind, str]] = {
    "source": "by the source",
    "zip": "by ZIP",
    "city": "by city",
    "none": "without a position",
}
#: Characters of a property's name on a card.
_LONGEST: Final = 60
#: Arcs that are drawn at most: to the properties of most dollars.
MOST_ARCS: Final = 500
#: Radius of a point in pixels: of the largest, and what every point has at least; where there are
#: many; and on a narrow page.
LARGEST: Final = 14
_RADII: Final = (LARGEST, 3)
_OF_MANY: Final = (9, 2)
_NARROW: Final = (6, 2)
_MANY: Final = 1_000


@dataclass(frozen=True, slots=True)
class Points:
    """Properties, the worst first."""

    places: Sequence[base.Place]
    dollars: Sequence[int]
    #: What the card of each says, in lines.
    said: Sequence[str]
    classes: Sequence[Class]
    #: What a click on each of them chooses.
    names: Sequence[str]
    #: Those with a ring.
    chosen: Sequence[base.Place]
    #: Where arcs to them begin; None without arcs.
    centre: base.Place | None
    fit: base.Fit

    def radii(self) -> list[int]:
        """In pixels; their areas are as their dollars."""
        many = _OF_MANY if len(self.places) > _MANY else _RADII
        most, least = _NARROW if self.fit.size == base.NARROW else many
        top = max(self.dollars, default=0) or 1
        part = np.maximum(np.array(self.dollars, float), 0) / top
        radii: list[int] = np.rint(least + (most - least) * part**0.5).astype(int).tolist()
        return radii

    def reached(self) -> list[int]:
        """Which of them an arc leads to: those of most dollars."""
        if self.centre is None:
            return []
        order = np.argsort(-np.array(self.dollars), kind="stable")
        largest: list[int] = order[:MOST_ARCS].tolist()
        return largest


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of properties, the most dollars first."""

    cells: Sequence[PropertyCell]
    classes: Sequence[Class]
    names: Sequence[str]
    #: The one with an edge.
    chosen: str | None
    fit: base.Fit

    def edge(self) -> list[base.Place]:
        """Around the cell that is chosen, the first corner again at the end; empty without one."""
        around = hexagon(self.chosen) if self.chosen else []
        return [*around, *around[:1]]


Picture = Points | Cells


@lru_cache(maxsize=6_000)
def hexagon(cell: str) -> list[base.Place]:
    """The corners of a cell, where they are drawn; the same cells are, whatever the filters."""
    return [(round(x, 4), round(y, 4)) for x, y in together(corners(cell), middle(cell))]


def points(
    rows: Mapping[str, Sequence[Any]],
    colour: Colour,
    this_year: int,
    loan: str | None = None,
    centre: base.Place | None = None,
    *,
    view: Sides | None = None,
    dark: bool,
    size: base.Size = base.WIDE,
) -> Points:
    """Properties as `Properties.property_points` has them; those of `loan` have a ring. Shows
    `view` first, else the bulk of them.
    """
    of = {
        "severity": lambda: classes.by_severity(rows["grade"], dark=dark),
        "type": lambda: classes.by_type(rows["property_type"], dark=dark),
        "maturity": lambda: classes.by_maturity(rows["maturity_year"], this_year, dark=dark),
    }[colour]()
    places = list(zip(rows["longitude"], rows["latitude"], strict=True))
    numbers = rows["loan_number"]
    ringed = [at for at, one in zip(places, numbers, strict=True) if one == loan] if loan else []
    return Points(
        places=places,
        dollars=rows["dollars"],
        said=[_card(dict(zip(rows, row, strict=True))) for row in zip(*rows.values(), strict=True)],
        classes=of,
        names=numbers,
        chosen=ringed,
        centre=drawn(*centre) if centre else None,
        fit=base.fit(rows["longitude"], rows["latitude"], view=view, size=size),
    )


def cells(
    found: Sequence[PropertyCell],
    chosen: str | None,
    *,
    view: Sides | None = None,
    dark: bool,
    size: base.Size = base.WIDE,
) -> Cells:
    """Cells as `Properties.property_cells` has them. Shows `view` first, else the bulk of them."""
    places = [drawn(*middle(one.cell)) for one in found]
    across, up = zip(*places, strict=True) if places else ((), ())
    return Cells(
        cells=found,
        classes=classes.of_cells(found, dark=dark),
        names=[one.cell for one in found],
        chosen=chosen,
        fit=base.fit(across, up, [one.properties for one in found], view=view, size=size),
    )


def _card(row: Mapping[str, Any]) -> str:
    """Name; number and city; dollars and DSCR; worst signal, and how the position is known."""
    number = row["loan_number"]
    named = text.line(row["property_name"] or "")
    where = [one for one in (row["city"], row["state"]) if one]
    return "\n".join((
        text.cut(named, _LONGEST) or number,
        ", ".join([*([number] if named else []), *map(text.line, where)]) or MISSING,
        f"{money(row['dollars'])}, DSCR {multiple(row['dscr'])}",
        f"{_word(row['grade'])}, {POSITIONS[row['position']]}",
    ))  # fmt: skip


def _word(grade: str) -> str:
    """A known word, whatever a source says."""
    return severity.label(grade) if grade in {*SEVERITIES, *UNGRADED} else "unranked"

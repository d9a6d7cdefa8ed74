"""Where all properties are, and what of its loan's book value is each one's: arrays by property.

A loan that no property is known of counts as one, where its own record says that it is. Properties
are in order of loan_id, those of one loan as its details list them. Read when a map first asks,
and held as long as the snapshot is open (D123).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.cells import FARTHEST, SIZES, Resolution
from services.contract.properties import POSITION_KINDS
from services.places import gazetteer

from . import columns
from .columns import Figures
from .database import Ids
from .reader import Reader

#: Rows of both kinds in order; `condition` stands in both parts.
LISTED: Final = """
SELECT {columns} FROM (
    SELECT loan_id, rowid AS place, property_name, address, city, state, zip, property_type, value
    FROM properties {condition}
    UNION ALL
    SELECT l.loan_id, -1, l.property_name, NULL, l.property_city, l.property_state::VARCHAR, NULL,
           l.property_type::VARCHAR, l.value
    FROM (SELECT * FROM loans {condition}) l ANTI JOIN properties p USING (loan_id)
) ORDER BY loan_id, place
"""
_ZIP, _CITY, _NONE = (POSITION_KINDS.index(kind) for kind in ("zip", "city", "none"))
#: Properties of one position stand around it: as far as this, in degrees, by kind.
_AROUND: Final = {_ZIP: 0.03, _CITY: 0.1}
#: And so far from it the second one, where there are few.
_APART: Final = 0.003
#: No two turns by the golden angle lie on each other.
_GOLDEN: Final = np.pi * (3 - np.sqrt(5))
#: A cell's column and row in one number.
WIDE: Final = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """All properties."""

    loan: Ids
    #: Degrees; NaN where not known.
    longitude: Figures
    latitude: Figures
    #: Place among POSITION_KINDS.
    kind: npt.NDArray[np.int8]
    #: Its part of the loan's book value.
    dollars: npt.NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        parts = (self.loan, self.longitude, self.latitude, self.kind, self.dollars)
        return sum(part.nbytes for part in parts)


def positions(reader: Reader) -> Positions:
    """All properties of the snapshot."""

    def make() -> Positions:
        sql = LISTED.format(columns="loan_id, city, state, zip, value", condition="")
        found = reader.arrow(sql).combine_chunks()
        loan = found["loan_id"].to_numpy().astype(np.int32)
        kind, latitude, longitude = _placed(found)
        book = np.nan_to_num(columns.figures(reader, "book_value"))
        value = found["value"].cast(pa.float64()).to_numpy(zero_copy_only=False)
        return Positions(loan, longitude, latitude, kind, divided(loan, value, book))

    return reader.column("positions", make)


def _placed(found: pa.Table) -> tuple[npt.NDArray[np.int8], Figures, Figures]:
    """Kind, latitude and longitude by property: each different ZIP and city is looked up once."""
    states = found["state"]
    kind = np.full(found.num_rows, _NONE, np.int8)
    latitude, longitude = (np.full(found.num_rows, np.nan) for _ in range(2))
    look_up: tuple[tuple[int, str, Callable[[str | None, str | None], object]], ...] = (
        (_CITY, "city", gazetteer.city),
        (_ZIP, "zip", gazetteer.zip_code),  # over the city's
    )
    for number, name, where in look_up:
        # One text of both: state codes have no line feed.
        both = pc.binary_join_element_wise(
            pc.fill_null(states.cast(pa.string()), ""), pc.fill_null(found[name], ""), "\n"
        )
        coded = both.combine_chunks().dictionary_encode()
        pairs = (text.split("\n", 1) for text in coded.dictionary.to_pylist())
        known = [where(name, state) or (np.nan, np.nan) for state, name in pairs]
        table = np.array(known, np.float64).reshape(-1, 2)[coded.indices.to_numpy()]
        there = ~np.isnan(table[:, 0])
        kind[there] = number
        latitude[there], longitude[there] = table[there].T
    return kind, latitude, longitude


def divided(loan: Ids, value: Figures, book: Figures) -> npt.NDArray[np.int64]:
    """Each property's part of its loan's book value, in whole dollars that add up to it: by value
    where the values of all properties of the loan are known, else evenly.
    """
    if not len(loan):
        return np.empty(0, np.int64)
    start = np.flatnonzero(np.diff(loan, prepend=-1))
    size = np.diff(start, append=len(loan))
    sums = np.add.reduceat(value, start)
    weight = np.where(np.repeat(np.minimum.reduceat(value, start) >= 0, size), value, 1.0)
    weight = np.where(np.repeat(np.nan_to_num(sums) > 0, size), weight, 1.0)
    running = np.cumsum(weight)
    running -= np.repeat(running[start] - weight[start], size)
    whole = np.repeat(running[start + size - 1], size)
    upto = np.rint(book[loan] * (running / whole)).astype(np.int64)
    before = np.concatenate([[0], upto[:-1]])
    before[start] = 0
    parts: npt.NDArray[np.int64] = upto - before
    return parts


def around(reader: Reader) -> tuple[Figures, Figures]:
    """Longitude and latitude of every property as a point: those of one position stand around it,
    the same ones in the same places whatever the filters.
    """

    def make() -> tuple[Figures, Figures]:
        every = positions(reader)
        at = np.round(every.longitude * 1_000) * 1_000_000 + np.round(every.latitude * 1_000)
        order = np.argsort(at, kind="stable")
        start = np.flatnonzero(np.diff(at[order], prepend=-np.inf) != 0)
        size = np.diff(start, append=len(order))
        rank, of = np.empty(len(order)), np.empty(len(order))
        rank[order] = np.arange(len(order)) - np.repeat(start, size)
        of[order] = np.repeat(size, size)
        most = np.full(len(order), 0.0)
        for kind, widest in _AROUND.items():
            most[every.kind == kind] = widest
        reach = np.minimum(most, _APART * np.sqrt(of)) * np.sqrt(rank / of)
        up = every.latitude + reach * np.sin(rank * _GOLDEN)
        across = reach * np.cos(rank * _GOLDEN) / np.cos(np.radians(every.latitude))
        return every.longitude + across, up

    return reader.column("positions around", make)


def cell_codes(reader: Reader, resolution: Resolution) -> npt.NDArray[np.int32]:
    """The cell of every property as one number: (column + WIDE/2) * WIDE + row + WIDE/2; -1 for a
    property without a position.
    """

    def make() -> npt.NDArray[np.int32]:
        every, size = positions(reader), SIZES[resolution]
        x = every.longitude
        with np.errstate(invalid="ignore"):
            y = np.degrees(np.arcsinh(np.tan(np.radians(every.latitude))))
            there = np.abs(every.latitude) <= FARTHEST
        column, row = (np.sqrt(3) / 3 * x - y / 3) / size, (2 / 3 * y) / size
        parts = [column, row, -column - row]
        near = [np.rint(np.where(there, one, 0)) for one in parts]
        # Of the three that must add up to nothing, the one that was rounded furthest gives way.
        off = np.array([np.abs(a - b) for a, b in zip(near, parts, strict=True)])
        worst = np.where(there, off, 0).argmax(axis=0)
        column = np.where(worst == 0, -near[1] - near[2], near[0])
        row = np.where(worst == 1, -near[0] - near[2], near[1])
        code = (column + WIDE // 2) * WIDE + row + WIDE // 2
        return np.where(there, code, -1).astype(np.int32)

    return reader.column(("cells", resolution), make)

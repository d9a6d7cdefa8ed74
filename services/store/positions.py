"""Where all properties are, and what of its loan's book value is each one's: arrays by property.

A loan that no property is known of counts as one, where its own record says that it is. Properties
are in order of loan_id, those of one loan as its details list them. Read when a map first asks,
and held as long as the snapshot is open (D123).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract import insets
from services.contract.cells import FARTHEST, SIZES, Resolution
from services.contract.properties import POSITION_KINDS
from services.places import gazetteer

from . import columns, notes
from .columns import Figures, Flags
from .database import Ids
from .reader import Reader

#: Properties, and loans that none is known of; `condition` stands in both.
_LISTED: Final = """
SELECT loan_id, rowid AS place, property_name, address, city, state, zip, property_type, value
FROM properties {condition}
"""
_OWN: Final = """
UNION ALL
SELECT l.loan_id, -1, l.property_name, NULL, l.property_city, l.property_state::VARCHAR, NULL,
       l.property_type::VARCHAR, l.value
FROM (SELECT * FROM loans {condition}) l ANTI JOIN properties p USING (loan_id)
"""
_ZIP, _CITY, _NONE = (POSITION_KINDS.index(kind) for kind in ("zip", "city", "none"))
#: Properties of one position stand around it: as far as this, in degrees, by kind.
_AROUND: Final = {_ZIP: 0.03, _CITY: 0.1}
#: And so far from it the second one, where there are few.
_APART: Final = 0.003
#: No two turns by the golden angle lie on each other.
_GOLDEN: Final = np.pi * (3 - np.sqrt(5))
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
#: Codes up to this are counted in an array of as many; above it they are sorted.
_COUNTED: Final = 1 << 24


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
    #: Whether it is a loan that no property is known of.
    own: Flags

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        parts = (self.loan, self.longitude, self.latitude, self.kind, self.dollars, self.own)
        return sum(part.nbytes for part in parts)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of one size in which properties lie, and which of them each property is in."""

    #: Of each cell.
    column: Ids
    row: Ids
    #: Place of its cell by property; one past the last for a property without a position.
    place: Ids
    #: Whether a property is the first one of its loan in its cell.
    first: Flags

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return sum(part.nbytes for part in (self.column, self.row, self.place, self.first))


def listed(
    reader: Reader,
    names: str,
    condition: str = "",
    params: Mapping[str, Any] = _NOTHING,
    *,
    own: bool = True,
) -> pa.Table:
    """Columns of all properties, or of those of some loans, in their order; loan_id and place
    first. Without `own` none of these is a loan that no property is known of.
    """
    rows = _LISTED.format(condition=condition)
    if own:
        rows += _OWN.format(condition=condition)
    found = reader.arrow(f"SELECT loan_id, place, {names} FROM ({rows})", dict(params))
    loan, place = (found[name].to_numpy() for name in ("loan_id", "place"))
    # They lie in order in the database, but for loans without properties: rarely a sort.
    if np.any(np.diff(loan) < 0):
        found = found.take(pa.array(np.lexsort((place, loan))))
    return found.combine_chunks()


def positions(reader: Reader) -> Positions:
    """All properties of the snapshot."""

    def make() -> Positions:
        names = "city, state, zip, value"
        found = listed(reader, names, own=False)
        if (
            np.count_nonzero(np.bincount(found["loan_id"])) < reader.snapshot.loans
        ):  # rarely; it takes a second
            found = listed(reader, names)
        loan = found["loan_id"].to_numpy().astype(np.int32)
        kind, latitude, longitude = _placed(found)
        book = notes.dollars(reader, "book_value")
        value = found["value"].cast(pa.float64()).to_numpy(zero_copy_only=False)
        own = found["place"].to_numpy() < 0
        return Positions(loan, longitude, latitude, kind, divided(loan, value, book), own)

    return reader.column("positions", make)


def in_order(reader: Reader) -> Ids:
    """All properties, the worst first, then the most dollars, ties in stored order."""

    def make() -> Ids:
        every, worst = positions(reader), columns.words(reader, "worst_severity")
        return np.lexsort((-every.dollars, -worst.code[every.loan])).astype(np.int32)

    return reader.column("positions in order", make)


def _placed(found: pa.Table) -> tuple[npt.NDArray[np.int8], Figures, Figures]:
    """Kind, latitude and longitude by property: each different ZIP and city is looked up once."""
    kind = np.full(found.num_rows, _NONE, np.int8)
    latitude, longitude = (np.full(found.num_rows, np.nan) for _ in range(2))
    state, states = _coded(found["state"])
    look_up: tuple[tuple[int, str, Callable[[str | None, str | None], object]], ...] = (
        (_CITY, "city", gazetteer.city),
        (_ZIP, "zip", gazetteer.zip_code),  # over the city's
    )
    for number, column, where in look_up:
        name, names = _coded(found[column])
        pairs, place = _different(name * len(states) + state)
        asked = ((names[at // len(states)], states[at % len(states)]) for at in pairs.tolist())
        known = [where(*one) or (np.nan, np.nan) for one in asked]
        table = np.array(known, np.float64).reshape(-1, 2)[place]
        there = ~np.isnan(table[:, 0])
        kind[there] = number
        latitude[there], longitude[there] = table[there].T
    return kind, latitude, longitude


def _coded(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.int64], list[str | None]]:
    """Each text as its place among the different ones, None among them."""
    coded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    return coded.indices.to_numpy().astype(np.int64), coded.dictionary.to_pylist()


def _different(
    code: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The different codes in order, and each one's place among them; none is negative."""
    if not len(code) or code.max() >= _COUNTED:
        found, place = np.unique(code, return_inverse=True)
        return found, place
    there = np.bincount(code) > 0
    return np.flatnonzero(there), (np.cumsum(there) - 1)[code]


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
    the same ones in the same places whatever the filters; those of Alaska and Hawaii in the insets.
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
        across += every.longitude
        far = (across < insets.WEST) | (across > insets.BEYOND)
        for one in np.flatnonzero(far).tolist():
            across[one], up[one] = insets.drawn(across[one], up[one])
        return across, up

    return reader.column("positions around", make)


def in_cells(reader: Reader, resolution: Resolution) -> Cells:
    """All properties in cells of one size."""

    def make() -> Cells:
        every, size = positions(reader), SIZES[resolution]
        there = np.flatnonzero(np.abs(every.latitude) <= FARTHEST)  # NaN is not
        x, y = every.longitude[there], np.radians(every.latitude[there])
        y = np.degrees(np.arcsinh(np.tan(y)))
        column, row = (np.sqrt(3) / 3 * x - y / 3) / size, (2 / 3 * y) / size
        parts = [column, row, -column - row]
        near = [np.rint(one) for one in parts]
        # Of the three that must add up to nothing, the one that was rounded furthest gives way.
        worst = np.array([np.abs(a - b) for a, b in zip(near, parts, strict=True)]).argmax(axis=0)
        column = np.where(worst == 0, -near[1] - near[2], near[0]).astype(np.int64)
        row = np.where(worst == 1, -near[0] - near[2], near[1]).astype(np.int64)
        left, low = column.min(initial=0), row.min(initial=0)
        rows = row.max(initial=0) - low + 1
        code, of = _different((column - left) * rows + row - low)
        place = np.full(len(every.loan), len(code), np.int32)
        place[there] = of
        columns_of, rows_of = code // rows + left, code % rows + low
        return Cells(
            columns_of.astype(np.int32), rows_of.astype(np.int32), place, _first(every.loan, place)
        )

    return reader.column(("cells", resolution), make)


def _first(loan: Ids, place: Ids) -> Flags:
    """Whether each property is the first one of its loan in its cell."""
    first = np.ones(len(loan), bool)
    again = np.flatnonzero(np.diff(loan, prepend=-1) == 0)  # properties of a loan lie together
    several = np.flatnonzero(np.isin(loan, loan[again]))
    pairs = place[several].astype(np.int64) * (int(loan.max(initial=0)) + 1) + loan[several]
    first[several] = False
    first[several[np.unique(pairs, return_index=True)[1]]] = True
    return first

"""Properties that match: their totals, points, cells, list and export.

Arithmetic over the arrays of positions.py; names and addresses are read for the rows of a page.
"""

from collections.abc import Callable, Iterator
from math import atan2, degrees, hypot
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract import cells
from services.contract.cells import Place, Resolution
from services.contract.properties import (
    POINTS,
    POSITION_KINDS,
    PROPERTY_EXPORT,
    FoundProperty,
    PropertyCell,
    PropertyCells,
    PropertyFilter,
    PropertyTotals,
)
from services.contract.records import Page

from . import columns, due
from .columns import Flags
from .database import Ids
from .filters import loan_ids
from .positions import around, in_cells, in_order, listed, positions
from .reader import Reader

T = TypeVar("T")
#: Properties of one batch of a whole result.
_BATCH: Final = 20_000
_TEXTS: Final = "property_name, address, city, state, zip, property_type, value"
#: From the widest.
_WIDER: Final = tuple(cells.SIZES)
_OF_THESE: Final = "WHERE loan_id IN (SELECT unnest($loans::INTEGER[]))"


def property_ids(reader: Reader, query: PropertyFilter) -> Ids:
    """Places of the properties that match, the worst first, then the most dollars, ties in stored
    order.
    """

    def make() -> Ids:
        order = in_order(reader)
        ids: Ids = order[_matching(reader, query)[order]]
        return ids

    return reader.remembered(("properties", *sorted(query.filters().items())), make)


def _matching(reader: Reader, query: PropertyFilter) -> Flags:
    """Which properties match, by place."""

    def make() -> Flags:
        every = positions(reader)
        loans = np.zeros(reader.snapshot.loans, bool)
        loans[loan_ids(reader, query.of_loans())] = True
        if query.loan is not None:
            sql = "SELECT loan_id FROM loans WHERE loan_number = $number"
            only = np.zeros(reader.snapshot.loans, bool)
            only[reader.ids(sql, {"number": query.loan})] = True
            loans &= only
        found: Flags = loans[every.loan]
        if query.cell is not None:
            resolution, column, row = cells.parts(query.cell)
            lie = in_cells(reader, resolution)
            here = np.flatnonzero((lie.column == column) & (lie.row == row))
            found &= lie.place == (here[0] if len(here) else -1)
        if query.view is not None:
            (west, south, east, north), (x, y) = query.view, around(reader)
            found &= (west <= x) & (x <= east) & (south <= y) & (y <= north)  # NaN is not
        return found

    return reader.remembered(("matching", *sorted(query.filters().items())), make)


def property_totals(reader: Reader, query: PropertyFilter) -> PropertyTotals:
    """How many properties match, of how many loans, and how their positions are known."""
    return _held(reader, query, ("property totals",), lambda: _totals(reader, query))


def _held(
    reader: Reader, query: PropertyFilter, of: tuple[str | int, ...], make: Callable[[], T]
) -> T:
    """What is made of the properties that match. Of all of them it is as a column: every visit of
    the map begins with it.
    """
    filters = sorted(query.filters().items())
    keep = reader.remembered if filters else reader.column
    return keep((*of, *filters), make)


def _totals(reader: Reader, query: PropertyFilter) -> PropertyTotals:
    found, every = _matching(reader, query), positions(reader)
    kinds = np.bincount(every.kind[found], minlength=len(POSITION_KINDS)).tolist()
    loans = np.zeros(reader.snapshot.loans, bool)
    loans[every.loan[found]] = True
    return PropertyTotals(
        properties=sum(kinds),
        loans=int(np.count_nonzero(loans)),
        dollars=int(every.dollars[found].sum()),
        positions=dict(zip(POSITION_KINDS, kinds, strict=True)),
    )


def property_points(reader: Reader, query: PropertyFilter, limit: int) -> pa.Table:
    """The first `limit` properties with a position."""
    ids, every = property_ids(reader, query), positions(reader)
    ids = ids[~np.isnan(every.longitude[ids])][:limit]
    longitude, latitude = around(reader)
    loan = every.loan[ids]
    table = {
        "longitude": pa.array(longitude[ids]),
        "latitude": pa.array(latitude[ids]),
        "dollars": pa.array(every.dollars[ids]),
        "grade": columns.arrow(reader, columns.GRADE, loan),
        "property_type": _types(reader, ids),
        "maturity_year": years(reader, loan),
        "position": _kinds(every.kind[ids]),
        "loan_number": reader.graph.texts(pa.array(loan)),
        "dscr": columns.arrow(reader, "dscr", loan),
    }
    texts = _texts(reader, ids, "property_name, city, state")
    return pa.table({name: table[name] if name in table else texts[name] for name in POINTS})


def property_middle(reader: Reader, query: PropertyFilter) -> Place | None:
    """The middle of the properties with a position, weighted by dollars: on the globe, for Guam
    lies beyond the date line.
    """
    every = positions(reader)
    found = _matching(reader, query) & ~np.isnan(every.longitude)
    if not found.any():
        return None
    weight = np.maximum(every.dollars[found], 0).astype(np.float64)
    weight = weight if weight.any() else np.ones_like(weight)
    across, up = np.radians(every.longitude[found]), np.radians(every.latitude[found])
    flat = np.cos(up)
    x, y, z = (
        float((weight * part).sum())
        for part in (flat * np.cos(across), flat * np.sin(across), np.sin(up))
    )
    return degrees(atan2(y, x)), degrees(atan2(z, hypot(x, y)))


def _types(reader: Reader, ids: Ids) -> pa.Array:
    """The properties' own types."""

    def make() -> pa.Array:
        own = bool(positions(reader).own.any())
        found = listed(reader, "property_type", own=own)["property_type"]
        return found.combine_chunks().dictionary_encode()

    types: pa.DictionaryArray = reader.column("types of properties", make)
    return types.take(pa.array(ids)).cast(pa.string())


def years(reader: Reader, loan: Ids) -> pa.Array:
    """Year in which the loan must be refinanced; None where nobody refinances it."""
    days = due.days(reader)[loan]
    missing = np.isnan(days)
    found = np.where(missing, 0, days).astype("M8[D]").astype("M8[Y]").astype(np.int32) + 1970
    return pa.array(found, pa.int32(), mask=missing)


def _kinds(kind: npt.NDArray[np.int8]) -> pa.Array:
    return pa.array(POSITION_KINDS, pa.string()).take(pa.array(kind))


def property_cells(
    reader: Reader, query: PropertyFilter, resolution: Resolution, limit: int
) -> PropertyCells:
    """The properties with a position in cells."""
    of = ("property cells", resolution, limit)
    query = query.everywhere()
    return _held(reader, query, of, lambda: _in_cells(reader, query, resolution, limit))


def _in_cells(
    reader: Reader, query: PropertyFilter, resolution: Resolution, limit: int
) -> PropertyCells:
    found = _matching(reader, query)
    for size in reversed(_WIDER[: _WIDER.index(resolution) + 1]):
        lie = in_cells(reader, size)
        place = lie.place[found]
        number = np.bincount(place, minlength=len(lie.row) + 1)[:-1]
        here = np.flatnonzero(number)
        if len(here) <= limit:
            break
    every = positions(reader)
    dollars = every.dollars[found]
    bad = columns.distressed(reader)[every.loan[found]]

    def summed(amounts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.bincount(place, weights=amounts, minlength=len(number) + 1)[:-1]

    whole = summed(dollars)
    sides = zip(lie.column[here].tolist(), lie.row[here].tolist(), strict=True)
    names = np.array([cells.name(size, *one) for one in sides], str)
    order = np.lexsort((names, -whole[here]))[:limit]
    first = here[order]
    table = {
        "cell": names[order].tolist(),
        "properties": number[first].tolist(),
        "loans": summed(lie.first[found])[first].astype(np.int64).tolist(),
        "dollars": whole[first].astype(np.int64).tolist(),
        "bad_dollars": summed(dollars * bad)[first].astype(np.int64).tolist(),
        **{
            name: (summed(getattr(every, name)[found])[first] / number[first]).tolist()
            for name in ("longitude", "latitude")
        },
    }
    made = [
        PropertyCell.model_construct(**dict(zip(table, row, strict=True)))
        for row in zip(*table.values(), strict=True)
    ]
    return PropertyCells.model_construct(resolution=size, cells=tuple(made), total=len(here))


def properties_found(reader: Reader, query: PropertyFilter) -> Page[FoundProperty]:
    """Page of the properties that match."""
    ids = property_ids(reader, query)
    part = ids[query.offset : query.offset + query.per_page]
    items = tuple(FoundProperty.model_construct(**row) for row in _table(reader, part).to_pylist())
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(ids))


def property_batches(reader: Reader, query: PropertyFilter) -> Iterator[pa.RecordBatch]:
    """Every property that matches, some thousands at a time; one batch, which may be empty."""
    ids, every = property_ids(reader, query), positions(reader)
    for start in range(0, max(len(ids), 1), _BATCH):
        part = ids[start : start + _BATCH]
        table = _table(reader, part)
        for name in ("longitude", "latitude"):
            degrees = getattr(every, name)[part]
            table = table.append_column(name, pa.array(degrees, mask=np.isnan(degrees)))
        yield pa.RecordBatch.from_arrays(
            [table[name].combine_chunks() for name in PROPERTY_EXPORT], list(PROPERTY_EXPORT)
        )


def _table(reader: Reader, ids: Ids) -> pa.Table:
    """Some properties as FoundProperty has them, in the order of `ids`."""
    every = positions(reader)
    loan = every.loan[ids]
    texts = _texts(reader, ids, _TEXTS)
    table = {
        "loan_number": reader.graph.texts(pa.array(loan)),
        **{name: texts[name] for name in texts.column_names[2:]},
        "dollars": pa.array(every.dollars[ids]),
        "worst": columns.arrow(reader, "worst_severity", loan),
        "maturity_year": years(reader, loan),
        "position": _kinds(every.kind[ids]),
    }
    return pa.table({name: table[name] for name in FoundProperty.model_fields})


def _texts(reader: Reader, ids: Ids, names: str) -> pa.Table:
    """Columns of some properties as their source has them, in the order of `ids`, after two that
    say which they are.
    """
    every = positions(reader)
    wanted = np.unique(every.loan[ids])
    params: dict[str, Any] = {"loans": wanted.tolist()}
    found = listed(reader, names, _OF_THESE, params, own=bool(every.own[ids].any()))
    # Of the wanted loans all properties are there, in the order in which they lie.
    among = np.zeros(reader.snapshot.loans, bool)
    among[wanted] = True
    lie = np.flatnonzero(among[every.loan])
    return found.take(pa.array(np.searchsorted(lie, ids)))

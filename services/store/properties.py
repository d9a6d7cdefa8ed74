"""Properties that match: their totals, points, cells, list and export.

Arithmetic over the arrays of positions.py; names and addresses are read for the rows of a page.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract import cells
from services.contract.cells import Resolution
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
from services.contract.vocabulary import SEVERE_OR_WORSE

from . import columns
from .columns import Flags
from .database import Ids
from .filters import loan_ids
from .positions import LISTED, WIDE, around, cell_codes, positions
from .reader import Reader

#: Properties of one batch of a whole result.
_BATCH: Final = 20_000
_TEXTS: Final = "loan_id, property_name, address, city, state, zip, property_type, value"
#: From the widest.
_WIDER: Final = tuple(cells.SIZES)
_OF_THESE: Final = "WHERE loan_id IN (SELECT unnest($loans::INTEGER[]))"


def property_ids(reader: Reader, query: PropertyFilter) -> Ids:
    """Places of the properties that match, the most dollars first, of equals as they lie."""
    asked = ("properties", *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: _property_ids(reader, query))


def _property_ids(reader: Reader, query: PropertyFilter) -> Ids:
    every = positions(reader)
    loans = np.zeros(reader.snapshot.loans, bool)
    loans[loan_ids(reader, query.of_loans())] = True
    if query.loan is not None:
        sql = "SELECT loan_id FROM loans WHERE loan_number = $number"
        only = np.zeros(reader.snapshot.loans, bool)
        only[reader.ids(sql, {"number": query.loan})] = True
        loans &= only
    found = loans[every.loan]
    if query.cell is not None:
        resolution, column, row = cells.parts(query.cell)
        code = (column + WIDE // 2) * WIDE + row + WIDE // 2
        found &= cell_codes(reader, resolution) == code
    ids = np.flatnonzero(found)
    return ids[np.argsort(-every.dollars[ids], kind="stable")].astype(np.int32)


def property_totals(reader: Reader, query: PropertyFilter) -> PropertyTotals:
    """How many properties match, of how many loans, and how their positions are known."""
    ids, every = property_ids(reader, query), positions(reader)
    kinds = np.bincount(every.kind[ids], minlength=len(POSITION_KINDS)).tolist()
    return PropertyTotals(
        properties=len(ids),
        loans=len(np.unique(every.loan[ids])),
        dollars=int(every.dollars[ids].sum()),
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
        "worst": columns.arrow(reader, "worst_severity", loan),
        "property_type": _types(reader, ids),
        "maturity_year": _years(reader, loan),
        "position": _kinds(every.kind[ids]),
        "loan_number": pa.array(reader.graph.names(loan.tolist()), pa.string()),
    }
    return pa.table({name: table[name] for name in POINTS})


def _types(reader: Reader, ids: Ids) -> pa.Array:
    """The properties' own types."""

    def make() -> pa.Array:
        sql = LISTED.format(columns="property_type", condition="")
        return reader.arrow(sql).column(0).combine_chunks().dictionary_encode()

    listed: pa.DictionaryArray = reader.column("types of properties", make)
    return listed.take(pa.array(ids)).cast(pa.string())


def _years(reader: Reader, loan: Ids) -> pa.Array:
    """Year of maturity."""
    days = columns.figures(reader, "maturity_date")[loan]
    missing = np.isnan(days)
    found = np.where(missing, 0, days).astype("M8[D]").astype("M8[Y]").astype(np.int32) + 1970
    return pa.array(found, pa.int32(), mask=missing)


def _kinds(kind: npt.NDArray[np.int8]) -> pa.Array:
    return pa.array(POSITION_KINDS, pa.string()).take(pa.array(kind))


def property_cells(
    reader: Reader, query: PropertyFilter, resolution: Resolution, limit: int
) -> PropertyCells:
    """The properties with a position in cells."""
    query = query.everywhere()

    def make() -> PropertyCells:
        ids = property_ids(reader, query)
        for size in reversed(_WIDER[: _WIDER.index(resolution) + 1]):
            code = cell_codes(reader, size)[ids]
            here, place = np.unique(code, return_inverse=True)
            if len(here) - (here[:1] < 0).sum() <= limit:
                break
        return _cells(reader, ids, size, here, place.astype(np.int32), limit)

    asked = ("cells of", resolution, limit, *sorted(query.filters().items()))
    return reader.remembered(asked, make)


def _cells(
    reader: Reader, ids: Ids, size: Resolution, here: Ids, place: Ids, limit: int
) -> PropertyCells:
    every, count = positions(reader), len(here)
    bad = _bad(reader)[every.loan[ids]]
    dollars = every.dollars[ids]
    pairs = np.unique(place.astype(np.int64) * reader.snapshot.loans + every.loan[ids])
    number = np.bincount(place, minlength=count)
    summed = {
        "properties": number,
        "loans": np.bincount(pairs // max(reader.snapshot.loans, 1), minlength=count),
        "dollars": _sum(place, dollars, count),
        "bad_dollars": _sum(place, np.where(bad, dollars, 0), count),
    }
    mean = {
        name: np.bincount(place, weights=getattr(every, name)[ids], minlength=count) / number
        for name in ("longitude", "latitude")
    }
    listed = [
        PropertyCell(
            cell=cells.name(size, code // WIDE - WIDE // 2, code % WIDE - WIDE // 2),
            **{name: int(column[at]) for name, column in summed.items()},
            longitude=float(mean["longitude"][at]),
            latitude=float(mean["latitude"][at]),
        )
        for at, code in enumerate(here.tolist())
        if code >= 0
    ]
    listed.sort(key=lambda one: (-one.dollars, one.cell))
    return PropertyCells(resolution=size, cells=tuple(listed[:limit]), total=len(listed))


def _bad(reader: Reader) -> Flags:
    """Loans whose worst signal is severe or critical, by loan_id."""
    worst = columns.words(reader, "worst_severity")
    among: Flags = np.array([*(word in SEVERE_OR_WORSE for word in worst.words), False])[worst.code]
    return among


def _sum(place: Ids, amounts: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    return np.bincount(place, weights=amounts, minlength=count).astype(np.int64)


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
    wanted = np.unique(loan)
    params: dict[str, Any] = {"loans": wanted.tolist()}
    texts = reader.arrow(LISTED.format(columns=_TEXTS, condition=_OF_THESE), params)
    # Of the wanted loans all properties are there, in the order in which they lie.
    lie = np.flatnonzero(np.isin(every.loan, wanted))
    texts = texts.combine_chunks().take(pa.array(np.searchsorted(lie, ids)))
    table = {
        "loan_number": pa.array(reader.graph.names(loan.tolist()), pa.string()),
        **{name: texts[name] for name in texts.column_names if name != "loan_id"},
        "dollars": pa.array(every.dollars[ids]),
        "worst": columns.arrow(reader, "worst_severity", loan),
        "maturity_year": _years(reader, loan),
        "position": _kinds(every.kind[ids]),
    }
    return pa.table({name: table[name] for name in FoundProperty.model_fields})

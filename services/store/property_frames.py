"""All properties of a result, one Arrow column after the other, as arrow_columns.py has loans."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.properties import POSITION_KINDS, PropertyFilter

from . import columns
from .database import Ids
from .positions import Positions, listed, positions
from .properties import property_ids, years
from .reader import Reader

#: Loan numbers that are looked up at a time.
_PART: Final = 100_000
#: Words that many properties share are looked up once each.
_SHARED: Final = frozenset({"state", "property_type"})


def property_frame(
    reader: Reader, query: PropertyFilter, names: tuple[str, ...]
) -> Iterator[pa.ChunkedArray]:
    """Every property that matches, the worst first: a column for each name, in order."""
    ids, every = property_ids(reader, query), positions(reader)
    for name in names:
        yield _column(reader, name, every, ids)


def _column(reader: Reader, name: str, every: Positions, ids: Ids) -> pa.ChunkedArray:
    if name in _KNOWN:
        return _KNOWN[name](reader, every, ids)
    whole = listed(reader, name, own=bool(every.own.any()))[name]
    if name in _SHARED:
        whole = whole.dictionary_encode()
    return whole.take(pa.array(ids))


def _numbers(reader: Reader, every: Positions, ids: Ids) -> pa.ChunkedArray:
    loan = every.loan[ids]
    parts = np.split(loan, range(_PART, len(loan), _PART))
    return pa.chunked_array([reader.graph.texts(pa.array(part)) for part in parts])


def _worst(reader: Reader, every: Positions, ids: Ids) -> pa.ChunkedArray:
    worst = columns.words(reader, "worst_severity")
    return _words(worst.code[every.loan[ids]], worst.words)


def _degrees(degrees: columns.Figures) -> pa.ChunkedArray:
    return _whole(pa.array(degrees, mask=np.isnan(degrees)))


def _words(code: npt.NDArray[np.integer], words: Sequence[str]) -> pa.ChunkedArray:
    codes = pa.array(code, mask=code < 0)
    return _whole(pa.DictionaryArray.from_arrays(codes, pa.array(words, pa.string())))


def _whole(column: pa.Array) -> pa.ChunkedArray:
    return pa.chunked_array([column])


#: What the arrays of all properties or loans know; the others are read.
_KNOWN: Final[Mapping[str, Callable[[Reader, Positions, Ids], pa.ChunkedArray]]] = {
    "loan_number": _numbers,
    "dollars": lambda _, every, ids: _whole(pa.array(every.dollars[ids])),
    "worst": _worst,
    "maturity_year": lambda reader, every, ids: _whole(years(reader, every.loan[ids])),
    "position": lambda _, every, ids: _words(every.kind[ids], POSITION_KINDS),
    "longitude": lambda _, every, ids: _degrees(every.longitude[ids]),
    "latitude": lambda _, every, ids: _degrees(every.latitude[ids]),
}

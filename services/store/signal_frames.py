"""All signals of a result, one Arrow column after the other, as arrow_columns.py has loans.

Signals lie in order of signal_id, components in that of their signals, then rules
(signal_tables.py), so no statement asks for an order.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.signal_filter import SignalFilter

from .arrow_columns import column_of_loans
from .columns import Words
from .database import Ids
from .reader import Reader
from .signal_columns import Signals, signals
from .signals import ordered_signals

_RULES: Final = "SELECT signal_id, rule, severity FROM components"
#: Signals whose rules are joined at a time.
_PART: Final = 100_000


def signal_frame(
    reader: Reader, query: SignalFilter, names: tuple[str, ...]
) -> Iterator[pa.ChunkedArray]:
    """Every signal that matches, in the order asked for: a column for each name, in their order."""
    every, ids = signals(reader), ordered_signals(reader, query)
    for name in names:
        yield _column(reader, name, every, ids)


def _column(reader: Reader, name: str, every: Signals, ids: Ids) -> pa.ChunkedArray:
    if name == "signal_type":
        return _coded(every.signal_type, ids)
    if name == "severity":
        return _coded(every.severity, ids)
    if name == "description":
        found = reader.arrow("SELECT description FROM signals").column(0)
        return _taken(found, ids)
    if name == "rules":
        return _taken(_rules(reader, len(every.loan)), ids)
    return column_of_loans(reader, name, every.loan[ids])


def _taken(whole: pa.ChunkedArray, ids: Ids) -> pa.ChunkedArray:
    """Of all signals these; as they are where these are all, in their order."""
    if len(ids) == len(whole) and bool(np.all(ids[:-1] < ids[1:])):
        return whole
    return whole.take(pa.array(ids))


def _coded(column: Words, ids: Ids) -> pa.ChunkedArray:
    code = column.code[ids]
    codes = pa.array(code, mask=code < 0)
    return pa.chunked_array(
        [pa.DictionaryArray.from_arrays(codes, pa.array(column.words, pa.string()))]
    )


def _rules(reader: Reader, count: int) -> pa.ChunkedArray:
    """The rules of all signals by signal_id, each with its severity: "A 1 severe; B 2 moderate"."""
    found = reader.arrow(_RULES)
    said = pc.binary_join_element_wise(
        _text(found["rule"]), _text(found["severity"]), " "
    ).combine_chunks()
    ends = np.cumsum(np.bincount(found["signal_id"].to_numpy(), minlength=count))
    begins = np.concatenate([[0], ends]).astype(np.int32)
    parts = []
    for first in range(0, count, _PART):
        mine = begins[first : min(first + _PART, count) + 1]
        rules = said.slice(mine[0], mine[-1] - mine[0])
        joined = pc.binary_join(pa.ListArray.from_arrays(pa.array(mine - mine[0]), rules), "; ")
        none = pa.array(np.diff(mine) == 0)
        parts.append(pc.if_else(none, pa.scalar(None, pa.string()), joined))
    return pa.chunked_array(parts, pa.string())


def _text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.string())

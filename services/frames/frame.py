"""Arrow columns, or records, as a typed DataFrame.

Missing is NA, NaT or no category, never 0. Text stays where Arrow has it. Figures are copied once,
column by column, so that a caller may write into a frame; a column of Arrow is let go as soon as
its own stands.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from .columns import Column, Type

#: Type of a column -> that of its values in Arrow.
_ARROW: Final[Mapping[Type, pa.DataType]] = {
    "whole": pa.int64(),
    "figure": pa.float64(),
    "flag": pa.bool_(),
    "date": pa.date32(),
    "words": pa.string(),
    "text": pa.string(),
}
_MASKED: Final[Mapping[Type, Any]] = {
    "whole": pd.Int64Dtype(),
    "figure": pd.Float64Dtype(),
    "flag": pd.BooleanDtype(),
}


def of_columns(
    parts: Iterator[pa.ChunkedArray], columns: Sequence[Column], said: Mapping[str, Any]
) -> pd.DataFrame:
    """The columns that come, one by one, with what is `said` of the frame."""
    typed = {}
    for one in columns:
        # No name, and no zip, holds a part while the next one is made.
        typed[one.name] = _typed(next(parts), one)
        pa.default_memory_pool().release_unused()
    found = pd.DataFrame(typed, copy=False)
    found.attrs.update(about(columns, said))
    return found


def of_table(table: pa.Table, columns: Sequence[Column], said: Mapping[str, Any]) -> pd.DataFrame:
    """The columns of a table that are named, in their order, with what is `said` of the frame."""
    parts = {one.name: table.column(one.name) for one in columns}
    del table
    return of_columns((parts.pop(one.name) for one in columns), columns, said)


def of_rows(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[Column], said: Mapping[str, Any]
) -> pd.DataFrame:
    """Rows by column name; null, or a value of another type than promised, is missing."""
    listed = list(rows)
    arrays = {
        one.name: pa.array([_sound(row.get(one.name), one) for row in listed], _ARROW[one.type])
        for one in columns
    }
    return of_table(pa.table(arrays), columns, said)


def about(columns: Iterable[Column], said: Mapping[str, Any]) -> dict[str, Any]:
    """What `attrs` of a frame hold: plain words that also a file keeps."""
    listed = list(columns)
    return {
        **said,
        "units": {one.name: one.unit for one in listed if one.unit},
        "labels": {one.name: one.label for one in listed},
    }


def by_labels(found: pd.DataFrame) -> pd.DataFrame:
    """The frame with labels as names of columns; `attrs["units"]` and `["labels"]` go by them."""
    labels: Mapping[str, str] = found.attrs["labels"]
    named = found.rename(columns=labels)
    units = {labels[name]: unit for name, unit in found.attrs["units"].items()}
    named.attrs |= {"units": units, "labels": {label: label for label in named.columns}}
    return named


def _sound(value: Any, column: Column) -> Any:  # noqa: ANN401 - whatever an extension field holds
    """A value, None where an extension field of the wire holds another type than ours (D19)."""
    if column.type in {"words", "text"}:
        return value if isinstance(value, str) else None
    if column.type in {"whole", "figure"}:
        fits = isinstance(value, int if column.type == "whole" else int | float)
        return value if fits and not isinstance(value, bool) else None
    return value


def _typed(column: pa.ChunkedArray, of: Column) -> Any:  # noqa: ANN401 - an array of pandas
    if of.type == "words":
        return _words(column, of.ranked)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.type != _ARROW[of.type]:
        column = column.cast(_ARROW[of.type])
    if of.type == "text":
        return pd.arrays.ArrowStringArray(column)
    rows = len(column)
    if of.type == "date":
        return pd.array(_values(column.chunks, rows, "M8[s]"), dtype="datetime64[s]", copy=False)
    kind = _MASKED[of.type]
    nothing = kind.numpy_dtype.type().item()
    return kind.construct_array_type()(
        _values((one.fill_null(nothing) for one in column.chunks), rows, kind.numpy_dtype),
        _values((one.is_null() for one in column.chunks), rows, "bool"),
    )


def _values(chunks: Iterable[pa.Array], rows: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """All chunks in one array; a second one as large is never made."""
    values, at = np.empty(rows, dtype), 0
    for chunk in chunks:
        values[at : at + len(chunk)] = chunk.to_numpy(zero_copy_only=False)
        at += len(chunk)
    return values


def _words(column: pa.ChunkedArray, ranked: tuple[str, ...]) -> pd.Categorical:
    """Words as categories: in their order where they have one, unknown ones before (D2)."""
    if not pa.types.is_dictionary(column.type):
        column = column.cast(pa.string()).dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    listed = whole.dictionary.to_pylist()
    code = pc.fill_null(whole.indices.cast(pa.int32()), len(listed)).to_numpy(zero_copy_only=False)
    used = {listed[at] for at in np.flatnonzero(np.bincount(code)) if at < len(listed)}
    names = [*sorted(used - set(ranked)), *ranked]
    place = {name: at for at, name in enumerate(names)}
    smallest = np.min_scalar_type(-len(names) - 1)
    places = np.array([*(place.get(name, -1) for name in listed), -1], smallest)
    kind = pd.CategoricalDtype(pd.Index(names, dtype="str"), ordered=bool(ranked))
    return pd.Categorical.from_codes(places[code], dtype=kind)

"""All loans of a result, one Arrow column after the other, for who computes with them.

Who takes a column and lets it go has no more than one of all loans in memory.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from services.contract.facts import FACT
from services.contract.loan_filter import LoanFilter

from . import columns
from .database import Ids
from .loan_columns import read
from .loan_results import ordered_ids, table_of
from .reader import Reader

#: Up to so many loans one statement over their ids is quicker than whole columns.
_FEW: Final = 20_000
#: Facts that are those of the loan's source.
_OF_SOURCE: Final[Mapping[str, str]] = {
    "as_of": "as_of",
    "source": "title",
    "provenance": "provenance",
}


def loan_columns(
    reader: Reader, query: LoanFilter, names: tuple[str, ...]
) -> Iterator[pa.ChunkedArray]:
    """Every loan that matches, in the order asked for: a column for each name, in their order.

    Words that many loans share may be held once (dictionaries).
    """
    ids = ordered_ids(reader, query)
    if len(ids) <= _FEW:
        yield from table_of(reader, ids, names).columns
        return
    everything = query.order is None and len(ids) == reader.snapshot.loans
    for name in names:
        yield _column(reader, name, ids, everything=everything)


def column_of_loans(reader: Reader, name: str, ids: Ids) -> pa.ChunkedArray:
    """A column of some loans, in the order of `ids`; a loan may come more than once."""
    if len(ids) <= _FEW:
        return table_of(reader, ids, (name,)).column(0)
    return _column(reader, name, ids, everything=False)


def _column(reader: Reader, name: str, ids: Ids, *, everything: bool) -> pa.ChunkedArray:
    if name in _OF_SOURCE:
        whole = _of_source(reader, name)
    elif columns.is_name(name):
        whole = columns.all_names(reader, name)
    elif name in FACT:
        whole = _of_loans(reader, name)
    else:
        whole = pa.chunked_array([columns.whole(reader, name)])
    return whole if everything else whole.take(pa.array(ids))


def _of_loans(reader: Reader, name: str) -> pa.ChunkedArray:
    known = columns.there(reader, "loans")
    said = f"l.{name}" if name in known else read([FACT[name]], known)
    return reader.arrow(f"SELECT {said} FROM loans l").column(0)


def _of_source(reader: Reader, name: str) -> pa.ChunkedArray:
    """A fact of the source, as codes of the few that there are."""
    listed = reader.arrow(f"SELECT source_id, {_OF_SOURCE[name]} FROM sources ORDER BY source_id")
    values = listed.column(1).combine_chunks()
    code = reader.arrow("SELECT source_id FROM loans").column(0)
    place = pc.index_in(code, value_set=listed.column(0).combine_chunks())
    chunks = [pa.DictionaryArray.from_arrays(one, values) for one in place.chunks]
    return pa.chunked_array(chunks, pa.dictionary(pa.int32(), values.type))

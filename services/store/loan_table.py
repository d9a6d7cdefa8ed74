"""All loans of a result at once as an Arrow table, for who computes with them.

Column by column: beside what is given there is never more than one column of all loans in memory.
"""

from collections.abc import Mapping
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from services.contract.facts import FACT
from services.contract.loan_filter import LoanFilter

from . import columns
from .database import Ids
from .loan_columns import read
from .reader import Reader
from .screens import ordered_ids, table_of

#: Up to so many loans one statement over their ids is quicker than whole columns.
_FEW: Final = 20_000
#: Facts that are those of the loan's source.
_OF_SOURCE: Final[Mapping[str, str]] = {
    "as_of": "as_of",
    "source": "title",
    "provenance": "provenance",
}


def loan_table(reader: Reader, query: LoanFilter, names: tuple[str, ...]) -> pa.Table:
    """Every loan that matches, in the order asked for: these columns and no others.

    Words that many loans share may be held once (dictionaries).
    """
    ids = ordered_ids(reader, query)
    if len(ids) <= _FEW:
        return table_of(reader, ids, names)
    by_number = query.order in {None, "loan_number"}
    everything = by_number and len(ids) == reader.snapshot.loans
    return pa.table([_column(reader, name, ids, everything=everything) for name in names], names)


def _column(reader: Reader, name: str, ids: Ids, *, everything: bool) -> pa.ChunkedArray:
    if name not in FACT or columns.is_name(name):
        return pa.chunked_array([columns.arrow(reader, name, ids)])
    whole = _of_source(reader, name) if name in _OF_SOURCE else _of_loans(reader, name)
    return whole if everything else whole.take(pa.array(ids))


def _of_loans(reader: Reader, name: str) -> pa.ChunkedArray:
    known = columns.there(reader, "loans")
    said = f"l.{name}" if name in known else read([FACT[name]], known)
    return reader.arrow(f"SELECT {said} FROM loans l ORDER BY l.loan_id").column(0)


def _of_source(reader: Reader, name: str) -> pa.ChunkedArray:
    """A fact of the source, as codes of the few that there are."""
    listed = reader.arrow(f"SELECT source_id, {_OF_SOURCE[name]} FROM sources ORDER BY source_id")
    values = listed.column(1).combine_chunks()
    code = reader.arrow("SELECT source_id FROM loans ORDER BY loan_id").column(0)
    place = pc.index_in(code, value_set=listed.column(0).combine_chunks())
    chunks = [pa.DictionaryArray.from_arrays(one, values) for one in place.chunks]
    return pa.chunked_array(chunks, pa.dictionary(pa.int32(), values.type))

"""Writes the tables of signals and of the components that fired within them."""

from typing import Any, Final

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.book import Book

from .tables import Ranks, insert

_SIGNALS: Final = (
    "SELECT signal_id, loan_id, signal_type::VARCHAR AS signal_type,"
    " severity::VARCHAR AS severity, property_state, description FROM incoming"
)
_COMPONENTS: Final = (
    "SELECT signal_id, rule::VARCHAR AS rule, title::VARCHAR AS title, rule_version,"
    ' limits_version, severity::VARCHAR AS severity, value, "limit" FROM incoming'
)


def write_signals(connection: duckdb.DuckDBPyConnection, book: Book, loan_rank: Ranks) -> None:
    """Signals by loan_number, then type (D3); signal_id is that order. Components by signal."""
    found, fired = book.scores.signals, book.scores.components
    rows = found["loan"].to_numpy()
    loan_id = loan_rank[rows] if len(rows) else np.empty(0, np.int32)
    states = book.tables["loans"]["property_state"].take(found["loan"])
    listed = found.drop_columns(["loan"]).append_column("loan_id", pa.array(loan_id))
    listed = listed.append_column("property_state", states)
    order = np.lexsort((_places(found["signal_type"]), loan_id))
    if (np.diff(order) != 1).any():  # else there is no need to copy all the text
        listed = listed.take(order)
    ids = np.arange(len(order), dtype=np.int32)
    insert(connection, "signals", listed.append_column("signal_id", pa.array(ids)), _SIGNALS)
    signal_id = np.empty_like(ids)
    signal_id[order] = ids
    of = signal_id[fired["signal"].to_numpy()] if fired.num_rows else ids[:0]
    listed = fired.drop_columns(["signal"]).append_column("signal_id", pa.array(of))
    by_signal = np.lexsort((_places(fired["rule"]), of))
    insert(connection, "components", listed.take(by_signal), _COMPONENTS)


def _places(words: pa.ChunkedArray) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The place of each row's word among all words in order."""
    encoded = words.combine_chunks()
    if not pa.types.is_dictionary(encoded.type):
        encoded = encoded.dictionary_encode()
    places = np.argsort(pc.sort_indices(encoded.dictionary).to_numpy())
    found: np.ndarray[Any, np.dtype[np.int64]] = places[encoded.indices.to_numpy()]
    return found

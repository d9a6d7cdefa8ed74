"""Writes and reads what a snapshot holds so that a scenario can rescore its loans."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Final

import duckdb
import numpy as np
import pyarrow as pa

from services.contract.book import Book
from services.contract.rescoring import Ranks, ScenarioInputs
from services.contract.vocabulary import CONTAGION, SEVERITIES

from .reader import Reader
from .snapshot import TABLES

#: Loan, rule and severity of every rule that fired.
_FIRED: Final = """
SELECT g.loan_id, c.rule, c.severity::VARCHAR AS severity
FROM components c JOIN signals g USING (signal_id)
"""


def write_scenario_inputs(
    connection: duckdb.DuckDBPyConnection, book: Book, order: pa.Array
) -> None:
    """Fills `scenario_inputs`; there is none where a source scored its own loans."""
    if book.scores.inputs is None:
        return
    connection.register("incoming", book.scores.inputs.take(order))
    connection.execute("CREATE TABLE scenario_inputs AS SELECT * FROM incoming")
    connection.unregister("incoming")


def write_tables(folder: Path, book: Book) -> None:
    """The texts of the limits and spreads that scored the book, by name."""
    (folder / TABLES).write_text(json.dumps(dict(book.scores.tables)), encoding="utf-8")


def scenario_inputs(reader: Reader, moving: Collection[str]) -> ScenarioInputs:
    """What scenarios score the loans from; `moving` are the rules that they can move."""
    return reader.column("scenario inputs", lambda: _read(reader, moving))


def _read(reader: Reader, moving: Collection[str]) -> ScenarioInputs:
    table = reader.arrow("SELECT * FROM scenario_inputs")
    return ScenarioInputs(
        columns={
            name: table[name].combine_chunks().to_numpy(zero_copy_only=False)
            for name in table.column_names
        },
        fixed=_fixed(reader, moving),
    )


def _fixed(reader: Reader, moving: Collection[str]) -> Ranks:
    """Worst severity of the rules that no scenario moves, by loan_id."""
    found = reader.arrow(_FIRED)
    rules = found["rule"].combine_chunks().dictionary_encode()
    words = found["severity"].combine_chunks().dictionary_encode()
    left = {*moving, CONTAGION}
    stays = np.array([rule not in left for rule in rules.dictionary.to_pylist()], bool)
    ranks = np.array([SEVERITIES.index(word) for word in words.dictionary.to_pylist()], np.int8)
    chosen = stays[rules.indices.to_numpy()]
    fixed = np.zeros(reader.snapshot.loans, np.int8)
    np.maximum.at(
        fixed, found["loan_id"].to_numpy()[chosen], ranks[words.indices.to_numpy()][chosen]
    )
    return fixed

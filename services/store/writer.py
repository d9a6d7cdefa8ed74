"""Writes one snapshot: the DuckDB file, and beside it whole loans, capital graph, name index."""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.book import Book, Progress
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES, TIERS, UNGRADED
from services.names import index as name_index

from . import adjacency, details
from .evidence_tables import spellings, write_evidence
from .family_tables import write_families
from .party_tables import write_entities
from .scenario_tables import write_scenario_inputs, write_tables
from .screened_table import write_screened
from .signal_tables import write_signals
from .snapshot import DATABASE, DETAILS, GRAPH, NAMES, SHARES
from .tables import Ranks, insert, ranked
from .write_loans import write_loans


def write(folder: Path, book: Book, progress: Progress) -> None:
    """Fills an empty folder with the book. `progress` hears a sentence and a fraction."""
    progress("sorting loans and entities", 0.0)
    loans, loan_rank = ranked(book.tables["loans"], "loan_number")
    entities, entity_rank = ranked(book.tables["entities"], "entity_name")
    sources = pa.array(book.source_of_loan).take(loans)
    edges = _edges(book.tables["edges"], loan_rank, entity_rank)
    connection = duckdb.connect(
        str(folder / DATABASE),
        config={"enable_external_access": "false", "autoinstall_known_extensions": "false"},
    )
    try:
        _types(connection, book)
        connection.execute(files(__package__).joinpath("schema.sql").read_text(encoding="utf-8"))
        connection.begin()
        _sources(connection, book)
        progress("writing loans", 0.1)
        write_loans(connection, book, loans, sources, loan_rank)
        progress("writing signals", 0.3)
        write_signals(connection, book, loan_rank)
        progress("counting the loans of every entity", 0.4)
        write_evidence(connection, book, entity_rank)
        write_entities(connection, book, entities, edges)
        write_screened(connection, book, edges, loans, entity_rank)
        write_scenario_inputs(connection, book, loans)
        write_families(connection, book, loan_rank, entity_rank)
        connection.commit()
        connection.execute("CHECKPOINT")
        progress("writing whole loans", 0.5)
        (folder / DETAILS).mkdir()
        details.write(folder / DETAILS, connection)
    finally:
        connection.close()
    write_tables(folder, book)
    progress("writing the capital graph", 0.65)
    numbers = book.tables["loans"]["loan_number"].combine_chunks().take(loans)
    names = book.tables["entities"]["entity_name"].combine_chunks().take(entities)
    _graph(folder / GRAPH, edges, numbers, names)
    progress("indexing names", 0.75)
    (folder / NAMES).mkdir()
    name_index.build(folder / NAMES, names.to_pylist(), spellings(book, entity_rank))
    progress("written", 1.0)


def _edges(table: pa.Table, loan_rank: Ranks, entity_rank: Ranks) -> pa.Table:
    """Edges with ids for row numbers."""

    def ids(column: str, rank: Ranks) -> pa.Array:
        rows = table[column].combine_chunks()
        if not len(rank):
            return pa.nulls(len(rows), pa.int32())
        known = rows.is_valid().to_numpy(zero_copy_only=False)
        return pa.array(rank[rows.fill_null(0).to_numpy()], mask=~known)

    return pa.table(
        {
            "from_loan": ids("from_loan", loan_rank),
            "from_entity": ids("from_entity", entity_rank),
            "to_entity": ids("to_entity", entity_rank),
            "relation": table["relation"].combine_chunks().dictionary_encode(),
            "confidence": table["confidence"],
            "share": table["share"],
        }
    )


def _types(connection: duckdb.DuckDBPyConnection, book: Book) -> None:
    """ENUM types of the words that occur. Unranked ones come before the known, so that the worst
    of several is a known one wherever there is one (D2).
    """
    loans = book.tables["loans"]
    scores = book.scores
    found = {
        "property_type_word": ((), [loans["property_type"]]),
        "state_word": ((), [loans["property_state"]]),
        "severity_word": (
            SEVERITIES,
            [table["severity"] for table in (scores.signals, scores.components)]
            + [scores.features["rate_pressure"]],
        ),
        "tier_word": (TIERS, [loans["confidence_tier"]]),
        "signal_type_word": (sorted(SIGNAL_TYPES), [scores.signals["signal_type"]]),
        "kind_word": (("borrower",), [book.tables["entities"]["kind"]]),
    }
    words = {name: _listed(known, columns) for name, (known, columns) in found.items()}
    graded = [word for word in words["severity_word"] if word not in UNGRADED]
    for name, listed in {**words, "grade_word": [*UNGRADED, *graded]}.items():
        connection.register("listed", pa.table({"rank": range(len(listed)), "word": listed}))
        connection.execute(f"CREATE TYPE {name} AS ENUM (SELECT word FROM listed ORDER BY rank)")
        connection.unregister("listed")


def _listed(known: Sequence[str], columns: Iterable[pa.ChunkedArray]) -> list[str]:
    extra = {word for column in columns for word in pc.unique(column).to_pylist() if word}
    return [*sorted(extra - set(known)), *known] or [""]


def _sources(connection: duckdb.DuckDBPyConnection, book: Book) -> None:
    rows = [
        (at, one.info.key, one.info.title, one.info.as_of, one.info.provenance)
        for at, one in enumerate(book.sources)
    ]
    connection.executemany("INSERT INTO sources VALUES (?, ?, ?, ?, ?)", rows)
    rejects = book.tables["rejects"].append_column("source_id", pa.array(book.source_of_reject))
    insert(connection, "rejects", rejects, "SELECT * FROM incoming")


def _graph(folder: Path, edges: pa.Table, numbers: pa.Array, names: pa.Array) -> None:
    relation = edges["relation"].combine_chunks()
    starts = pc.if_else(
        pc.is_valid(edges["from_loan"]),
        edges["from_loan"],
        pc.add(edges["from_entity"], pa.scalar(len(numbers), pa.int32())),
    )
    folder.mkdir()
    adjacency.build(
        folder,
        loan_numbers=numbers,
        entity_names=names,
        edge_from=starts.to_numpy().astype(np.int32),
        edge_to=(edges["to_entity"].to_numpy() + len(numbers)).astype(np.int32),
        relation=relation.indices.to_numpy().astype(np.uint8),
        relations=relation.dictionary.to_pylist(),
        confidence=edges["confidence"].to_numpy(),
    )
    shares = edges["share"].to_numpy().astype(np.float64)
    np.save(folder / SHARES, shares)

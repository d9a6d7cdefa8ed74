"""Writes one snapshot: the DuckDB file, the capital graph and the name index beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.portfolio import SourceInfo
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES, TIERS
from services.names import index as name_index
from services.names.normalise import keys, words
from services.signals.engine import Scored

from . import adjacency
from .snapshot import DATABASE, GRAPH, NAMES, SHARES

Progress = Callable[[str, float], None]
#: Place in order, by row.
Ranks = np.ndarray[Any, np.dtype[np.int32]]

#: Relations that tie a loan to a party directly (D32), and those that carry the tie on.
_TIES = """
CREATE TABLE ties AS
WITH RECURSIVE tied(entity_id, loan_id, via) AS (
    SELECT DISTINCT to_entity, from_loan,
           CASE relation WHEN 'borrower' THEN 'owned_by' WHEN 'capital_source' THEN relation END
    FROM edges_in
    WHERE from_loan IS NOT NULL AND relation IN ('borrower', 'guarantor', 'capital_source')
    UNION
    SELECT e.to_entity, t.loan_id, t.via
    FROM tied t JOIN edges_in e ON e.from_entity = t.entity_id AND e.relation = t.via
)
SELECT DISTINCT entity_id, loan_id FROM tied
"""


@dataclass(frozen=True, slots=True)
class Book:
    """All sources of a snapshot in one set of tables, shapes as in contract/portfolio.py."""

    infos: tuple[SourceInfo, ...]
    tables: Mapping[str, pa.Table]
    #: Row of `infos`, for each row of `loans` and of `rejects`.
    source_of_loan: np.ndarray[Any, np.dtype[np.int16]]
    source_of_reject: np.ndarray[Any, np.dtype[np.int16]]
    scored: Scored
    #: Of mirrored signals, row by row of `scored.signals`; null where our own rules describe.
    descriptions: pa.Array | None = None


def write(folder: Path, book: Book, progress: Progress) -> None:
    """Fills an empty folder with the book. `progress` hears a sentence and a fraction."""
    progress("sorting loans and entities", 0.0)
    loans, loan_rank = _ranked(book.tables["loans"], "loan_number")
    entities, entity_rank = _ranked(book.tables["entities"], "entity_name")
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
        _loans(connection, book, loans, sources, loan_rank)
        progress("writing signals", 0.3)
        _signals(connection, book, loan_rank)
        progress("counting the loans of every entity", 0.4)
        _entities(connection, book, entities, edges)
        connection.commit()
        connection.execute("CHECKPOINT")
    finally:
        connection.close()
    progress("writing the capital graph", 0.65)
    numbers = book.tables["loans"]["loan_number"].combine_chunks().take(loans)
    names = book.tables["entities"]["entity_name"].combine_chunks().take(entities)
    _graph(folder / GRAPH, edges, numbers, names)
    progress("indexing names", 0.75)
    (folder / NAMES).mkdir()
    name_index.build(folder / NAMES, names.to_pylist())
    progress("written", 1.0)


def _ranked(table: pa.Table, column: str) -> tuple[pa.Array, Ranks]:
    """The rows of `table` in order of `column`, and each row's place in that order."""
    order = pc.sort_indices(table[column]).cast(pa.int32())
    rank = np.empty(len(order), dtype=np.int32)
    rank[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    return order, rank


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
    scored = book.scored
    found = {
        "property_type_word": ((), [loans["property_type"]]),
        "state_word": ((), [loans["property_state"]]),
        "severity_word": (
            SEVERITIES,
            [scored.signals["severity"], scored.features["rate_pressure"]],
        ),
        "tier_word": (TIERS, [loans["confidence_tier"]]),
        "signal_type_word": (sorted(SIGNAL_TYPES), [scored.signals["signal_type"]]),
        "kind_word": (("borrower",), [book.tables["entities"]["kind"]]),
    }
    for name, (known, columns) in found.items():
        extra = {word for column in columns for word in pc.unique(column).to_pylist() if word}
        listed = [*sorted(extra - set(known)), *known] or [""]
        connection.register("listed", pa.table({"rank": range(len(listed)), "word": listed}))
        connection.execute(f"CREATE TYPE {name} AS ENUM (SELECT word FROM listed ORDER BY rank)")
        connection.unregister("listed")


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table, sql: str) -> None:
    connection.register("given", rows)
    connection.execute(f"INSERT INTO {table} BY NAME {sql}")
    connection.unregister("given")


def _sources(connection: duckdb.DuckDBPyConnection, book: Book) -> None:
    rows = [
        (at, info.key, info.title, info.as_of, info.provenance)
        for at, info in enumerate(book.infos)
    ]
    connection.executemany("INSERT INTO sources VALUES (?, ?, ?, ?, ?)", rows)
    rejects = book.tables["rejects"].append_column("source_id", pa.array(book.source_of_reject))
    _insert(connection, "rejects", rejects, "SELECT * FROM given")


def _loans(
    connection: duckdb.DuckDBPyConnection,
    book: Book,
    order: pa.Array,
    sources: pa.Array,
    loan_rank: Ranks,
) -> None:
    table = book.tables["loans"]
    layers = _by_loan_id(book.tables["layers"], loan_rank)
    lender_of_loan, lenders, spoken = _lenders(table["lender_normalized"], layers)
    _insert(connection, "lenders", lenders, "SELECT * FROM given ORDER BY lender_id")
    features = book.scored.features
    wide = table.drop_columns(["lender_normalized"]).append_column("lender_id", lender_of_loan)
    for column in features.column_names:
        wide = wide.append_column(column, features[column])
    wide = wide.take(order).append_column(
        "loan_id", pa.array(np.arange(len(order), dtype=np.int32))
    )
    wide = wide.append_column("source_id", sources)
    _insert(connection, "loans", wide, "SELECT * FROM given ORDER BY loan_id")
    _insert(connection, "layers", layers, "SELECT * FROM given ORDER BY loan_id, rank")
    properties = _by_loan_id(book.tables["properties"], loan_rank)
    _insert(
        connection,
        "properties",
        properties,
        "SELECT * FROM given ORDER BY loan_id, value DESC NULLS LAST, property_name",
    )
    connection.execute(
        "INSERT INTO layer_ids SELECT lender_id, loan_id FROM loans WHERE lender_id IS NOT NULL"
    )
    for column, ids in spoken.items():
        del column
        pairs = pa.table({"lender_id": ids, "loan_id": layers["loan_id"]})
        _insert(connection, "layer_ids", pairs, "SELECT * FROM given WHERE lender_id IS NOT NULL")
    connection.execute(
        "CREATE TABLE sorted_ids AS SELECT DISTINCT * FROM layer_ids ORDER BY lender_id, loan_id;"
        "DROP TABLE layer_ids; ALTER TABLE sorted_ids RENAME TO layer_ids"
    )


def _by_loan_id(table: pa.Table, loan_rank: Ranks) -> pa.Table:
    """A table of loan rows with `loan_id` for the row number."""
    rows = table["loan"].to_numpy()
    ids = loan_rank[rows] if len(rows) else np.empty(0, dtype=np.int32)
    return table.drop_columns(["loan"]).append_column("loan_id", pa.array(ids, pa.int32()))


def _lenders(
    normalized: pa.ChunkedArray, layers: pa.Table
) -> tuple[pa.Array, pa.Table, dict[str, pa.Array]]:
    """Lender id of each loan, the lender table, and lender ids of each layer by column."""
    columns = {"lender": layers["lender"], "servicer": layers["servicer"]}
    every = pa.chunked_array(
        [chunk for column in (normalized, *columns.values()) for chunk in column.chunks],
        pa.string(),
    )
    names = pc.unique(every).drop_null()
    names = names.take(pc.sort_indices(names))
    ids = pa.array(np.arange(len(names), dtype=np.int32))

    def coded(column: pa.ChunkedArray) -> pa.Array:
        return ids.take(pc.index_in(column.combine_chunks(), value_set=names))

    listed = names.to_pylist()
    table = pa.table(
        {
            "lender_id": ids,
            "lender": names,
            "key": keys(listed),
            "words": pa.array([sorted(words(name)) for name in listed], pa.list_(pa.string())),
        }
    )
    return coded(normalized), table, {name: coded(column) for name, column in columns.items()}


def _signals(connection: duckdb.DuckDBPyConnection, book: Book, loan_rank: Ranks) -> None:
    """Signals by loan_number, then type (D3); signal_id is that order."""
    scored = book.scored
    given = scored.signals.append_column(
        "description",
        pa.nulls(scored.signals.num_rows, pa.string())
        if book.descriptions is None
        else book.descriptions,
    )
    connection.register("found", _by_loan_id(given, loan_rank))
    connection.execute(
        "CREATE TEMP TABLE ordered AS SELECT "
        "(row_number() OVER (ORDER BY loan_id, signal_type::VARCHAR, severity::VARCHAR,"
        " description) - 1)::INTEGER AS signal_id, loan_id, signal_type::VARCHAR AS signal_type,"
        " severity::VARCHAR AS severity, description FROM found"
    )
    connection.execute(
        "INSERT INTO signals SELECT o.signal_id, o.loan_id, o.signal_type, o.severity,"
        " l.property_state, o.description FROM ordered o JOIN loans l USING (loan_id)"
        " ORDER BY o.signal_id"
    )
    connection.register("parts", _by_loan_id(scored.components, loan_rank))
    connection.execute(
        "INSERT INTO components SELECT o.signal_id, p.rule::VARCHAR, p.severity::VARCHAR,"
        ' p.value, p."limit" FROM parts p JOIN ordered o ON o.loan_id = p.loan_id'
        " AND o.signal_type = p.signal_type::VARCHAR ORDER BY o.signal_id, p.rule::VARCHAR"
    )
    connection.unregister("found")
    connection.unregister("parts")


def _entities(
    connection: duckdb.DuckDBPyConnection, book: Book, order: pa.Array, edges: pa.Table
) -> None:
    connection.register("edges_in", edges)
    connection.execute(_TIES)
    connection.unregister("edges_in")
    connection.execute("INSERT INTO entity_loans SELECT * FROM ties ORDER BY entity_id, loan_id")
    connection.execute("DROP TABLE ties")
    given = (
        book.tables["entities"]
        .take(order)
        .append_column("entity_id", pa.array(np.arange(len(order), dtype=np.int32)))
    )
    _insert(
        connection,
        "entities",
        given,
        "SELECT g.entity_id, g.entity_name, g.kind, g.confidence,"
        " CASE WHEN g.confidence >= 0.90 THEN 'confirmed' WHEN g.confidence >= 0.70"
        " THEN 'probable' ELSE 'inferred' END AS confidence_tier,"  # D29
        " coalesce(c.loans, 0)::INTEGER AS related_loan_count FROM given g LEFT JOIN"
        " (SELECT entity_id, count(*) AS loans FROM entity_loans GROUP BY 1) c USING (entity_id)"
        " ORDER BY g.entity_id",
    )


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

"""Writes the open tables of one snapshot: one commit a table, which names the snapshot.

    <shelf>/tables/<table>/    a Delta Lake table: Parquet files, and the log that says which count

Tables of the snapshot are replaced whole; of those by date only the dates whose periods changed.
A table whose newest commit by Credit Atlas is of the snapshot already is left alone, so that
a publisher that was killed goes on with the next one. The only module that knows `deltalake`.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import Any, Final

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Schema, WriterProperties, write_deltalake
from deltalake.exceptions import CommitFailedError, DeltaError

from services.contract.errors import CreditAtlasError, ShelfMoved
from services.signals.events import events
from services.store import open_rows
from services.store.open_rows import Line
from services.store.reader import Reader

from .schema import EVENTS, HISTORY, TABLES, OpenTable, as_json

FOLDER: Final = "tables"
#: What the commit says: the key under which DESCRIBE HISTORY shows it, and one of our own with a
#: hash of the periods of each date.
SNAPSHOT, DATES = "userMetadata", "creditatlas.dates"
#: Commits of others, as OPTIMIZE makes them, that ours is looked for behind.
_LOOK_BACK: Final = 50
_PROPERTIES: Final = WriterProperties(compression="ZSTD", max_row_group_size=131_072)
#: Of tables by date: the library holds a row group of every date until the last is written.
_PROPERTIES_BY_DATE: Final = WriterProperties(
    compression="ZSTD", max_row_group_size=16_384, dictionary_page_size_limit=65_536
)
#: Dates of a first publication that are committed at a time: the library holds some 30 MiB of each
#: until then.
_DATES_AT_A_TIME: Final = 6
#: What may go wrong while a table is written, by the library's own kinds.
ERRORS: Final = (DeltaError,)


@dataclass(frozen=True, slots=True)
class Place:
    """Where tables lie, and options of the object store."""

    url: str
    options: Mapping[str, str]

    def of(self, table: str) -> str:
        """The address of a table."""
        return f"{self.url}/{FOLDER}/{table}"

    def opened(self, table: str) -> DeltaTable | None:
        """A table that is there; None where none is."""
        options = dict(self.options)
        if not DeltaTable.is_deltatable(self.of(table), options):
            return None
        return DeltaTable(self.of(table), storage_options=options)


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: table -> rows; without those that had the snapshot already."""

    url: str
    snapshot_id: str
    rows: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Stands:
    """What the newest commit by Credit Atlas says of a table."""

    snapshot_id: str | None = None
    dates: Mapping[str, str] = field(default_factory=dict)
    #: Whether columns and comments are those of today.
    same_columns: bool = False
    there: bool = False


@dataclass(slots=True)
class _Batches:
    """Batches on their way to the table: with its columns, counted, the last error kept."""

    schema: pa.Schema
    given: Iterable[pa.RecordBatch]
    constants: Mapping[str, Any]
    rows: int = 0
    error: BaseException | None = None

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        try:
            for batch in self.given:
                self.rows += batch.num_rows
                yield pa.record_batch(
                    [self._column(batch, one) for one in self.schema], schema=self.schema
                )
        except BaseException as error:  # Rust would say it in words of its own
            self.error = error
            raise

    def _column(self, batch: pa.RecordBatch, one: pa.Field) -> pa.Array:
        if one.name in self.constants:
            return pa.repeat(pa.scalar(self.constants[one.name], one.type), batch.num_rows)
        return batch[one.name].cast(one.type)


def standing(place: Place, table: str) -> str | None:
    """Id of the snapshot whose rows a table has; None where it has none, or nobody knows."""
    return _stands(place, table, None).snapshot_id


def write(
    place: Place, reader: Reader, snapshot_id: str, progress: Callable[[float], None]
) -> Written:
    """Writes all tables of a snapshot.

    Raises ShelfMoved where somebody else writes them at the same time, StoreDamaged, and ERRORS.
    """
    rows = {}
    lines = open_rows.lines(reader)
    for at, table in enumerate(TABLES):
        progress(at / len(TABLES))
        stands = _stands(place, table.name, table.arrow)
        if stands.snapshot_id == snapshot_id and stands.same_columns:
            continue
        if table.by_date:
            rows[table.name] = _write_dates(place, table, stands, snapshot_id, lines, reader)
        else:
            given = open_rows.of_snapshot(reader, table.name)
            rows[table.name] = _commit(place, table, snapshot_id, given, {})
    progress(1.0)
    return Written(f"{place.url}/{FOLDER}", snapshot_id, rows)


def _stands(place: Place, name: str, schema: pa.Schema | None) -> _Stands:
    table = place.opened(name)
    if table is None:
        return _Stands()
    same = schema is not None and as_json(_arrow(Schema.from_arrow(schema))) == as_json(
        _arrow(table.schema())
    )
    for commit in table.history(_LOOK_BACK):
        if DATES in commit:
            return _Stands(commit.get(SNAPSHOT), json.loads(commit[DATES]), same, there=True)
    return _Stands(there=True)


def _arrow(schema: Schema) -> pa.Schema:
    return pa.schema(schema.to_arrow())


def _write_dates(
    place: Place,
    table: OpenTable,
    stands: _Stands,
    snapshot_id: str,
    lines: list[Line],
    reader: Reader,
) -> int:
    """Writes the dates whose periods are others than those that the table has.

    Of a first publication some at a time: until the last of them no commit names the snapshot, so
    that one that was killed goes on with the dates that are not there.
    """
    dates = _hashes(lines, with_before=table is EVENTS)
    known = stands.dates if stands.same_columns else {}
    changed = {day for day in dates.keys() | known.keys() if dates.get(day) != known.get(day)}
    parts = [changed]
    if stands.snapshot_id is None and changed:  # nobody reads an older version of it
        listed = sorted(changed)
        parts = [
            set(listed[first : first + _DATES_AT_A_TIME])
            for first in range(0, len(listed), _DATES_AT_A_TIME)
        ]
    whole = not (stands.there and stands.same_columns)
    rows, said = 0, dict(known)
    for at, part in enumerate(parts, 1):
        new = [one for one in lines if one.as_of.isoformat() in part]
        if table is HISTORY:
            given = open_rows.history(reader, new)
        else:
            given = open_rows.events(reader, new, events, table.arrow)
        said |= {day: dates[day] for day in part & dates.keys()}
        rows += _commit(
            place,
            table,
            snapshot_id if at == len(parts) else None,
            given,
            dates if at == len(parts) else said,
            None if whole and at == 1 else part,
        )
    return rows


def _hashes(lines: list[Line], *, with_before: bool) -> dict[str, str]:
    """As-of date -> hash of what its rows are made of."""
    said: dict[date, list[tuple[str, ...]]] = {}
    for one in lines:
        before = (one.before.name,) if with_before and one.before else ()
        said.setdefault(one.as_of, []).append((one.name, *before))
    return {
        day.isoformat(): sha256(json.dumps(sorted(names)).encode()).hexdigest()[:16]
        for day, names in sorted(said.items())
    }


def _commit(
    place: Place,
    table: OpenTable,
    snapshot_id: str | None,
    given: Iterable[pa.RecordBatch],
    dates: Mapping[str, str],
    changed: set[str] | None = None,
) -> int:
    """Replaces a table, or of one by date those that changed; how many rows were written. The last
    commit of a publication names the snapshot.
    """
    batches = _Batches(table.arrow, given, {"snapshot_id": snapshot_id})
    how: dict[str, Any] = {"mode": "overwrite", "schema_mode": "overwrite"}
    if changed:
        # Our dates, as ISO writes them.
        listed = ", ".join(f"'{day}'" for day in sorted(changed))
        how = {"mode": "overwrite", "predicate": f"as_of IN ({listed})"}
    elif changed is not None:
        how = {"mode": "append"}  # nothing but the commit itself
    said = {DATES: json.dumps(dates)} | ({SNAPSHOT: snapshot_id} if snapshot_id else {})
    try:
        write_deltalake(
            place.of(table.name),
            pa.RecordBatchReader.from_batches(batches.schema, batches),
            partition_by=["as_of"] if table.by_date else None,
            name=table.name,
            description=table.description,
            storage_options=dict(place.options),
            writer_properties=_PROPERTIES_BY_DATE if table.by_date else _PROPERTIES,
            # A commit tried again would not take away what another publisher has just put there.
            commit_properties=CommitProperties(custom_metadata=said, max_commit_retries=0),
            **how,
        )
    except CommitFailedError:
        raise ShelfMoved(
            f"Somebody else wrote the table '{table.name}' under {place.url}/{FOLDER} at the same"
            " time; see which snapshot is to stand there, and publish it again"
        ) from None
    except Exception:
        if isinstance(batches.error, CreditAtlasError):
            raise batches.error from None
        if batches.error is not None:  # not the shelf's doing, so that no sentence blames it
            raise TypeError(f"rows of '{table.name}' do not fit its columns") from batches.error
        raise
    return batches.rows

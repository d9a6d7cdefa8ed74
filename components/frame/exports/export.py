"""What a file holds, whatever its format: rows in batches, and what is said of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from components.frame import session
from services.contract.columns import COLUMN
from services.contract.facts import FACT, Fact
from services.contract.snapshot_info import Snapshot

if TYPE_CHECKING:
    import pyarrow as pa


#: Columns of loans: facts, and what only a snapshot knows.
OF_LOANS: Final[Mapping[str, Fact]] = {**FACT, **COLUMN}
#: What pyarrow calls a column by what stands in it.
_TYPES: Final[Mapping[type, str]] = {str: "string", int: "int64", float: "double", date: "date32"}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a file come from, as its header says it."""

    as_of: str
    source: str
    provenance: str
    snapshot: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Export:
    """Rows to take away, and what their file says of them."""

    #: What the rows are: "loans".
    what: str
    #: The filters in words.
    shown: str
    origin: Origin
    #: How many there are.
    rows: int
    schema: "pa.Schema"
    #: All rows, in their order; they can be gone through once.
    batches: "Iterable[pa.RecordBatch]"
    #: What its columns hold, where they are columns of loans.
    facts: Mapping[str, Fact]

    @property
    def header(self) -> list[tuple[str, str]]:
        """What the file says of its rows, each with its name; what is not known is left out."""
        facts = (
            ("Credit Atlas", self.what),
            ("Shown", self.shown),
            ("Rows", str(self.rows)),
            ("As of", self.origin.as_of),
            ("Source", self.origin.source),
            ("Provenance", self.origin.provenance),
            ("Snapshot", self.origin.snapshot),
        )
        return [(name, value) for name, value in facts if value]

    @property
    def headings(self) -> list[str]:
        """Its columns, with the unit where the name does not tell it: book_value_usd."""
        names = self.schema.names
        return [self.facts[name].header if name in self.facts else name for name in names]

    def slices(self, most: int) -> "Iterator[pa.RecordBatch]":
        """All rows, at most so many at a time."""
        for batch in self.batches:
            for start in range(0, batch.num_rows, most):
                yield batch.slice(start, most)


def of_batches(
    what: str,
    shown: str,
    of: Origin,
    rows: int,
    batches: "Iterator[pa.RecordBatch]",
    further: Mapping[str, Fact] = MappingProxyType({}),
) -> Export:
    """Loans, read while the file is written: at least one batch, which may be empty. `further` are
    what columns hold that are not those of loans.
    """
    first = next(batches)
    facts = {**OF_LOANS, **further}
    return Export(what, shown, of, rows, first.schema, chain([first], batches), facts)


def of_table(
    what: str,
    shown: str,
    of: Origin,
    table: "pa.Table",
    facts: Mapping[str, Fact] = MappingProxyType({}),
) -> Export:
    """The rows of a table; `facts` are those of its columns that are columns of loans."""
    return Export(what, shown, of, table.num_rows, table.schema, table.to_batches(), facts)


def of_rows(
    what: str,
    shown: str,
    rows: Sequence[Mapping[str, object]],
    kinds: Mapping[str, type] = MappingProxyType({}),
    facts: Mapping[str, Fact] = MappingProxyType({}),
    *,
    of: Origin | None = None,
) -> Export:
    """Rows that are made for a file, of the snapshot that answers unless `of` says otherwise.

    `kinds` says what stands in each column, in their order; without it the rows do.
    """
    import pyarrow as pa

    schema = pa.schema([(name, pa.type_for_alias(_TYPES[kind])) for name, kind in kinds.items()])
    table = pa.Table.from_pylist(rows, schema=schema if kinds else None)
    return of_table(what, shown, of or origin(), table, facts)


def origin(*, live: bool = False) -> Origin:
    """Where rows come from: the snapshot that answers, or with `live` what answers the six reads.

    Over an API the six reads are live answers, whatever its mirror holds.
    """
    if live and (upstream := session.workspace().upstream):
        asked = f"asked on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        return Origin(asked, upstream.label, "as the API gives it")
    return of_snapshot(session.analytics().snapshot())


def of_snapshot(snapshot: Snapshot) -> Origin:
    """The origin of rows that a snapshot holds."""
    return Origin(
        snapshot.dated,
        "; ".join(source.title for source in snapshot.sources),
        ", ".join(sorted({source.provenance for source in snapshot.sources})),
        snapshot.snapshot_id,
    )

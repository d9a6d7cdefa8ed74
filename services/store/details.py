"""Whole loans as JSON, to be read one at a time: a column store takes milliseconds to find a row.

rows.lz4: a line a loan, in compressed blocks by loan_id. Divided by tabs, which JSON never holds
as such: what the specification says of a loan; its extended fields (D17); nothing, where odd
blocks.npy: where each block begins in rows.lz4, and how long it is when decompressed
"""

import json
import mmap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Self

import duckdb
import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa

from services.contract.facts import FACTS
from services.contract.records import LoanDetail
from services.contract.wire import FIELDS

from .checksums import RangeCheck
from .loan_columns import FROM, read

ROWS: Final = "rows.lz4"
BLOCKS: Final = "blocks.npy"
#: Zstandard takes a quarter less room, and four times as long to read.
_CODEC: Final = pa.Codec("lz4_raw")
#: Loans in a block: fewer are read faster, more take less room.
_BLOCK: Final = 8
#: Loans that are held in memory at a time while they are written; whole blocks.
_AT_A_TIME: Final = 40_000

_LOAN: Final = f"SELECT l.loan_id, {read(FACTS)} {FROM}"
#: As records and the wire order them.
_SPECIFIED: Final = tuple(
    name for name in LoanDetail.model_fields if name not in {"extra", "extended"}
)
#: What stands beside them, by the names of facts; what the source says further comes last.
_EXTENDED: Final = tuple(
    fact.name for fact in FACTS if fact.name not in _SPECIFIED and fact.kind != "json"
)
#: Every key that a specified field has on the wire: an extended field never takes its place.
_TAKEN: Final = frozenset(spec.key(v) for spec in FIELDS[LoanDetail] for v in ("a", "b"))


def write(folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
    """Writes the lines of all loans of a snapshot's database into an empty folder."""
    sql = _statement(connection)
    (loans,) = connection.execute("SELECT count(*) FROM loans").fetchall()[0]
    blocks = [(0, 0)]
    with (folder / ROWS).open("wb") as file:
        for first in range(0, loans, _AT_A_TIME):
            bounds = {"first": first, "last": first + _AT_A_TIME - 1}
            lines = list(_lines(connection.execute(sql, bounds).fetchall()))
            for at in range(0, len(lines), _BLOCK):
                text = "\n".join(lines[at : at + _BLOCK]).encode()
                file.write(_CODEC.compress(text, asbytes=True))
                blocks[-1] = (blocks[-1][0], len(text))
                blocks.append((file.tell(), 0))
    np.save(folder / BLOCKS, np.array(blocks, np.int64))


def _statement(connection: duckdb.DuckDBPyConnection) -> str:
    """Per loan of a range: specified fields, extended ones, what its source said further."""

    def made(columns: Iterable[str]) -> str:
        pairs = ", ".join(f"'{name}', {name}" for name in columns)
        return f"json_object({pairs})"

    here = "WHERE loan_id BETWEEN $first AND $last"
    layer = ["rank", "position", "layer", "lender", "servicer", "amount", "interest_rate"]
    described = connection.execute("SELECT * EXCLUDE (loan_id, further) FROM properties LIMIT 0")
    known = [name for name, *_ in described.description or ()]
    extended = made(_EXTENDED).removesuffix(")")
    return f"""
WITH loan AS ({_LOAN} {here}),
layer AS (
    SELECT loan_id, to_json(list({made(layer)} ORDER BY rank, position, lender)) AS layers
    FROM layers {here} GROUP BY loan_id
),
property AS (
    SELECT loan_id, to_json(list({made(known)} ORDER BY rowid)) AS properties,
        CASE WHEN count(further) > 0 THEN list(further ORDER BY rowid) END AS more
    FROM properties {here} GROUP BY loan_id
),
lease AS (
    SELECT loan_id, to_json(list({made(["tenant", "square_feet", "expires"])} ORDER BY rowid))
        AS leases
    FROM leases {here} GROUP BY loan_id
)
SELECT {made(_SPECIFIED)}::VARCHAR, json_merge_patch('{{}}', {extended},
    'debt_layers', coalesce(layers, '[]'::JSON),
    'properties', coalesce(properties, '[]'::JSON),
    'leases', coalesce(leases, '[]'::JSON)))::VARCHAR, further, more
FROM loan LEFT JOIN layer USING (loan_id) LEFT JOIN property USING (loan_id)
    LEFT JOIN lease USING (loan_id)
ORDER BY loan_id
"""


def _lines(rows: list[tuple[str, str, str | None, list[str | None] | None]]) -> Iterator[str]:
    for specified, extended, further, more in rows:
        odd = any("NaN" in part or "Infinity" in part for part in (specified, extended))
        if odd or further or more:
            yield _line(specified, extended, further, more or [])
        else:
            yield f"{specified}\t{extended}"


def _line(specified: str, extended: str, further: str | None, more: list[str | None]) -> str:
    """A line with what its source said beyond our own fields, which comes after them."""
    fields = json.loads(extended)
    for one, said in zip(fields["properties"], more, strict=False):
        _add(one, said)
    _add(fields, further)
    parts = [_plain(json.loads(specified)), _plain(fields)]
    try:
        orjson.dumps(fields)
        odd = not _TAKEN.isdisjoint(fields)
    except TypeError:  # numbers and texts that only Python's own JSON reads and writes whole
        odd = True
    return "\t".join([*parts, ""] if odd else parts)


def _add(fields: dict[str, Any], said: str | None) -> None:
    for name, value in json.loads(said or "{}").items():
        fields.setdefault(name, value)


def _plain(fields: dict[str, Any]) -> str:
    """JSON, in which a number that JSON lacks is null (D18)."""
    finite = json.loads(json.dumps(fields), parse_constant=lambda _: None)
    return json.dumps(finite, separators=(",", ":"))


class Details:
    """The lines of one snapshot, as a memory map. Safe to read from many threads."""

    def __init__(self, blocks: npt.NDArray[np.int64], rows: mmap.mmap, check: RangeCheck) -> None:
        self._blocks = blocks
        self._rows = rows
        self._check = check

    @classmethod
    def open(cls, folder: Path, check: RangeCheck) -> Self:
        """What `write` wrote; `check` is asked before bytes of rows.lz4 are read.

        Raises OSError, ValueError or LookupError when it does not read.
        """
        blocks = np.load(folder / BLOCKS, mmap_mode="r").view(np.ndarray)
        with (folder / ROWS).open("rb") as file:
            size = file.seek(0, 2)
            if int(blocks[-1, 0]) != size:
                raise ValueError(f"{ROWS} is not as long as {BLOCKS} says")
            rows = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return cls(blocks, rows, check)

    def line(self, loan_id: int) -> tuple[bytes, bytes, bool]:
        """One loan: its specified fields by name, its extended fields, and whether it is odd:
        only Python's own JSON reads it whole, or an extended field has a name of the wire.

        Raises StoreDamaged.
        """
        block, place = divmod(loan_id, _BLOCK)
        (start, length), (end, _) = self._blocks[block : block + 2].tolist()
        self._check(start, end)
        text: bytes = _CODEC.decompress(self._rows[start:end], length, asbytes=True)
        specified, extended, *odd = text.split(b"\n", place + 1)[place].split(b"\t")
        return specified, extended, bool(odd)

    def close(self) -> None:
        """Lets go of the files."""
        self._rows.close()

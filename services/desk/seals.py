"""What was written, as hashes: a digest of each row, a chain over each audit, a head of each table
(D112).

The head of an audit is the hash of its last entry, which covers all before it; that of another
table is the sum of the digests of its rows. So a row that is changed, missing, exchanged or of
yesterday is noticed, in SQLite and PostgreSQL alike, and in a copy of either.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from services.contract.users import name_key

from .copying import TABLES
from .transactions import Row

#: Tables to which entries are only added.
CHAINED: Final = ("note_audit", "audit")
#: Those whose rows change, and by what a row is found.
KEYS: Final = {
    "watches": ("owner", "source", "kind", "name"),
    "notes": ("note_id",),
    "saved_searches": ("search_id",),
    "verdicts": ("kind", "first", "second"),
    "cases": ("case_id",),
    "feeds": ("token_hash",),
}
#: Of these the ones that were never without seals.
BORN_SEALED: Final = frozenset({"verdicts", "cases", "feeds"})
NOTHING: Final = "0" * 64
_TIMES: Final = frozenset(
    {"since", "written_at", "changed_at", "at", "saved_at", "opened_at", "made_at"}
)


@dataclass(frozen=True, slots=True)
class Head:
    """What a table holds in all: rows, and their hash. Of an audit also the entries that were taken
    out at its beginning, and the hash of the last of them.
    """

    entries: int = 0
    hash: str = NOTHING
    taken: int = 0
    taken_hash: str = NOTHING

    def chained(self, digest: str) -> "Head":
        """With one entry more."""
        hashed = sha256(f"{self.hash}{digest}".encode()).hexdigest()
        return replace(self, entries=self.entries + 1, hash=hashed)

    def moved(self, gone: Iterable[str], come: Iterable[str]) -> "Head":
        """Without some rows, and with others, by their digests."""
        less, more = list(gone), list(come)
        total = int(self.hash, 16) + sum(int(one, 16) for one in more)
        total -= sum(int(one, 16) for one in less)
        entries = self.entries + len(more) - len(less)
        return replace(self, entries=entries, hash=f"{total % 2**256:064x}")

    def begun(self) -> "Head":
        """Before its first entry."""
        return replace(self, entries=self.taken, hash=self.taken_hash)


def row_of(table: str, *values: object) -> dict[str, object]:
    """A row of a table by column."""
    return dict(zip(TABLES[table], values, strict=True))


def plain(table: str, row: Row) -> dict[str, object]:
    """What a row says, without its seals."""
    return {name: row[name] for name in TABLES[table]}


def digest(table: str, row: Row) -> str:
    """The hash of a row. Raises ValueError, TypeError for what cannot have been written."""
    values = [_written(name, row[name]) for name in TABLES[table]]
    return sha256(json.dumps([table, *values]).encode()).hexdigest()


def intact(table: str, row: Row) -> bool:
    """Whether a row is as its digest says, and is found under the name of its owner."""
    try:
        same = digest(table, row) == row["digest"]
        return same and ("owner" not in row or row["owner_key"] == name_key(row["owner"]))
    except (ValueError, TypeError):
        return False


def _written(name: str, value: object) -> object:
    """A value as both databases give it."""
    if name == "shared":
        if value not in (0, 1):
            raise ValueError(name)
        return bool(value)
    if name not in _TIMES:
        return value
    at = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    written = at.astimezone(UTC).isoformat(timespec="microseconds")
    # Rows are listed by this text: another spelling of the same moment would change their order.
    if isinstance(value, str) and value not in (written, at.astimezone(UTC).isoformat()):
        raise ValueError(name)
    return written

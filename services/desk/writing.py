"""One write: rows that change and entries of the audits, sealed together at its end (D112)."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from services.contract.errors import ImportRefused, RateLimited
from services.contract.users import name_key

from .copying import TABLES
from .seals import BORN_SEALED, CHAINED, KEYS, Head, digest
from .transactions import Row, Transaction, places

_MINUTE: Final = timedelta(minutes=1)


class Writing:
    """A transaction that has begun, and what it has changed so far."""

    def __init__(self, desk: Transaction) -> None:
        self.desk = desk
        self._gone: dict[str, list[str]] = {}
        self._come: dict[str, list[str]] = {}
        self._entries: list[tuple[str, Row, int | None]] = []
        #: The heads of a copy that is written whole: what they must come to.
        self.copied: Mapping[str, Head] = {}

    def put(self, table: str, row: Row, *, instead_of: Row | None = None) -> str:
        """Writes a new row, or the row in place of what was read of it; its digest."""
        found = digest(table, row)
        values = dict(row) | {"digest": found}
        if "owner" in row:
            values["owner_key"] = name_key(row["owner"])
        if instead_of is None:
            insert(self.desk, table, values)
        else:
            self._gone.setdefault(table, []).append(instead_of["digest"])
            sets = ", ".join(f"{name} = ?" for name in values)
            key = _key(table, row)
            sql = f"UPDATE {table} SET {sets} WHERE {_found_by(table)}"
            self.desk.rows(sql, (*values.values(), *key))
        self._come.setdefault(table, []).append(found)
        return found

    def drop(self, table: str, row: Row) -> None:
        """Takes away a row that was read."""
        self.desk.rows(f"DELETE FROM {table} WHERE {_found_by(table)}", _key(table, row))
        self._gone.setdefault(table, []).append(row["digest"])

    def enter(self, table: str, row: Row, most: int | None = None) -> None:
        """Adds an entry to an audit, once all else is written.

        `most`: so many entries of one person a minute are let through.
        """
        self._entries.append((table, row, most))

    def seal(self) -> dict[str, Head]:
        """Writes the entries and the hashes of all that was changed; the heads, if any was.

        From here on writes of everybody come one after another. Raises RateLimited; ImportRefused
        for a copy that is not as it was written.
        """
        if not (self._entries or self._gone or self._come or self.copied):
            return {}
        before = heads(self.desk)
        now = before | {table: head.begun() for table, head in self.copied.items()}
        for table, row, most in self._entries:
            if most is not None:
                self._in_time(row, most)
            entry = insert(self.desk, table, row, "entry")
            now[table] = now[table].chained(digest(table, row))
            insert(self.desk, "seals", {"of": table, "entry": entry, "hash": now[table].hash})
        for table in self._gone.keys() | self._come.keys():
            now[table] = now[table].moved(self._gone.get(table, ()), self._come.get(table, ()))
        for table, head in self.copied.items():
            if now[table] != head:
                raise ImportRefused(f"The copy is damaged: '{table}' is not as it was written")
        for table, head in now.items():
            if head != before[table]:
                sets = ", ".join(f"{name} = ?" for name in asdict(head))
                values = (*asdict(head).values(), table)
                self.desk.rows(f"UPDATE heads SET {sets} WHERE of = ?", values)
        return now

    def _in_time(self, row: Row, most: int) -> None:
        """Raises RateLimited where a person has `most` entries in the minute before this one."""
        sql = "SELECT at FROM audit WHERE by = ? ORDER BY entry DESC LIMIT 1 OFFSET ?"
        for found in self.desk.rows(sql, (row["by"], most - 1)):
            at = found["at"]
            last = at if isinstance(at, datetime) else datetime.fromisoformat(at)
            left = (last + _MINUTE - datetime.fromisoformat(row["at"])).total_seconds()
            if left > 0:
                wait = ceil(left)
                raise RateLimited(
                    f"At most {most} writes a minute are taken from one user; wait {wait} s, then "
                    "try again",
                    retry_after=wait,
                )


def insert(desk: Transaction, table: str, row: Row, returning: str | None = None) -> object:
    """Adds a row as it is; a column that its database gave it, if one is asked for."""
    sql = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places(row)})"
    if returning is None:
        desk.rows(sql, tuple(row.values()))
        return None
    return desk.rows(f"{sql} RETURNING {returning}", tuple(row.values()))[0][returning]


def heads(desk: Transaction) -> dict[str, Head]:
    """What each table holds in all. Nobody else writes until the transaction ends."""
    found = desk.rows(f"SELECT * FROM heads ORDER BY of{desk.locking}")
    return {
        row["of"]: Head(row["entries"], row["hash"], row["taken"], row["taken_hash"])
        for row in found
    }


def seal_all(desk: Transaction) -> None:
    """Seals what an older version wrote, in the transaction that made the columns for it."""
    for table in CHAINED:
        head, seals = Head(), []
        for row in desk.rows(f"SELECT * FROM {table} ORDER BY entry"):
            head = head.chained(digest(table, row))
            seals.append((table, row["entry"], head.hash))
        desk.many("INSERT INTO seals (of, entry, hash) VALUES (?, ?, ?)", seals)
        insert(desk, "heads", {"of": table, **asdict(head)})
    for table in [one for one in KEYS if one not in BORN_SEALED]:
        found = [(row, digest(table, row)) for row in desk.rows(f"SELECT * FROM {table}")]
        sql = f"UPDATE {table} SET digest = ? WHERE {_found_by(table)}"
        desk.many(sql, [(one, *_key(table, row)) for row, one in found])
        if "owner" in TABLES[table]:
            sql = f"UPDATE {table} SET owner_key = ? WHERE owner = ?"
            owners = {row["owner"] for row, _ in found}
            desk.many(sql, [(name_key(owner), owner) for owner in owners])
        insert(desk, "heads", {"of": table, **asdict(Head().moved((), (one for _, one in found)))})


def _found_by(table: str) -> str:
    return " AND ".join(f"{name} = ?" for name in KEYS[table])


def _key(table: str, row: Row) -> tuple[object, ...]:
    return tuple(row[name] for name in KEYS[table])

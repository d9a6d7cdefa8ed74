"""Whether a desk holds what was written, row by row, against its seals (D112)."""

from collections.abc import Iterator
from typing import Final

from services.contract.rounding import number_of

from .seals import CHAINED, KEYS, NOTHING, Head, digest, intact
from .transactions import Row, Transaction
from .writing import heads

#: Entries that are read at a time.
_AT_A_TIME: Final = 5_000
_CALLED: Final = {
    "note_audit": "texts of notes",
    "audit": "the audit",
    "watches": "watches",
    "notes": "notes",
    "saved_searches": "saved searches",
    "verdicts": "what was said of matches",
    "cases": "cases",
    "feeds": "calendar feeds",
}


def damages(desk: Transaction, kept: Head | None = None) -> tuple[list[str], dict[str, int]]:
    """What is not as it was written, in words, and the rows of each table.

    `kept` is the newest head of the audit that was kept elsewhere.
    """
    found, rows = [], {}
    now = heads(desk)
    for table in (*CHAINED, *KEYS):
        if table not in now:
            found.append(f"the head of {_CALLED[table]} is missing")
            continue
        if table in CHAINED:
            of_it = kept if table == "audit" else None
            said, rows[table] = _chain(desk, table, now[table], of_it)
        else:
            said, rows[table] = _rows(desk, table, now[table])
        found += said
    return found, rows


def _chain(desk: Transaction, table: str, head: Head, kept: Head | None) -> tuple[list[str], int]:
    """An audit: each entry is hashed again, on the hash of the one before."""
    at, bad, rows = head.begun(), 0, 0
    first, same = None, kept is None or kept.entries <= head.taken
    for row in _entries(desk, table):
        rows += 1
        try:
            at = at.chained(digest(table, row))
            good = at.hash == row["seal"]
        except (ValueError, TypeError):
            good, at = False, at.chained(NOTHING)
        if not good:
            bad, first = bad + 1, first or row["entry"]
            # Whatever comes next is looked at for itself.
            at = Head(at.entries, str(row["seal"]), at.taken, at.taken_hash)
        if kept is not None and kept.entries == at.entries:
            same = kept.hash == at.hash
    said = []
    if bad:
        said.append(f"{_not_as_written(bad)} ({_CALLED[table]}, from entry {first} on)")
    if at.entries != head.entries:
        said.append(f"{_CALLED[table]}: {at.entries:,} entries stand of {head.entries:,}")
    elif at.hash != head.hash and not bad:
        said.append(f"{_CALLED[table]}: the last entry is not the one that was written")
    if kept is not None and kept.entries > at.entries:
        said.append(f"missing at its end: {number_of(kept.entries - at.entries, 'write')}")
    elif not same and not said:
        said.append(f"entry {kept.entries if kept else 0} is not the one that was written")
    return said, rows


def _entries(desk: Transaction, table: str) -> Iterator[Row]:
    after = None
    while True:
        where = "" if after is None else "WHERE o.entry > ?"
        found = desk.rows(
            f"SELECT o.*, s.hash AS seal FROM {table} o LEFT JOIN seals s "
            f"ON s.of = '{table}' AND s.entry = o.entry {where} "
            f"ORDER BY o.entry LIMIT {_AT_A_TIME}",
            () if after is None else (after,),
        )
        yield from found
        if len(found) < _AT_A_TIME:
            return
        after = found[-1]["entry"]


def _rows(desk: Transaction, table: str, head: Head) -> tuple[list[str], int]:
    """A table whose rows change: each by its digest, all by their sum."""
    found = desk.rows(f"SELECT * FROM {table}")
    bad = sum(not intact(table, row) for row in found)
    said = [f"{_not_as_written(bad)} ({_CALLED[table]})"] if bad else []
    try:
        whole = Head().moved((), (row["digest"] for row in found))
        same = (whole.entries, whole.hash) == (head.entries, head.hash)
    except (ValueError, TypeError):
        same = bool(said)
    if len(found) != head.entries:
        said.append(f"{_CALLED[table]}: {len(found):,} stand of {head.entries:,}")
    elif not same and not said:
        said.append(f"{_CALLED[table]}: not those that were written last")
    return said, len(found)


def _not_as_written(count: int) -> str:
    if count == 1:
        return "an entry does not read as it was written"
    return f"{count:,} entries do not read as they were written"

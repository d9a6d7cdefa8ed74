"""What reported sources said, kept beside the snapshot, so that a later import can join them (D27).

Made-up data is never joined with anything and so never archived.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import asdict, fields
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from services.contract.errors import StoreDamaged
from services.contract.portfolio import TABLES, Portfolio, SourceInfo

from .checksums import FILE, Checksums, verify
from .links import linked_tree
from .snapshot import ARCHIVE, START_AFRESH, SUMMARY, folder_of, format_of, published

_INFO = "info.json"
#: Tables that portfolios of older snapshots lack.
_YOUNGER = frozenset({"leases", "witnesses", "particulars", "loans_elsewhere"})
_FIRST_WITH_CHECKSUMS = 11


def save(
    folder: Path, sources: Iterable[Portfolio], said: Callable[[Portfolio], Path | None]
) -> None:
    """Writes the reported sources into `folder`, one sub-folder each: as links where `said` knows a
    folder that holds the same already.
    """
    reported = (one for one in sources if one.info.provenance != "synthetic")
    for at, source in enumerate(reported):
        own, there = folder / f"{at:04d}", said(source)
        if there is None:
            save_one(own, source)
        else:
            linked_tree(there, own)


def save_one(own: Path, source: Portfolio) -> None:
    """Writes one source into a folder of its own."""
    own.mkdir(parents=True)
    facts = {**asdict(source.info), "as_of": source.info.as_of.isoformat()}
    (own / _INFO).write_text(json.dumps(facts), encoding="utf-8")
    for name in TABLES:
        pq.write_table(getattr(source, name), own / f"{name}.parquet")


def load(snapshot: Path) -> list[Portfolio]:
    """The reported sources of a snapshot, in their order, whatever its format is as long as its
    archive reads.

    Raises StoreDamaged, which names the files to be imported again as far as they are known.
    """
    check_readable(snapshot)
    try:
        found = [load_one(own) for own in sorted((snapshot / ARCHIVE).glob("*"))]
        if len(found) >= _reported(snapshot):
            return found
        reason = "the archive is incomplete"
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        reason = f"the archive does not read ({type(error).__name__})"
    raise _unusable(snapshot, reason)


def check_readable(snapshot: Path) -> None:
    """Raises StoreDamaged, as `load` does, where a file of the archive is not as it was written."""
    try:
        check(snapshot, ARCHIVE)
    except StoreDamaged as error:
        raise _unusable(snapshot, error.found) from None


def _unusable(snapshot: Path, reason: str) -> StoreDamaged:
    return StoreDamaged(
        f"What was imported before cannot be used: {reason}; {_back(snapshot)}{START_AFRESH} and"
        f" import {files_of(snapshot)} again"
    )


def _back(damaged: Path) -> str:
    """How to go back to the newest snapshot that is whole, where another is."""
    store = damaged.parent
    with suppress(StoreDamaged):
        for snapshot_id in published(store):
            folder = folder_of(store, snapshot_id)
            with suppress(StoreDamaged):
                if folder != damaged:
                    verify(folder)
                    return (
                        f"run 'creditatlas snapshots use {snapshot_id}' to go back to a snapshot"
                        " that is whole, or "
                    )
    return ""


def check(snapshot: Path, folder: str) -> None:
    """Raises StoreDamaged where a file of a folder of it is not as it was written."""
    found = format_of(snapshot)
    if (snapshot / FILE).exists() or found is None or found >= _FIRST_WITH_CHECKSUMS:
        with closing(Checksums.open(snapshot, only=folder)) as checksums:
            checksums.check_all()


def files_of(snapshot: Path) -> str:
    """The names of the files that reported sources came from, for a sentence."""
    try:
        names = [str(name) for source in _sources(snapshot) for name in source["files"]]
    except (LookupError, TypeError):
        names = []
    return ", ".join(names) or "its files"


def _reported(snapshot: Path) -> int:
    """How many of the snapshot's sources are reported, as far as it says."""
    return sum(source.get("provenance") != "synthetic" for source in _sources(snapshot))


def _sources(snapshot: Path) -> list[dict[str, Any]]:
    """What the snapshot says of its sources; empty where that does not read."""
    try:
        return list(json.loads((snapshot / SUMMARY).read_bytes())["sources"])
    except (OSError, ValueError, LookupError, TypeError):
        return []


def load_one(folder: Path) -> Portfolio:
    """What `save_one` wrote."""
    facts: dict[str, Any] = json.loads((folder / _INFO).read_text(encoding="utf-8"))
    facts["as_of"] = date.fromisoformat(facts["as_of"])
    facts |= {name: tuple(facts[name]) for name in ("files", "sha256")}
    known = {spec.name: facts[spec.name] for spec in fields(SourceInfo) if spec.name in facts}
    info = SourceInfo(**known)
    tables = {name: _table(folder / f"{name}.parquet", schema) for name, schema in TABLES.items()}
    return Portfolio(info=info, **tables)


def loans(folder: Path) -> pa.Table:
    """The loans alone of what `save_one` wrote."""
    return _table(folder / "loans.parquet", TABLES["loans"])


def _table(path: Path, schema: pa.Schema) -> pa.Table:
    if path.stem in _YOUNGER and not path.exists():
        return schema.empty_table()
    return pq.read_table(path, schema=schema, memory_map=False)

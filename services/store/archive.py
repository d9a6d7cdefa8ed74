"""What reported sources said, kept beside the snapshot, so that a later import can join them (D27).

Made-up data is never joined with anything and so never archived.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from services.contract.errors import StoreDamaged
from services.contract.portfolio import TABLES, Portfolio, SourceInfo

_INFO = "info.json"
#: Tables that portfolios of older snapshots lack.
_YOUNGER = frozenset({"leases"})


def save(folder: Path, sources: Iterable[Portfolio]) -> None:
    """Writes the reported sources into `folder`, one sub-folder each."""
    reported = (one for one in sources if one.info.provenance != "synthetic")
    for at, source in enumerate(reported):
        own = folder / f"{at:04d}"
        own.mkdir(parents=True)
        facts = {**asdict(source.info), "as_of": source.info.as_of.isoformat()}
        (own / _INFO).write_text(json.dumps(facts), encoding="utf-8")
        for name in TABLES:
            pq.write_table(getattr(source, name), own / f"{name}.parquet")


def load(folder: Path) -> list[Portfolio]:
    """The sources that `save` wrote, in their order. Raises StoreDamaged."""
    try:
        return [_load(own) for own in sorted(folder.glob("*"))]
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise StoreDamaged(
            f"What was imported before does not read ({type(error).__name__}); "
            "remove the store's folder and import its files again"
        ) from error


def _load(folder: Path) -> Portfolio:
    facts: dict[str, Any] = json.loads((folder / _INFO).read_text(encoding="utf-8"))
    facts["as_of"] = date.fromisoformat(facts["as_of"])
    facts |= {name: tuple(facts[name]) for name in ("files", "sha256")}
    info = SourceInfo(**{spec.name: facts[spec.name] for spec in fields(SourceInfo)})
    tables = {name: _table(folder / f"{name}.parquet", schema) for name, schema in TABLES.items()}
    return Portfolio(info=info, **tables)


def _table(path: Path, schema: pa.Schema) -> pa.Table:
    if path.stem in _YOUNGER and not path.exists():
        return schema.empty_table()
    return pq.read_table(path, schema=schema, memory_map=False)

"""What reported sources said, kept beside the snapshot, so that a later import can join them (D27).

Made-up data is never joined with anything and so never kept.
"""

import json
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


def save(folder: Path, portfolios: list[Portfolio]) -> None:
    """Writes the reported portfolios into `folder`, one sub-folder each."""
    reported = [one for one in portfolios if one.info.provenance != "synthetic"]
    for at, portfolio in enumerate(reported):
        part = folder / f"{at:04d}"
        part.mkdir(parents=True)
        facts = {**asdict(portfolio.info), "as_of": portfolio.info.as_of.isoformat()}
        (part / _INFO).write_text(json.dumps(facts), encoding="utf-8")
        for name in TABLES:
            pq.write_table(getattr(portfolio, name), part / f"{name}.parquet")


def load(folder: Path) -> list[Portfolio]:
    """The portfolios that `save` wrote, in their order. Raises StoreDamaged."""
    try:
        return [_load(part) for part in sorted(folder.glob("*"))]
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise StoreDamaged(
            f"What was imported before does not read ({type(error).__name__}); "
            "remove the store's folder and import its files again"
        ) from error


def _load(part: Path) -> Portfolio:
    facts: dict[str, Any] = json.loads((part / _INFO).read_text(encoding="utf-8"))
    facts["as_of"] = date.fromisoformat(facts["as_of"])
    facts |= {name: tuple(facts[name]) for name in ("files", "sha256")}
    info = SourceInfo(**{spec.name: facts[spec.name] for spec in fields(SourceInfo)})
    tables = {name: _table(part / f"{name}.parquet", schema) for name, schema in TABLES.items()}
    return Portfolio(info=info, **tables)


def _table(path: Path, schema: pa.Schema) -> pa.Table:
    if path.stem in _YOUNGER and not path.exists():
        return schema.empty_table()
    return pq.read_table(path, schema=schema, memory_map=False)

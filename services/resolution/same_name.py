"""Parties of one name, or of one identifier, over all sources of a book."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.portfolio import TABLES, Portfolio


def one_a_name(sources: list[Portfolio]) -> tuple[pa.Table, list[pa.Array]]:
    """One row a name over all sources (D30), and the new row of each source's rows.

    A party that several sources know keeps the kind of the first and the best confidence. One that
    bears the identifier of a party that came before is that party (D199).
    """
    only = sources[0].entities if len(sources) == 1 else None
    if only and pc.count_distinct(only["entity_name"]).as_py() == only.num_rows:
        count = only.num_rows
        return only, [pa.array(np.arange(count, dtype=np.int32))]
    listed: dict[str, dict[str, Any]] = {}
    known: dict[str, str] = {}
    rows: list[list[str]] = []
    for source in sources:
        identifiers = _identifiers(source)
        names = []
        for at, row in enumerate(source.entities.to_pylist()):
            own = row["entity_name"]
            same = (known[one] for one in identifiers.get(at, ()) if one in known)
            name = own if own in listed else next(same, own)
            known |= {one: known.get(one, name) for one in identifiers.get(at, ())}
            first = listed.setdefault(name, row)
            first["confidence"] = max(first["confidence"], row["confidence"])
            names.append(name)
        rows.append(names)
    place = {name: at for at, name in enumerate(listed)}
    ids = [pa.array([place[name] for name in names], pa.int32()) for names in rows]
    return pa.Table.from_pylist(list(listed.values()), schema=TABLES["entities"]), ids


def _identifiers(source: Portfolio) -> dict[int, list[str]]:
    """Identifiers of each party, the scheme before each, by row of its entities."""
    found: dict[int, list[str]] = {}
    known = source.particulars.filter(pc.equal(source.particulars["about"], "identifier"))
    for row in known.to_pylist():
        found.setdefault(row["entity"], []).append(f"{row['scheme']} {row['value']}")
    return found

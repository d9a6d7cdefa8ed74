"""What an importer hands to the pipeline: one source's records as Arrow tables of fixed shape.

Columnar because a portfolio may hold a million loans; fixed because the pipeline, the signals
and the writer all read it. References between tables are row numbers (`loan` is a row of
`loans`, `to_entity` a row of `entities`), so nothing is joined by string.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

import pyarrow as pa

from .evidence import PARTICULARS, WITNESSES
from .facts import FACTS, Kind

#: How a figure came to be known: stated by its source, computed by us, or made up for show.
Provenance = Literal["reported", "derived", "synthetic"]

#: How a fact of each kind is stored; words, codes and JSON are text.
STORED: Final[Mapping[Kind, pa.DataType]] = {
    "dollars": pa.int64(),
    "percent": pa.float64(),
    "fraction": pa.float64(),
    "times": pa.float64(),
    "basis points": pa.float64(),
    "months": pa.int32(),
    "exact months": pa.float64(),
    "area": pa.int64(),
    "date": pa.date32(),
    "flag": pa.bool_(),
}
#: One row a loan: the facts that sources report (facts.py), None where one does not say (D18).
#: `loan_number` is unique within the portfolio.
LOANS = pa.schema(
    [
        pa.field(fact.name, STORED.get(fact.kind, pa.string()), nullable=fact.name != "loan_number")
        for fact in FACTS
        if fact.origin == "reported"
    ]
)

#: The capital stack, one row a layer; `rank` 1 is paid first.
LAYERS = pa.schema(
    [
        pa.field("loan", pa.int32(), nullable=False),
        pa.field("rank", pa.int8(), nullable=False),
        # senior, junior note, mezzanine, preferred
        pa.field("position", pa.string(), nullable=False),
        pa.field("layer", pa.string(), nullable=False),  # insurance, bank, private credit, ...
        pa.field("lender", pa.string()),
        pa.field("servicer", pa.string()),
        pa.field("amount", pa.int64()),
        pa.field("interest_rate", pa.float64()),
    ]
)

PROPERTIES = pa.schema(
    [
        pa.field("loan", pa.int32(), nullable=False),
        pa.field("property_name", pa.string()),
        pa.field("address", pa.string()),
        pa.field("city", pa.string()),
        pa.field("state", pa.string()),
        pa.field("zip", pa.string()),
        pa.field("county", pa.string()),
        pa.field("property_type", pa.string()),
        pa.field("value", pa.int64()),
        pa.field("noi", pa.int64()),
        pa.field("occupancy", pa.float64()),
        pa.field("year_built", pa.int16()),
        pa.field("size", pa.float64()),
        pa.field("size_unit", pa.string()),  # "square feet" or "units"
        pa.field("further", pa.string()),  # JSON object
    ]
)

#: Leases of tenants, as far as a source names them: filings name the three largest of each
#: property. A property's place in its loan is not kept: what counts is the loan's whole area.
LEASES = pa.schema(
    [
        pa.field("loan", pa.int32(), nullable=False),
        pa.field("tenant", pa.string()),
        pa.field("square_feet", pa.int64()),
        pa.field("expires", pa.date32()),
    ]
)

#: Resolved parties. Names are unique within a portfolio (D30).
ENTITIES = pa.schema(
    [
        pa.field("entity_name", pa.string(), nullable=False),
        # borrower, operating entity, sponsor, owner, lender, fund, trust, originator, servicer,
        # property manager, public agency, trustee, parcel
        pa.field("kind", pa.string(), nullable=False),
        pa.field("confidence", pa.float64(), nullable=False),  # of the resolution, 0 to 1
    ]
)

#: D28. Exactly one of `from_loan` and `from_entity` is set, none where the loan is another source's
#: (LOANS_ELSEWHERE); `to` is always an entity.
EDGES = pa.schema(
    [
        pa.field("from_loan", pa.int32()),
        pa.field("from_entity", pa.int32()),
        pa.field("to_entity", pa.int32(), nullable=False),
        pa.field("relation", pa.string(), nullable=False),
        pa.field("confidence", pa.float64(), nullable=False),
        pa.field("share", pa.float64()),  # fraction owned, where known
    ]
)

#: Of edges that lead from a loan of another source its number (D203).
LOANS_ELSEWHERE = pa.schema(
    [
        pa.field("edge", pa.int32(), nullable=False),
        pa.field("loan_number", pa.string(), nullable=False),
    ]
)

REJECTS = pa.schema(
    [
        pa.field("record", pa.string(), nullable=False),  # where in the source
        pa.field("reason", pa.string(), nullable=False),  # one sentence
    ]
)


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """Where a portfolio comes from, as the Sources page and every record's provenance show it."""

    key: str  # what replaces what (D27), e.g. "sec-absee:BANK5 2025-5YR19"
    importer: str  # "demo", "sec-absee"
    title: str
    publisher: str
    terms: str
    as_of: date
    provenance: Provenance
    files: tuple[str, ...] = ()  # names only, never a path of this machine
    sha256: tuple[str, ...] = ()
    records_read: int = 0
    #: Of made-up loans: by the same one the same loans are made.
    seed: int | None = None
    #: Values that no rule of the importer maps or ignores: element or column -> times seen.
    unmapped: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Portfolio:
    """One source's records. Tables follow the schemas above, columns in their order."""

    info: SourceInfo
    loans: pa.Table
    layers: pa.Table
    properties: pa.Table
    entities: pa.Table
    edges: pa.Table
    rejects: pa.Table
    #: Many sources name no tenant.
    leases: pa.Table = field(default_factory=LEASES.empty_table)
    #: What edges rest on, and what is known of parties; many sources say neither.
    witnesses: pa.Table = field(default_factory=WITNESSES.empty_table)
    particulars: pa.Table = field(default_factory=PARTICULARS.empty_table)
    loans_elsewhere: pa.Table = field(default_factory=LOANS_ELSEWHERE.empty_table)


#: Table name -> schema, in writing order.
TABLES: dict[str, pa.Schema] = {
    "loans": LOANS,
    "layers": LAYERS,
    "properties": PROPERTIES,
    "entities": ENTITIES,
    "edges": EDGES,
    "rejects": REJECTS,
    "leases": LEASES,
    "witnesses": WITNESSES,
    "particulars": PARTICULARS,
    "loans_elsewhere": LOANS_ELSEWHERE,
}


def shaped(schema: pa.Schema, columns: dict[str, object]) -> pa.Table:
    """Arrow table of `schema` from arrays or lists by column name; absent columns are null.

    Raises ValueError for a column that the schema does not have: a misspelt name must not
    turn into silence.
    """
    if stray := set(columns) - set(schema.names):
        raise ValueError(f"no such column: {', '.join(sorted(stray))}")
    rows = max((len(column) for column in columns.values()), default=0)  # type: ignore[arg-type]
    arrays = []
    for spec in schema:
        given = columns.get(spec.name)
        if given is None:
            arrays.append(pa.nulls(rows, spec.type))
        elif isinstance(given, pa.Array | pa.ChunkedArray):
            arrays.append(given if given.type == spec.type else given.cast(spec.type))
        else:
            arrays.append(pa.array(given, type=spec.type))
    return pa.Table.from_arrays(arrays, schema=schema)

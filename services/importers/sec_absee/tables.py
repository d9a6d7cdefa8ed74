"""Tables of one Exhibit 102: loans with their layers, properties, parties and ties."""

from collections.abc import Sequence

import pyarrow as pa

from services.contract.portfolio import (
    EDGES,
    ENTITIES,
    LAYERS,
    LEASES,
    LOANS,
    PROPERTIES,
    REJECTS,
    shaped,
)
from services.contract.schedule_al import MEZZANINE
from services.importers.base import Rules
from services.importers.sec_absee.loan import Loan, loan_values
from services.importers.sec_absee.property import property_values
from services.importers.sec_absee.tenants import leases
from services.names.lenders import canonical_lender, lenders

Values = dict[str, object]


def tables(
    loans: Sequence[Loan], deal: str, rejects: Sequence[tuple[str, str]], rules: Rules
) -> dict[str, pa.Table]:
    """The tables of a Portfolio by name; loans in the file's order."""
    loan_rows: list[Values] = []
    layers: list[Values] = []
    properties: list[Values] = []
    tenancies: list[Values] = []
    originators = [lenders(loan.facts.text("originator_as_filed") or "") for loan in loans]
    servicers = [canonical_lender(loan.servicer) if loan.servicer else None for loan in loans]
    for row, (loan, names, servicer) in enumerate(zip(loans, originators, servicers, strict=True)):
        values = loan_values(loan, deal, names[0] if names else None, rules)
        loan_rows.append(values)
        layers.append(_layer(row, deal, servicer, values))
        earned = loan.income
        properties += [
            property_values(one, row, rules, earned.noi_of(one.facts)) for one in loan.properties
        ]
        for one in loan.properties:
            tenancies += leases(one.facts, row)
    entities, edges = _ties(deal, originators, servicers)
    return {
        "loans": _table(LOANS, loan_rows),
        "layers": _table(LAYERS, layers),
        "properties": _table(PROPERTIES, properties),
        "leases": _table(LEASES, tenancies),
        "entities": _table(ENTITIES, entities),
        "edges": _table(EDGES, edges),
        "rejects": _table(
            REJECTS, [{"record": record, "reason": reason} for record, reason in rejects]
        ),
    }


def _table(schema: pa.Schema, rows: Sequence[Values]) -> pa.Table:
    names = dict.fromkeys(name for row in rows for name in row)
    return shaped(schema, {name: [row.get(name) for row in rows] for name in names})


def _layer(row: int, deal: str, servicer: str | None, values: Values) -> Values:
    """The trust's holding; B and C notes stay senior debt, their words are among the further."""
    return {
        "loan": row,
        "rank": 1,
        "position": "mezzanine" if values["structure"] == MEZZANINE else "senior",
        "layer": "cmbs servicer",
        "lender": deal,
        "servicer": servicer,
        "amount": values["book_value"],
        "interest_rate": values["interest_rate"],
    }


def _ties(
    deal: str, originators: Sequence[Sequence[str]], servicers: Sequence[str | None]
) -> tuple[list[Values], list[Values]]:
    """Entities, one a name with the kind it is first met in (D30), and edges (D28)."""
    kinds: dict[str, str] = {deal: "trust"}
    for names in originators:
        for name in names:
            kinds.setdefault(name, "originator")
    for servicer in servicers:
        if servicer:
            kinds.setdefault(servicer, "servicer")
    rows = {name: row for row, name in enumerate(kinds)}
    edges: list[Values] = []
    for loan, (names, servicer) in enumerate(zip(originators, servicers, strict=True)):
        ties = [(deal, "capital_source"), *((name, "originator") for name in names)]
        if servicer:
            ties.append((servicer, "servicer"))
        edges += [
            {"from_loan": loan, "to_entity": rows[name], "relation": relation, "confidence": 1.0}
            for name, relation in ties
        ]
    entities: list[Values] = [
        {"entity_name": name, "kind": kind, "confidence": 1.0} for name, kind in kinds.items()
    ]
    return entities, edges

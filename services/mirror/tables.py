"""An API's records as a portfolio: what lists say, and nothing that they do not."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from services.contract.book import SourceScores
from services.contract.facts import FACTS
from services.contract.portfolio import (
    EDGES,
    ENTITIES,
    LAYERS,
    LOANS,
    PROPERTIES,
    REJECTS,
    Portfolio,
    SourceInfo,
    shaped,
)
from services.contract.records import Loan, OwnershipChain, Signal

#: What lists say of a loan, but for the rate pressure that it is graded with (`scores_of`).
_FIELDS = tuple(
    fact.name for fact in FACTS if fact.origin == "reported" and fact.name in Loan.model_fields
)
_COMPONENTS = pa.schema(
    {
        "signal": pa.int32(),
        "rule": pa.string(),
        "title": pa.string(),
        "rule_version": pa.int16(),
        "limits_version": pa.int16(),
        "severity": pa.string(),
        "value": pa.float64(),
        "limit": pa.float64(),
    }
)
#: Roles of a chain -> kinds of entities (D28); any other role is an owner.
_KINDS = {"borrower", "operating entity", "sponsor", "owner"}


def portfolio_of(
    info: SourceInfo,
    loans: Sequence[Loan],
    chains: Sequence[OwnershipChain],
    signals: Sequence[Signal],
) -> Portfolio:
    """The records as tables. A signal on a loan that the lists do not hold is a reject."""
    columns: dict[str, Any] = {name: [getattr(loan, name) for loan in loans] for name in _FIELDS}
    columns["further"] = [
        json.dumps(dict(loan.extra), default=str) if loan.extra else None for loan in loans
    ]
    row_of = {loan.loan_number: row for row, loan in enumerate(loans)}
    entities, edges = _owned(chains, row_of)
    unknown = dict.fromkeys(s.loan_number for s in signals if s.loan_number not in row_of)
    rejects = [
        {"record": f"signals of loan {number}", "reason": "The lists hold no loan of this number."}
        for number in unknown
    ]
    return Portfolio(
        info=info,
        loans=shaped(LOANS, columns),
        layers=LAYERS.empty_table(),
        properties=PROPERTIES.empty_table(),
        entities=pa.Table.from_pylist(entities, schema=ENTITIES),
        edges=pa.Table.from_pylist(edges, schema=EDGES),
        rejects=pa.Table.from_pylist(rejects, schema=REJECTS),
    )


def _owned(
    chains: Sequence[OwnershipChain], row_of: dict[str, int]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Entities and edges of ownership chains: by level and owned party where those are stated
    (D31), else each party owns the one before it.
    """
    rows: dict[str, dict[str, Any]] = {}
    edges: list[dict[str, Any]] = []
    place: dict[str, int] = {}
    for chain in chains:
        below: int | None = None
        for element in chain.chain:
            name, confidence = element.entity_name, element.confidence or 0.0
            kind = element.role if element.role in _KINDS else "owner"
            at = place.setdefault(name, len(place))
            row = rows.setdefault(
                name, {"entity_name": name, "kind": kind, "confidence": confidence}
            )
            row["confidence"] = max(row["confidence"], confidence)
            owned = place.get(str(element.extra.get("of")), below)
            first = owned is None or element.extra.get("level") == 0
            edges.append(
                {
                    "from_loan": row_of.get(chain.loan_number) if first else None,
                    "from_entity": None if first else owned,
                    "to_entity": at,
                    "relation": "borrower" if first else "owned_by",
                    "confidence": confidence,
                    "share": element.extra.get("share"),
                }
            )
            below = at
    distinct = {tuple(edge.items()): edge for edge in edges}
    return list(rows.values()), list(distinct.values())


def scores_of(
    portfolio: Portfolio,
    loans: Sequence[Loan],
    signals: Sequence[Signal],
    counted: Mapping[str, int],
) -> SourceScores:
    """The API's own scores of the loans of `portfolio`, and how many records it counts."""
    row_of = {number: row for row, number in enumerate(portfolio.loans["loan_number"].to_pylist())}
    known = sorted(
        (signal for signal in signals if signal.loan_number in row_of),
        key=lambda s: (s.loan_number, s.signal_type, s.severity or "", s.description or ""),
    )
    found = {
        "loan": pa.array([row_of[s.loan_number] for s in known], pa.int32()),
        "signal_type": pa.array([s.signal_type for s in known], pa.string()),
        "severity": pa.array([s.severity for s in known], pa.string()),
        "description": pa.array([s.description for s in known], pa.string()),
    }
    fired = [
        {"signal": row, **component.model_dump()}
        for row, signal in enumerate(known)
        for component in signal.components
    ]
    return SourceScores(
        rate_pressure=pa.array([loan.rate_pressure for loan in loans], pa.string()),
        signals=pa.table(found),
        components=pa.Table.from_pylist(fired, schema=_COMPONENTS),
        counted=counted,
    )

"""The parties and the ties between them, gathered kind by kind and turned into tables once."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from services.contract.evidence import WITNESSES, Method
from services.contract.portfolio import EDGES, ENTITIES, shaped
from services.importers.demo.assumptions import Ints
from services.importers.demo.names import picked, told_apart

#: Made-up parties are recognised with a made-up score.
RECOGNISED: Method = "resolved by name and address"
RELATIONS = ("borrower", "owned_by", "capital_source", "servicer", "originator", "guarantor")
Small = NDArray[np.signedinteger[Any]]  # 32 or 8 bits: there are millions of edges
NONE = -1  # no loan, no entity, no share


@dataclass(slots=True)
class Register:
    """Entities and edges in the making. Confidences and shares are whole hundredths."""

    rows: int = 0
    _names: list[pa.Array] = field(default_factory=list)
    _kinds: list[tuple[str, int]] = field(default_factory=list)
    _states: list[pa.Array] = field(default_factory=list)
    _confidences: list[Ints] = field(default_factory=list)
    _edges: list[tuple[Small, Small, Small, int, Small, Small]] = field(default_factory=list)

    def enter(
        self, kind: str, names: pa.Array, confidence: Ints, states: pa.Array | None = None
    ) -> int:
        """Add entities of one kind; returns the row of the first. `states` tell namesakes apart."""
        first = self.rows
        self.rows += len(names)
        self._names.append(names)
        self._kinds.append((kind, len(names)))
        self._states.append(pa.nulls(len(names), pa.string()) if states is None else states)
        self._confidences.append(confidence)
        return first

    def tie(
        self,
        relation: str,
        to: Ints,
        confidence: Ints,
        *,
        loan: Ints | None = None,
        entity: Ints | None = None,
        share: Ints | None = None,
    ) -> None:
        """Add edges of one relation, from loans or from entities; `share` NONE where unknown."""
        none = np.full(len(to), NONE, dtype=np.int32)
        self._edges.append(
            (
                none if loan is None else loan.astype(np.int32),
                none if entity is None else entity.astype(np.int32),
                to.astype(np.int32),
                RELATIONS.index(relation),
                confidence.astype(np.int8),
                none.astype(np.int8) if share is None else share.astype(np.int8),
            )
        )

    def entities(self) -> pa.Table:
        """ENTITIES rows, every name unique (D30)."""
        kinds = pa.array([kind for kind, _ in self._kinds])
        kind = np.repeat(np.arange(len(kinds)), [count for _, count in self._kinds])
        return shaped(
            ENTITIES,
            {
                "entity_name": told_apart(
                    pa.concat_arrays(self._names), pa.concat_arrays(self._states)
                ),
                "kind": picked(kinds, kind),
                "confidence": pa.array(np.concatenate(self._confidences) / 100),
            },
        )

    def edges(self) -> pa.Table:
        """EDGES rows, relation by relation in the order they were tied."""
        loan, entity, to = (
            np.concatenate([edge[column] for edge in self._edges]) for column in range(3)
        )
        relation = np.repeat([edge[3] for edge in self._edges], [len(e[2]) for e in self._edges])
        confidence, share = (
            np.concatenate([edge[column] for edge in self._edges]) for column in (4, 5)
        )
        return shaped(
            EDGES,
            {
                "from_loan": pa.array(loan, mask=loan == NONE),
                "from_entity": pa.array(entity, mask=entity == NONE),
                "to_entity": pa.array(to),
                "relation": picked(pa.array(RELATIONS), relation),
                "confidence": pa.array(confidence / 100),
                "share": pa.array(share / 100, mask=share == NONE),
            },
        )


def witnesses(edges: pa.Table) -> pa.Table:
    """WITNESSES rows: each edge has one, whose score is the confidence of the edge."""
    count = edges.num_rows
    return shaped(
        WITNESSES,
        {
            "edge": pa.array(np.arange(count, dtype=np.int32)),
            "method": picked(pa.array([RECOGNISED]), np.zeros(count, np.int64)),
            "match": edges["confidence"],
        },
    )

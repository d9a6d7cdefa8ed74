"""The ownership chain of a loan: borrower, operating entities, sponsors, ultimate owners."""

import math
from typing import Any, Final

from services.contract.records import ChainElement, OwnershipChain
from services.contract.vocabulary import tier_of

from .loans import loan_id
from .reader import Reader

#: A chain longer than any seen in public registers; a guard against odd data, not a limit.
MAX_LEVELS: Final = 24


def ownership(reader: Reader, loan_number: str) -> OwnershipChain:
    """The chain of one loan, level by level from the borrower, joint owners side by side (D31).

    A party appears once, at its lowest level, so that circular holdings end. Each element carries
    the confidence of the link that leads to it; the chain's tier is that of its weakest link
    (D29). Empty when no borrower is resolved (D11). Raises NotFound.
    """
    start = loan_id(reader, loan_number)
    graph = reader.graph
    chain: list[ChainElement] = []
    links: list[tuple[int, int, int, str]] = [
        (edge, node, start, "borrower") for edge, node in graph.step(start, "borrower")
    ]
    seen: set[int] = set()
    weakest = 1.0
    for level in range(MAX_LEVELS):
        found = []
        for edge, node, owned, role in links:
            confidence = float(graph.edge_confidence[edge])
            weakest = min(weakest, confidence)
            if node in seen:
                continue
            seen.add(node)
            found.append(node)
            chain.append(_element(reader, edge, node, owned, level, role))
        links = [
            (edge, owner, node, "")
            for node in found
            for edge, owner in graph.step(node, "owned_by")
        ]
        if not links:
            break
    roles = _kinds(reader, [element.entity_name for element in chain])
    named = tuple(
        element if element.role else element.model_copy(update={"role": roles[element.entity_name]})
        for element in chain
    )
    return OwnershipChain(
        loan_number=loan_number,
        chain=named,
        confidence_tier=tier_of(weakest) if chain else None,
    )


def _element(
    reader: Reader, edge: int, node: int, owned: int, level: int, role: str
) -> ChainElement:
    graph = reader.graph
    share = float(reader.shares[edge])
    extra: dict[str, Any] = {"level": level}
    if level:
        extra["of"] = graph.name(owned)
    if not math.isnan(share):
        extra["share"] = share
    return ChainElement(
        entity_name=graph.name(node),
        role=role or None,
        confidence=float(graph.edge_confidence[edge]),
        extra=extra,
    )


def _kinds(reader: Reader, names: list[str]) -> dict[str, str]:
    sql = (
        "SELECT entity_name, kind::VARCHAR FROM entities"
        " WHERE entity_name IN (SELECT unnest(?::VARCHAR[]))"
    )
    return dict(reader.rows(sql, [names])) if names else {}

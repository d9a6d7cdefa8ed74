"""Parties in order of what stands behind them: an order over a million is a sort of an array."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.exposure import BESIDE
from services.contract.parties import PARTY_EXPORT, Party, PartyFilter
from services.contract.records import Page
from services.contract.vocabulary import tier_of

from . import columns, entities, parties
from .database import Ids
from .ordering import in_order
from .party_loans import PartyLoans, by_worst, party_loans
from .reader import Reader


def party_list(reader: Reader, query: PartyFilter) -> Page[Party]:
    """Page of the parties that match."""
    of, found = party_loans(reader), _matching(reader, query)
    ids = in_order(_keys(of, found, query), found.of_kind, query.offset + query.per_page)
    items = _parties(reader, of, ids[query.offset :], found)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(found.of_kind))


def party(reader: Reader, entity_name: str) -> Party:
    """One party, by its exact name. Raises NotFound."""
    number = parties.found(reader, entity_name)["entity_id"]
    (found,) = _parties(reader, party_loans(reader), np.array([number], np.int32), None)
    return found


def party_kinds(reader: Reader, query: PartyFilter) -> dict[str, int]:
    """Parties of each kind that match but for their kind."""
    codes, kinds = reader.entity_kinds
    counts = np.bincount(codes[_matching(reader, query).ids], minlength=len(kinds)).tolist()
    return {kind: number for kind, number in sorted(zip(kinds, counts, strict=True)) if number}


def party_table(reader: Reader, query: PartyFilter) -> pa.Table:
    """Every party that matches, in the order asked for."""
    of, found = party_loans(reader), _matching(reader, query)
    return _table(reader, of, in_order(_keys(of, found, query), found.of_kind), found)


# What matches, in order


@dataclass(frozen=True, slots=True, eq=False)
class _Matching:
    """The parties that match."""

    #: Whatever kind is asked for, ascending, and the likeness of each to the name asked for.
    ids: Ids
    score: columns.Figures | None
    #: Those of the kind.
    of_kind: Ids
    #: The party of exactly the name asked for.
    exact: int

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return (
            self.ids.nbytes + self.of_kind.nbytes + (0 if self.score is None else self.score.nbytes)
        )


def _matching(reader: Reader, query: PartyFilter) -> _Matching:
    asked = (query.name, query.confidence_min, query.kind)
    return reader.remembered(("parties", *asked), lambda: _matched(reader, query))


def _matched(reader: Reader, query: PartyFilter) -> _Matching:
    ids, score, exact = np.arange(reader.snapshot.entities, dtype=np.int32), None, -1
    if query.name is not None:
        named = dict(sorted(entities.matched(reader, query.name)))
        ids, score = np.array(list(named), np.int32), np.array(list(named.values()), np.float64)
        exact = next((one for one in named if _name(reader, one) == query.name), -1)
    if query.confidence_min is not None:
        sure = party_loans(reader).confidence[ids] >= query.confidence_min
        ids, score = ids[sure], None if score is None else score[sure]
    of_kind = ids
    if query.kind is not None:
        codes, kinds = reader.entity_kinds
        wanted = [place for place, kind in enumerate(kinds) if kind.casefold() == query.kind]
        of_kind = ids[np.isin(codes[ids], wanted)]
    return _Matching(ids, score, of_kind, exact)


def _keys(of: PartyLoans, found: _Matching, query: PartyFilter) -> tuple[npt.NDArray[Any], ...]:
    """What parties are put in order by, by entity_id; ids are in order of the names."""
    ids = np.arange(len(of.loans), dtype=np.int32)
    largest = (-of.book_value, ids)
    if query.order is None and found.score is not None:
        score = np.zeros(len(ids))
        score[found.ids] = found.score
        return (ids != found.exact, -score, *largest)
    order = query.order or "-book_value"
    name = order.removeprefix("-")
    key = ids if name == "entity_name" else getattr(of, name)
    return (-key if order.startswith("-") else key, *largest)


# As they are listed


def _parties(
    reader: Reader, of: PartyLoans, ids: Ids, found: _Matching | None
) -> tuple[Party, ...]:
    rows = zip(ids.tolist(), _table(reader, of, ids, found).to_pylist(), strict=True)
    return tuple(
        Party(**row, above=_above(reader, at), by_worst=by_worst(reader, of, at))
        for at, row in rows
    )


def _table(reader: Reader, of: PartyLoans, ids: Ids, found: _Matching | None) -> pa.Table:
    """Some parties in the order of `ids`; a match score where `found` is by name."""
    codes, kinds = reader.entity_kinds
    role, worst, confidence = of.role[ids].astype(np.int32), of.worst[ids], of.confidence[ids]
    words = columns.words(reader, "worst_severity").words
    score = pa.nulls(len(ids), pa.float64())
    if found is not None and found.score is not None:
        score = pa.array(found.score[np.searchsorted(found.ids, ids)])
    listed = {
        "entity_name": pa.array(reader.graph.names(ids + reader.graph.loan_count), pa.string()),
        "kind": pa.array(kinds, pa.string()).take(pa.array(codes[ids])),
        "confidence": pa.array(confidence),
        "confidence_tier": pa.array(map(tier_of, confidence.tolist()), pa.string()),
        "match_score": score,
        "role": pa.array(BESIDE, pa.string()).take(pa.array(role, mask=role < 0)),
        "worst": pa.array(words, pa.string()).take(pa.array(worst, mask=worst < 0)),
    }
    figures = {
        name: pa.array(getattr(of, name)[ids]) for name in PARTY_EXPORT if name not in listed
    }
    return pa.table({name: (listed | figures)[name] for name in PARTY_EXPORT})


def _name(reader: Reader, number: int) -> str:
    return reader.graph.name(reader.graph.loan_count + number)


def _above(reader: Reader, number: int) -> str | None:
    """Who most surely owns it."""
    graph = reader.graph
    up = graph.step(graph.loan_count + number, "owned_by")
    links = [(-graph.edge_confidence[edge], graph.name(at)) for edge, at in up]
    return min(links)[1] if links else None

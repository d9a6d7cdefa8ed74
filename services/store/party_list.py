"""Parties in order of what stands behind them.

The loans of all parties lie in memory, party by party, with the sums over them: an order over a
million parties is a sort of an array.
"""

from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.exposure import BESIDE
from services.contract.parties import PARTY_EXPORT, Party, PartyFilter
from services.contract.records import Page
from services.contract.vocabulary import tier_of

from . import columns, entities, families, notes, parties
from .database import Ids
from .ordering import in_order
from .reader import Reader

Places = npt.NDArray[np.int64]

_OWN: Final = "SELECT entity_id, loan_id FROM entity_loans"
_SERVICED: Final = """
SELECT DISTINCT g.entity_id, y.loan_id
FROM entities g JOIN layers y ON y.servicer = g.entity_name
"""
_CONFIDENCE: Final = "SELECT confidence FROM entities ORDER BY entity_id"


@dataclass(frozen=True, slots=True, eq=False)
class _Loans:
    """The loans of every party, and figures over them by entity_id."""

    #: Where the loans of each party begin; the end at last.
    start: Places
    loan: Ids
    #: Place in BESIDE of the role that the loans are in; -1 for its own.
    role: npt.NDArray[np.int8]
    confidence: columns.Figures
    loans: Places
    book_value: Places
    #: Place of the worst signal among the words, -1 without one.
    worst: Ids
    stressed: Places
    dollars_short: Places

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return sum(getattr(self, one.name).nbytes for one in fields(self))


def party_list(reader: Reader, query: PartyFilter) -> Page[Party]:
    """Page of the parties that match."""
    of, found = _loans(reader), _matching(reader, query)
    ids = in_order(_keys(of, found, query), found.of_kind, query.offset + query.per_page)
    items = tuple(
        _party(reader, of, number, found.likeness(number))
        for number in ids[query.offset :].tolist()
    )
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(found.of_kind))


def party(reader: Reader, entity_name: str) -> Party:
    """One party, by its exact name. Raises NotFound."""
    number = parties.found(reader, entity_name)["entity_id"]
    return _party(reader, _loans(reader), number, None)


def party_kinds(reader: Reader, query: PartyFilter) -> dict[str, int]:
    """Parties of each kind that match but for their kind."""
    codes, kinds = reader.entity_kinds
    counts = np.bincount(codes[_matching(reader, query).ids], minlength=len(kinds)).tolist()
    return {kind: number for kind, number in sorted(zip(kinds, counts, strict=True)) if number}


def party_table(reader: Reader, query: PartyFilter) -> pa.Table:
    """Every party that matches, in the order asked for."""
    of, found = _loans(reader), _matching(reader, query)
    ids = in_order(_keys(of, found, query), found.of_kind)
    codes, kinds = reader.entity_kinds
    role, worst = of.role[ids].astype(np.int32), of.worst[ids]
    words = columns.words(reader, "worst_severity").words
    confidence = of.confidence[ids]
    nobody = pa.nulls(len(ids), pa.float64())
    score = (
        nobody if found.score is None else pa.array(found.score[np.searchsorted(found.ids, ids)])
    )
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

    def likeness(self, number: int) -> float | None:
        """How alike a party's name is to the one asked for."""
        if self.score is None:
            return None
        return float(self.score[np.searchsorted(self.ids, number)])


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
        sure = _loans(reader).confidence[ids] >= query.confidence_min
        ids, score = ids[sure], None if score is None else score[sure]
    of_kind = ids
    if query.kind is not None:
        codes, kinds = reader.entity_kinds
        wanted = [place for place, kind in enumerate(kinds) if kind.casefold() == query.kind]
        of_kind = ids[np.isin(codes[ids], wanted)]
    return _Matching(ids, score, of_kind, exact)


def _keys(of: _Loans, found: _Matching, query: PartyFilter) -> tuple[npt.NDArray[Any], ...]:
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


def _party(reader: Reader, of: _Loans, number: int, score: float | None) -> Party:
    node, role, worst = reader.graph.loan_count + number, int(of.role[number]), of.worst[number]
    words = columns.words(reader, "worst_severity").words
    confidence = float(of.confidence[number])
    return Party(
        entity_name=reader.graph.name(node),
        kind=reader.kind(node),
        confidence=confidence,
        confidence_tier=tier_of(confidence),
        match_score=score,
        role=BESIDE[role] if role >= 0 else None,
        loans=int(of.loans[number]),
        book_value=int(of.book_value[number]),
        worst=words[worst] if worst >= 0 else None,
        stressed=int(of.stressed[number]),
        dollars_short=int(of.dollars_short[number]),
        above=_above(reader, node),
        by_worst=_by_worst(reader, of, number),
    )


def _name(reader: Reader, number: int) -> str:
    return reader.graph.name(reader.graph.loan_count + number)


def _above(reader: Reader, node: int) -> str | None:
    """Who most surely owns it."""
    graph = reader.graph
    links = [(-graph.edge_confidence[e], graph.name(at)) for e, at in graph.step(node, "owned_by")]
    return min(links)[1] if links else None


def _by_worst(reader: Reader, of: _Loans, number: int) -> tuple[tuple[str | None, int], ...]:
    """Its dollars by the worst signal of the loan."""
    ids = of.loan[slice(*of.start[number : number + 2].tolist())]
    worst = columns.words(reader, "worst_severity")
    dollars = np.bincount(worst.code[ids] + 1, notes.dollars(reader, "book_value")[ids])
    words = (None, *worst.words)
    return tuple((words[at], int(dollars[at])) for at in np.flatnonzero(dollars)[::-1].tolist())


# The loans of every party


def _loans(reader: Reader) -> _Loans:
    return reader.column("loans of parties", lambda: _summed(reader))


def _summed(reader: Reader) -> _Loans:
    size = reader.snapshot.entities
    of, loan, role = _held(reader, size)
    order = np.lexsort((loan, of))
    of, loan = of[order], loan[order]
    code = columns.words(reader, "worst_severity").code[loan]
    worst = np.full(size, -1, np.int32)
    np.maximum.at(worst, of, code)
    ill = families.stressed(reader)[loan]

    def dollars(name: str) -> Places:
        # A float holds whole dollars up to 9 quadrillion.
        return np.bincount(of, notes.dollars(reader, name)[loan], size).astype(np.int64)

    return _Loans(
        start=np.searchsorted(of, np.arange(size + 1)),
        loan=loan,
        role=role,
        confidence=reader.columns(_CONFIDENCE)["confidence"],
        loans=notes.count(reader, loan, of, size),
        book_value=dollars("book_value"),
        worst=worst,
        stressed=notes.count(reader, loan[ill], of[ill], size),
        dollars_short=dollars("dollars_short"),
    )


def _held(reader: Reader, size: int) -> tuple[Ids, Ids, npt.NDArray[np.int8]]:
    """Parties and their loans: their own; of parties without any those in the role in which they
    have most, the last by name of several; and that role by party.
    """
    own = reader.columns(_OWN)
    of, loan = own["entity_id"], own["loan_id"]
    has_own = np.zeros(size, bool)
    has_own[of] = True
    beside = [_in_role(reader, role) for role in BESIDE]
    counts = np.stack([notes.count(reader, lent, by, size) for by, lent in beside])
    best = (len(BESIDE) - 1 - np.argmax(counts[::-1], axis=0)).astype(np.int8)
    role = np.where(has_own | ~counts.any(axis=0), np.int8(-1), best)
    parts = [(by[role[by] == at], lent[role[by] == at]) for at, (by, lent) in enumerate(beside)]
    return (
        np.concatenate([of, *(one for one, _ in parts)]),
        np.concatenate([loan, *(one for _, one in parts)]),
        role,
    )


def _in_role(reader: Reader, role: str) -> tuple[Ids, Ids]:
    """Parties and the loans in which they have a role of BESIDE, each pair once."""
    graph, size = reader.graph, max(reader.graph.loan_count, 1)
    hit = np.zeros(graph.edge_count, bool)
    if role in graph.relations:
        hit = graph.edge_relation == graph.relations.index(role)
        hit &= graph.edge_from < graph.loan_count
    pairs = (graph.edge_to[hit] - graph.loan_count).astype(np.int64) * size + graph.edge_from[hit]
    if role == "servicer":
        named = reader.columns(_SERVICED)
        pairs = np.append(pairs, named["entity_id"].astype(np.int64) * size + named["loan_id"])
    of, loan = np.divmod(np.unique(pairs), size)
    return of.astype(np.int32), loan.astype(np.int32)

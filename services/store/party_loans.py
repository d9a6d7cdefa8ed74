"""The loans of every party, party by party in memory, and the sums over them (D263)."""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import numpy.typing as npt

from services.contract.aggregates import ByWorst
from services.contract.exposure import BESIDE

from . import columns, notes
from .database import Ids
from .reader import Reader

Places = npt.NDArray[np.int64]

_OWN: Final = "SELECT entity_id, loan_id FROM entity_loans"
_SERVICED: Final = """
SELECT DISTINCT g.entity_id, y.loan_id
FROM entities g JOIN layers y ON y.servicer = g.entity_name
"""
_CONFIDENCE: Final = "SELECT confidence FROM entities ORDER BY entity_id"


@dataclass(frozen=True, slots=True, eq=False)
class PartyLoans:
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


def party_loans(reader: Reader) -> PartyLoans:
    """The loans of every party."""
    return reader.column("loans of parties", lambda: _summed(reader))


def by_worst(reader: Reader, of: PartyLoans, number: int) -> ByWorst:
    """Its dollars by the worst signal of the loan."""
    ids = of.loan[slice(*of.start[number : number + 2].tolist())]
    return notes.by_worst(reader, ids, np.zeros(len(ids), np.int8), 1)(0)


def _summed(reader: Reader) -> PartyLoans:
    size = reader.snapshot.entities
    of, loan, role = _held(reader, size)
    order = np.lexsort((loan, of))
    of, loan = of[order], loan[order]
    code = columns.words(reader, "worst_severity").code[loan]
    worst = np.full(size, -1, np.int32)
    np.maximum.at(worst, of, code)
    ill = columns.distressed(reader)[loan]

    def dollars(name: str) -> Places:
        # A float holds whole dollars up to 9 quadrillion.
        return np.bincount(of, notes.dollars(reader, name)[loan], size).astype(np.int64)

    return PartyLoans(
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

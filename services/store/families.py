"""Families of loans (D58) ranked by what matches a filter.

All pairs of head and loan lie in memory, family by family, so that a ranking of all of them is a
few sums over stretches of arrays.
"""

from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.families import Family, FamilyFilter
from services.contract.records import Page

from . import columns, notes
from .database import Ids
from .filters import loan_ids
from .ordering import in_order
from .reader import Reader

Places = npt.NDArray[np.int64]
Keys = tuple[npt.NDArray[np.signedinteger[Any]], ...]

_MEMBERS: Final = "SELECT entity_id, loan_id FROM family_loans ORDER BY entity_id, loan_id"
_LENDING: Final = (
    "SELECT entity_id, lender_id, loan_id FROM family_lenders"
    " ORDER BY entity_id, lender_id, loan_id"
)


@dataclass(frozen=True, slots=True, eq=False)
class _Members:
    """All loans of all families, family by family; and the same lender by lender of each."""

    #: Heads of the families, ascending, and where the loans of each begin; the end at last.
    head: Ids
    start: Places
    loan: Ids
    #: By loan of a family: US dollars, place of its worst signal among the words, -1 without one,
    #: and whether it is distressed.
    book_value: Places
    dollars_short: Places
    worst: Ids
    stressed: columns.Flags
    #: Where the loans of each lender of a family begin, the end at last, and those loans.
    lent_start: Places
    lent: Ids
    #: Where the lenders of each family begin; the end at last.
    lenders_start: Places

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        return sum(getattr(self, one.name).nbytes for one in fields(self))


@dataclass(frozen=True, slots=True, eq=False)
class _Ranked:
    """Figures of the families that have loans in a result, in order of their names."""

    head: Ids
    figures: dict[str, Places]

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        return self.head.nbytes + sum(one.nbytes for one in self.figures.values())


def families(reader: Reader, query: FamilyFilter) -> Page[Family]:
    """Page of the families with loans that match."""
    ranked = _ranked(reader, query)
    of_kind = _of_kind(reader, ranked, query)
    keys = _keys(ranked, query)
    part = in_order(keys, of_kind, query.offset + query.per_page)[query.offset :]
    items = tuple(_family(reader, ranked, int(at)) for at in part)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(of_kind))


def family_table(reader: Reader, query: FamilyFilter) -> pa.Table:
    """Every family with loans that match, in the order asked for."""
    ranked = _ranked(reader, query)
    order = in_order(_keys(ranked, query), _of_kind(reader, ranked, query))
    nodes = (ranked.head[order] + reader.graph.loan_count).tolist()
    worst = ranked.figures["worst"][order].astype(np.int32)
    words = columns.words(reader, "worst_severity").words
    listed = {
        "entity_name": pa.array(reader.graph.names(nodes), pa.string()),
        "kind": pa.array([reader.kind(node) for node in nodes], pa.string()),
        **{name: pa.array(one[order]) for name, one in ranked.figures.items()},
        "worst": pa.array(words, pa.string()).take(pa.array(worst, mask=worst < 0)),
    }
    return pa.table({name: listed[name] for name in Family.model_fields})


def _family(reader: Reader, ranked: _Ranked, at: int) -> Family:
    node = reader.graph.loan_count + int(ranked.head[at])
    figures = {name: int(one[at]) for name, one in ranked.figures.items()}
    worst = figures.pop("worst")
    words = columns.words(reader, "worst_severity").words
    return Family(
        entity_name=reader.graph.name(node),
        kind=reader.kind(node),
        worst=words[worst] if worst >= 0 else None,
        **figures,
    )


# In order


def _of_kind(reader: Reader, ranked: _Ranked, query: FamilyFilter) -> Places:
    """Places of the families with a head of the kind asked for."""
    if query.kind == "either":
        return np.arange(len(ranked.head))
    codes, kinds = reader.entity_kinds
    wanted = [place for place, kind in enumerate(kinds) if kind == query.kind]
    return np.flatnonzero(np.isin(codes[ranked.head], wanted))


def _keys(ranked: _Ranked, query: FamilyFilter) -> Keys:
    """What families are put in order by, the first key before the next, the smallest first."""
    order = query.order or "-book_value"
    name = order.removeprefix("-")
    figures: dict[str, npt.NDArray[np.signedinteger[Any]]] = {
        **ranked.figures,
        "entity_name": ranked.head,
    }
    key = figures[name]
    # Ids are in order of the names.
    first = -key if order.startswith("-") else key
    return (first, -ranked.figures["book_value"], ranked.head)


# Figures


def _ranked(reader: Reader, query: FamilyFilter) -> _Ranked:
    asked = tuple(sorted(query.filters().items()))
    if not asked:
        return reader.column(
            "families of all loans", lambda: _summed(reader, _members(reader), None)
        )
    return reader.remembered(("families", *asked), lambda: _matching(reader, query))


def _matching(reader: Reader, query: FamilyFilter) -> _Ranked:
    matching = np.zeros(reader.snapshot.loans, bool)
    matching[loan_ids(reader, query.of_loans())] = True
    return _summed(reader, _members(reader), matching)


def _summed(reader: Reader, of: _Members, matching: columns.Flags | None) -> _Ranked:
    """Figures of every family over the loans that match, all of them without `matching`."""
    hit = np.ones(len(of.loan), bool) if matching is None else matching[of.loan]
    at = np.flatnonzero(hit)
    # Loans of a family lie together: a sum over it is the difference of two running sums.
    start = _running(hit)[of.start]
    rows = np.diff(start)
    there = np.flatnonzero(rows)
    family, loan, ill = np.repeat(np.arange(len(there)), rows[there]), of.loan[at], of.stressed[at]
    loans = notes.count(reader, loan, family, len(there))
    first = start[:-1][there]
    worst = np.maximum.reduceat(of.worst[at], first) if len(at) else of.worst[:0]
    lends = np.ones(len(of.lent), bool) if matching is None else matching[of.lent]
    lenders = _sums(_sums(lends, of.lent_start) > 0, of.lenders_start)
    return _Ranked(
        of.head[there],
        {
            "loans": loans,
            "book_value": _sums(of.book_value[at], start)[there],
            "worst": worst.astype(np.int64),
            "stressed": notes.count(reader, loan[ill], family[ill], len(there)),
            "lenders": lenders[there],
            "dollars_short": _sums(of.dollars_short[at], start)[there],
        },
    )


def _sums(values: npt.NDArray[Any], start: Places) -> Places:
    """Sums of stretches of an array that begin at `start` and end where the next begins."""
    found: Places = np.diff(_running(values)[start])
    return found


def _running(values: npt.NDArray[Any]) -> Places:
    """Sums of what stands before each place, and at last of all."""
    running = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=running[1:])
    return running


def _members(reader: Reader) -> _Members:
    return reader.column("members of families", lambda: _read_members(reader))


def _read_members(reader: Reader) -> _Members:
    members, lending = reader.arrow(_MEMBERS), reader.arrow(_LENDING)
    of, loan = (members[name].to_numpy() for name in ("entity_id", "loan_id"))
    by, lender, lent = (lending[n].to_numpy() for n in ("entity_id", "lender_id", "loan_id"))
    start = np.flatnonzero(np.diff(of, prepend=-1))
    head = of[start]
    each = np.flatnonzero((np.diff(by, prepend=-1) != 0) | (np.diff(lender, prepend=-1) != 0))

    def dollars(name: str) -> Places:
        known = notes.dollars(reader, name).astype(np.int64)
        taken: Places = known[loan]
        return taken

    return _Members(
        head=head,
        start=np.append(start, len(loan)),
        loan=loan,
        book_value=dollars("book_value"),
        dollars_short=dollars("dollars_short"),
        worst=columns.words(reader, "worst_severity").code[loan],
        stressed=columns.distressed(reader)[loan],
        lent_start=np.append(each, len(lent)),
        lent=lent,
        lenders_start=np.append(np.searchsorted(by[each], head), len(each)),
    )

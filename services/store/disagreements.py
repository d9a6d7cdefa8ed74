"""What sources state differently: shares, parties of loans, facts of parties (D255)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from services.contract.evidence import Disagreement, Stated
from services.contract.queries import Query
from services.contract.records import Page

from .reader import Reader

About = Literal["share", "party", "identifier", "jurisdiction", "legal kind"]
Ints = npt.NDArray[np.int64]
_ABOUT: Final[tuple[About, ...]] = ("share", "party", "identifier", "jurisdiction", "legal kind")
#: What a loan has one of, as a rule; lenders, owners and tenants may be many, each source some.
_OF_A_LOAN: Final = ("borrower", "sponsor")
#: Days of a statement; far away where its source does not say.
_HELD: Final = (
    "coalesce(since - DATE '1970-01-01', -1000000)::BIGINT AS since,"
    " coalesce(until - DATE '1970-01-01', 10000000)::BIGINT AS until"
)
_WITNESSES: Final = f"SELECT edge_id, source_id, {_HELD} FROM witnesses"
#: Facts of which a party has one, where sources give several.
_PARTICULARS: Final = f"""
SELECT about, entity_id, coalesce(scheme, '') AS scheme, "value", source_id, {_HELD}
FROM particulars
WHERE (entity_id, about, coalesce(scheme, '')) IN (
    SELECT (entity_id, about, coalesce(scheme, '')) FROM particulars
    WHERE about IN ('identifier', 'jurisdiction', 'legal kind')
    GROUP BY entity_id, about, coalesce(scheme, '')
    HAVING min(source_id) <> max(source_id) AND min("value") <> max("value")
)
"""
_SOURCES: Final = "SELECT source_id, title, as_of FROM sources"


class _Subject(NamedTuple):
    """What is stated, by ids that lie in the order of names."""

    about: int
    node: int
    target: int
    word: str


class _Said(NamedTuple):
    source: int
    value: Any
    since: int
    until: int


def disagreements(reader: Reader, query: Query) -> Page[Disagreement]:
    """A page of what sources state differently."""
    found = reader.remembered(("disagreements",), lambda: _found(reader))
    sources = {number: (title, day) for number, title, day in reader.rows(_SOURCES)}
    part = found[query.offset : query.offset + query.per_page]
    items = tuple(_named(reader, subject, said, sources) for subject, said in part)
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(found))


def _found(reader: Reader) -> list[tuple[_Subject, list[_Said]]]:
    by_subject: dict[_Subject, list[_Said]] = defaultdict(list)
    for subject, said in (*_of_edges(reader), *_of_parties(reader)):
        by_subject[subject].append(said)
    return sorted((subject, said) for subject, said in by_subject.items() if _differ(said))


def _differ(said: Iterable[_Said]) -> bool:
    """Whether two sources have no value in common, though both speak of one time."""
    by_source: dict[int, list[_Said]] = defaultdict(list)
    for one in said:
        by_source[one.source].append(one)
    return any(
        not {a.value for a in first} & {b.value for b in second}
        and any(a.since <= b.until and b.since <= a.until for a in first for b in second)
        for first, second in combinations(by_source.values(), 2)
    )


def _of_edges(reader: Reader) -> Iterator[tuple[_Subject, _Said]]:
    graph = reader.graph
    held = reader.columns(_WITNESSES)
    edge = held["edge_id"]
    if not len(edge):
        return
    start, end = graph.edge_from[edge].astype(np.int64), graph.edge_to[edge].astype(np.int64)
    relation = graph.edge_relation[edge].astype(np.int64)
    share = np.asarray(reader.shares)[edge]
    nodes, kinds = len(graph.indptr), len(graph.relations)
    wanted = [at for at, word in enumerate(graph.relations) if word in _OF_A_LOAN]
    of_loan = (start < graph.loan_count) & np.isin(relation, wanted)

    def said(at: int, value: float) -> _Said:
        return _Said(int(held["source_id"][at]), value, int(held["since"][at]),
                     int(held["until"][at]))  # fmt: skip

    shared = np.flatnonzero(~np.isnan(share))
    key = (start * nodes + end) * kinds + relation
    for at in _several(key, held["source_id"], share, shared):
        word = graph.relations[relation[at]]
        yield _Subject(0, int(start[at]), int(end[at]), word), said(at, float(share[at]))
    key = start * kinds + relation
    for at in _several(key, held["source_id"], end, np.flatnonzero(of_loan)):
        yield _Subject(1, int(start[at]), -1, graph.relations[relation[at]]), said(at, int(end[at]))


def _several(
    key: Ints, source: npt.NDArray[Any], value: npt.NDArray[Any], rows: npt.NDArray[np.intp]
) -> list[int]:
    """Those of the rows whose key has several sources and several values."""
    if not len(rows):
        return []
    rows = rows[np.argsort(key[rows], kind="stable")]
    first = np.flatnonzero(np.diff(key[rows], prepend=-1))
    mixed = np.ones(len(first), bool)
    for column in (source[rows], value[rows]):
        mixed &= np.minimum.reduceat(column, first) != np.maximum.reduceat(column, first)
    found: list[int] = rows[np.repeat(mixed, np.diff(first, append=len(rows)))].tolist()
    return found


def _of_parties(reader: Reader) -> Iterator[tuple[_Subject, _Said]]:
    for about, entity, scheme, value, source, since, until in reader.rows(_PARTICULARS):
        node = reader.graph.loan_count + entity
        yield _Subject(_ABOUT.index(about), node, -1, scheme), _Said(source, value, since, until)


def _named(
    reader: Reader, subject: _Subject, said: list[_Said], sources: dict[int, tuple[str, date]]
) -> Disagreement:
    about = _ABOUT[subject.about]
    by_source: dict[int, set[Any]] = defaultdict(set)
    for one in said:
        by_source[one.source].add(one.value)

    def written(value: str | float) -> str:
        if isinstance(value, str):
            return value
        return f"{100 * value:.10g}%" if about == "share" else reader.graph.name(int(value))

    return Disagreement(
        about=about,
        subject=reader.graph.name(subject.node),
        target=reader.graph.name(subject.target) if subject.target >= 0 else None,
        word=subject.word or None,
        stated=tuple(
            Stated(source=sources[number][0], as_of=sources[number][1],
                   values=tuple(map(written, sorted(by_source[number]))))
            for number in sorted(by_source)
        ),
    )  # fmt: skip

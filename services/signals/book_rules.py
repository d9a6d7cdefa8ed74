"""What loans share: the sponsors and owners behind them, and what else those owe.

Set operations over the whole book: a million loans take seconds. A family is all loans under one
sponsor or owner whose every link, from the loan up, is probable or better (D29).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from services.contract.families import OF_LOANS, SIBLING_DAYS, SIBLING_RANKS
from services.contract.vocabulary import PROBABLE_FROM, SEVERITIES
from services.signals.amortisation import BoolArray, DateArray, FloatArray

Ints = NDArray[np.int64]

#: Links from a loan up beyond which nobody is looked for; the longest chains of filings have six.
_MOST_LINKS: Final = 12
#: What the head of a family is; of those alike a sponsor is named before an owner.
_KINDS: Final = ("sponsor", "owner")
_SEVERE: Final = SEVERITIES.index("severe")
_CRITICAL: Final = SEVERITIES.index("critical")


@dataclass(frozen=True, slots=True, eq=False)
class Families:
    """Which loans are under which sponsors and owners."""

    #: One row a loan and a sponsor or owner above it: row of `loans`, row of `entities`.
    loan: Ints
    owner: Ints
    #: Aligned to `entities`: share of the book under each sponsor or owner, fraction.
    part: FloatArray
    #: Aligned to the loans: the row of the sponsor, and of the owner, with the largest book; -1
    #: without one.
    sponsors: Ints
    owners: Ints
    #: Aligned to `entities`: place of each sponsor or owner, the sponsors first, then by name: what
    #: is said in a tie does not hang on the order of rows.
    place: Ints

    @property
    def largest(self) -> Ints:
        """The row of the larger of the two, the sponsor of those alike; -1 without either."""
        more = self.share(self.owners) > self.share(self.sponsors)
        return np.where((self.sponsors < 0) | more, self.owners, self.sponsors)

    def share(self, heads: Ints) -> FloatArray:
        """Share of the book under a head of each loan, fraction; NaN without one."""
        found = np.full(len(heads), np.nan)
        found[heads >= 0] = self.part[heads[heads >= 0]]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Siblings:
    """The other loans under one owner of each loan: of the owner with the most trouble."""

    #: Aligned to the loans; 0 without siblings.
    critical: Ints
    #: Severe or worse.
    severe: Ints
    #: 0: none in trouble; 1: one severe; 2: one critical, or two severe; 3: two critical. NaN
    #: without an owner.
    rank: FloatArray
    #: That owner's row, -1 without one.
    owner: Ints


def families(tables: Mapping[str, pa.Table], book_value: FloatArray) -> Families:
    """Loans by sponsor and owner, from the edges of a book (contract/portfolio.py)."""
    loans = len(book_value)
    if "edges" not in tables or not tables["edges"].num_rows:
        none, nobody = np.empty(0, np.int64), np.full(loans, -1)
        return Families(none, none, none.astype(float), nobody, nobody, none)
    loan, owner = _owned(tables["edges"])
    entities = tables["entities"]
    kind = pc.index_in(entities["kind"], value_set=pa.array(_KINDS)).fill_null(-1).to_numpy()
    names = pc.rank(entities["entity_name"], tiebreaker="first").to_numpy().astype(np.int64)
    place = kind * len(kind) + names
    chosen = kind[owner] >= 0
    loan, owner = loan[chosen], owner[chosen]
    owed = np.nan_to_num(book_value)
    behind = np.bincount(owner, weights=owed[loan], minlength=len(kind))

    def first(of: str) -> Ints:
        among = kind[owner] == _KINDS.index(of)
        heads = owner[among]
        return _best(loan[among], heads, behind[heads], place, loans)

    with np.errstate(invalid="ignore"):
        part = behind / owed.sum()
    return Families(loan, owner, part, first("sponsor"), first("owner"), place)


def siblings(among: Families, severity: NDArray[np.int8], as_of: DateArray) -> Siblings:
    """Trouble under the same sponsors and owners; `severity` is each loan's worst rank, `as_of`
    its date.
    """
    loans = len(severity)
    bad, ill, rank = _trouble(among.loan, among.owner, severity, as_of)
    owner = _best(among.loan, among.owner, rank * 1e12 + bad * 1e6 + ill, among.place, loans)
    found = {name: np.zeros(loans, np.int64) for name in ("critical", "severe", "rank")}
    # The pair that `_best` chose for each loan.
    same = owner[among.loan] == among.owner
    for name, figures in (("critical", bad), ("severe", ill), ("rank", rank)):
        found[name][among.loan[same]] = figures[same]
    ranks = np.where(owner >= 0, found["rank"].astype(np.float64), np.nan)
    return Siblings(found["critical"], found["severe"], ranks, owner)


def of_one_time(as_of: DateArray, day: np.datetime64) -> BoolArray:
    """Which dates lie within SIBLING_DAYS of a day, before or after it."""
    near: BoolArray = np.abs(as_of - day) <= np.timedelta64(SIBLING_DAYS, "D")
    return near


def _trouble(
    loan: NDArray[np.integer],
    owner: NDArray[np.integer],
    severity: NDArray[np.int8],
    as_of: DateArray,
) -> tuple[Ints, Ints, Ints]:
    """Of each loan and owner: the owner's other loans that are critical, that are severe or worse,
    and their rank (`Siblings.rank`), of those that are of one time with it.
    """
    size = int(owner.max(initial=-1)) + 1
    dated = as_of[loan]
    # Nearly always all of them: then nothing is counted date by date.
    of_one = not len(dated) or bool(of_one_time(dated.max(keepdims=True), dated.min()).all())
    days = dated[:1] if of_one else np.unique(dated)

    def others(flags: NDArray[np.bool_]) -> Ints:
        each = flags[loan]
        left = np.zeros(len(loan), np.int64)
        for day in days:
            here = of_one | (dated == day)
            counted = each & (of_one | of_one_time(dated, day))
            counts = np.bincount(owner[counted], minlength=size)
            left[here] = counts[owner[here]] - each[here]
        return left

    bad, ill = others(severity >= _CRITICAL), others(severity >= _SEVERE)
    reached = [(bad >= critical) & (ill >= least) for critical, least, _ in SIBLING_RANKS]
    rank = np.select(reached, [rank for *_, rank in SIBLING_RANKS], default=0)
    return bad, ill, rank


def _owned(edges: pa.Table) -> tuple[Ints, Ints]:
    """(loan, party above it), each pair once, over sure enough links only."""
    relation = edges["relation"].combine_chunks()
    sure = edges["confidence"].to_numpy() >= PROBABLE_FROM
    of_loan = pc.is_in(relation, value_set=pa.array(OF_LOANS))
    borrows = of_loan.to_numpy(zero_copy_only=False) & sure
    owns = pc.equal(relation, "owned_by").to_numpy(zero_copy_only=False) & sure
    start = edges["from_loan"].combine_chunks().fill_null(-1).to_numpy().astype(np.int64)
    below = edges["from_entity"].combine_chunks().fill_null(-1).to_numpy().astype(np.int64)
    above = edges["to_entity"].combine_chunks().to_numpy().astype(np.int64)
    borrows &= start >= 0
    owns &= below >= 0
    order = np.argsort(below[owns], kind="stable")
    lower, upper = below[owns][order], above[owns][order]
    size = int(max(above.max(initial=0), below.max(initial=0))) + 1
    pairs = np.unique(start[borrows] * size + above[borrows])
    seen = pairs
    for _ in range(_MOST_LINKS):
        loan, entity = pairs // size, pairs % size
        first, last = np.searchsorted(lower, entity), np.searchsorted(lower, entity, "right")
        count = last - first
        if not count.sum():
            break
        # Each pair once for every owner of its entity.
        at = np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())
        reached = np.unique(np.repeat(loan, count) * size + upper[at])
        pairs = np.setdiff1d(reached, seen, assume_unique=True)
        if not len(pairs):
            break
        seen = np.union1d(seen, pairs)
    return seen // size, seen % size


def _best(loan: Ints, owner: Ints, weight: FloatArray, place: Ints, loans: int) -> Ints:
    """For each loan the owner of the largest weight, ties by place; -1 without."""
    order = np.lexsort((place[owner], -weight, loan))
    first = np.flatnonzero(np.diff(loan[order], prepend=-1))
    best = np.full(loans, -1, np.int64)
    best[loan[order][first]] = owner[order][first]
    return best

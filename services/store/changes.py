"""What changed in a book between two dates.

Which kinds of events happened to each loan is found by one statement, as bits in the order of the
table of kinds (contract/events.py); counts, matrix and order are arithmetic over them. The events
of the loans of a page are made of their rows, by services/signals.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.errors import InvalidRequest
from services.contract.events import EVENT_KINDS, IMPORTANCE, KIND, LATENESS
from services.contract.happened import ChangeCount
from services.contract.history import NOT_IN_FILE, SIDES, ChangeQuery, Changes, Move
from services.contract.records import Page
from services.contract.rescoring import Rescorer
from services.contract.schedule_al import (
    ADJUSTABLE,
    FULL_DEFEASANCE,
    MODIFICATIONS,
    OTHER_MODIFICATION,
)
from services.contract.vocabulary import NOTHING_OWED, SIGNAL_TYPES

from . import dispositions, notes
from .changed_loans import FIRST_SIDE, Books, Pairs, batch, loans_at, side
from .compared import compared
from .database import among
from .history import kept_periods, of_periods
from .periods import counting
from .reader import Reader

_LATE: Final = " ".join(f"WHEN '{code}' THEN {rank}" for code, rank in LATENESS.items())
_CHANGES: Final = ", ".join(f"'{one}'" for one in MODIFICATIONS if one != OTHER_MODIFICATION)
_ENDED: Final = "a.balance = 0"
#: Loans of a batch of a file.
_AT_A_TIME: Final = 5_000


def _any(condition: str) -> str:
    """The condition for one type of signal or another; `b.*` and `a.*` are its severities."""
    each = (condition.replace("*", kind) for kind in SIGNAL_TYPES)
    return " OR ".join(f"coalesce({one}, false)" for one in each)


def _fell(name: str, column: str) -> str:
    return f"b.{column} > 0 AND (b.{column} - a.{column})::DOUBLE / b.{column} >= {_limit(name)}"


def _limit(kind: str) -> str:
    return f"{KIND[kind].limit}::DOUBLE"


_LOW: Final = _limit("dscr_below_100")
_HIGH: Final = _limit("dscr_below_125")

#: Kind -> when it happened to a loan that both dates have and that owes something, or is not known
#: not to. As services/signals/events.py, for all loans at once; tests compare the two.
_ALIVE: Final = {
    "special_in": "a.special_servicing AND b.special_servicing IS NOT TRUE",
    "special_out": "b.special_servicing AND a.special_servicing IS NOT TRUE",
    "status_worse": f"CASE a.payment_status {_LATE} END > CASE b.payment_status {_LATE} END",
    "status_cured": f"CASE a.payment_status {_LATE} END < CASE b.payment_status {_LATE} END",
    "matured": "a.maturity_date < a.as_of AND (b.maturity_date < b.as_of) IS NOT TRUE",
    "workout": "a.workout IS NOT NULL AND a.workout IS DISTINCT FROM b.workout",
    "modified": (
        "CASE WHEN a.modified_on IS NOT NULL"
        " THEN b.modified_on IS NULL OR a.modified_on > b.modified_on"
        f" ELSE a.modification IN ({_CHANGES}) AND b.modification IS NULL END"
    ),
    "defeased": (
        f"a.defeasance = '{FULL_DEFEASANCE}' AND b.defeasance IS DISTINCT FROM '{FULL_DEFEASANCE}'"
    ),
    "extended": "a.maturity_date > b.maturity_date",
    "maturity_earlier": "a.maturity_date < b.maturity_date",
    "coupon_changed": (
        f"a.rate_type IS DISTINCT FROM '{ADJUSTABLE}'"
        f" AND abs(a.interest_rate - b.interest_rate) > {_limit('coupon_changed')}"
    ),
    "amortisation_changed": "a.amortization_months <> b.amortization_months",
    "dscr_below_100": f"a.dscr < {_LOW} AND b.dscr >= {_LOW}",
    "dscr_below_125": f"a.dscr >= {_LOW} AND a.dscr < {_HIGH} AND b.dscr >= {_HIGH}",
    "dscr_above_125": f"b.dscr < {_HIGH} AND a.dscr >= {_HIGH}",
    "dscr_above_100": f"b.dscr < {_LOW} AND a.dscr >= {_LOW} AND a.dscr < {_HIGH}",
    "noi_down_20": _fell("noi_down_20", "noi"),
    "noi_down_10": f"{_fell('noi_down_10', 'noi')} AND NOT ({_fell('noi_down_20', 'noi')})",
    "occupancy_down": f"b.occupancy - a.occupancy > {_limit('occupancy_down')} - 1e-9::DOUBLE",
    "reappraised": (
        "a.value IS NOT NULL AND b.value IS NOT NULL"
        " AND coalesce(a.value_date > b.value_date, a.value <> b.value)"
    ),
    "tenant_changed": (
        "lower(a.tenant) <> lower(b.tenant)"
        " OR (lower(a.tenant) = lower(b.tenant)"
        " AND a.tenant_expires IS DISTINCT FROM b.tenant_expires)"
    ),
    "sponsor_changed": "$sponsors AND a.sponsor <> b.sponsor",
    "signal_new": _any("b.* IS NULL AND a.* IS NOT NULL"),
    "signal_gone": _any("b.* IS NOT NULL AND a.* IS NULL"),
    "signal_worse": _any("a.* > b.*"),
    "signal_better": _any("a.* < b.*"),
}
_LOST: Final = "coalesce(a.realized_loss, 0) > 0 AND coalesce(b.realized_loss, 0) <= 0"
#: Kind -> when it happened, the loan in `b` and `a` or in one of them.
_HAPPENED: Final = {
    **{
        kind: f"b.loan IS NOT NULL AND a.loan IS NOT NULL AND ({_ENDED}) IS NOT TRUE AND ({when})"
        for kind, when in _ALIVE.items()
    },
    "liquidated": f"b.loan IS NOT NULL AND {_ENDED} AND {_LOST}",
    "paid_off": f"{_ENDED} AND b.balance > 0 AND NOT ({_LOST})",
    "new": "b.loan IS NULL",
    "gone": "a.loan IS NULL AND b.balance IS DISTINCT FROM 0",
}
_BITS: Final = " | ".join(
    f"(coalesce({_HAPPENED[kind.name]}, false)::BIGINT << {at})"
    for at, kind in enumerate(EVENT_KINDS)
)


def _without(row: str) -> str:
    """The side of a row that has no signal."""
    return dispositions.ungraded(dispositions.of_line(row), side)


def graded(row: str) -> str:
    """The side of a row that owes: the rank of its worst signal, or under 0 without one."""
    return f"coalesce({row}.worst, {_without(row)})"


def _worst(row: str) -> str:
    nothing = side(NOTHING_OWED)
    return (
        f"CASE WHEN {row}.loan IS NULL THEN {side(NOT_IN_FILE)}"
        f" WHEN {_without(row)} = {nothing} THEN {nothing} ELSE {graded(row)} END"
    )


def loans_of(whole: str, condition: str = "true") -> str:
    """How many loans the rows are of that meet a condition, as SQL."""
    return (
        f"count(*) FILTER ({whole} IS NULL AND {condition})"
        f" + count(DISTINCT {whole}) FILTER ({condition})"
    )


#: Every record of two dates, `was` and `now` as conditions on their periods: `bits` of its events
#: (EVENT_KINDS), `sponsors` among them or not; the loan of which it is a note, -1 where it is alone
#: (D181), and whether its dollars are added.
PAIRS: Final = f"""
WITH periods AS (SELECT period, as_of FROM history.periods),
     b AS (SELECT * FROM history.lines JOIN periods USING (period) WHERE {{was}}),
     a AS (SELECT * FROM history.lines JOIN periods USING (period) WHERE {{now}})
SELECT coalesce(a.loan, b.loan) AS loan, ({_BITS}) AS bits,
       coalesce(nullif(a.balance, 0), b.balance, 0) AS dollars,
       coalesce(note.whole, -1) AS whole, note.sums_notes IS NOT TRUE AS adds,
       ({_worst("b")})::TINYINT AS before, ({_worst("a")})::TINYINT AS after
FROM b FULL JOIN a ON a.loan = b.loan
LEFT JOIN history.notes AS note ON note.loan = coalesce(a.loan, b.loan)
WHERE true
"""
_AT_STAKE: Final = "coalesce(nullif(a.balance, 0), b.balance)"
_MATURITY: Final = "coalesce(a.maturity_date, b.maturity_date)"
#: Fields of the query that say which loans, and when a loan meets them.
_CONDITIONS: Final = {
    **{
        name: f"list_contains(${name}, coalesce(a.{name}, b.{name}))"
        for name in ("state", "property_type", "lender")
    },
    "numbers": (
        "coalesce(a.loan, b.loan) IN (SELECT loan FROM history.numbers"
        " WHERE loan_number IN (SELECT unnest($numbers::VARCHAR[])))"
    ),
    "min_balance": f"{_AT_STAKE} >= $min_balance",
    "max_balance": f"{_AT_STAKE} <= $max_balance",
    "maturity_before": f"{_MATURITY} < $maturity_before",
    "maturity_after": f"{_MATURITY} > $maturity_after",
}


def changes(reader: Reader, rescorer: Rescorer, query: ChangeQuery) -> Changes:
    """What changed between two dates. Raises InvalidRequest."""
    books, pairs, order = _found(reader, query)
    part = order[query.offset : query.offset + query.per_page]
    items = loans_at(reader, rescorer, pairs, part, books, sponsors=bool(query.sponsors))
    counts = [_count(pairs, kind.name, 1 << at) for at, kind in enumerate(EVENT_KINDS)]
    return Changes(
        since=books.since,
        until=books.until,
        found=Page(items=items, page=query.page, per_page=query.per_page, total=len(order)),
        loans=pairs.loans(order),
        notes=int(pairs.adds[order].sum()),
        dollars=pairs.added(order),
        counts=tuple(one for one in counts if one.loans),
        worse=_count(pairs, "worse", bits_of("worse")),
        better=_count(pairs, "better", bits_of("better")),
        moves=tuple(_moves(pairs)),
        compared=pairs.loans(np.arange(len(pairs.loan))),
        not_compared=books.not_compared,
        silent=books.silent,
        spans=books.spans,
        rules_changed=books.rules_changed,
    )


def change_batches(
    reader: Reader, rescorer: Rescorer, query: ChangeQuery
) -> Iterator[pa.RecordBatch]:
    """Every loan of `changes`, some thousands at a time. Raises InvalidRequest."""
    books, pairs, order = _found(reader, query)
    for start in range(0, max(1, len(order)), _AT_A_TIME):
        part = order[start : start + _AT_A_TIME]
        yield batch(loans_at(reader, rescorer, pairs, part, books, sponsors=bool(query.sponsors)))


def _found(reader: Reader, query: ChangeQuery) -> tuple[Books, Pairs, npt.NDArray[np.intp]]:
    """What is compared, every loan of it, and the places of those to be listed in their order."""
    books = _books(reader, query)
    pairs = _pairs(reader, query, books)
    return books, pairs, _ordered(reader, pairs, _chosen(pairs, query), query)


def bits_of(direction: str) -> int:
    """The bits of the kinds that point that way."""
    return sum(1 << at for at, kind in enumerate(EVENT_KINDS) if kind.direction == direction)


def _books(reader: Reader, query: ChangeQuery) -> Books:
    number = dict(reader.rows("SELECT name, period FROM history.periods"))
    kept_periods(reader)
    kept = counting(reader.periods)
    if query.deal is not None:
        kept = [one for one in kept if one.source in query.deal]
    if not kept:
        raise InvalidRequest("No period is of the deal that was asked for", parameter="deal")
    if query.since and kept[0].as_of > query.since:
        raise InvalidRequest(
            f"Parameter 'since' is {query.since.isoformat()}, but the first period is of"
            f" {kept[0].as_of.isoformat()}",
            parameter="since",
        )
    found = compared(kept, query.since, query.until)
    return Books(
        since=found.since,
        until=found.until,
        was=tuple(number[then.name] for then, _ in found.pairs),
        now=tuple(number[now.name] for _, now in found.pairs),
        of_period={
            number[one.name]: (now.title, then.as_of, now.as_of)
            for then, now in found.pairs
            for one in (then, now)
        },
        not_compared=tuple(sorted(one.title for one in found.first_filed)),
        silent=tuple(sorted((one.title, one.as_of) for one in found.silent)),
        rules_changed=any(then.rules_version != now.rules_version for then, now in found.pairs),
    )


def _pairs(reader: Reader, query: ChangeQuery, books: Books) -> Pairs:
    conditions: dict[str, Any] = {
        name: value for name in _CONDITIONS if (value := getattr(query, name)) is not None
    }
    sponsors = bool(query.sponsors)
    key = ("changes", books.was, books.now, sponsors, *sorted(conditions.items()))

    def make() -> Pairs:
        was, now = of_periods(books.was), of_periods(books.now)
        params: dict[str, Any] = {"sponsors": sponsors}
        if conditions:
            # Found by few columns first: all that kinds are read from is then joined of few loans.
            params["loans"] = _meeting(reader, was, now, conditions)
            was, now = (f"{side} AND {among('loan', '$loans')}" for side in (was, now))
        sql = PAIRS.format(was=was, now=now)
        columns = reader.columns(sql, params)
        return Pairs(**{one.name: columns[one.name] for one in fields(Pairs)})

    return reader.remembered(key, make)


def _meeting(reader: Reader, was: str, now: str, conditions: Mapping[str, Any]) -> list[int]:
    """Ids of the loans that meet the conditions, by the later date, else by the earlier."""
    sql = (
        f"WITH b AS (SELECT * FROM history.lines WHERE {was}),"
        f" a AS (SELECT * FROM history.lines WHERE {now})"
        " SELECT coalesce(a.loan, b.loan) AS loan FROM b FULL JOIN a ON a.loan = b.loan WHERE true"
    )
    params: dict[str, Any] = {}
    for name, value in conditions.items():
        sql += f" AND {_CONDITIONS[name]}"
        if isinstance(value, str):
            params[name] = [value]
        else:
            params[name] = list(value) if isinstance(value, tuple) else value
    found: list[int] = reader.ids(sql, params).tolist()
    return found


def _chosen(pairs: Pairs, query: ChangeQuery) -> npt.NDArray[np.intp]:
    """Places of the loans that something happened to and that meet every condition; of cells of
    the matrix all, unless kinds are asked for.
    """
    wanted = sum(1 << IMPORTANCE[kind] for kind in query.kind or KIND)
    sides = ((query.severity_before, pairs.before), (query.severity_after, pairs.after))
    hit = pairs.bits & wanted != 0
    if query.kind is None and any(words is not None for words, _ in sides):
        hit[:] = True
    for words, found in sides:
        if words is not None:
            hit &= np.isin(found, [side(word) for word in words])
    return np.flatnonzero(hit)


def _ordered(
    reader: Reader, pairs: Pairs, chosen: npt.NDArray[np.intp], query: ChangeQuery
) -> npt.NDArray[np.intp]:
    """In the order asked for; ties by loan number."""
    bits = pairs.bits[chosen]
    first = np.where(bits, bits & -bits, np.iinfo(np.int64).max)
    keys: dict[str, tuple[npt.NDArray[Any], ...]] = {
        "importance": (-pairs.dollars[chosen], first),
        "-dollars": (-pairs.dollars[chosen],),
        "loan_number": (),
    }
    place = _places(reader)[pairs.loan[chosen]]
    return chosen[np.lexsort((place, *keys[query.order]))]


def _places(reader: Reader) -> npt.NDArray[np.int32]:
    """Place of each loan of any period in the order of loan numbers."""

    def make() -> npt.NDArray[np.int32]:
        order = reader.ids("SELECT loan FROM history.numbers ORDER BY loan_number")
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        return place

    return reader.column(("history", "places"), make)


def _count(pairs: Pairs, name: str, bits: int) -> ChangeCount:
    hit = np.flatnonzero(pairs.bits & bits)
    return ChangeCount(kind=name, loans=pairs.loans(hit), dollars=pairs.added(hit))


def _moves(pairs: Pairs) -> list[Move]:
    size = len(SIDES)
    cell = (pairs.before.astype(np.int64) + FIRST_SIDE) * size + pairs.after + FIRST_SIDE
    loans = np.bincount(cell[notes.once(pairs.whole, cell)], minlength=size * size)
    dollars = np.bincount(cell, weights=pairs.dollars * pairs.adds, minlength=size * size)
    return [
        Move(
            before=SIDES[at // size],
            after=SIDES[at % size],
            loans=int(loans[at]),
            dollars=int(dollars[at]),
        )
        for at in np.flatnonzero(loans).tolist()
    ]

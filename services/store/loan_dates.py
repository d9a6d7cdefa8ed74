"""Dates of loans that match: their totals, counts, list and export.

All dates of a snapshot lie in arrays, by day; names and tenants are read for the rows of a page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.loan_dates import (
    DATE_EXPORT,
    DATE_KINDS,
    INCOME_STALE_MONTHS,
    VALUE_STALE_MONTHS,
    DateFilter,
    DateTotals,
    DaysOfDates,
    KindOfDates,
    LoanDate,
)
from services.contract.records import Page

from . import columns, notes
from .columns import Flags
from .database import Ids
from .due import LIVE
from .filters import loan_ids
from .reader import Reader

#: Dates of one batch of a whole result.
_BATCH: Final = 20_000
_DUE: Final = "exemption IS NULL"
#: The day of each kind, from a row of `loans`; none where the loan has no such date.
_DAYS: Final = {
    "maturity": f"CASE WHEN {_DUE} AND effective_maturity IS DISTINCT FROM ard_date"
    " THEN effective_maturity END",
    "anticipated repayment": f"CASE WHEN {_DUE} AND effective_maturity = ard_date"
    " THEN ard_date END",
    "legal maturity": f"CASE WHEN {_DUE} AND maturity_date <> effective_maturity"
    " THEN maturity_date END",
    "interest only ends": "CASE WHEN interest_only_months > 0 AND first_payment_date +"
    " to_months(interest_only_months) < effective_maturity"
    " THEN first_payment_date + to_months(interest_only_months) END",
    "lock-out ends": "further ->> '$.prepayment_lockout_end'",
    "yield maintenance ends": "further ->> '$.yield_maintenance_end'",
    "prepayment premium ends": "further ->> '$.prepayment_premiums_end'",
    "defeasance begins": "coalesce(further ->> '$.defeasance_option_start', defeasance_start)",
    "rate changes": "further ->> '$.next_rate_adjustment'",
    "appraisal stale": f"value_date + to_months({VALUE_STALE_MONTHS})",
    "income stale": f"income_to + to_months({INCOME_STALE_MONTHS})",
}
_LEASES: Final = "lease expires"
_PLACE: Final = {kind.word: place for place, kind in enumerate(DATE_KINDS)}
_REPAYS: Final = np.array([kind.repays for kind in DATE_KINDS])
_OF_LOANS: Final = " UNION ALL ".join(
    f"SELECT loan_id, {_PLACE[kind]} AS kind, try_cast({day} AS DATE) AS day, -1 AS lease,"
    f" NULL AS tenant FROM live"
    for kind, day in _DAYS.items()
)
#: All dates by day, kind, loan and tenant. `same` tells dates of different notes of one loan apart:
#: where it is equal, it is one date.
_SQL: Final = f"""
WITH of_properties AS (
  -- Filed of properties, in Schedule AL: the first day on which one of them may be released.
  SELECT loan_id, min(further ->> '$.defeasance_option_start') AS defeasance_start
  FROM properties WHERE further LIKE '%defeasance_option_start%' GROUP BY loan_id
), live AS MATERIALIZED (
  SELECT * FROM loans LEFT JOIN of_properties USING (loan_id) WHERE {LIVE}
), every AS (
  {_OF_LOANS}
  UNION ALL
  SELECT loan_id, {_PLACE[_LEASES]}, expires, e.rowid, tenant
  FROM leases e WHERE loan_id IN (SELECT loan_id FROM live)
)
SELECT loan_id, kind, day - DATE '1970-01-01' AS day, lease,
       CASE WHEN whole_loan IS NOT NULL THEN concat_ws(' ', kind, day, tenant) ELSE '' END AS same
FROM every JOIN (SELECT loan_id, whole_loan FROM live) USING (loan_id)
WHERE day IS NOT NULL
ORDER BY day, kind, loan_id, tenant
"""
_TEXTS: Final = "SELECT loan_id, property_name FROM loans WHERE loan_id IN (SELECT unnest($ids))"
_TENANTS: Final = (
    "SELECT rowid AS lease, tenant, square_feet FROM leases WHERE rowid IN (SELECT unnest($ids))"
)


@dataclass(frozen=True, slots=True, eq=False)
class _Dates:
    """Dates in their order."""

    loan: Ids
    #: Place in DATE_KINDS.
    kind: npt.NDArray[np.int8]
    #: Days since 1970.
    day: npt.NDArray[np.int32]
    #: Row of the lease; -1 for other kinds.
    lease: npt.NDArray[np.int64]
    #: Equal for one date of several notes of a loan.
    same: npt.NDArray[np.int32]

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        parts = (self.loan, self.kind, self.day, self.lease, self.same)
        return sum(part.nbytes for part in parts)

    def of(self, rows: npt.NDArray[Any]) -> "_Dates":
        """Some of them."""
        return _Dates(
            self.loan[rows], self.kind[rows], self.day[rows], self.lease[rows], self.same[rows]
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Matching:
    """Dates that match, each once, with the dollars of its loan's records that match."""

    dates: _Dates
    dollars: npt.NDArray[np.int64]
    #: Equal for the records of one loan.
    whole: npt.NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return self.dates.nbytes + self.dollars.nbytes + self.whole.nbytes

    def of(self, rows: npt.NDArray[Any]) -> "_Matching":
        """Some of them."""
        return _Matching(self.dates.of(rows), self.dollars[rows], self.whole[rows])


def _every(reader: Reader) -> _Dates:
    """All dates of the snapshot."""

    def make() -> _Dates:
        found = reader.arrow(_SQL)
        same = found["same"].combine_chunks().dictionary_encode().indices

        def column(name: str, kind: type[np.number[Any]]) -> npt.NDArray[Any]:
            values: npt.NDArray[Any] = found[name].to_numpy().astype(kind)
            return values

        return _Dates(
            loan=column("loan_id", np.int32),
            kind=column("kind", np.int8),
            day=column("day", np.int32),
            lease=column("lease", np.int64),
            same=same.to_numpy().astype(np.int32),
        )

    return reader.column("dates", make)


def _of_loans(reader: Reader, query: DateFilter) -> _Matching:
    """The dates of the loans that match, of all kinds and days."""

    def make() -> _Matching:
        every = _every(reader)
        among: Flags = np.zeros(reader.snapshot.loans, bool)
        ids = loan_ids(reader, query.of_loans())
        among[ids] = True
        dates = every.of(np.flatnonzero(among[every.loan]))
        dollars = notes.of_loans(reader, ids)
        whole = notes.whole(reader, dates.loan)
        noted = np.flatnonzero(whole < 0)
        kept: Flags = np.ones(len(whole), bool)
        if len(noted):  # few books have any
            kept[noted] = False
            key = np.stack([whole[noted], dates.same[noted].astype(np.int64)], axis=1)
            kept[noted[np.unique(key, axis=0, return_index=True)[1]]] = True
        dates = dates.of(np.flatnonzero(kept))
        return _Matching(dates, dollars[dates.loan], notes.whole(reader, dates.loan))

    return reader.remembered(("dates of", *sorted(query.of_loans().filters().items())), make)


def _matching(reader: Reader, query: DateFilter, *, of_all_kinds: bool = False) -> _Matching:
    found = _of_loans(reader, query)
    day, kept = found.dates.day, np.ones(len(found.dollars), bool)
    if query.date_after is not None:
        kept &= day > columns.days_since_1970(query.date_after)
    if query.date_before is not None:
        kept &= day < columns.days_since_1970(query.date_before)
    if query.kind is not None and not of_all_kinds:
        kept &= np.isin(found.dates.kind, [_PLACE[word] for word in query.kind])
    return found if kept.all() else found.of(np.flatnonzero(kept))


def _loans(found: _Matching) -> tuple[int, int]:
    """Different loans of some dates, and their dollars, each once."""
    at = np.unique(found.whole, return_index=True)[1]
    return len(at), int(found.dollars[at].sum())


def date_totals(reader: Reader, query: DateFilter) -> DateTotals:
    """How many dates match, of how many loans, and of which kinds."""
    asked, every = _matching(reader, query), _matching(reader, query, of_all_kinds=True)
    kinds = []
    for place, kind in enumerate(DATE_KINDS):
        some = every.of(np.flatnonzero(every.dates.kind == place))
        if len(some.dollars):
            loans, dollars = _loans(some)
            kinds.append(
                KindOfDates(kind=kind.word, dates=len(some.dollars), loans=loans, dollars=dollars)
            )
    loans, dollars = _loans(asked)
    return DateTotals(dates=len(asked.dollars), loans=loans, dollars=dollars, kinds=tuple(kinds))


def date_counts(
    reader: Reader, query: DateFilter, by: Literal["day", "quarter"]
) -> list[DaysOfDates]:
    """The dates that match by day or by quarter."""
    found = _matching(reader, query)
    days = found.dates.day.astype("datetime64[D]")
    start = days
    if by == "quarter":
        months = days.astype("datetime64[M]").astype(np.int64)
        start = (months - months % 3).astype("datetime64[M]").astype("datetime64[D]")
    counted = []
    for first in np.unique(start):
        some = found.of(np.flatnonzero(start == first))
        loans, dollars = _loans(some)
        repaid_loans, repaid = _loans(some.of(np.flatnonzero(_REPAYS[some.dates.kind])))
        counted.append(
            DaysOfDates(
                start=first.item(),
                dates=len(some.dollars),
                loans=loans,
                dollars=dollars,
                repaid_loans=repaid_loans,
                repaid_dollars=repaid,
            )
        )
    return counted


def dates_found(reader: Reader, query: DateFilter) -> Page[LoanDate]:
    """Page of the dates that match."""
    found = _matching(reader, query)
    part = found.of(np.arange(query.offset, min(query.offset + query.per_page, len(found.dollars))))
    items = tuple(LoanDate.model_construct(**row) for row in _table(reader, part).to_pylist())
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(found.dollars))


def date_batches(reader: Reader, query: DateFilter) -> Iterator[pa.RecordBatch]:
    """Every date that matches, some thousands at a time; one batch, which may be empty."""
    found = _matching(reader, query)
    for start in range(0, max(len(found.dollars), 1), _BATCH):
        rows = np.arange(start, min(start + _BATCH, len(found.dollars)))
        yield from _table(reader, found.of(rows)).combine_chunks().to_batches() or [
            pa.RecordBatch.from_pylist([], schema=_table(reader, found.of(rows)).schema)
        ]


def _table(reader: Reader, some: _Matching) -> pa.Table:
    """Some dates as LoanDate has them."""
    dates, loan = some.dates, some.dates.loan
    names = _looked_up(reader, _TEXTS, loan)
    leases = _looked_up(reader, _TENANTS, dates.lease)
    words = pa.array([kind.word for kind in DATE_KINDS])
    table = {
        "day": pa.array(dates.day, pa.int32()).cast(pa.date32()),
        "kind": words.take(pa.array(dates.kind)),
        "loan_number": reader.graph.texts(pa.array(loan)),
        "property_name": names["property_name"],
        "tenant": leases["tenant"],
        "square_feet": leases["square_feet"],
        "dollars": pa.array(some.dollars),
        "property_type": columns.arrow(reader, "property_type", loan),
        "city": columns.arrow(reader, "property_city", loan),
        "state": columns.arrow(reader, "property_state", loan),
        "lender": columns.arrow(reader, "lender_normalized", loan),
        "worst": columns.arrow(reader, "worst_severity", loan),
    }
    return pa.table({name: table[name] for name in DATE_EXPORT})


def _looked_up(reader: Reader, sql: str, ids: npt.NDArray[Any]) -> pa.Table:
    """Rows of a statement by ids, its first column, in their order; empty where there is none."""
    rows = reader.arrow(sql, {"ids": np.unique(ids).tolist()})
    known = rows.column(0).to_numpy()
    order = np.argsort(known)
    at = np.searchsorted(known[order], ids)
    inside = at < len(known)
    there = np.zeros(len(ids), bool)
    there[inside] = known[order][at[inside]] == ids[inside]
    places = np.where(there, order[np.where(inside, at, 0)] if len(known) else 0, 0)
    return rows.take(pa.array(places, mask=~there))

"""Tenants and leases of the loans that match: their totals, lists and tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.aggregates import ByWorst
from services.contract.records import Page
from services.contract.tenants import (
    TENANCY_EXPORT,
    TENANT_EXPORT,
    Tenancy,
    Tenant,
    TenantFilter,
    TenantTotals,
    YearOfLeases,
)

from . import columns, due, notes
from .columns import Figures
from .filters import loan_ids
from .leased import Leased, leased, meeting
from .ordering import Numbers, in_order
from .reader import Reader

#: The orders of tenants and of leases where none is asked for.
_LARGEST: Final = "-square_feet"
_SOONEST: Final = "expires"
#: Conditions that a lease itself has to meet.
_OF_LEASES: Final = ("tenant", "leases_within", "expires_after", "expires_before")
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Leases that match, by their places in Leased, each lease of a loan once."""

    rows: Counts
    #: By loan_id the dollars of the loan's records that match.
    dollars: Counts

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return self.rows.nbytes + self.dollars.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class _Summed:
    """Figures of all tenants by their places in the names, 0 and NaN where no lease matches."""

    leases: Counts
    square_feet: Figures
    #: Over all leases that match, those that name no tenant too.
    listed: int
    #: The next end of a lease, days since 1970.
    expires: Figures
    expired: Counts
    loans: Counts
    book_value: Counts
    #: Place of the worst signal among the words; NaN without one.
    worst: Figures
    by_worst: Callable[[int], ByWorst]

    @property
    def nbytes(self) -> int:
        """Room that they take, that behind `by_worst` roughly."""
        parts = (getattr(self, one.name) for one in fields(self))
        return 2 * sum(int(getattr(part, "nbytes", 0)) for part in parts)


def _found(reader: Reader, query: TenantFilter) -> _Found:
    def make() -> _Found:
        of, ids = leased(reader), loan_ids(reader, query.of_loans())
        among = np.zeros(reader.snapshot.loans, bool)
        among[ids] = True
        asked = {name: getattr(query, name) for name in _OF_LEASES}
        rows = np.flatnonzero(among[of.loan] & meeting(reader, **asked))
        loans = np.unique(of.loan[rows])
        first = loans[notes.first(reader, loans, np.zeros(len(loans), np.int32))]
        return _Found(rows[np.isin(of.loan[rows], first)], notes.of_loans(reader, ids))

    return reader.remembered(("leases of", *sorted(query.filters().items())), make)


def tenant_totals(reader: Reader, query: TenantFilter) -> TenantTotals:
    """How much is let by the leases that match, and until when."""
    of, found = leased(reader), _found(reader, query)
    rows = found.rows
    named, loans = np.unique(of.tenant[rows]), np.unique(of.loan[rows])
    feet, day = np.nan_to_num(of.square_feet[rows]), of.day[rows]
    dated = np.flatnonzero(~np.isnan(day))
    year = day[dated].astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
    year[day[dated] < due.day(reader)] = 0
    years, place = np.unique(year, return_inverse=True)
    leases, areas = np.bincount(place), np.bincount(place, feet[dated])
    return TenantTotals(
        tenants=int((named >= 0).sum()),
        leases=len(rows),
        loans=len(loans),
        book_value=int(found.dollars[loans].sum()),
        square_feet=int(feet.sum()),
        undated=len(rows) - len(dated),
        years=tuple(
            YearOfLeases(year=one or None, leases=int(leases[at]), square_feet=int(areas[at]))
            for at, one in enumerate(years.tolist())
        ),
    )


# Leases


def tenancies(reader: Reader, query: TenantFilter) -> Page[Tenancy]:
    """Page of the leases that match."""
    ordered = _leases_in_order(reader, query, query.offset + query.per_page)
    rows = _tenancies(reader, query, ordered[query.offset :]).to_pylist()
    return Page(
        items=tuple(Tenancy.model_construct(**row) for row in rows),
        page=query.page,
        per_page=query.per_page,
        total=len(_found(reader, query).rows),
    )


def tenancy_table(reader: Reader, query: TenantFilter) -> pa.Table:
    """Every lease that matches, in the order asked for."""
    return _tenancies(reader, query, _leases_in_order(reader, query))


def _leases_in_order(reader: Reader, query: TenantFilter, count: int | None = None) -> Numbers:
    of, found = leased(reader), _found(reader, query)
    tenant = _known(of.tenant)
    keys = {
        "tenant": tenant,
        "square_feet": of.square_feet,
        "share": _shares(reader, of),
        "expires": of.day,
        "book_value": found.dollars[of.loan],
        "worst": _known(columns.words(reader, "worst_severity").code[of.loan]),
    }
    return in_order(
        (_key(keys, query.order or _SOONEST), np.nan_to_num(tenant, nan=np.inf)), found.rows, count
    )


def _tenancies(reader: Reader, query: TenantFilter, rows: Numbers) -> pa.Table:
    of = leased(reader)
    loan, tenant = of.loan[rows], of.tenant[rows]
    table = {
        "tenant": of.names.take(pa.array(tenant, mask=tenant < 0)),
        "loan_number": reader.graph.texts(pa.array(loan)),
        "property_name": columns.texts(reader, "property_name").take(pa.array(loan)),
        "square_feet": _whole(of.square_feet[rows]),
        "share": _figures(_shares(reader, of)[rows]),
        "expires": _days(of.day[rows]),
        "property_type": columns.arrow(reader, "property_type", loan),
        "city": columns.arrow(reader, "property_city", loan),
        "state": columns.arrow(reader, "property_state", loan),
        "book_value": pa.array(_found(reader, query).dollars[loan]),
        "worst": columns.arrow(reader, "worst_severity", loan),
    }
    return pa.table({name: table[name] for name in TENANCY_EXPORT})


def _shares(reader: Reader, of: Leased) -> Figures:
    """Part of the loan's rentable area by lease; NaN where either is not known."""
    area = columns.figures(reader, "rentable_area")[of.loan]
    return of.square_feet / np.where(area > 0, area, np.nan)


# Tenants


def tenants(reader: Reader, query: TenantFilter) -> Page[Tenant]:
    """Page of the tenants of the leases that match."""
    of = _summed(reader, query)
    ordered = _tenants_in_order(of, query, query.offset + query.per_page)[query.offset :]
    rows = _tenants(reader, of, ordered).to_pylist()
    return Page(
        items=tuple(
            Tenant.model_construct(**row, by_worst=of.by_worst(at))
            for at, row in zip(ordered.tolist(), rows, strict=True)
        ),
        page=query.page,
        per_page=query.per_page,
        total=int((of.leases > 0).sum()),
    )


def tenant_table(reader: Reader, query: TenantFilter) -> pa.Table:
    """Every tenant of the leases that match, in the order asked for."""
    of = _summed(reader, query)
    return _tenants(reader, of, _tenants_in_order(of, query))


def _summed(reader: Reader, query: TenantFilter) -> _Summed:
    return reader.remembered(
        ("tenants of", *sorted(query.filters().items())), lambda: _sums(reader, query)
    )


def _sums(reader: Reader, query: TenantFilter) -> _Summed:
    of, found = leased(reader), _found(reader, query)
    rows = found.rows[of.tenant[found.rows] >= 0]
    code, size = of.tenant[rows], len(of.names)
    feet, day = of.square_feet[rows], of.day[rows]
    over = day < due.day(reader)
    expires = np.full(size, np.inf)
    np.fmin.at(expires, code[~over], day[~over])
    # A tenant and a loan once, however many leases they have.
    pairs = np.unique(code.astype(np.int64) * reader.snapshot.loans + of.loan[rows])
    who, loan = np.divmod(pairs, max(reader.snapshot.loans, 1))
    worst = np.full(size, -1.0)
    np.maximum.at(worst, who, columns.words(reader, "worst_severity").code[loan])
    stated = np.bincount(code, ~np.isnan(feet), size) > 0
    return _Summed(
        leases=np.bincount(code, minlength=size),
        square_feet=np.where(stated, np.bincount(code, np.nan_to_num(feet), size), np.nan),
        listed=int(np.nansum(of.square_feet[found.rows])),
        expires=np.where(np.isinf(expires), np.nan, expires),
        expired=np.bincount(code[over], minlength=size),
        loans=np.bincount(who, minlength=size),
        book_value=np.bincount(who, found.dollars[loan], size).astype(np.int64),
        worst=_known(worst),
        by_worst=notes.by_worst(reader, loan, who, size, found.dollars),
    )


def _tenants_in_order(of: _Summed, query: TenantFilter, count: int | None = None) -> Numbers:
    keys = {
        "tenant": np.arange(len(of.leases)),
        "share": of.square_feet,
        **{name: getattr(of, name) for name in ("square_feet", "expires", "book_value", "worst")},
    }
    there = np.flatnonzero(of.leases)
    return in_order((_key(keys, query.order or _LARGEST), keys["tenant"]), there, count)


def _tenants(reader: Reader, of: _Summed, places: Numbers) -> pa.Table:
    words = pa.array(columns.words(reader, "worst_severity").words, pa.string())
    table = {
        "tenant": leased(reader).names.take(pa.array(places)),
        "leases": pa.array(of.leases[places]),
        "square_feet": _whole(of.square_feet[places]),
        "share": _figures(of.square_feet[places] / (of.listed or np.nan)),
        "expires": _days(of.expires[places]),
        "expired": pa.array(of.expired[places]),
        "loans": pa.array(of.loans[places]),
        "book_value": pa.array(of.book_value[places]),
        "worst": words.take(_whole(of.worst[places])),
    }
    return pa.table({name: table[name] for name in TENANT_EXPORT})


# Both


def _key(keys: Mapping[str, npt.NDArray[Any]], order: str) -> Figures:
    """What is ordered by, the smallest first; what is not known comes last."""
    key = keys[order.removeprefix("-")].astype(np.float64)
    return np.nan_to_num(-key if order.startswith("-") else key, nan=np.inf)


def _known(codes: npt.NDArray[Any]) -> Figures:
    """Codes as figures, NaN for those under 0."""
    return np.where(codes < 0, np.nan, codes)


def _figures(found: Figures) -> pa.Array:
    return pa.array(found, mask=np.isnan(found))


def _whole(found: Figures) -> pa.Array:
    return pa.array(np.nan_to_num(found).astype(np.int64), mask=np.isnan(found))


def _days(found: Figures) -> pa.Array:
    return _whole(found).cast(pa.int32()).cast(pa.date32())

"""Tenants and leases as contract/tenants.py describes them, for `tests/oracle.py`."""

from collections import Counter, defaultdict
from datetime import date

import pyarrow as pa

from services.contract.records import Page
from services.contract.tenants import (
    TENANCY_EXPORT,
    TENANT_EXPORT,
    Tenancy,
    Tenant,
    TenantTotals,
    YearOfLeases,
)
from services.contract.vocabulary import SEVERITIES
from services.names.normalise import folded
from tests import oracle_notes
from tests.oracle_maturities import months_after, why_not
from tests.oracle_notes import GRADES


class TenantLists:
    """Over the `rows`, `screened` and `leases` of an Oracle."""

    def leases_of(self, row, tenant=None, leases_within=None, **days):
        """The leases of a record that meet all conditions, the largest first."""
        if why_not(row) in {"without a balance", "defeased in full"}:
            return []
        listed = sorted(self.leases.get(row["loan_number"], ()), key=_largest)
        return [one for one in listed if self._lets(one, tenant, leases_within, **days)]

    def _lets(self, one, tenant, leases_within, expires_after=None, expires_before=None):
        words, ends = folded(one["tenant"] or ""), one["expires"]
        if tenant and tenant.startswith('"') and tenant.endswith('"') and len(tenant) > 1:
            if not words or words != folded(tenant):
                return False
        elif tenant and not (words and all(part in " ".join(words) for part in folded(tenant))):
            return False
        if leases_within:
            last = months_after(self.as_of, leases_within)
            if not (ends and self.as_of <= ends <= last):
                return False
        if expires_after and not (ends and ends > expires_after):
            return False
        return not expires_before or bool(ends and ends < expires_before)

    def _let(self, query):
        """Record and lease of every lease that matches, those of one loan from its first record."""
        asked = {
            name: getattr(query, name)
            for name in ("tenant", "leases_within", "expires_after", "expires_before")
        }
        found = {}
        for row in sorted(self.result(query.of_loans()), key=lambda one: one["loan_number"]):
            if listed := self.leases_of(row, **asked):
                of_loan = [(row, one) for one in listed]
                found.setdefault(row["whole_loan"] or row["loan_number"], of_loan)
        return sorted(
            (pair for pairs in found.values() for pair in pairs),
            key=lambda pair: pair[0]["loan_number"],
        )

    def _book_of(self, query):
        """Loan -> dollars of its records that match."""
        book = defaultdict(list)
        for row in self.result(query.of_loans()):
            book[row["whole_loan"] or row["loan_number"]].append(row)
        return {loan: oracle_notes.dollars(rows) for loan, rows in book.items()}

    def tenant_totals(self, query):
        let, book = self._let(query), self._book_of(query)
        loans = {row["whole_loan"] or row["loan_number"] for row, _ in let}
        years = defaultdict(list)
        for _, one in let:
            if one["expires"]:
                over = one["expires"] < self.as_of
                years[None if over else one["expires"].year].append(one)
        return TenantTotals(
            tenants=len({_words(one) for _, one in let} - {""}),
            leases=len(let),
            loans=len(loans),
            book_value=sum(book[loan] for loan in loans),
            square_feet=sum(_feet(one) or 0 for _, one in let),
            undated=sum(one["expires"] is None for _, one in let),
            years=tuple(
                YearOfLeases(
                    year=year,
                    leases=len(years[year]),
                    square_feet=sum(_feet(one) or 0 for one in years[year]),
                )
                for year in sorted(years, key=lambda one: one or 0)
            ),
        )

    def tenancies(self, query):
        return _page(self._tenancies(query), query)

    def tenancy_table(self, query):
        return _table(self._tenancies(query), TENANCY_EXPORT)

    def _tenancies(self, query):
        book, spelt = self._book_of(query), self._spellings()
        found = []
        for row, one in self._let(query):
            feet, area = _feet(one), row["rentable_area"]
            found.append(
                Tenancy(
                    tenant=spelt.get(_words(one)),
                    loan_number=row["loan_number"],
                    property_name=row["property_name"],
                    square_feet=feet,
                    share=feet / area if feet and area and area > 0 else None,
                    expires=one["expires"],
                    property_type=row["property_type"],
                    city=row["property_city"],
                    state=row["property_state"],
                    book_value=book[row["whole_loan"] or row["loan_number"]],
                    worst=row["worst_severity"],
                )
            )
        return _ordered(found, query.order or "expires")

    def tenants(self, query):
        return _page(self._tenants(query), query)

    def tenant_table(self, query):
        return _table(self._tenants(query), TENANT_EXPORT)

    def _tenants(self, query):
        let, book, spelt = self._let(query), self._book_of(query), self._spellings()
        by_words = defaultdict(list)
        for row, one in let:
            if _words(one):
                by_words[_words(one)].append((row, one))
        whole = sum(_feet(one) or 0 for _, one in let)
        found = []
        for words, pairs in by_words.items():
            rows = {row["loan_number"]: row for row, _ in pairs}
            dollars = {n: book[row["whole_loan"] or n] for n, row in rows.items()}
            feet = [_feet(one) for _, one in pairs if _feet(one)]
            ahead = [one["expires"] for _, one in pairs if one["expires"]]
            by_worst = Counter()
            for number, row in rows.items():
                by_worst[row["grade"]] += dollars[number]
            found.append(
                Tenant(
                    tenant=spelt[words],
                    leases=len(pairs),
                    square_feet=sum(feet) if feet else None,
                    share=sum(feet) / whole if feet else None,
                    expires=min((day for day in ahead if day >= self.as_of), default=None),
                    expired=sum(day < self.as_of for day in ahead),
                    loans=len(rows),
                    book_value=sum(dollars.values()),
                    worst=oracle_notes.worst(rows.values()),
                    by_worst=tuple(
                        (word, by_worst[word])
                        for word in sorted(by_worst, key=GRADES.index, reverse=True)
                        if by_worst[word]
                    ),
                )
            )
        return _ordered(found, query.order or "-square_feet")

    def _spellings(self):
        """Words of a tenant -> its most frequent spelling over all that is loaded."""
        times = Counter(
            one["tenant"]
            for row in self.rows
            for one in self.leases_of(row)
            if one["tenant"] is not None
        )
        spelt = {}
        for name in sorted(times, key=lambda one: (-times[one], one)):
            spelt.setdefault(" ".join(folded(name)), name)
        return {words: name for words, name in spelt.items() if words}


def _words(one):
    return " ".join(folded(one["tenant"] or ""))


def _feet(one):
    """An area of nothing is none."""
    return one["square_feet"] if one["square_feet"] and one["square_feet"] > 0 else None


def _largest(one):
    return (-(one["square_feet"] or 0), one["expires"] or date.max)


def _rank(word):
    return -1 if word is None else SEVERITIES.index(word)


def _ordered(found, order):
    name, down = order.removeprefix("-"), order.startswith("-")

    def key(one):
        value = getattr(one, name)
        if value is None:
            return None
        if name == "worst":
            return _rank(value)
        return value.casefold() if name == "tenant" else value

    found = sorted(found, key=lambda one: (one.tenant is None, (one.tenant or "").casefold()))
    known = [one for one in found if key(one) is not None]
    known.sort(key=key, reverse=down)
    return known + [one for one in found if key(one) is None]


def _page(found, query):
    part = tuple(found[(query.page - 1) * query.per_page :][: query.per_page])
    return Page(items=part, page=query.page, per_page=query.per_page, total=len(found))


def _table(found, names):
    rows = [{name: getattr(one, name) for name in names} for one in found]
    return pa.Table.from_pylist(rows)

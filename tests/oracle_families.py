"""Families of loans as contract/families.py describes them (D58, D70), for `tests/oracle.py`."""

from collections import Counter, defaultdict
from math import prod

import pyarrow as pa

from services.contract.aggregates import Slice
from services.contract.errors import NotFound
from services.contract.families import (
    Family,
    FamilyDossier,
    FamilyFilter,
    FamilyLink,
    FamilyLoan,
)
from services.contract.records import Page
from services.contract.vocabulary import SEVERITIES
from tests import oracle_notes

SURE = 0.7


class Families:
    """Over the `rows`, `found` signals, `layers`, `links` and `listed` entities of an Oracle."""

    def family_of(self, name):
        """Numbers of the loans under a sponsor or owner."""
        if name not in self.listed or self.listed[name]["kind"] not in {"sponsor", "owner"}:
            return set()
        if not hasattr(self, "_families"):
            self._families = defaultdict(set)
            for number in self.by_number:
                for way in self.ways(number):
                    self._families[way[-1][1]].add(number)
        return self._families[name]

    def ways(self, number):
        """Every way over sure links up from a loan that meets nobody twice, as (below, above,
        confidence).
        """
        start = ("loan", number)
        first = [one for of in ("borrower", "sponsor") for one in self._sure(start, of)]
        found, left = [], [[link] for link in first]
        while left:
            way = left.pop()
            found.append([(start[1], end[1], sure) for start, end, sure in way])
            met = {start for start, *_ in way} | {way[-1][1]}
            left += [[*way, one] for one in self._sure(way[-1][1], "owned_by") if one[1] not in met]
        return found

    def _sure(self, node, relation):
        return [(e[0], e[1], e[3]) for e in self.links.steps(node, relation) if e[3] >= SURE]

    def families(self, query):
        rows = self.result(query.of_loans())
        listed = [
            self._family(name, [row for row in rows if row["loan_number"] in self.family_of(name)])
            for name, party in self.listed.items()
            if query.kind in {"either", party["kind"]} and party["kind"] in {"sponsor", "owner"}
        ]
        listed = [one for one in listed if one.loans]
        order = query.order or "-book_value"
        name = order.removeprefix("-")

        def key(one):
            value = getattr(one, name)
            return _rank(value) if name == "worst" else value

        listed.sort(key=lambda one: (-one.book_value, one.entity_name))
        listed.sort(key=key, reverse=order.startswith("-"))
        part = listed[(query.page - 1) * query.per_page :][: query.per_page]
        return Page(items=tuple(part), page=query.page, per_page=query.per_page, total=len(listed))

    def family_table(self, query):
        whole = self.families(query.model_copy(update={"page": 1, "per_page": 10**6}))
        return pa.Table.from_pylist([one.model_dump() for one in whole.items])

    def family(self, name):
        if name not in self.listed:
            raise NotFound(name)
        rows = [r for r in self.result(FamilyFilter()) if r["loan_number"] in self.family_of(name)]
        groups = defaultdict(list)
        for row in rows:
            for lender in self._lenders(row) or {None}:
                groups[lender].append(row)
        slices = [
            Slice(word=word, loans=oracle_notes.loans(some), book_value=_sum(some, "book_value"))
            for word, some in groups.items()
        ]
        slices.sort(key=lambda one: (-one.loans, one.word is None, one.word or ""))
        graded = Counter(row["worst_severity"] for row in rows)
        loans = [self._family_loan(row, name) for row in rows]
        loans.sort(key=lambda one: one.loan_number)
        for figure in ("book_value", "dollars_short"):
            loans.sort(key=lambda one, f=figure: (getattr(one, f) is None, -(getattr(one, f) or 0)))
        loans.sort(key=lambda one: -_rank(one.worst))
        return FamilyDossier(
            family=self._family(name, rows),
            severe=graded["severe"],
            critical=graded["critical"],
            by_lender=tuple(slices),
            loans=tuple(loans[:500]),
        )

    def _family(self, name, rows):
        return Family(
            entity_name=name,
            kind=self.listed[name]["kind"],
            loans=oracle_notes.loans(rows),
            book_value=_sum(rows, "book_value"),
            worst=oracle_notes.worst(rows),
            stressed=oracle_notes.loans(
                row for row in rows if row["worst_severity"] in {"severe", "critical"}
            ),
            lenders=len(set().union(*map(self._lenders, rows))),
            dollars_short=_sum(rows, "dollars_short"),
        )

    def _lenders(self, row):
        layers = {one["lender"] for one in self.layers[row["loan_number"]]}
        return (layers | {row["lender_normalized"]}) - {None}

    def _family_loan(self, row, name):
        ways = [way for way in self.ways(row["loan_number"]) if way[-1][1] == name]
        # Names in order of the way: who stands above the loan, and above that, and so on.
        way = min(ways, key=lambda w: (len(w), -prod(one[2] for one in w), [one[1] for one in w]))
        fields = {key: row[key] for key in FamilyLoan.model_fields if key in row}
        return FamilyLoan(
            **fields,
            worst=row["worst_severity"],
            way=tuple(FamilyLink(below=a, above=b, confidence=c) for a, b, c in way),
        )


def _rank(word):
    return SEVERITIES.index(word) if word in SEVERITIES else -1


def _sum(rows, name):
    return oracle_notes.dollars(rows, name)

"""Parties in order, as contract/parties.py describes them, for `tests/oracle.py`."""

from collections import Counter, defaultdict

import pyarrow as pa

from services.contract.errors import NotFound
from services.contract.parties import PARTY_EXPORT, Party
from services.contract.records import Page
from services.contract.vocabulary import SEVERITIES, tier_of
from tests import oracle_notes


class PartyLists:
    """Over the `rows`, `layers`, `links` and `listed` entities of an Oracle. By name nothing is
    asked: who is called like whom is the index's to say.
    """

    def parties(self, query):
        listed = [
            self.party(one["entity_name"])
            for one in self.sure_enough(query)
            if query.kind in {None, one["kind"].casefold()}
        ]
        order = query.order or "-book_value"

        def key(one):
            value = getattr(one, order.removeprefix("-"))
            return _rank(value) if order.endswith("worst") else value

        listed.sort(key=lambda one: (-one.book_value, one.entity_name))
        listed.sort(key=key, reverse=order.startswith("-"))
        part = listed[(query.page - 1) * query.per_page :][: query.per_page]
        return Page(items=tuple(part), page=query.page, per_page=query.per_page, total=len(listed))

    def party_kinds(self, query):
        return Counter(one["kind"] for one in self.sure_enough(query))

    def party_table(self, query):
        whole = self.parties(query.model_copy(update={"page": 1, "per_page": 10**6}))
        rows = [{name: getattr(one, name) for name in PARTY_EXPORT} for one in whole.items]
        return pa.Table.from_pylist(rows)

    def party(self, name):
        if name not in self.listed:
            raise NotFound(name)
        listed, numbers, role = self.listed[name], self.tied(name), None
        if not numbers:
            by_role = self.beside(name)
            role = max(
                by_role, key=lambda one: (oracle_notes.loans(by_role[one]), one), default=None
            )
            numbers = {row["loan_number"] for row in by_role.get(role, ())}
        rows = [row for row in self.screened() if row["loan_number"] in numbers]
        above = [
            (-sure, end[1])
            for _, end, _, sure, *_ in self.links.steps(("entity", name), "owned_by")
        ]
        return Party(
            entity_name=name,
            kind=listed["kind"],
            confidence=listed["confidence"],
            confidence_tier=tier_of(listed["confidence"]),
            match_score=None,
            role=role,
            loans=oracle_notes.loans(rows),
            book_value=oracle_notes.dollars(rows),
            worst=oracle_notes.worst(rows),
            stressed=oracle_notes.loans(
                row for row in rows if row["worst_severity"] in {"severe", "critical"}
            ),
            dollars_short=oracle_notes.dollars(rows, "dollars_short"),
            above=min(above)[1] if above else None,
            by_worst=oracle_notes.by_worst(rows),
        )

    def beside(self, name):
        """Rows of loans that it originated, services, or rents in, by role."""
        numbers = defaultdict(set)
        for start, end, relation, *_ in self.links:
            told = relation in {"servicer", "originator", "tenant"}
            if told and (start[0], end[1]) == ("loan", name):
                numbers[relation].add(start[1])
        for number, some in self.layers.items():
            if any(layer["servicer"] == name for layer in some):
                numbers["servicer"].add(number)
        return {role: [self.by_number[one] for one in some] for role, some in numbers.items()}

    def sure_enough(self, query):
        """Entities of at least the confidence asked for."""
        least = -1 if query.confidence_min is None else query.confidence_min
        return [one for one in self.listed.values() if one["confidence"] >= least]


def _rank(word):
    return SEVERITIES.index(word) if word in SEVERITIES else -1

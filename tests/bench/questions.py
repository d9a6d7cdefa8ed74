"""What is asked: seeded questions about the loans and parties that a store holds."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

from services.contract.queries import EntityQuery, PathQuery, Query, SignalQuery
from services.contract.records import Page
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.signal_filter import SignalFilter
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES
from services.store.reader import Reader
from tests.bench.name_variants import variants

Q = TypeVar("Q", bound=Query)

SEED = 20_260_930
#: The best connected parties, which most questions about lenders are about in practice.
LARGE = 40


class Questions:
    """Draws questions. The same store and seed give the same questions."""

    def __init__(self, reader: Reader) -> None:
        self.snapshot = reader.snapshot
        self._rng = random.Random(SEED)
        self._graph = reader.graph
        self.states: list[str] = [
            row[0]
            for row in reader.rows(
                "SELECT property_state::VARCHAR FROM loans WHERE property_state IS NOT NULL"
                " GROUP BY ALL ORDER BY count(*) DESC"
            )
        ]
        by_size = "GROUP BY lender ORDER BY count(*) DESC, lender"
        self.lenders: list[str] = [
            row[0]
            for row in reader.rows(
                f"SELECT lender FROM layer_ids JOIN lenders USING (lender_id) {by_size}"
            )
        ]
        parties = "SELECT entity_name FROM entities ORDER BY related_loan_count DESC, entity_id"
        self.large_parties: list[str] = [row[0] for row in reader.rows(f"{parties} LIMIT {LARGE}")]

    def loan_number(self) -> str:
        return self._graph.name(self._rng.randrange(self._graph.loan_count))

    def entity_name(self) -> str:
        graph = self._graph
        return graph.name(self._rng.randrange(graph.loan_count, graph.node_count))

    def party(self) -> str:
        """The name of a large party or of any party."""
        return self.large_party() if self._rng.random() < 0.5 else self.entity_name()

    def misspelt(self) -> tuple[str, str, str]:
        """A party's name, how it is misspelt, and the misspelling."""
        while True:
            name = self.entity_name()
            made = variants(self._rng, name)
            if made:
                return (name, *self._rng.choice(made))

    def page(self, matches: int, per_page: int = 25) -> int:
        """The first page, one near the front, or any page down to the last."""
        last = max(1, -(-matches // per_page))
        draw = self._rng.random()
        if draw < 0.3:
            return 1
        return self._rng.randint(1, min(last, 20) if draw < 0.6 else last)

    def paged(self, read: Callable[[Q], Page[Any]], query: Q) -> Q:
        """The same question, any page of its answer."""
        return query.at(self.page(read(query).total))

    def filters(self) -> dict[str, Any]:
        """One to four loan filters of any kind."""
        rng = self._rng
        day = self.snapshot.as_of + timedelta(days=rng.randint(-700, 3600))
        balance = round(10 ** rng.uniform(5.5, 8))
        drawn: dict[str, Any] = {
            "state": rng.choice(self.states),
            "lender": self.lender(),
            "min_balance": balance,
            "max_balance": balance * rng.randint(2, 20),
            "maturity_after": day,
            "maturity_before": day + timedelta(days=rng.randint(30, 2000)),
            "rate_pressure": rng.choice(SEVERITIES),
        }
        return {name: drawn[name] for name in rng.sample(sorted(drawn), rng.randint(1, 4))}

    def lender(self) -> str:
        """One of the largest lenders, or any lender."""
        pool = self.lenders[:20] if self._rng.random() < 0.5 else self.lenders
        return self._rng.choice(pool)

    def property_type(self) -> str | None:
        """A type of property, or none."""
        return self._rng.choice((None, *PROPERTY_TYPES.values()))

    def signal_filter(self) -> SignalFilter:
        """As `signals`, as a filter."""
        return SignalFilter(**self.signals().model_dump(exclude_none=True))

    def signals_of_type(self) -> SignalFilter:
        """Signals on loans of one property type, or of any."""
        kind = self.property_type()
        return self.signal_filter().model_copy(update={"property_type": (kind,) if kind else None})

    def worst_signals(self) -> SignalFilter:
        """As the page lists them at first."""
        worst = {"severity": ("critical", "severe"), "order": "-severity"}
        return self.signal_filter().model_copy(update=worst)

    def signals(self) -> SignalQuery:
        """Signals by none to all three of the filters."""
        rng = self._rng
        drawn: dict[str, Any] = {
            "state": rng.choice(self.states),
            "signal_type": rng.choice(sorted(SIGNAL_TYPES)),
            "severity": rng.choice(SEVERITIES[1:]),
        }
        return SignalQuery(
            **{name: drawn[name] for name in rng.sample(sorted(drawn), rng.randint(0, 3))}
        )

    def entities(self) -> EntityQuery:
        """Parties without a name: all, or those of some confidence."""
        least = self._rng.choice((None, round(self._rng.uniform(0.4, 1), 2)))
        return EntityQuery(confidence_min=least)

    def walk_from_loan(self) -> PathQuery:
        page = self._rng.choice((1, 1, 1, 2, 5))
        return PathQuery(loan_number=self.loan_number(), depth=3, page=page)

    def walk_from_party(self, name: str) -> PathQuery:
        page = self._rng.choice((1, 1, 1, 2, 5, 400))
        return PathQuery(entity_name=name, depth=3, page=page)

    def large_party(self) -> str:
        return self._rng.choice(self.large_parties)

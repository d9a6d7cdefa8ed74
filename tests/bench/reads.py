"""How fast the store answers: a warm process, and nothing remembered of any answer."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from services.contract.queries import EntityQuery, LoanQuery, Query
from services.contract.records import Page
from services.store.reader import Reader
from services.store.source import StoreSource
from tests.bench.figures import Figure, spread, timed
from tests.bench.questions import Questions

TARGET_MS = 100
WARM_UP = 5
TOP = 10
RECALL = 0.97

Ask = Callable[[], object]


def floor(reader: Reader, runs: int) -> Figure:
    """`select 1`: what the engine itself takes for a question."""
    taken = [timed(lambda: reader.rows("SELECT 1")) for _ in range(runs)]
    return spread("floor", "select 1", taken)


def figures(reader: Reader, pool: Questions, runs: int, floor_ms: float) -> Iterator[Figure]:
    """The six reads, each in its main forms, then the aggregates."""
    source = StoreSource(reader)

    def measured(
        name: str, draw: Callable[[], Ask], group: str = "read", runs: int = runs
    ) -> Figure:
        asked = [draw() for _ in range(WARM_UP + runs)]
        taken = []
        for ask in asked:
            reader.clear()
            taken.append(timed(ask))
        return spread(group, name, taken[WARM_UP:], target=TARGET_MS, floor=floor_ms)

    def paged(read: Callable[[Any], Page[Any]], draw: Callable[[], Query]) -> Callable[[], Ask]:
        def one() -> Ask:
            query = pool.paged(read, draw())
            return lambda: read(query)

        return one

    def of(read: Callable[..., object], *draws: Callable[[], object]) -> Callable[[], Ask]:
        def one() -> Ask:
            question = [draw() for draw in draws]
            return lambda: read(*question)

        return one

    yield measured("loans, all, any page", paged(source.loans, LoanQuery))
    yield measured(
        "loans, 1 to 4 filters, any page",
        paged(source.loans, lambda: LoanQuery(**pool.filters())),
    )
    yield measured(
        "loans of a lender, any page",
        paged(source.loans, lambda: LoanQuery(lender=pool.lender())),
    )
    yield measured("loan", of(source.loan, pool.loan_number))
    yield measured(
        "entities by misspelt name", of(source.entities, lambda: _named(pool.misspelt()[2]))
    )
    yield measured("entities without a name, any page", paged(source.entities, pool.entities))
    yield measured("ownership", of(source.ownership, pool.loan_number))
    yield measured("paths, depth 3, from a loan", of(source.paths, pool.walk_from_loan))
    yield measured(
        "paths, depth 3, from any party",
        of(source.paths, lambda: pool.walk_from_party(pool.entity_name())),
    )
    yield measured(
        "paths, depth 3, from a large party",
        of(source.paths, lambda: pool.walk_from_party(pool.large_party())),
    )
    yield measured("signals, 0 to 3 filters, any page", paged(source.signals, pool.signals))
    # Asked once a snapshot, or beside a page: no target of their own, their pages have one.
    aggregates = {
        "totals": of(source.totals),
        "maturity_wall": of(source.maturity_wall),
        "signals_of a loan": of(source.signals_of, pool.loan_number),
        "loans_of a party": of(source.loans_of, pool.party, Query),
        "entity": of(source.entity, pool.party),
        "signals_of_entity": of(source.signals_of_entity, pool.party, Query),
        "signal_states": of(source.signal_states, pool.signal_filter),
        "signal_matrix by severity": of(
            source.signal_matrix, pool.signal_filter, lambda: "severity"
        ),
        "signal_matrix by type": of(
            source.signal_matrix, pool.signal_filter, lambda: "property_type"
        ),
        "signals_found": of(source.signals_found, pool.signals_of_type, tuple),
        "signals_found, worst first": of(source.signals_found, pool.worst_signals, tuple),
        "signal_totals": of(source.signal_totals, pool.signal_filter),
        "fill_rates": of(source.fill_rates),
        "unranked_words": of(source.unranked_words),
    }
    for name, draw in aggregates.items():
        yield replace(measured(name, draw, "aggregate", max(10, runs // 5)), target=None)


def search(reader: Reader, pool: Questions, questions: int, floor_ms: float) -> Iterator[Figure]:
    """How often a misspelt name finds its party among the first ten, and how fast."""
    source = StoreSource(reader)
    asked, found, taken = Counter[str](), Counter[str](), []
    for _ in range(questions):
        name, kind, text = pool.misspelt()
        query = _named(text)
        reader.clear()
        taken.append(timed(partial(source.entities, query)))
        first = source.entities(query).items[:TOP]
        asked[kind] += 1
        found[kind] += any(one.entity_name == name for one in first)
    recall = found.total() / asked.total()
    yield Figure("search", f"recall@{TOP}", recall, "", RECALL, at_least=True)
    for kind in sorted(asked):
        yield Figure("search", f"recall@{TOP}: {kind}", found[kind] / asked[kind], "")
    yield spread("search", "time of a search", taken, target=TARGET_MS, floor=floor_ms)


def _named(name: str) -> EntityQuery:
    return EntityQuery(name=name)

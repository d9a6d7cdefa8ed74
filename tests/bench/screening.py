"""How fast results of loans are: pages of any order, totals, counts, rankings, letters, scenarios.

Nothing is remembered of any answer; the columns that answers are made of are, as in use.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, Final, get_args

from services.contract.columns import COLUMN, ORDERS
from services.contract.loan_filter import COUNTED, LoanFilter
from services.contract.scenario import Scenario
from services.contract.source import GroupBy
from services.contract.tenants import TenantFilter
from services.contract.vocabulary import SEVERITIES
from services.signals.rescoring import RulesRescorer
from services.store.reader import Reader
from services.store.source import StoreSource
from tests.bench.figures import Figure, spread, timed
from tests.bench.questions import Questions

PAGE_MS, COUNTS_MS, RANKING_MS, LETTERS_MS, WHAT_IF_MS = 100, 150, 150, 60, 1_000
TENANTS_MS = 250
#: Filters that are always in sight on the Loans page and have counts.
BAR = ("state", "property_type", "severity")
GROUPS: Final = get_args(GroupBy)
#: So many columns as a set of the page has.
SHOWN = tuple(COLUMN)[:14]


def figures(reader: Reader, pool: Questions, runs: int, floor_ms: float) -> Iterator[Figure]:
    """Each with the target of its kind."""
    source = StoreSource(reader, rescorer=RulesRescorer())
    rng = random.Random(20_261_122)
    first = timed(lambda: source.what_if(LoanFilter(), Scenario.of(rates=75)))
    yield spread("screen", "what if, whole book, no column read yet", [first])
    _read_columns(source)

    def measured(name: str, target: float, draw: Callable[[], Callable[[], object]]) -> Figure:
        taken = []
        for _ in range(runs):
            ask = draw()
            reader.clear()
            taken.append(timed(ask))
        return spread("screen", name, taken, target=target, floor=floor_ms)

    def asked(count: int, **more: Any) -> LoanFilter:
        draws: dict[str, Callable[[], object]] = {
            "state": lambda: tuple(rng.sample(pool.states[:12], 2)),
            "property_type": lambda: ("office", "retail"),
            "severity": lambda: tuple(rng.sample(SEVERITIES[1:], 2)),
            "lender": pool.lender,
            "min_balance": lambda: rng.choice((1, 5, 20)) * 1_000_000,
            "max_dscr": lambda: rng.choice((1.1, 1.3, 1.6)),
            "min_ltv": lambda: rng.choice((55, 65, 75)),
            "max_gap": lambda: rng.choice((100, 250)),
            "min_short": lambda: 1,
            "rule": lambda: (rng.choice(("CV-1", "DY-1", "LV-1")),),
            "special_servicing": lambda: False,
            "party": lambda: rng.choice(("holdings", "partners", "llc", "realty")),
            "find": lambda: str(rng.randrange(100, 999)),
        }
        chosen = rng.sample(sorted(draws), count)
        return LoanFilter(**{name: draws[name]() for name in chosen}, **more)

    def a_page(count: int) -> Callable[[], object]:
        order = rng.choice(("", "-")) + rng.choice(ORDERS)
        query = asked(count, order=order)
        total = source.loans_found(query, ()).total
        page = rng.randrange(1, max(2, min(total // 25, 400)))
        return lambda: source.loans_found(query.at(page), SHOWN)

    def first_page_of_all() -> Callable[[], object]:
        query = LoanFilter(order=rng.choice(("", "-")) + rng.choice(ORDERS))
        return lambda: source.loans_found(query, SHOWN)

    def counts() -> Callable[[], object]:
        query = asked(rng.randrange(3))
        return lambda: [source.loan_counts(query, name) for name in BAR]

    def ranking() -> Callable[[], object]:
        query, by = asked(rng.randrange(3)), rng.choice(GROUPS)
        return lambda: source.loan_ranking(query, by, 100)

    def what_if() -> Callable[[], object]:
        scenario = Scenario.of(
            rates=rng.choice((-200, -50, 100, 300)),
            noi=rng.choice((-30, -10, 0, 10)),
            cap=rng.choice((0, 50, 200)),
        )
        return lambda: source.what_if(LoanFilter(), scenario)

    def letters() -> Callable[[], object]:
        text = pool.entity_name()[:10]
        return lambda: source.matches(text, 5)

    yield measured("3 filters, any order, any page", PAGE_MS, lambda: a_page(3))
    yield measured("no filter, any order, first page", PAGE_MS, first_page_of_all)
    yield measured("totals, 2 filters", COUNTS_MS, lambda: _totals(source, asked(2)))
    yield measured("counts of the filters in sight", COUNTS_MS, counts)
    yield measured("ranking, 0 to 2 filters", RANKING_MS, ranking)
    yield measured(
        "tenants and their leases, 2 filters", TENANTS_MS, lambda: _tenants(source, asked(2))
    )
    yield measured("what if, whole book, any scenario", WHAT_IF_MS, what_if)
    yield measured("10 letters in the search box", LETTERS_MS, letters)


def _read_columns(source: StoreSource) -> None:
    """Every column is read once, as in the first minutes of use."""
    for name in ORDERS:
        source.loans_found(LoanFilter(order=name), SHOWN)
    for name in COUNTED:
        source.loan_counts(LoanFilter(), name)


def _tenants(source: StoreSource, loans: LoanFilter) -> Callable[[], object]:
    query = TenantFilter(**loans.filters())
    return lambda: (source.tenants(query), source.tenancies(query))


def _totals(source: StoreSource, query: LoanFilter) -> Callable[[], object]:
    return lambda: source.loan_totals(query)

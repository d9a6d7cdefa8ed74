"""How fast Explore is: plots, distributions, vintages, and one loan among its peers.

Nothing is remembered of any answer; the columns that answers are made of are, as in use.
"""

import math
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import get_args

from services.contract.distributions import FIGURES, Area, FigureName, Plot, SplitBy
from services.contract.loan_filter import LoanFilter
from services.contract.vocabulary import SEVERITIES
from services.store.reader import Reader
from services.store.source import StoreSource
from tests.bench.figures import Figure, spread, timed
from tests.bench.questions import Questions

TARGET_MS = 300
#: What a loan's page compares it by.
PEERS: tuple[FigureName, ...] = ("dscr", "ltv", "debt_yield", "interest_rate")


def figures(reader: Reader, pool: Questions, runs: int, floor_ms: float) -> Iterator[Figure]:
    """Each with its target."""
    source = StoreSource(reader)
    rng = random.Random(20_261_124)
    for figure in FIGURES:  # each column is read once, as in the first minutes of use
        for by in get_args(SplitBy):
            source.loan_distribution(LoanFilter(), figure, by)

    def measured(name: str, draw: Callable[[], Callable[[], object]]) -> Figure:
        taken = []
        for _ in range(runs):
            ask = draw()
            reader.clear()
            taken.append(timed(ask))
        return spread("explore", name, taken, target=TARGET_MS, floor=floor_ms)

    asked = partial(_asked, rng, pool)

    def plot(log: str | None = None) -> Plot:
        x, y = rng.sample(sorted(FIGURES), 2)
        return Plot(x, y, log=log, clip=rng.random() < 0.7)

    def within() -> Callable[[], object]:
        of, query = Plot("ltv", "dscr", clip=True), asked(2)
        # As by hand: around a middle, now nearer, now further.
        turns = [2 * math.pi * at / 100 for at in range(100)]
        far = [rng.uniform(0.5, 1) for _ in turns]
        lasso = Area(
            tuple(0.6 + 0.3 * part * math.cos(turn) for part, turn in zip(far, turns, strict=True)),
            tuple(1.6 + 0.9 * part * math.sin(turn) for part, turn in zip(far, turns, strict=True)),
        )
        return partial(source.loans_within, query, of, (lasso,))

    def distribution(by: SplitBy, most: int) -> Callable[[], object]:
        return partial(source.loan_distribution, asked(most), rng.choice(sorted(FIGURES)), by)

    def peers() -> Callable[[], object]:
        return partial(source.standings, asked(3), pool.loan_number(), PEERS)

    yield measured("plot, whole book",
                   lambda: partial(source.loan_scatter, LoanFilter(), plot()))  # fmt: skip
    yield measured("plot, powers of ten, whole book",
                   lambda: partial(source.loan_scatter, LoanFilter(), plot("xy")))  # fmt: skip
    yield measured("plot, 0 to 4 filters", lambda: partial(source.loan_scatter, asked(4), plot()))
    yield measured("lasso of 100 corners, 0 to 2 filters", within)
    for by in get_args(SplitBy):
        yield measured(f"distribution by {by}, whole book", partial(distribution, by, 0))
    yield measured("distribution, 0 to 2 filters",
                   lambda: distribution(rng.choice(get_args(SplitBy)), 2))  # fmt: skip
    yield measured("vintages, whole book", lambda: partial(source.severe_shares, LoanFilter()))
    yield measured("vintages, 1 to 3 filters", lambda: partial(source.severe_shares, asked(3)))
    yield measured("percentiles of a loan, 0 to 3 filters", peers)


def _asked(rng: random.Random, pool: Questions, most: int) -> LoanFilter:
    """None to so many filters of any kind."""
    draws: dict[str, Callable[[], object]] = {
        "state": lambda: tuple(rng.sample(pool.states[:12], 2)),
        "property_type": lambda: ("office", "retail"),
        "severity": lambda: tuple(rng.sample(SEVERITIES[1:], 2)),
        "lender": pool.lender,
        "min_balance": lambda: rng.choice((1, 5, 20)) * 1_000_000,
        "max_dscr": lambda: rng.choice((1.1, 1.3, 1.6)),
        "rule": lambda: (rng.choice(("CV-1", "DY-1", "LV-1")),),
        "special_servicing": lambda: False,
    }
    chosen = rng.sample(sorted(draws), rng.randint(0, most))
    return LoanFilter(**{name: draws[name]() for name in chosen})

"""How fast families and roles are: a ranking of all families, one family, a party's roles.

Nothing is remembered of any answer; the columns that answers are made of are, as in use.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial

from services.contract.families import FAMILY_ORDERS, FamilyFilter
from services.contract.queries import Query
from services.contract.vocabulary import SEVERITIES
from services.store.reader import Reader
from services.store.source import StoreSource
from tests.bench.figures import Figure, spread, timed
from tests.bench.questions import Questions

TARGET_MS = 150
#: Families among the largest of which one is asked for.
LARGEST = 100


def figures(reader: Reader, pool: Questions, runs: int, floor_ms: float) -> Iterator[Figure]:
    """Each with its target."""
    source = StoreSource(reader)
    rng = random.Random(20_261_123)
    heads = source.families(FamilyFilter(kind="either", per_page=LARGEST)).items
    source.exposure(heads[0].entity_name)

    def measured(name: str, draw: Callable[[], Callable[[], object]]) -> Figure:
        taken = []
        for _ in range(runs):
            ask = draw()
            reader.clear()
            taken.append(timed(ask))
        return spread("family", name, taken, target=TARGET_MS, floor=floor_ms)

    def ranking(conditions: int) -> Callable[[], object]:
        draws = {
            "state": lambda: tuple(rng.sample(pool.states[:12], 2)),
            "severity": lambda: tuple(rng.sample(SEVERITIES[1:], 2)),
            "property_type": lambda: ("office", "retail"),
        }
        chosen = {name: draws[name]() for name in rng.sample(sorted(draws), conditions)}
        order = rng.choice(("", "-")) + rng.choice(FAMILY_ORDERS)
        kind = rng.choice(("sponsor", "owner", "either"))
        return partial(source.families, FamilyFilter(**chosen, kind=kind, order=order))

    yield measured("ranking of all, any order", lambda: ranking(0))
    yield measured("ranking, 1 to 3 filters, any order", lambda: ranking(rng.randint(1, 3)))
    largest = partial(rng.choice, [one.entity_name for one in heads])
    yield measured("one of the 100 largest", lambda: partial(source.family, largest()))
    yield measured("any party's", lambda: partial(source.family, pool.entity_name()))
    yield measured("roles of a party", lambda: partial(source.exposure, pool.party()))
    yield measured("loans with roles", lambda: partial(source.loans_of, pool.party(), Query()))

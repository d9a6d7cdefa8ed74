"""How much a test tries: a little in the merge (`make test`), all of it in `make test-long`.

A test of many kills, damages or walks takes their number by `amounts`: the smaller form is the
merge's, the whole is marked `long`. A test of pages by themes by widths takes them by `turns`. A
property test takes its examples by `examples`: the same ones in every run of the merge and none
made smaller, for that takes longer than a test may; new ones in `make test-long`, which runs every
property test again.
"""

import os
from collections.abc import Iterable
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers

LONG: Final = os.environ.get("ATLAS_TIER") == "long"

# A test is about what comes out, never about how fast this machine is just now.
settings.register_profile(
    "long", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile(
    "merge",
    settings.get_profile("long"),
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.target),
)
settings.load_profile("long" if LONG else "merge")
if not LONG:
    # Examples would otherwise hold words and numbers of whatever modules this worker has loaded.
    providers._get_local_constants = lambda: providers._local_constants


def amounts(merge: int, long: int) -> list[Any]:
    """Parameters of one test: how many it tries in the merge, and in `make test-long`."""
    return [merge, pytest.param(long, marks=pytest.mark.long)]


def seeds(merge: int, long: int) -> list[Any]:
    """Parameters of a test that draws by a seed: the first in the merge, all in the long tier."""
    rest = [pytest.param(seed, marks=pytest.mark.long) for seed in range(merge, long)]
    return [*range(merge), *rest]


def turns(*axes: Iterable[Any]) -> list[Any]:
    """Parameters of a test of all combinations; in the merge the values of each axis in turn."""
    known = [list(axis) for axis in axes]
    merge = [[axis[at % len(axis)] for axis in known] for at in range(max(map(len, known)))]
    rest = [pytest.param(*one, marks=pytest.mark.long) for one in product(*known)
            if [*one] not in merge]  # fmt: skip
    return [*merge, *rest]


def examples(merge: int, long: int, **others: Any) -> settings:
    """Settings of a property test that tries so many."""
    return settings(max_examples=long if LONG else merge, **others)

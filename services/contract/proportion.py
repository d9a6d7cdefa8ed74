"""What is known of a probability by how many of how many were seen."""

import math
from functools import lru_cache
from typing import Final

#: What an interval of 95 % leaves out at either end.
_TAIL: Final = 0.025
#: Of a bisection: each halves what is not known, 2^-40 is below any rounding on screen.
_STEPS: Final = 40


@lru_cache(maxsize=1_000)
def interval(some: int, of: int) -> tuple[float, float]:
    """The exact 95 % interval (Clopper-Pearson) of a probability, as fractions, where the event was
    seen in `some` of `of` cases, `of` at least 1. Beyond either end a result as extreme as this
    has a probability under 2.5 %. 2 of 2 gives 0.158 to 1.
    """
    return _lowest(some, of), 1 - _lowest(of - some, of)


def _lowest(some: int, of: int) -> float:
    """The probability at which `some` or more of `of` are seen with a chance of _TAIL."""
    if not some:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if _at_least(some, of, middle) > _TAIL else (middle, high)
    return low


def _at_least(some: int, of: int, part: float) -> float:
    """The chance of `some` or more of `of`, where each has the probability `part`."""
    yes, no = math.log(part), math.log1p(-part)
    return math.fsum(
        math.exp(
            math.lgamma(of + 1) - math.lgamma(n + 1) - math.lgamma(of - n + 1)
            + n * yes + (of - n) * no
        )
        for n in range(some, of + 1)
    )  # fmt: skip

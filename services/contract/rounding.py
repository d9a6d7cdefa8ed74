"""Numbers to a few digits, as by hand: a half goes away from zero, and a minus is a true one."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Literal


def rounded(value: float, places: int, factor: int = 1) -> Decimal:
    """A number times `factor` with so many digits after the point: 4.305 is 4.31, not what its
    binary form happens to be nearest to.
    """
    exact = Decimal(repr(float(value))) * factor
    found = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return found or abs(found)  # no minus before a zero


def written(number: Decimal, sign: Literal["-", "+"] = "-") -> str:
    """1,234.57: a comma before every third digit."""
    return f"{number:{sign},}".replace("-", "−")

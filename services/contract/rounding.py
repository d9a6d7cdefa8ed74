"""Numbers as text, as by hand: a half goes away from zero, a minus is a true one, and a noun
agrees with its number.
"""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final, Literal

#: Power of ten, digits after the point, letter.
_SCALES: Final = ((0, 0, ""), (3, 0, "K"), (6, 1, "M"), (9, 2, "B"))


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


def number_of(number: int, noun: str, plural: str = "") -> str:
    """1 loan, 41,208 loans; `plural` is that of a noun that takes more than an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def money(value: float) -> str:
    """$1.25B, $12.4M, $850K, $12; negative as −$4.2M."""
    size = Decimal(repr(float(abs(value))))
    texts = [
        f"{size.scaleb(-power).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,}{letter}"
        for power, places, letter in _SCALES
    ]
    # 999,950 would be $1,000K: the next scale takes what rounds up into it.
    text = next((text for text in texts if "," not in text), texts[-1])
    return f"{'−' if value < 0 else ''}${text}"

"""The facts of a record, each of the type that figures take."""

import math
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import numpy as np

from services.contract.disposition import has_ended
from services.contract.loan_figures import Figure
from services.contract.records import LoanDetail
from services.signals.amortisation import DateArray, FloatArray
from services.signals.loan_columns import BEYOND_ANY_LOAN

#: Of a cooperative.
IMPUTED: Final = Figure(None, "n.m.: imputed rent")


class Facts:
    """Facts by name. One of another type than ours counts as missing (D17)."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._facts = facts

    @classmethod
    def of(cls, loan: LoanDetail) -> "Facts":
        """Those of a loan, the specification's and further ones."""
        own = {name: getattr(loan, name) for name in LoanDetail.model_fields}
        return cls({**loan.extended, **own})

    def of_today(self) -> "Facts":
        """The same; of a loan that has ended nothing but that it owes nothing."""
        if not has_ended(self.word("disposition"), self.figure("book_value")):
            return self
        return Facts({"book_value": 0, "disposition": self.word("disposition")})

    def figure(
        self, name: str, *, above: float = -math.inf, at_least: float = -math.inf
    ) -> float | None:
        """A number; None where it is missing, out of range or beyond any loan."""
        value = self._facts.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        usable = above < value < BEYOND_ANY_LOAN and value >= at_least
        return float(value) if usable and value > -BEYOND_ANY_LOAN else None

    def months(self, name: str) -> int | None:
        """A whole number of months, from 0."""
        value = self.figure(name, at_least=0)
        return None if value is None else int(value)

    def code(self, name: str) -> int | None:
        """A code of Schedule AL that is a number: "5" or 5."""
        text = str(self._facts.get(name)).strip()
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else None  # noqa: PLR2004 - codes have two digits

    def word(self, name: str) -> str | None:
        """A word, a code or a sentence; None where it is blank."""
        value = self._facts.get(name)
        return value.strip() or None if isinstance(value, str) else None

    def day(self, name: str) -> date | None:
        """A date, or its text as YYYY-MM-DD."""
        value = self._facts.get(name)
        if isinstance(value, str):
            try:
                return date.fromisoformat(value)
            except ValueError:
                return None
        return value if isinstance(value, date) else None

    def flag(self, name: str) -> bool | None:
        """True, False or None."""
        value = self._facts.get(name)
        return value if isinstance(value, bool) else None

    def rows(self, name: str) -> list["Facts"]:
        """A list of objects, such as the leases; empty where there is none."""
        value = self._facts.get(name)
        listed = value if isinstance(value, list | tuple) else ()
        return [Facts(row) for row in listed if isinstance(row, Mapping)]


def one(value: float | None) -> FloatArray:
    """An array of one figure; None becomes NaN."""
    return np.array([math.nan if value is None else value], dtype=np.float64)


def days(value: date | None) -> DateArray:
    """An array of one day; None becomes NaT."""
    return np.array([value], dtype="datetime64[D]")


def known(array: FloatArray) -> float | None:
    """The one figure of an array; None for NaN."""
    value = float(array[0])
    return value if math.isfinite(value) else None


def figure(array: FloatArray, *needs: tuple[str, FloatArray]) -> Figure:
    """The one figure of an array; where it is NaN, which of the inputs it needs is."""
    value = known(array)
    if value is not None:
        return Figure(value)
    lacks = next((name for name, need in needs if known(need) is None), None)
    return Figure(None, f"not testable: no {lacks}" if lacks else "not testable")

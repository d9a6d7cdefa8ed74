"""Columns of the loans table as arrays, in the order of its rows."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.income_basis import IncomeBasis
from services.signals.amortisation import BoolArray, DateArray, FloatArray

#: From a quadrillion on a figure is a slip, not a loan.
BEYOND_ANY_LOAN: Final = 1e15


class LoanColumns:
    """Columns of LOANS as arrays, a figure a loan."""

    def __init__(self, loans: pa.Table) -> None:
        self._loans = loans

    def figures(
        self, name: str, *, above: float = -np.inf, at_least: float = -np.inf
    ) -> FloatArray:
        """A numeric column; NaN for null, for what is out of range and what no loan reaches."""
        array: FloatArray = pc.cast(self._loans[name], pa.float64(), safe=False).to_numpy()
        usable = (np.abs(array) < BEYOND_ANY_LOAN) & (array > above) & (array >= at_least)
        return np.where(usable, array, np.nan)

    def days(self, name: str) -> DateArray:
        """A date column as datetime64[D]; null is NaT."""
        days: DateArray = self._loans[name].to_numpy()
        return days.astype("datetime64[D]")

    def flags(self, name: str) -> FloatArray:
        """A flag as 1 and 0; NaN for null."""
        flags: FloatArray = pc.cast(self._loans[name], pa.float64()).to_numpy()
        return flags

    def coded(
        self, name: str, codes: Mapping[str, float], unknown: str | float = np.nan
    ) -> FloatArray:
        """A word column as the number that `codes` gives it, whatever its case; NaN for null and
        blank. Other words take `unknown`: a number, or the word whose number they take.
        """
        folded = {word.lower(): number for word, number in codes.items()}
        other = folded[unknown] if isinstance(unknown, str) else unknown
        encoded = self._loans[name].combine_chunks().dictionary_encode()
        words = (str(word).strip().lower() for word in encoded.dictionary.to_pylist())
        numbers = [folded.get(word, other) if word else np.nan for word in words]
        rows = encoded.indices.fill_null(len(numbers)).to_numpy()
        coded: FloatArray = np.array([*numbers, np.nan], dtype=np.float64)[rows]
        return coded

    def basis(self, holds: Callable[[IncomeBasis], bool]) -> BoolArray:
        """Where the source states a basis of income of which that holds."""
        encoded = self._loans["income_basis"].combine_chunks().dictionary_encode()
        found = [holds(IncomeBasis.read(words)) for words in encoded.dictionary.to_pylist()]
        rows = encoded.indices.fill_null(len(found)).to_numpy()
        held: BoolArray = np.array([*found, False])[rows]
        return held

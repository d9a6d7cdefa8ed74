"""The rate of a floating loan."""

import numpy as np

from services.signals.amortisation import FloatArray


def floating_rate(
    index: FloatArray, margin: FloatArray, floor: FloatArray, cap: FloatArray
) -> FloatArray:
    """Index + margin, held between the lifetime floor and cap of the loan's rate; percent figures.

    NaN for `floor` or `cap` is a loan without one. NaN where index or margin is missing, and where
    the floor lies above the cap, which contradicts itself. Source: Schedule AL, items on
    adjustable rates; the cap is the loan's own, not one that the borrower has bought.
    """
    rate = np.fmin(np.fmax(index + margin, floor), cap)
    missing = np.isnan(index + margin) | (floor > cap)
    return np.where(missing, np.nan, rate)

"""Months from the as-of date to maturity, by the calendar."""

from datetime import date

import numpy as np
from numpy.typing import NDArray


def months_between(as_of: date, maturity: NDArray[np.datetime64]) -> NDArray[np.float64]:
    """Calendar months from `as_of` to each day of `maturity` (datetime64[D]); NaT gives NaN.

    Whole months are counted from the as-of day of the month (in shorter months, from their last
    day), the rest as a fraction of the month it falls in: 24 months to the day is exactly 24.0.
    Days before the as-of date are negative. A later day never has fewer months.
    """
    missing = np.isnat(maturity)
    days = np.where(missing, np.datetime64(as_of, "D"), maturity.astype("datetime64[D]"))
    here = days.astype("datetime64[M]")
    start = np.datetime64(as_of, "M")
    late = days < _anchor(here, as_of.day)
    here = here - late.astype("timedelta64[M]")
    since = _anchor(here, as_of.day)
    until = _anchor(here + np.timedelta64(1, "M"), as_of.day)
    whole = (here - start).astype(np.int64)
    part = (days - since).astype(np.int64) / (until - since).astype(np.int64)
    return np.where(missing, np.nan, whole + part)


def _anchor(month: NDArray[np.datetime64], day: int) -> NDArray[np.datetime64]:
    """The given day of each month, or its last where it is shorter."""
    first = month.astype("datetime64[D]")
    length = ((month + np.timedelta64(1, "M")).astype("datetime64[D]") - first).astype(np.int64)
    anchor: NDArray[np.datetime64] = first + (np.minimum(day, length) - 1).astype("timedelta64[D]")
    return anchor

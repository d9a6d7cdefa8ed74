"""Months from the as-of date to maturity, by the calendar."""

from datetime import date

import numpy as np
from numpy.typing import NDArray

#: The date of all loans, or the date of each of them (datetime64[D]).
AsOf = date | NDArray[np.datetime64]


def months_between(as_of: AsOf, maturity: NDArray[np.datetime64]) -> NDArray[np.float64]:
    """Calendar months from `as_of` to each day of `maturity` (datetime64[D]); NaT gives NaN.

    Whole months are counted from the as-of day of the month (in shorter months, from their last
    day), the rest as a fraction of the month it falls in: 24 months to the day is exactly 24.0.
    Days before the as-of date are negative. A later day never has fewer months.
    """
    missing = np.isnat(maturity)
    today = np.asarray(as_of, "datetime64[D]")
    days = np.where(missing, today, maturity.astype("datetime64[D]"))
    here = days.astype("datetime64[M]")
    start = today.astype("datetime64[M]")
    day = (today - start.astype("datetime64[D]")).astype(np.int64) + 1
    late = days < _anchor(here, day)
    here = here - late.astype("timedelta64[M]")
    since = _anchor(here, day)
    until = _anchor(here + np.timedelta64(1, "M"), day)
    whole = (here - start).astype(np.int64)
    part = (days - since).astype(np.int64) / (until - since).astype(np.int64)
    return np.where(missing, np.nan, whole + part)


def _anchor(month: NDArray[np.datetime64], day: NDArray[np.int64]) -> NDArray[np.datetime64]:
    """The given day of each month, or its last where it is shorter."""
    first = month.astype("datetime64[D]")
    length = ((month + np.timedelta64(1, "M")).astype("datetime64[D]") - first).astype(np.int64)
    anchor: NDArray[np.datetime64] = first + (np.minimum(day, length) - 1).astype("timedelta64[D]")
    return anchor

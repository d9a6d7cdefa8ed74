"""Days and months of loans: columns of dates, counted in months from January 1970."""

from datetime import date

import numpy as np
from numpy.typing import NDArray

from services.importers.demo.assumptions import Ints

Days = NDArray[np.datetime64]
#: First day of every month from 1970 on: cheaper to look up than to convert.
MONTHS = np.arange(1800).astype("datetime64[M]").astype("datetime64[D]")
NO_DAY = np.datetime64("NaT", "D")


def on(month: Ints, day: Ints | int) -> Days:
    """Days of months; `day` counts from 1."""
    return np.asarray(MONTHS[month] + (day - 1))


def month_of(day: date) -> int:
    """Months from January 1970."""
    return (day.year - 1970) * 12 + day.month - 1

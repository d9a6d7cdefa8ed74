"""Who services a loan: since when the special servicer does, if it has not returned."""

import numpy as np

from services.signals.amortisation import BoolArray, DateArray


def in_special_servicing(since: DateArray, returned: DateArray) -> BoolArray:
    """Where a loan was transferred and has not returned since; NaT is "not stated".

    A return before the transfer is of an earlier stay.
    """
    in_it: BoolArray = ~np.isnat(since) & ~(returned >= since)
    return in_it

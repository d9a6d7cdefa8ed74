"""How a loan is serviced: by the special servicer or not, and whether its terms were modified."""

from typing import Final

import numpy as np

from services.contract.schedule_al import MODIFICATIONS, OTHER_MODIFICATION
from services.signals.amortisation import BoolArray, DateArray
from services.signals.maturity import AsOf, months_between

#: Modification codes that say what changed. "Other" does not: filers kept it for loans whose terms
#: are as they were, until the schema of 2024 put forbearance in its place.
CHANGES: Final = frozenset(MODIFICATIONS) - {OTHER_MODIFICATION}
#: A modification is of today for so many months.
RECENT_MONTHS: Final = 24


def in_special_servicing(since: DateArray, returned: DateArray) -> BoolArray:
    """Where a loan was transferred and has not returned since; NaT is "not stated".

    A return before the transfer is of an earlier stay.
    """
    in_it: BoolArray = ~np.isnat(since) & ~(returned >= since)
    return in_it


def recent(as_of: AsOf, modified_on: DateArray) -> BoolArray:
    """Where a modification dates from the last `RECENT_MONTHS`; False without a date."""
    found: BoolArray = months_between(as_of, modified_on) >= -RECENT_MONTHS
    return found

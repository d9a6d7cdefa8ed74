"""When a loan counts as distressed, as one filing shows it."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import numpy as np

from services.contract.disposition import PAID_OFF, has_ended, lost
from services.contract.schedule_al import FORECLOSURE, FULL_DEFEASANCE, OTHER_MODIFICATION, REO
from services.contract.track_record import (
    DEFINITION,
    DELINQUENT,
    IN_FORECLOSURE,
    LOSS,
    MATURED,
    MODIFIED,
    SPECIAL,
    TAKEN,
)
from services.signals import servicing
from services.signals.amortisation import DateArray

_STATUSES: Final = {"2": DELINQUENT, "3": DELINQUENT, "4": MATURED, "5": MATURED}
_WORKOUTS: Final = {
    **dict.fromkeys(("3", "5", "9", "13"), SPECIAL),
    **dict.fromkeys(("1", "4"), MODIFIED),
    **dict.fromkeys((FORECLOSURE, "10"), IN_FORECLOSURE),
    REO: TAKEN,
    "6": LOSS,
}
#: A modification that does not say what it changed.
OTHER_CHANGE: Final = OTHER_MODIFICATION
#: Columns of LOANS that are read here.
READ: Final = (
    *("payment_status", "workout", "modification", "modified_on", "special_servicing_since"),
    *("special_servicing_returned", "maturity_date", "book_value", "defeasance"),
    *("disposition", "realized_loss"),
)


def distress(loan: Mapping[str, Any], as_of: date) -> tuple[str, ...]:
    """What kinds of distress a row of LOANS shows as of a date, in order of DEFINITION."""
    found = {_STATUSES.get(loan["payment_status"]), _WORKOUTS.get(loan["workout"])}
    if loan["modification"] in servicing.CHANGES and servicing.recent(
        as_of, _days(loan, "modified_on")
    ):
        found.add(MODIFIED)
    if in_special_servicing(loan):
        found.add(SPECIAL)
    matures = loan["maturity_date"]
    if matures is not None and matures < as_of and loan["book_value"]:
        found.add(MATURED)
    if lost(loan["disposition"], loan["realized_loss"]):
        found.add(LOSS)
    return tuple(kind for kind in DEFINITION if kind in found)


def in_special_servicing(loan: Mapping[str, Any]) -> bool:
    """Whether it was transferred, and has not returned since."""
    stay = (_days(loan, f"special_servicing_{end}") for end in ("since", "returned"))
    return bool(servicing.in_special_servicing(*stay)[0])


def _days(loan: Mapping[str, Any], name: str) -> DateArray:
    return np.array([loan[name]], "datetime64[D]")


def defeased(loan: Mapping[str, Any]) -> bool:
    """Whether Treasuries pay the loan, so that it can become distressed no more."""
    return bool(loan["defeasance"] == FULL_DEFEASANCE)


def ended(loan: Mapping[str, Any]) -> bool:
    """Whether nothing is owed any more, however that came."""
    return has_ended(loan["disposition"], loan["book_value"])


def paid_off(loan: Mapping[str, Any]) -> bool:
    """Whether it was repaid in full, as the source says."""
    return loan["disposition"] in PAID_OFF

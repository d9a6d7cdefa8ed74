"""Lists of codes by the names that rules of importers give them."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from services.contract.schedule_al import (
    ACCRUAL_METHODS,
    DEFEASANCES,
    MODIFICATION_CODES,
    PAYMENT_STATUSES,
    PAYMENT_TYPES,
    RATE_INDEXES,
    RATE_TYPES,
    STRUCTURES,
    WORKOUTS,
)

#: Those of services/contract/schedule_al.py, and those of codes.toml, which no loan carries as a
#: fact of its own.
LISTS: Final[Mapping[str, Mapping[str, str]]] = {
    "accrual": ACCRUAL_METHODS,
    "arm_index": RATE_INDEXES,
    "defeasance": DEFEASANCES,
    "modification": MODIFICATION_CODES,
    "payment_status": PAYMENT_STATUSES,
    "payment_type": PAYMENT_TYPES,
    "rate_type": RATE_TYPES,
    "structure": STRUCTURES,
    "workout": WORKOUTS,
    **tomllib.loads(Path(__file__).with_name("codes.toml").read_text(encoding="utf-8"))["codes"],
}

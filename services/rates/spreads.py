"""Sizing defaults by property type: what a new lender would ask for, from spreads.toml."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from services.contract.schedule_al import PROPERTY_TYPES

_DATA: Final = tomllib.loads(
    files("services.rates").joinpath("spreads.toml").read_text(encoding="utf-8")
)
#: Version of the table, printed beside figures that rest on it.
VERSION: Final[int] = _DATA["version"]


@dataclass(frozen=True, slots=True)
class Sizing:
    """What a lender asks of one property type (signals.md, "Sizing defaults")."""

    #: NOI / debt, percent figure: 8.0 is 8 %.
    min_debt_yield_pct: float
    #: Net cash flow / debt service.
    min_dscr: float
    #: Over the reference rate of the loan's tenor, basis points.
    spread_bp: float
    #: Amortisation of the new loan.
    amortisation_years: int


_DEFAULT: Final = Sizing(**_DATA["default"])
_BY_TYPE: Final = {word: Sizing(**row) for word, row in _DATA["types"].items()}

#: Property type words that have an entry of their own; the others take the default.
KNOWN_TYPES: Final = frozenset(_BY_TYPE) & frozenset(PROPERTY_TYPES.values())


def sizing_of(property_type: str) -> Sizing:
    """Sizing defaults of a canonical property type word.

    "other", "securities" and words that the vocabulary does not have (D2) take the default row.
    """
    return _BY_TYPE.get(property_type.strip().lower(), _DEFAULT)

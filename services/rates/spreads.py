"""Sizing defaults by property type: what a new lender would ask for, from spreads.toml.

A user may name a file of their own, of the same shape.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Self

from services.contract.errors import SettingsInvalid
from services.contract.schedule_al import PROPERTY_TYPES

_MAX_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Sizing:
    """What a lender asks of one property type."""

    #: NOI / debt, percent figure: 8.0 is 8 %.
    min_debt_yield_pct: float
    #: Net cash flow / debt service.
    min_dscr: float
    #: Debt / appraised value, fraction.
    max_ltv: float
    #: Over the reference rate of the loan's tenor, basis points.
    spread_bp: float
    #: Amortisation of the new loan.
    amortisation_years: int


#: What a figure of a sizing may be: at least, at most.
_BOUNDS: Final = {
    "min_debt_yield_pct": (0.1, 100),
    "min_dscr": (0.1, 10),
    "max_ltv": (0.01, 2),
    "spread_bp": (-500, 3_000),
    "amortisation_years": (1, 50),
}


@dataclass(frozen=True, slots=True, eq=False)
class Sizings:
    """The table of one file."""

    #: Printed beside figures that rest on it.
    version: int
    default: Sizing
    by_type: Mapping[str, Sizing]

    @classmethod
    def packaged(cls) -> Self:
        """The table that ships with the program."""
        text = files("services.rates").joinpath("spreads.toml").read_text(encoding="utf-8")
        return cls._parsed(text, "spreads.toml")

    @classmethod
    def read(cls, path: Path) -> Self:
        """A user's table. Raises SettingsInvalid naming line and reason."""
        try:
            data = path.read_bytes()
            text = data[:_MAX_BYTES].decode("utf-8")
        except OSError as error:
            reason = error.strerror or "it cannot be opened"
            raise SettingsInvalid(f"Spreads {path.name} do not read: {reason}") from None
        except UnicodeDecodeError:
            raise SettingsInvalid(f"Spreads {path.name} are not UTF-8 text") from None
        return cls._parsed(text, path.name)

    @classmethod
    def _parsed(cls, text: str, name: str) -> Self:
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise SettingsInvalid(f"Spreads {name} are not TOML: {error}") from None
        if not isinstance(document.get("version"), int):
            raise SettingsInvalid(f"{name}, line 1: version must be a whole number")
        default = _sizing(document.get("default"), "default", text, name)
        kinds = document.get("types", {})
        for kind in kinds:
            if kind not in PROPERTY_TYPES.values():
                raise _refused(text, name, kind, "is no property type")
        return cls(
            document["version"],
            default,
            {kind: _sizing(row, kind, text, name) for kind, row in kinds.items()},
        )

    def of(self, property_type: str) -> Sizing:
        """Sizing defaults of a canonical property type word; others take the default row."""
        return self.by_type.get(property_type.strip().lower(), self.default)


def _sizing(row: Any, kind: str, text: str, name: str) -> Sizing:  # noqa: ANN401 - TOML's own
    if not isinstance(row, Mapping):
        raise _refused(text, name, kind, "is missing")
    names = [one.name for one in fields(Sizing)]
    for key in (*names, *row):
        if key not in names:
            raise _refused(text, name, key, "is not known", kind)
        value = row.get(key)
        low, high = _BOUNDS[key]
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise _refused(text, name, key, "must be a number", kind)
        if not low <= value <= high:
            raise _refused(text, name, key, f"is {value:g} but must lie from {low} to {high}", kind)
    return Sizing(**row)


def _refused(text: str, name: str, key: str, reason: str, kind: str = "") -> SettingsInvalid:
    lines = text.splitlines()
    start = next((at for at, one in enumerate(lines) if kind and kind in one), 0)
    line = next((at for at, one in enumerate(lines[start:], start + 1) if key in one), start + 1)
    of = f" of {kind}" if kind else ""
    return SettingsInvalid(f"{name}, line {line}: {key}{of} {reason}")


PACKAGED: Final = Sizings.packaged()


def sizing_of(property_type: str) -> Sizing:
    """The packaged sizing defaults of a canonical property type word."""
    return PACKAGED.of(property_type)

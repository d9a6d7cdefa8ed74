"""LenderTerms defaults by property type: what a new lender would ask for, from spreads.toml.

A user may name a file of their own, of the same shape.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

from services.contract.loan_figures import LenderTerms
from services.contract.schedule_al import PROPERTY_TYPES
from services.rates.toml_file import TomlFile

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

    #: "packaged", or the name of the user's file.
    origin: str
    #: Printed beside figures that rest on it.
    version: int
    default: LenderTerms
    by_type: Mapping[str, LenderTerms]
    #: The file itself.
    text: str

    @classmethod
    def packaged(cls) -> Self:
        """The table that ships with the program."""
        return cls._of(TomlFile.packaged("Spreads", "services.rates", "spreads.toml"))

    @classmethod
    def read(cls, path: Path) -> Self:
        """A user's table, of the same shape. Raises SettingsInvalid naming line and reason."""
        return cls._of(TomlFile.read("Spreads", path))

    @classmethod
    def parsed(cls, text: str) -> Self:
        """A table that a snapshot has kept. Raises SettingsInvalid."""
        return cls._of(TomlFile("Spreads", "of the snapshot", text))

    @classmethod
    def _of(cls, file: TomlFile) -> Self:
        content = file.content()
        version = file.version_of(content)
        for key in content:
            if key not in {"version", "default", "types"}:
                raise file.refused((key,), "is not known")
        kinds = content.get("types", {})
        if not isinstance(kinds, Mapping):
            raise file.refused(("types",), "must be a table for each property type")
        for kind in kinds:
            if kind not in PROPERTY_TYPES.values():
                raise file.refused(("types", kind), "is no property type")
        return cls(
            file.origin,
            version,
            _sizing(file, ("default",), content.get("default")),
            {kind: _sizing(file, ("types", kind), row) for kind, row in kinds.items()},
            file.text,
        )

    def of(self, property_type: str) -> LenderTerms:
        """LenderTerms defaults of a canonical property type word; others take the default row."""
        return self.by_type.get(property_type.strip().lower(), self.default)


def _sizing(file: TomlFile, path: tuple[str, ...], row: Any) -> LenderTerms:  # noqa: ANN401 - TOML's own
    if not isinstance(row, Mapping):
        raise file.refused(path, "must be a table of figures")
    names = [one.name for one in fields(LenderTerms)]
    for key in row:
        if key not in names:
            raise file.refused((*path, key), "is not known")
    for key in names:
        if key not in row:
            raise file.refused((*path, key), "is missing; copy it from the packaged spreads.toml")
        low, high = _BOUNDS[key]
        value = row[key]
        whole = key == "amortisation_years"
        if not isinstance(value, int if whole else int | float) or isinstance(value, bool):
            kind = "whole number" if whole else "number"
            raise file.refused((*path, key), f"is {value!r} but must be a {kind}")
        if not low <= value <= high:
            raise file.refused((*path, key), f"is {value:g} but must lie from {low:g} to {high:g}")
    return LenderTerms(**row)

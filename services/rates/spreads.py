"""LenderTerms defaults by property type: what a new lender would ask for, from spreads.toml.

Spreads have a date: those of the date nearest to the as-of date are used. A user may name a file of
their own, of the same shape; one without dates serves every day.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, Self

from services.contract.loan_figures import LenderTerms
from services.contract.months import months_after, months_apart
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.snapshot_info import SpreadsUsed
from services.rates.toml_file import TomlFile

#: What a figure of a sizing may be: at least, at most.
_BOUNDS: Final = {
    "min_debt_yield_pct": (0.1, 100),
    "min_dscr": (0.1, 10),
    "max_ltv": (0.01, 2),
    "spread_bp": (-500, 3_000),
    "amortisation_years": (1, 50),
}


#: Months between spreads and the as-of date beyond which they do not fit it.
_FIT_MONTHS: Final = 18
_KEYS: Final = {"version", "spreads_of", "fitted", "default", "types", "spreads"}


@dataclass(frozen=True, slots=True, eq=False)
class _Spreads:
    """Spreads of one date in basis points, and what they were fitted to."""

    day: date
    fitted: str
    default: float
    by_type: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Sizings:
    """The table of one file, with the spreads of one date."""

    #: "packaged", or the name of the user's file.
    origin: str
    #: Printed beside figures that rest on it.
    version: int
    default: LenderTerms
    by_type: Mapping[str, LenderTerms]
    #: The file itself.
    text: str
    #: Its spreads by date, the oldest first; none where the file gives no dates.
    dated: tuple[_Spreads, ...] = ()
    #: Which of them stand in `default` and `by_type`; None without dates.
    used: SpreadsUsed | None = None

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
            if key not in _KEYS:
                raise file.refused((key,), "is not known")
        kinds = content.get("types", {})
        if not isinstance(kinds, Mapping):
            raise file.refused(("types",), "must be a table for each property type")
        for kind in kinds:
            if kind not in PROPERTY_TYPES.values():
                raise file.refused(("types", kind), "is no property type")
        default = _sizing(file, ("default",), content.get("default"))
        by_type = {kind: _sizing(file, ("types", kind), row) for kind, row in kinds.items()}
        dated = sorted(_dated(file, content, default, by_type), key=lambda one: one.day)
        found = cls(file.origin, version, default, by_type, file.text, tuple(dated))
        own = content.get("spreads_of")
        return found if own is None else replace(found, used=_used(dated, own, own))

    def on(self, day: date) -> "Sizings":
        """The same with the spreads of the date nearest to `day`, the later of two as near."""
        if not self.dated:
            return self
        nearest = min(self.dated, key=lambda one: (abs((one.day - day).days), day >= one.day))
        rows = {
            kind: replace(row, spread_bp=nearest.by_type.get(kind, nearest.default))
            for kind, row in self.by_type.items()
        }
        return replace(
            self,
            default=replace(self.default, spread_bp=nearest.default),
            by_type=rows,
            used=_used(self.dated, nearest.day, day),
        )

    def of(self, property_type: str) -> LenderTerms:
        """LenderTerms defaults of a canonical property type word; others take the default row."""
        return self.by_type.get(property_type.strip().lower(), self.default)


def _used(dated: Sequence[_Spreads], of: date, day: date) -> SpreadsUsed:
    fitted = next(one.fitted for one in dated if one.day == of)
    fits = max(of, day) <= months_after(min(of, day), _FIT_MONTHS)
    return SpreadsUsed(
        day=of, fitted=fitted, months_off=months_apart(of, day), fits=fits, as_of=day
    )


def _dated(
    file: TomlFile,
    content: Mapping[str, Any],
    default: LenderTerms,
    by_type: Mapping[str, LenderTerms],
) -> Iterator[_Spreads]:
    """The rows' own spreads, where they have a date, and those of further dates."""
    further, own = content.get("spreads", {}), content.get("spreads_of")
    if not isinstance(further, Mapping):
        raise file.refused(("spreads",), "must be a table for each date")
    if own is None:
        if further:
            raise file.refused(("spreads_of",), "is missing: the date of spread_bp in the rows")
        return
    if not isinstance(own, date) or isinstance(own, datetime):
        raise file.refused(("spreads_of",), f"is {own!r} but must be a date such as 2025-12-31")
    bp = {kind: row.spread_bp for kind, row in by_type.items()}
    yield _Spreads(own, _fitted(file, ("fitted",), content), default.spread_bp, bp)
    for text, row in further.items():
        found = _of_a_date(file, ("spreads", text), row, by_type)
        if found.day == own:
            raise file.refused(("spreads", text), "is the date of spreads_of too; keep one")
        yield found


def _of_a_date(
    file: TomlFile,
    path: tuple[str, str],
    row: Any,  # noqa: ANN401 - TOML's own
    by_type: Mapping[str, LenderTerms],
) -> _Spreads:
    """The table of one further date."""
    try:
        day = date.fromisoformat(path[1])
    except ValueError:
        raise file.refused(path, "is not a date such as 2017-09-30") from None
    if not isinstance(row, Mapping):
        raise file.refused(path, "must be a table of figures")
    if "default" not in row:
        raise file.refused((*path, "default"), "is missing; it serves types without a spread")
    for kind in row:
        if kind not in {"fitted", "default", *by_type}:
            raise file.refused((*path, kind), "is not known; [types] has no such row")
    bp = {
        kind: _figure(file, (*path, kind), "spread_bp", value)
        for kind, value in row.items()
        if kind != "fitted"
    }
    return _Spreads(day, _fitted(file, (*path, "fitted"), row), bp.pop("default"), bp)


def _fitted(file: TomlFile, path: tuple[str, ...], row: Mapping[str, Any]) -> str:
    said = row.get("fitted", "")
    if not isinstance(said, str) or not said.strip():
        raise file.refused(path, "is missing; say in a few words what the spreads were fitted to")
    return said.strip()


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
        _figure(file, (*path, key), key, row[key])
    return LenderTerms(**row)


def _figure(file: TomlFile, path: tuple[str, ...], key: str, value: Any) -> float:  # noqa: ANN401 - TOML's own
    """A figure within what its kind may be."""
    low, high = _BOUNDS[key]
    whole = key == "amortisation_years"
    if not isinstance(value, int if whole else int | float) or isinstance(value, bool):
        kind = "whole number" if whole else "number"
        raise file.refused(path, f"is {value!r} but must be a {kind}")
    if not low <= value <= high:
        raise file.refused(path, f"is {value:g} but must lie from {low:g} to {high:g}")
    return value

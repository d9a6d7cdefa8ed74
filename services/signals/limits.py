"""The limits of limits.toml, or of a file of your own: operator and figure of each severity."""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.vocabulary import GRADED, SEVERITIES
from services.rates.toml_file import TomlFile

#: Severities that emit a signal, mildest first (D24: `low` emits none).
_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
_LIMIT: Final = re.compile(r"(<=|>=|<|>) (-?\d+(?:\.\d+)?)")
#: Tables of codes: a user may name others of Schedule AL than we do.
_CODES: Final = {"payment_status", "workout"}
#: Figures of one table that must not fall from one to the next.
_RISING: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = {
    ("part_year",): ("elevated", "severe"),
    ("RP-1", "urgency"): ("full_to_months", "one_step_to_months", "two_steps_to_months"),
    ("RG-1", "window"): ("critical", "severe", "all"),
    ("OC-1", "levels"): ("elevated", "moderate"),
}
#: Beyond any months, points or ratio.
_MOST: Final = 1e6
_COPY: Final = "is missing; copy it from the packaged limits.toml"


@dataclass(frozen=True, slots=True)
class Limit:
    """One threshold, e.g. `>= 200`."""

    sign: str
    #: In the rule's unit; with `Ladder.relative_to`, an offset from that figure.
    figure: float

    def passed(
        self, measure: NDArray[np.float64], figure: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Where `measure` stands beyond `figure`; NaN never does."""
        beyond: NDArray[np.bool_] = _OPERATORS[self.sign](measure, figure)
        return beyond

    def holds(self, value: float) -> bool:
        """Whether one value stands beyond the limit."""
        return bool(_OPERATORS[self.sign](value, self.figure))


@dataclass(frozen=True, slots=True)
class Ladder:
    """The limits of one rule by severity, mildest first; not every rule reaches every one."""

    #: "bp", "x", "months", "percent", "fraction", "points" or "code".
    unit: str
    limits: Mapping[str, Limit]
    #: Property type -> the severities whose limit differs for it (same operator).
    by_type: Mapping[str, Mapping[str, Limit]]
    #: Name of the feature that limits are offsets from.
    relative_to: str | None
    #: Of the file that the limits stand in.
    version: int

    def by_types(self, severity: str) -> tuple[dict[str, float], float]:
        """The figures of the types that have their own, and the general one."""
        own = {w: row[severity].figure for w, row in self.by_type.items() if severity in row}
        return own, self.limits[severity].figure


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """All limits of one file."""

    #: "packaged", or the name of the user's file.
    origin: str
    version: int
    sections: Mapping[str, Mapping[str, Any]]
    ladders: Mapping[str, Ladder]
    #: Schedule AL code -> rank in SEVERITIES.
    payment_ranks: Mapping[str, float]
    workout_ranks: Mapping[str, float]
    #: Of a modification: `recent`, and `before` that or undated.
    modification_ranks: Mapping[str, float]
    special_servicing_rank: float
    #: Severity -> months of income under which nothing that rests on it is worse.
    part_year: Mapping[str, float]
    #: The file itself.
    text: str

    @classmethod
    def packaged(cls) -> Self:
        """The file that ships with the program."""
        return cls._of(_shipped())

    @classmethod
    def read(cls, path: Path) -> Self:
        """A user's file, of the same shape. Raises SettingsInvalid naming line and reason."""
        return cls._of(TomlFile.read("Limits", path))

    @classmethod
    def parsed(cls, text: str) -> Self:
        """A file that a snapshot has kept. Raises SettingsInvalid."""
        return cls._of(TomlFile("Limits", "of the snapshot", text))

    @classmethod
    def _of(cls, file: TomlFile) -> Self:
        sections = file.content()
        version = file.version_of(sections)
        _check(file, sections)
        del sections["version"]
        part_year = sections.pop("part_year")
        status = {
            name: _ranks(codes) for name, codes in sections["ST-1"].items() if name in _TABLES
        }
        return cls(
            origin=file.origin,
            version=version,
            sections=sections,
            ladders={rule: _ladder(section, version) for rule, section in sections.items()},
            payment_ranks=status["payment_status"],
            workout_ranks=status["workout"],
            modification_ranks=status["modification"],
            special_servicing_rank=status["special_servicing"]["transferred"],
            part_year=part_year,
            text=file.text,
        )

    def number(self, rule: str, table: str, key: str) -> float:
        """A figure beside a rule's ladder."""
        return float(self.sections[rule][table][key])


_TABLES: Final = _CODES | {"modification", "special_servicing"}


def _shipped() -> TomlFile:
    return TomlFile.packaged("Limits", "services.signals", "limits.toml")


def _ranks(codes: Mapping[str, str]) -> dict[str, float]:
    return {code: float(SEVERITIES.index(severity)) for code, severity in codes.items()}


def _ladder(section: Mapping[str, Any], version: int) -> Ladder:
    types = section.get("types", {})
    by_type = {kind: _limits(row) for kind, row in types.items()}
    return Ladder(section["unit"], _limits(section), by_type, section.get("relative_to"), version)


def _limits(section: Mapping[str, Any]) -> dict[str, Limit]:
    return {word: _limit(section[word]) for word in GRADED if word in section}


def _limit(written: str) -> Limit:
    """Of a text that reads like one. Raises ValueError."""
    found = _LIMIT.fullmatch(written) if isinstance(written, str) else None
    if found is None:
        raise ValueError(f'is {written!r} but must read like ">= 200"')
    return Limit(found[1], float(found[2]))


def _check(file: TomlFile, sections: Mapping[str, Any]) -> None:
    """Checks shape against the packaged file, and values. Raises SettingsInvalid."""
    shipped = _shipped().content()
    _same_names(file, (), sections, shipped)
    part_year = _table(file, ("part_year",), sections["part_year"])
    _check_figures(file, ("part_year",), part_year, shipped["part_year"])
    for rule, ours in shipped.items():
        if rule in {"version", "part_year"}:
            continue
        section = _table(file, (rule,), sections.get(rule))
        fixed = {key: value for key, value in ours.items() if key not in (*GRADED, "types")}
        named = {key: value for key, value in section.items() if key not in (*GRADED, "types")}
        _same_names(file, (rule,), named, fixed)
        for key, value in fixed.items():
            if isinstance(value, str):
                _check_text(file, (rule, key), section[key], value)
            elif rule == "ST-1":
                _check_codes(file, (rule, key), _table(file, (rule, key), section[key]), value)
            else:
                _check_figures(file, (rule, key), _table(file, (rule, key), section[key]), value)
        _check_ladder(file, rule, section, ours)


def _same_names(
    file: TomlFile, path: tuple[str, ...], given: Mapping[str, Any], ours: Mapping[str, Any]
) -> None:
    for key in given:
        if key not in ours:
            raise file.refused((*path, key), "is not known")
    for key in ours:
        if key not in given:
            raise file.refused((*path, key), _COPY)


def _table(file: TomlFile, path: tuple[str, ...], given: object) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise file.refused(path, "must be a table of entries")
    return given


def _check_text(file: TomlFile, path: tuple[str, ...], given: object, ours: str) -> None:
    if given != ours:
        raise file.refused(path, f'must stay "{ours}"')


def _check_codes(
    file: TomlFile, path: tuple[str, ...], given: Mapping[str, Any], ours: Mapping[str, Any]
) -> None:
    if path[-1] not in _CODES:
        _same_names(file, path, given, ours)
    for code, severity in given.items():
        if severity not in SEVERITIES:
            raise file.refused((*path, code), f"must be one of {', '.join(SEVERITIES)}")


def _check_figures(
    file: TomlFile, path: tuple[str, ...], given: Mapping[str, Any], ours: Mapping[str, Any]
) -> None:
    _same_names(file, path, given, ours)
    for key, value in given.items():
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < _MOST:
            raise file.refused((*path, key), f"is {value!r} but must be a number from 0")
    for low, high in pairwise(_RISING.get(path, ())):
        if given[high] < given[low]:
            raise file.refused((*path, high), f"is {given[high]:g}, under {low} of {given[low]:g}")


def _check_ladder(
    file: TomlFile, rule: str, section: Mapping[str, Any], ours: Mapping[str, Any]
) -> None:
    limits = _check_limits(file, (rule,), section, ours)
    if not limits:
        raise file.refused((rule,), f"needs a limit for one of {', '.join(GRADED)}")
    for kind, row in _table(file, (rule, "types"), section.get("types", {})).items():
        path = (rule, "types", kind)
        if kind not in PROPERTY_TYPES.values():
            raise file.refused(path, "is no property type")
        for word in _table(file, path, row):
            if word not in limits:
                raise file.refused((*path, word), f"is no severity of {rule}")
        own = _check_limits(file, path, row, ours)
        for word, limit in own.items():
            if limit.sign != limits[word].sign:
                raise file.refused((*path, word), f"has another operator than {rule}.{word}")
        _check_order(file, path, {**limits, **own})
    _check_order(file, (rule,), limits)


def _check_limits(
    file: TomlFile, path: tuple[str, ...], section: Mapping[str, Any], ours: Mapping[str, Any]
) -> dict[str, Limit]:
    """The limits of one section, each in the direction of the packaged ones."""
    found = {}
    shipped = _limits(ours)
    direction = next(iter(shipped.values())).sign[0]
    for word in (word for word in GRADED if word in section):
        try:
            limit = _limit(section[word])
        except ValueError as error:
            raise file.refused((*path, word), str(error)) from None
        if limit.sign[0] != direction:
            raise file.refused((*path, word), f'must begin with "{direction}", as ours does')
        if ours["unit"] == "code" and limit != shipped.get(word):
            raise file.refused((*path, word), "is a rank and stays as in the packaged limits.toml")
        found[word] = limit
    return found


def _check_order(file: TomlFile, path: tuple[str, ...], limits: Mapping[str, Limit]) -> None:
    """A worse severity is never easier to reach than a milder one."""
    listed = [word for word in GRADED if word in limits]
    for mild, word in pairwise(listed):
        first, limit = limits[mild], limits[word]
        least, most = sorted((first.figure, limit.figure))
        if limit.figure != (most if limit.sign[0] == ">" else least):
            raise file.refused((*path, word), f"is easier to reach than {mild}")

"""The limits of limits.toml, or of a file of one's own: operator and figure of each severity."""

import operator
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from services.contract.errors import SettingsInvalid
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.vocabulary import SEVERITIES

#: Severities that emit a signal, mildest first (D24: `low` emits none).
GRADED: Final = SEVERITIES[1:]
UNITS: Final = ("bp", "x", "months", "percent", "fraction", "points", "code")
_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
_LIMIT: Final = re.compile(r"(<=|>=|<|>) (-?\d+(?:\.\d+)?)")
_MAX_BYTES: Final = 1024 * 1024


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

    #: One of UNITS.
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

    version: int
    sections: Mapping[str, Mapping[str, Any]]
    ladders: Mapping[str, Ladder]
    #: Schedule AL code -> rank in SEVERITIES.
    payment_ranks: Mapping[str, float]
    workout_ranks: Mapping[str, float]
    modification_ranks: Mapping[str, float]
    special_servicing_rank: float

    @classmethod
    def packaged(cls) -> Self:
        """The file that ships with the program."""
        text = files("services.signals").joinpath("limits.toml").read_text(encoding="utf-8")
        return cls._parsed(text, "limits.toml")

    @classmethod
    def read(cls, path: Path) -> Self:
        """A user's file, of the same shape. Raises SettingsInvalid naming line and reason."""
        return cls._parsed(text_of(path, "Limits"), path.name)

    @classmethod
    def _parsed(cls, text: str, name: str) -> Self:
        sections = parsed(text, "Limits", name)
        shipped = parsed(
            files("services.signals").joinpath("limits.toml").read_text(encoding="utf-8"), "", ""
        )
        _same_shape(sections, shipped, text, name)
        version = sections.pop("version")
        ladders = {
            rule: _ladder(section, rule, version, text, name) for rule, section in sections.items()
        }
        status = sections["ST-1"]
        return cls(
            version=version,
            sections=sections,
            ladders=ladders,
            payment_ranks=_ranks(status["payment_status"], text, name),
            workout_ranks=_ranks(status["workout"], text, name),
            modification_ranks=_ranks(status["modification"], text, name),
            special_servicing_rank=_ranks(status["special_servicing"], text, name)["transferred"],
        )

    def number(self, rule: str, table: str, key: str) -> float:
        """A figure beside a rule's ladder."""
        return float(self.sections[rule][table][key])


def text_of(path: Path, what: str) -> str:
    """The text of a user's file. Raises SettingsInvalid."""
    try:
        data = path.read_bytes()
        if len(data) > _MAX_BYTES:
            raise SettingsInvalid(f"{what} {path.name} is larger than 1 MiB; name another file")
        return data.decode("utf-8")
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise SettingsInvalid(f"{what} {path.name} does not read: {reason}") from None
    except UnicodeDecodeError:
        raise SettingsInvalid(f"{what} {path.name} is not UTF-8 text; save it as UTF-8") from None


def parsed(text: str, what: str, name: str) -> dict[str, Any]:
    """TOML. Raises SettingsInvalid naming the line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsInvalid(f"{what} {name} is not TOML: {error}") from None


def refused(text: str, name: str, key: str, reason: str) -> SettingsInvalid:
    """What is wrong with an entry of a user's file, and on which line."""
    bare = key.rsplit(".", 1)[-1].strip('"')
    lines = text.splitlines()
    line = next((at for at, one in enumerate(lines, 1) if bare in one.partition("#")[0]), 1)
    return SettingsInvalid(f"{name}, line {line}: {key} {reason}")


def _same_shape(
    given: Mapping[str, Any], shipped: Mapping[str, Any], text: str, name: str, path: str = ""
) -> None:
    """Every entry of ours is there, and none that we do not know; codes and types are free."""
    free = path.endswith(("payment_status", "workout", "modification", ".types"))
    for key, ours in shipped.items():
        here = f"{path}.{key}".lstrip(".")
        if key not in given:
            if free or key in GRADED:
                continue
            raise refused(text, name, here, "is missing; copy it from the packaged limits.toml")
        if isinstance(ours, Mapping) != isinstance(given[key], Mapping):
            raise refused(text, name, here, "is of another shape than in the packaged limits.toml")
        if isinstance(ours, Mapping):
            _same_shape(given[key], ours, text, name, here)
        elif isinstance(ours, int | float) and not _is_number(given[key]):
            raise refused(text, name, here, f"is {given[key]!r} but must be a number")
    for key, value in given.items():
        known = key in shipped or key in GRADED or (free and isinstance(value, str))
        if not known and not path.endswith(".types") and key != "types":
            raise refused(text, name, f"{path}.{key}".lstrip("."), "is not known")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _limit(written: object, key: str, text: str, name: str) -> Limit:
    found = _LIMIT.fullmatch(written) if isinstance(written, str) else None
    if not found:
        raise refused(text, name, key, f'is {written!r} but must read like ">= 200"')
    return Limit(found[1], float(found[2]))


def _ladder(section: Mapping[str, Any], rule: str, version: int, text: str, name: str) -> Ladder:
    if section["unit"] not in UNITS:
        raise refused(text, name, f"{rule}.unit", f"must be one of {', '.join(UNITS)}")
    limits = {
        word: _limit(section[word], f"{rule}.{word}", text, name)
        for word in GRADED
        if word in section
    }
    by_type: dict[str, dict[str, Limit]] = {}
    for kind, row in section.get("types", {}).items():
        if kind not in PROPERTY_TYPES.values():
            raise refused(text, name, f"{rule}.types.{kind}", "is no property type")
        by_type[kind] = {
            word: _limit(written, f"{rule}.types.{kind}.{word}", text, name)
            for word, written in row.items()
        }
        if any(
            word not in limits or limits[word].sign != own.sign
            for word, own in by_type[kind].items()
        ):
            raise refused(text, name, f"{rule}.types.{kind}", f"has another operator than {rule}")
    return Ladder(section["unit"], limits, by_type, section.get("relative_to"), version)


def _ranks(codes: Mapping[str, str], text: str, name: str) -> dict[str, float]:
    for code, severity in codes.items():
        if severity not in SEVERITIES:
            raise refused(text, name, code, f"must be one of {', '.join(SEVERITIES)}")
    return {code: float(SEVERITIES.index(severity)) for code, severity in codes.items()}

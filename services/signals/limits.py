"""The limits of limits.toml as objects: operator and figure of each severity, per property type."""

import operator
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.vocabulary import SEVERITIES

_DATA: Final[dict[str, Any]] = tomllib.loads(
    files("services.signals").joinpath("limits.toml").read_text(encoding="utf-8")
)
#: Version of the file, printed with every grade that rests on it.
VERSION: Final[int] = _DATA["version"]

#: Severities that emit a signal, mildest first (D24: `low` emits none).
GRADED: Final = SEVERITIES[1:]
#: Canonical property types; a row's type is its index here, -1 where it is missing.
TYPE_WORDS: Final = tuple(PROPERTY_TYPES.values())

_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


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
    """The limits of one rule, mildest severity first."""

    #: bp, x (times), months, percent, fraction, code.
    unit: str
    limits: Mapping[str, Limit]
    #: Property type -> the severities whose limit differs for it (same operator).
    by_type: Mapping[str, Mapping[str, Limit]]
    #: Name of the figure of services.rates.spreads.Sizing that limits are offsets from.
    relative_to: str | None
    #: Of the file that the limits stand in.
    version: int = VERSION

    def figures(self, severity: str) -> NDArray[np.float64]:
        """The figure for each of TYPE_WORDS, and last for a missing type (index -1)."""
        general = self.limits[severity]
        of_type = (self.by_type.get(word, {}).get(severity, general) for word in TYPE_WORDS)
        return np.array([*(limit.figure for limit in of_type), general.figure])


def _limit(text: str) -> Limit:
    sign, figure = text.split()
    if sign not in _OPERATORS:
        raise ValueError(f"limits.toml: {text!r} does not start with >, >=, < or <=")
    return Limit(sign, float(figure))


def ladder_of(rule: str) -> Ladder:
    """The ladder of a rule id. Raises ValueError where a type's operator is not the rule's."""
    section = _DATA[rule]
    limits = {severity: _limit(section[severity]) for severity in GRADED}
    by_type = {
        word: {severity: _limit(text) for severity, text in row.items()}
        for word, row in section.get("types", {}).items()
    }
    for word, row in by_type.items():
        if any(limits[severity].sign != limit.sign for severity, limit in row.items()):
            raise ValueError(f"limits.toml: {rule} of {word} has another operator than {rule}")
    return Ladder(section["unit"], limits, by_type, section.get("relative_to"))


def _ranks(codes: Mapping[str, str]) -> dict[str, float]:
    return {code: float(SEVERITIES.index(severity)) for code, severity in codes.items()}


#: RP-1: up to so many months before maturity the gap counts in full, and so many one step lower.
URGENCY_FULL_MONTHS: Final = float(_DATA["RP-1"]["urgency"]["full_to_months"])
URGENCY_ONE_STEP_MONTHS: Final = float(_DATA["RP-1"]["urgency"]["one_step_to_months"])
#: RP-4 looks at loans up to so many months before maturity, and past it.
WINDOW_MONTHS: Final = float(_DATA["RP-4"]["window"]["months_to_maturity"])
#: RP-4 is severe only with more leverage than this (fraction), or for these property types.
SEVERE_LTV_OVER: Final = float(_DATA["RP-4"]["severe_only"]["ltv_over"])
SEVERE_TYPES: Final = frozenset(_DATA["RP-4"]["severe_only"]["property_types"])
#: ST-1: Schedule AL code -> rank in SEVERITIES.
PAYMENT_RANKS: Final = _ranks(_DATA["ST-1"]["payment_status"])
WORKOUT_RANKS: Final = _ranks(_DATA["ST-1"]["workout"])
#: D22: implied over own debt service above which a record is a note of a larger loan.
NOTE_RATIO: Final = float(_DATA["partial-note"]["debt_service_ratio"])
#: D22: Schedule AL structure codes of notes.
NOTE_STRUCTURES: Final = frozenset(_DATA["partial-note"]["structures"])

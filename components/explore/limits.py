"""The limits of the rules that scored the snapshot, as lines of a chart.

A snapshot says its limits in words of its own ("under 1.25x"); what does not read as one figure
has no line. Limits that depend on the property type are drawn where one type is chosen.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from components.explore.figures import written
from services.contract.distributions import FIGURES, FigureName
from services.contract.loaded import RuleCard
from services.contract.loan_figures import LenderTerms

#: Figure -> the rule that reads it, and what the rule's figure is multiplied by to be ours: NI-1
#: counts by how much NOI has fallen.
_RULES: Final[dict[FigureName, tuple[str, int]]] = {
    "dscr": ("CV-1", 1),
    "ltv": ("LV-1", 1),
    "rate_gap_bp": ("RP-1", 1),
    "refinance_gap": ("RG-1", 1),
    "months_to_maturity": ("MT-1", 1),
    "noi_change": ("NI-1", -1),
    "debt_yield": ("DY-1", 1),
    "occupancy": ("OC-1", 1),
}
_FIGURE: Final = r"(-?[\d,]+(?:\.\d+)?)(?:x|%| bp| months)"
_LIMIT: Final = re.compile(rf"(at or )?(under|over) {_FIGURE}(?: \((.+)\))?")
#: "lodging, health care 1.20x", of types that have a limit of their own.
_OF_TYPES: Final = re.compile(rf"(.+) {_FIGURE}")
_OF_MINIMUM: Final = re.compile(
    rf"(at or )?(under) the minimum of the property type(?: less {_FIGURE})?"
)
#: OC-1: levels beside the fall since underwriting.
_LEVEL: Final = re.compile(rf"(\w+) (under) {_FIGURE}")


@dataclass(frozen=True, slots=True)
class Limit:
    """One line, and on which of its sides the rule fires."""

    at: float
    #: "CV-1 severe, critical: under 1.00x".
    label: str
    below: bool


@dataclass(frozen=True, slots=True)
class _Read:
    """One limit as a rule says it."""

    severity: str
    at: float
    #: "under", "at or over".
    side: str


def limits(
    figure: FigureName,
    rules: Iterable[RuleCard],
    kind: str | None = None,
    terms: LenderTerms | None = None,
) -> tuple[list[Limit], str]:
    """The limits of a figure, from the mildest severity on, and a sentence about those that have no
    line; none where no rule reads the figure. `kind` is the one property type that is chosen,
    `terms` what a lender asks of it.
    """
    rule, sign = _RULES.get(figure, ("", 1))
    card = next((one for one in rules if one.id == rule), None)
    if card is None:
        return [], ""
    if figure == "occupancy":
        found, said = list(_levels(card)), f"{rule} also counts the points lost since underwriting."
    elif figure == "debt_yield":
        found, said = _of_minimum(card, terms)
    else:
        found, said = list(_ladder(card, kind)), ""
        if kind is None and any(" (" in limit for _, limit in card.ladder):
            said = f"{rule} is stricter for some property types: choose one type to see its limits."
    return _lines(figure, rule, sign, found), said


def _lines(figure: FigureName, rule: str, sign: int, found: Iterable[_Read]) -> list[Limit]:
    places: dict[float, list[_Read]] = {}
    for one in found:
        at = sign * (one.at / 100 if FIGURES[figure].kind == "fraction" else one.at)
        places.setdefault(at, []).append(one)
    lines = []
    for at, listed in places.items():
        words = ", ".join(one.severity for one in listed)
        below = ("under" in listed[0].side) == (sign > 0)
        side = listed[0].side.replace("over", "under") if below else listed[0].side
        lines.append(Limit(at, f"{rule} {words}: {side} {written(figure, at)}", below))
    return lines


def _ladder(card: RuleCard, kind: str | None) -> Iterator[_Read]:
    for severity, limit in card.ladder:
        if read := _LIMIT.match(limit):
            at = _number(read[3])
            for part in (read[4] or "").split("; "):
                of_types = _OF_TYPES.fullmatch(part)
                if of_types and kind in of_types[1].split(", "):
                    at = _number(of_types[2])
            yield _Read(severity, at, _side(read))


def _levels(card: RuleCard) -> Iterator[_Read]:
    for severity, side, at in _LEVEL.findall(card.remark):
        yield _Read(severity, _number(at), side)


def _of_minimum(card: RuleCard, terms: LenderTerms | None) -> tuple[list[_Read], str]:
    """Limits that count from a type's minimum."""
    if terms is None:
        return [], f"{card.id} counts from a minimum by property type: choose one type to see it."
    return [
        _Read(severity, terms.min_debt_yield_pct - _number(read[3] or "0"), _side(read))
        for severity, limit in card.ladder
        if (read := _OF_MINIMUM.match(limit))
    ], ""


def _side(read: re.Match[str]) -> str:
    return f"{read[1] or ''}{read[2]}"


def _number(text: str) -> float:
    return float(text.replace(",", ""))

"""The limits of the rules that scored the snapshot, as lines of a chart.

Limits that depend on the property type are drawn where one type is chosen.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from components.explore.figures import label, written
from components.kit import severity
from services.contract.distributions import FigureName
from services.contract.loan_figures import LenderTerms
from services.contract.snapshot_info import RuleCard, RuleLimit

#: Figure -> the rule that reads it, and what the rule's figure is multiplied by to be ours: NI-1
#: counts by how much NOI has fallen.
_RULES: Final[dict[FigureName, tuple[str, int]]] = {
    "dscr": ("CV-1", 1),
    "ltv": ("LV-1", 1),
    "rate_gap_bp": ("RP-1", 1),
    "refinance_gap": ("RG-1", 1),
    "months_to_maturity": ("MT-1", 1),
    "noi_change": ("NI-1", -1),
    "underwritten_markup": ("UW-1", 1),
    "debt_yield": ("DY-1", 1),
    "occupancy": ("OC-1", 1),
}
_SIDES: Final = {"<": "under", "<=": "at or under", ">": "over", ">=": "at or over"}
_SIGNS: Final = {"<": "<", "<=": "≤", ">": ">", ">=": "≥"}
#: The same sign of a figure that is the rule's, turned round.
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Limit:
    """One line: on which of its sides the rule fires, and how severe that is."""

    at: float
    #: "CV-1 severe, critical: under 1.00x".
    label: str
    #: "◆⬢ <1.00x".
    mark: str


def in_words(figure: FigureName, limits: Iterable[Limit]) -> str:
    """What the lines of a figure are; empty where there are none."""
    said = "; ".join(one.label for one in limits)
    return f"Limits of {label(figure)}: {said}." if said else ""


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
    own = [one for one in card.limits if one.level == (figure == "occupancy")]
    if terms is None and any(one.of_minimum for one in own):
        return [], f"{rule} counts from a minimum by property type: choose one type to see it."
    said = ""
    if figure == "occupancy":
        said = f"{rule} also counts the points lost since underwriting."
    elif kind is None and any(one.property_types for one in own):
        said = f"{rule} is stricter for some property types: choose one type to see its limits."
    return _lines(figure, rule, sign, _in_force(own, kind), terms), said


def _in_force(limits: Iterable[RuleLimit], kind: str | None) -> Iterable[RuleLimit]:
    """One limit a severity: that of the type where it has its own."""
    found: dict[str, RuleLimit] = {}
    for one in limits:
        if not one.property_types or kind in one.property_types:
            found[one.severity] = one
    return found.values()


def _lines(
    figure: FigureName,
    rule: str,
    sign: int,
    limits: Iterable[RuleLimit],
    terms: LenderTerms | None,
) -> list[Limit]:
    places: dict[float, list[RuleLimit]] = {}
    for one in limits:
        minimum = terms.min_debt_yield_pct if terms and one.of_minimum else 0
        places.setdefault(sign * (minimum + one.figure), []).append(one)
    lines = []
    for at, listed in places.items():
        words = ", ".join(one.severity for one in listed)
        of = listed[0].sign if sign > 0 else _TURNED[listed[0].sign]
        value = written(figure, at)
        glyphs = "".join(severity.GLYPHS.get(one.severity, "") for one in listed)
        named = f"{rule} {words}: {_SIDES[of]} {value}"
        lines.append(Limit(at, named, f"{glyphs} {_SIGNS[of]}{value}"))
    return lines

"""One rule over all loans: severity, the limit that was passed, and why some are not testable."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.vocabulary import SEVERITIES
from services.signals.features import Features
from services.signals.limits import GRADED
from services.signals.rules import MISSING, Rule
from services.signals.whole_loan import BoolArray, FloatArray

#: Codes of `Grading.severity` besides the indexes of SEVERITIES, of which 0 (low) is silent.
NOT_APPLICABLE: Final = -1
NOT_TESTABLE: Final = -2


@dataclass(frozen=True, slots=True, eq=False)
class Grading:
    """Aligned to the loans."""

    rule: Rule
    #: Index in SEVERITIES, NOT_APPLICABLE or NOT_TESTABLE.
    severity: NDArray[np.int8]
    #: What the rule measured, in its unit.
    measure: FloatArray
    #: The limit of the worst severity passed, before urgency; NaN where none was.
    limit: FloatArray
    #: Why loans are not testable -> how many.
    reasons: dict[str, int]


def grade(rule: Rule, f: Features) -> Grading:
    """Grade every loan by one rule.

    A loan that owes nothing, or that the rule is not about, is not applicable; one that lacks an
    input is not testable and never graded (signals.md "Missing input").
    """
    measure = rule.measure(f)
    severity, limit = _worst_passed(rule, f, measure)
    if rule.steps_down is not None:
        severity = np.maximum(severity - rule.steps_down(f), 0).astype(np.int8)
    outside = f.paid_off if rule.applies is None else f.paid_off | ~rule.applies(f)
    untested, reasons = _untested(rule, f, outside)
    severity[untested] = NOT_TESTABLE
    severity[outside] = NOT_APPLICABLE
    return Grading(rule, severity, measure, limit, reasons)


def _worst_passed(
    rule: Rule, f: Features, measure: FloatArray
) -> tuple[NDArray[np.int8], FloatArray]:
    severity = np.zeros(len(measure), dtype=np.int8)
    limit = np.full(len(measure), np.nan)
    base = f.sizing(rule.ladder.relative_to) if rule.ladder.relative_to else None
    conditions = dict(rule.only_if)
    for word in GRADED:
        figure = rule.ladder.figures(word)[f.type_index]
        if base is not None:
            figure = base + figure
        passed = rule.ladder.limits[word].passed(measure, figure)
        if word in conditions:
            passed &= conditions[word](f)
        severity[passed] = SEVERITIES.index(word)
        np.copyto(limit, figure, where=passed)
    return severity, limit


def _untested(rule: Rule, f: Features, outside: BoolArray) -> tuple[BoolArray, dict[str, int]]:
    """Loans that lack an input, counted by the first one that they lack."""
    untested = np.zeros(len(outside), dtype=np.bool_)
    reasons: dict[str, int] = {}
    for name in rule.reads:
        lacking = np.isnan(getattr(f, name)) & ~untested & ~outside
        if count := int(np.count_nonzero(lacking)):
            reasons[MISSING[name]] = count
            untested |= lacking
    return untested, reasons

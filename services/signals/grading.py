"""One rule over all loans: severity, the limit that was passed, and why some are not testable."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.vocabulary import GRADED, SEVERITIES
from services.signals.amortisation import BoolArray, FloatArray
from services.signals.rule import Rule, Scene, missing

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
    #: The limit of the worst severity passed, before any step; NaN where none was, and where what
    #: reached the severity is no limit (`Rule.also_if`).
    limit: FloatArray
    #: Loans that would be graded worse by the figure alone: their income is of a part of a year, or
    #: of before the loan (`Rule.of_income`), or they are held by `Rule.at_most`.
    held: BoolArray
    #: Why loans are not testable -> how many.
    reasons: dict[str, int]


def grade(rule: Rule, scene: Scene) -> Grading:
    """Grade every loan by one rule.

    A loan that owes nothing, that is defeased, or that the rule is not about, is not applicable;
    one that lacks an input is not testable and never graded.
    """
    measure = rule.measure(scene)
    severity, limit = _worst_passed(rule, scene, every=not rule.of_income)
    if rule.whatever_income is not None:
        apart, its_limit = _worst_passed(rule, rule.whatever_income(scene), every=True)
        np.copyto(limit, its_limit, where=apart > severity)
        severity = np.maximum(severity, apart)
    held = np.zeros(len(severity), dtype=np.bool_)
    if rule.of_income:
        held = _worst_passed(rule, scene, every=True)[0] > severity
    if rule.steps_down is not None:
        moved = np.clip(severity - rule.steps_down(scene), 0, len(SEVERITIES) - 1)
        severity = np.where(severity > 0, moved, 0).astype(np.int8)
    if rule.at_most is not None:
        word, holds = rule.at_most
        over = holds(scene) & (severity > SEVERITIES.index(word))
        severity[over] = SEVERITIES.index(word)
        held |= over
    outside = _outside(rule, scene)
    untested, reasons = _untested(rule, scene, outside)
    severity[untested] = NOT_TESTABLE
    severity[outside] = NOT_APPLICABLE
    return Grading(rule, severity, measure, limit, held, reasons)


def _outside(rule: Rule, scene: Scene) -> BoolArray:
    """Loans that a rule is not about."""
    features = scene.features
    outside = features.settled
    if rule.of_refinancing:
        outside = outside | features.repays_itself | features.reo
    if rule.applies is not None:
        outside = outside | ~rule.applies(scene)
    return outside


def _worst_passed(rule: Rule, scene: Scene, *, every: bool) -> tuple[NDArray[np.int8], FloatArray]:
    """The worst severity whose limit is passed, and that limit; without `every` only of those that
    the length of the income's period carries.
    """
    measure = rule.measure(scene)
    severity = np.zeros(len(measure), dtype=np.int8)
    limit = np.full(len(measure), np.nan)
    conditions, further = dict(rule.only_if), dict(rule.also_if)
    for word in GRADED:
        if word not in rule.ladder.limits:
            continue
        figure = scene.features.of_type(*rule.ladder.by_types(word))
        if rule.ladder.relative_to:
            figure = scene.feature(rule.ladder.relative_to) + figure
        passed = rule.ladder.limits[word].passed(measure, figure)
        if word in conditions:
            passed &= conditions[word](scene)
        if not every:
            passed &= scene.features.worst_by_income >= SEVERITIES.index(word)
        np.copyto(limit, figure, where=passed)
        if word in further:
            reached = further[word](scene)
            np.copyto(limit, np.nan, where=reached & ~passed)
            passed |= reached
        np.copyto(severity, np.int8(SEVERITIES.index(word)), where=passed)
    return severity, limit


def _untested(rule: Rule, scene: Scene, outside: BoolArray) -> tuple[BoolArray, dict[str, int]]:
    """Loans that lack an input, counted by the first one that they lack."""
    untested = np.zeros(len(outside), dtype=np.bool_)
    reasons: dict[str, int] = {}
    for name in rule.reads:
        lacking = np.isnan(scene.feature(name)) & ~untested & ~outside
        if count := int(np.count_nonzero(lacking)):
            reasons[missing(name)] = reasons.get(missing(name), 0) + count
            untested |= lacking
    return untested, reasons

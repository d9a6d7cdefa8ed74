"""Score a portfolio: features, signals, their components, and what could not be tested."""

from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from services.contract.vocabulary import SEVERITIES
from services.rates.reference import SERIES, Quote, ReferenceRates
from services.signals.cards import RuleCard, rule_cards
from services.signals.descriptions import ComponentReading, describe
from services.signals.features import Features, features
from services.signals.grading import NOT_APPLICABLE, NOT_TESTABLE, Grading, grade
from services.signals.limits import GRADED
from services.signals.rules import RULES
from services.signals.whole_loan import FloatArray

__all__ = [
    "ComponentReading",
    "RuleCard",
    "RuleCoverage",
    "Scored",
    "describe",
    "evaluate",
    "rule_cards",
]

#: Rules in the order in which a loan's components are listed.
_ORDERED: Final = tuple(sorted(RULES, key=lambda rule: (rule.signal_type, rule.id)))
_TYPES: Final = sorted({rule.signal_type for rule in RULES})


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """What one rule did with each loan; the counts sum to the number of loans."""

    rule: str
    #: Severity -> loans, mildest first; without `low`, which is silent (D24).
    fired: dict[str, int]
    silent: int
    #: Paid off, or outside what the rule is about (RP-4: the window before maturity).
    not_applicable: int
    not_testable: int
    #: Why loans are not testable -> how many; sums to `not_testable`.
    reasons: dict[str, int]


@dataclass(frozen=True, slots=True)
class Scored:
    """What `evaluate` found. Word columns are dictionary-encoded strings."""

    as_of: date
    #: Aligned to the loans: rate_pressure (null: not testable), reference_series, refi_rate and
    #: debt_yield (percent), rate_gap_bp, months_to_maturity, whole_loan_debt (whole dollars),
    #: whole_loan_basis ("derived", null as reported), partial_note, ltv (fraction), proforma_dscr.
    features: pa.Table
    #: loan (row), signal_type, severity; one per loan and type (D24), in that order.
    signals: pa.Table
    #: loan (row), signal_type, rule, severity, value, limit (null for codes); in that order.
    components: pa.Table
    #: One entry a rule, in the order of RULES.
    coverage: list[RuleCoverage]
    #: Treasury series -> the quote that refi rates rest on (D26).
    rates_used: dict[str, Quote]


def evaluate(loans: pa.Table, as_of: date, rates: ReferenceRates) -> Scored:
    """Grade `loans` (schema LOANS, contract/portfolio.py) by every rule as of a date (D26).

    Severity of a signal is that of its worst component; only components from moderate up are
    kept (D24). rate_pressure is RP-1 after urgency, `low` included (D25).
    """
    found = features(loans, as_of, rates)
    gradings = {rule.id: grade(rule, found) for rule in RULES}
    ordered = [gradings[rule.id] for rule in _ORDERED]
    return Scored(
        as_of=as_of,
        features=_feature_table(found, gradings["RP-1"]),
        signals=_signals(ordered),
        components=_components(ordered),
        coverage=[_coverage(gradings[rule.id]) for rule in RULES],
        rates_used=rates.refi_quotes(as_of),
    )


def _words(codes: NDArray[np.integer], words: list[str]) -> pa.DictionaryArray:
    """Words by index; null where the index is negative."""
    indices = pa.array(codes.astype(np.int8), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string()))


def _figures(array: FloatArray) -> pa.Array:
    """Float column with null for NaN."""
    return pa.array(array, type=pa.float64(), mask=np.isnan(array))


def _feature_table(f: Features, rate_gap: Grading) -> pa.Table:
    series = list(SERIES)
    codes = [series.index(quote.series) for quote in f.reference.quotes]
    reference = np.array([*codes, -1])[f.reference.code]
    unknown = np.isnan(f.whole_loan_debt)
    debt = np.where(unknown, 0, f.whole_loan_debt).astype(np.int64)
    return pa.table(
        {
            "rate_pressure": _words(rate_gap.severity, list(SEVERITIES)),
            "reference_series": _words(reference, series),
            "refi_rate": _figures(f.refi_rate),
            "rate_gap_bp": _figures(f.rate_gap_bp),
            "months_to_maturity": _figures(f.months_to_maturity),
            "whole_loan_debt": pa.array(debt, mask=unknown),
            "whole_loan_basis": _words(np.where(f.whole.derived, 0, -1), ["derived"]),
            "partial_note": pa.array(f.whole.partial_note),
            "ltv": _figures(f.ltv),
            "debt_yield": _figures(f.debt_yield),
            "proforma_dscr": _figures(f.proforma_dscr),
        }
    )


def _signals(ordered: list[Grading]) -> pa.Table:
    worst = [
        np.maximum.reduce([g.severity for g in ordered if g.rule.signal_type == signal_type])
        for signal_type in _TYPES
    ]
    # Row by row of (loans x types): ordered by loan, then type, without a sort.
    severity = np.stack(worst, axis=1)
    loan, kind = np.nonzero(severity > 0)
    return pa.table(
        {
            "loan": pa.array(loan.astype(np.int32)),
            "signal_type": _words(kind, _TYPES),
            "severity": _words(severity[loan, kind], list(SEVERITIES)),
        }
    )


def _components(ordered: list[Grading]) -> pa.Table:
    severity = np.stack([g.severity for g in ordered], axis=1)
    loan, column = np.nonzero(severity > 0)
    value = np.full(len(loan), np.nan)
    limit = np.full(len(loan), np.nan)
    for index, grading in enumerate(ordered):
        if grading.rule.ladder.unit == "code":  # a rank among codes is no figure to show
            continue
        rows = column == index
        value[rows] = grading.measure[loan[rows]]
        limit[rows] = grading.limit[loan[rows]]
    types = np.array([_TYPES.index(rule.signal_type) for rule in _ORDERED])
    return pa.table(
        {
            "loan": pa.array(loan.astype(np.int32)),
            "signal_type": _words(types[column], _TYPES),
            "rule": _words(column, [rule.id for rule in _ORDERED]),
            "severity": _words(severity[loan, column], list(SEVERITIES)),
            "value": _figures(value),
            "limit": _figures(limit),
        }
    )


def _coverage(grading: Grading) -> RuleCoverage:
    shifted = grading.severity.astype(np.int64) - NOT_TESTABLE
    counts = np.bincount(shifted, minlength=len(SEVERITIES) - NOT_TESTABLE).tolist()
    return RuleCoverage(
        rule=grading.rule.id,
        fired={word: counts[SEVERITIES.index(word) - NOT_TESTABLE] for word in GRADED},
        silent=counts[-NOT_TESTABLE],
        not_applicable=counts[NOT_APPLICABLE - NOT_TESTABLE],
        not_testable=counts[0],
        reasons=grading.reasons,
    )

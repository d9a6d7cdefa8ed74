"""Score a portfolio: features, signals, their components, and what could not be tested."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from services.contract.book import Scores, SourceScores
from services.contract.loaded import RateUsed, RuleCoverage
from services.contract.vocabulary import SEVERITIES
from services.rates.reference import SERIES, ReferenceRates
from services.signals.cards import rule_cards
from services.signals.descriptions import READ, descriptions
from services.signals.features import Features, features
from services.signals.grading import NOT_APPLICABLE, NOT_TESTABLE, Grading, grade
from services.signals.limits import GRADED
from services.signals.rules import RULES, Rule
from services.signals.whole_loan import FloatArray


def evaluate(
    loans: pa.Table, as_of: date, rates: ReferenceRates, rules: Sequence[Rule] = RULES
) -> Scores:
    """Grade `loans` (schema LOANS, contract/portfolio.py) by every rule as of a date (D26).

    Severity of a signal is that of its worst component; only components from moderate up are
    kept (D24). rate_pressure is RP-1 after urgency, `low` included (D25). Signals come by loan,
    then type, components by signal, then rule; their value and limit are null for codes.
    """
    found = features(loans, as_of, rates)
    gradings = [grade(rule, found) for rule in rules]
    # The order in which a loan's components are listed.
    ordered = sorted(gradings, key=lambda one: (one.rule.signal_type, one.rule.id))
    table = _feature_table(found, _rate_pressure(gradings, loans.num_rows))
    facts = _facts(loans, table).append_column("overdue_balance", [found.overdue_balance])
    said = descriptions(ordered, facts, as_of, rates.refi_quotes(as_of))
    signals, components = _signals(ordered, said)
    return Scores(
        features=table,
        signals=signals,
        components=components,
        coverage=tuple(_coverage(one) for one in gradings),
        rules=tuple(rule_cards(rules)),
        rates=_rates_used(rates, as_of),
    )


def as_scored(source: SourceScores, loans: pa.Table, as_of: date, rates: ReferenceRates) -> Scores:
    """What a source found on its own loans, beside the features that we compute of them (D44)."""
    return Scores(
        features=_feature_table(features(loans, as_of, rates), source.rate_pressure),
        signals=source.signals,
        components=source.components,
        rates=_rates_used(rates, as_of),
    )


def _rate_pressure(gradings: list[Grading], loans: int) -> pa.Array:
    """The severity of RP-1 on each loan (D25); null where it is not testable, or no rule at all."""
    for grading in gradings:
        if grading.rule.id == "RP-1":
            return _words(grading.severity, list(SEVERITIES))
    return pa.nulls(loans, pa.string())


def _rates_used(rates: ReferenceRates, as_of: date) -> tuple[RateUsed, ...]:
    return tuple(
        RateUsed(series=quote.series, day=quote.date, percent=quote.percent)
        for quote in rates.refi_quotes(as_of).values()
    )


def _facts(loans: pa.Table, found: pa.Table) -> pa.Table:
    """Every column that a sentence may read; those of the loans in one piece."""
    read = [name for name in loans.column_names if name in READ]
    table = loans.select(read).combine_chunks()
    for name in found.column_names:
        table = table.append_column(name, found[name])
    return table


def _words(codes: NDArray[np.integer], words: list[str]) -> pa.DictionaryArray:
    """Words by index; null where the index is negative."""
    indices = pa.array(codes.astype(np.int8), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string()))


def _numbers(codes: NDArray[np.integer], numbers: list[int]) -> pa.Array:
    """Whole numbers by index."""
    return pa.array(np.array(numbers, dtype=np.int16)[codes])


def _figures(array: FloatArray) -> pa.Array:
    """Float column with null for NaN."""
    return pa.array(array, type=pa.float64(), mask=np.isnan(array))


def _feature_table(f: Features, rate_pressure: pa.Array) -> pa.Table:
    """The features that are stored of each loan; rate_pressure is null where not testable."""
    series = list(SERIES)
    codes = [series.index(quote.series) for quote in f.reference.quotes]
    reference = np.array([*codes, -1])[f.reference.code]
    unknown = np.isnan(f.whole_loan_debt)
    debt = np.where(unknown, 0, f.whole_loan_debt).astype(np.int64)
    return pa.table(
        {
            "rate_pressure": rate_pressure,
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


def _signals(ordered: list[Grading], said: pa.ChunkedArray) -> tuple[pa.Table, pa.Table]:
    """The tables of signals and of their components."""
    types = sorted({one.rule.signal_type for one in ordered})
    kinds = np.array([types.index(one.rule.signal_type) for one in ordered])
    severity = np.stack([one.severity for one in ordered], axis=1)
    # Row by row of (loans x types): ordered by loan, then type, without a sort.
    worst = np.stack([severity[:, kinds == kind].max(axis=1) for kind in range(len(types))], axis=1)
    loan, kind = np.nonzero(worst > 0)
    signals = pa.table(
        {
            "loan": pa.array(loan.astype(np.int32)),
            "signal_type": _words(kind, types),
            "severity": _words(worst[loan, kind], list(SEVERITIES)),
            "description": said,
        }
    )
    number = np.full(worst.shape, -1, np.int32)
    number[loan, kind] = np.arange(len(loan))
    fired, column = np.nonzero(severity > 0)
    value, limit = _passed(ordered, fired, column)
    rules = [one.rule for one in ordered]
    components = pa.table(
        {
            "signal": pa.array(number[fired, kinds[column]]),
            "rule": _words(column, [rule.id for rule in rules]),
            "title": _words(column, [rule.title for rule in rules]),
            "rule_version": _numbers(column, [rule.version for rule in rules]),
            "limits_version": _numbers(column, [rule.ladder.version for rule in rules]),
            "severity": _words(severity[fired, column], list(SEVERITIES)),
            "value": _figures(value),
            "limit": _figures(limit),
        }
    )
    return signals, components


def _passed(
    ordered: list[Grading], loan: NDArray[np.intp], column: NDArray[np.intp]
) -> tuple[FloatArray, FloatArray]:
    """What each component measured, and the limit that it passed."""
    value, limit = np.full((2, len(loan)), np.nan)
    for index, grading in enumerate(ordered):
        if grading.rule.ladder.unit == "code":  # a rank among codes is no figure to show
            continue
        rows = column == index
        value[rows] = grading.measure[loan[rows]]
        limit[rows] = grading.limit[loan[rows]]
    return value, limit


def _coverage(grading: Grading) -> RuleCoverage:
    shifted = grading.severity.astype(np.int64) - NOT_TESTABLE
    counts = np.bincount(shifted, minlength=len(SEVERITIES) - NOT_TESTABLE).tolist()
    return RuleCoverage(
        rule=grading.rule.id,
        signal_type=grading.rule.signal_type,
        title=grading.rule.title,
        fired={word: counts[SEVERITIES.index(word) - NOT_TESTABLE] for word in GRADED},
        silent=counts[-NOT_TESTABLE],
        not_applicable=counts[NOT_APPLICABLE - NOT_TESTABLE],
        not_testable=counts[0],
        reasons=grading.reasons,
    )

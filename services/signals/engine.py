"""Score a book: features, signals, their components, and what could not be tested."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from services.contract.book import Scores, SourceScores
from services.contract.loan_figures import BOUND_BY
from services.contract.maturities import EXEMPT
from services.contract.portfolio import TABLES
from services.contract.snapshot_info import RateUsed, RuleCoverage, SpreadsUsed
from services.contract.vocabulary import GRADED, SERIES, SEVERITIES
from services.rates.spreads import Sizings
from services.signals.amortisation import BoolArray, DateArray, FloatArray
from services.signals.assumptions import Assumptions
from services.signals.book_rules import siblings
from services.signals.cards import rule_cards
from services.signals.descriptions import READ, descriptions
from services.signals.features import Features, features
from services.signals.grading import NOT_APPLICABLE, NOT_TESTABLE, Grading, grade
from services.signals.income_periods import income_is_stale
from services.signals.loan_columns import BEYOND_ANY_LOAN
from services.signals.maturity import AsOf, months_between
from services.signals.refinance_features import Inputs, rounded
from services.signals.rule import Rule, Scene
from services.signals.rules import rules
from services.signals.servicing import recent
from services.signals.sibling_names import sibling_names
from services.signals.watch_triggers import watch_triggers

_CONVENTIONS = ["amortising", "interest only"]
_WHOLE_LOAN_BASES = [
    "implied by underwriting",
    "senior part only, by underwriting",
    "implied by the debt service filed",
    "up to this junior note, by underwriting",
]


def evaluate(
    tables: Mapping[str, pa.Table],
    as_of: AsOf,
    assumptions: Assumptions,
    chosen: Sequence[Rule] | None = None,
) -> Scores:
    """Grade the loans of a book (contract/portfolio.py) by every rule, each at its date (D211).

    Severity of a signal is that of its worst component; only components from moderate up are
    kept (D24). rate_pressure is RP-1 after urgency and evidence, `low` included (D25). `chosen`
    are the rules, all by default.
    """
    listed = rules(assumptions.limits) if chosen is None else tuple(chosen)
    found = features(tables, as_of, assumptions.rates, assumptions.sizings, assumptions.limits)
    scene = Scene(found, assumptions.limits)
    first = {rule.id: grade(rule, scene) for rule in listed if not rule.of_siblings}
    worst = np.max([one.severity for one in first.values()], axis=0)
    scene = replace(scene, siblings=siblings(found.families, worst, found.as_of))
    graded = [first.get(rule.id) or grade(rule, scene) for rule in listed]
    # The order in which a loan's components are listed.
    ordered = sorted(graded, key=lambda one: (one.rule.signal_type, one.rule.id))
    pressure = _rate_pressure(graded, len(worst))
    table = _feature_table(found, tables, pressure, assumptions.sizings)
    quotes = {
        (day, quote.series): quote
        for quote, day in zip(found.reference.quotes, found.reference.as_of, strict=True)
    }
    about = {"limits": assumptions.limits, "sizings": assumptions.sizings, "quotes": quotes}
    facts = _facts(tables, table, scene)
    if scene.siblings is not None:
        named = sibling_names(found.families, scene.siblings, worst, tables["loans"], found.as_of)
        facts = facts.append_column("sibling_names", named)
    said = descriptions(ordered, facts, about)
    signals, components = _signals(ordered, said)
    return Scores(
        features=table,
        signals=signals,
        components=components,
        screened=_screened(tables, found),
        inputs=_inputs(found),
        families=_families(found),
        tables=assumptions.texts(),
        coverage=tuple(_coverage(one) for one in graded),
        rules=tuple(rule_cards(listed, assumptions.limits)),
        rates=_rates_used(found),
        spreads=_spreads_used(as_of, assumptions.sizings),
        rests_on=assumptions.tables(),
    )


def as_scored(
    source: SourceScores, tables: Mapping[str, pa.Table], as_of: AsOf, assumptions: Assumptions
) -> Scores:
    """What a source found on its own loans, beside the features that we compute of them (D44)."""
    found = features(tables, as_of, assumptions.rates, assumptions.sizings, assumptions.limits)
    return Scores(
        features=_feature_table(found, tables, source.rate_pressure, assumptions.sizings),
        signals=source.signals,
        components=source.components,
        screened=_screened(tables, found),
        families=_families(found),
        tables=assumptions.texts(),
        rates=_rates_used(found),
        spreads=_spreads_used(as_of, assumptions.sizings),
        rests_on=assumptions.tables(),
    )


def _rate_pressure(gradings: Iterable[Grading], loans: int) -> pa.Array:
    """The severity of RP-1 on each loan (D25); None where it is not testable, or no rule at all."""
    for grading in gradings:
        if grading.rule.id == "RP-1":
            return _words(grading.severity, list(SEVERITIES))
    return pa.nulls(loans, pa.string())


def _rates_used(found: Features) -> tuple[RateUsed, ...]:
    """The quotes that refi rates rest on."""
    return tuple(
        RateUsed(series=quote.series, day=quote.date, percent=quote.percent, as_of=day)
        for quote, day in zip(found.reference.quotes, found.reference.as_of, strict=True)
    )


def _spreads_used(as_of: AsOf, sizings: Sizings) -> tuple[SpreadsUsed, ...]:
    """The spreads of each as-of date."""
    days = np.unique(np.asarray(as_of, "datetime64[D]")).tolist()
    return tuple(used for day in days if (used := sizings.on(day).used))


def _facts(tables: Mapping[str, pa.Table], found: pa.Table, scene: Scene) -> pa.Table:
    """Every column that a sentence may read; those of the loans in one piece."""
    loans, features_of = tables["loans"], scene.features
    read = [name for name in loans.column_names if name in READ]
    table = loans.select(read).combine_chunks()
    entities = tables.get("entities", TABLES["entities"].empty_table()).combine_chunks()
    near = scene.siblings or siblings(
        features_of.families, np.zeros(loans.num_rows, np.int8), features_of.as_of
    )
    valued = _days(loans, "value_date")
    due, as_of = features_of.effective_maturity, features_of.as_of
    further = {
        "as_of": pa.array(as_of, pa.date32()),
        "overdue_balance": _figures(features_of.overdue_balance),
        "appraisal_age_months": _figures(-months_between(as_of, valued)),
        # Also of loans that are in no maturity figure: CV-1 is about them.
        "months_to_maturity": _figures(features_of.months_to_maturity),
        "days_to_maturity": _figures(np.where(np.isnat(due), np.nan, (due - as_of).astype(float))),
        "advanced": _figures(features_of.advanced),
        "income": _figures(features_of.income),
        "income_stale": pa.array(
            income_is_stale(as_of, _days(loans, "income_to")).astype(np.float64)
        ),
        "income_known": pa.array((~np.isnan(features_of.income)).astype(np.float64)),
        "income_months": _figures(features_of.income_months),
        "income_before": pa.array(features_of.income_before.astype(np.float64)),
        "modified_recently": pa.array(
            recent(as_of, _days(loans, "modified_on")).astype(np.float64)
        ),
        "family_head": _named(features_of.families.largest, _titled(entities)),
        "sibling_owner": _named(near.owner, entities["entity_name"]),
    }
    for name, column in ({name: found[name] for name in found.column_names} | further).items():
        table = table.append_column(name, column)
    return table


def _named(rows: NDArray[np.int64], names: pa.ChunkedArray) -> pa.Array:
    """Names by row; None for -1."""
    column = names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names
    return column.take(pa.array(rows, mask=rows < 0))


def _titled(entities: pa.Table) -> pa.ChunkedArray:
    """Names of the entities, owners named as such."""
    said = pc.if_else(pc.equal(entities["kind"], "owner"), " (owner)", "")
    return pc.binary_join_element_wise(entities["entity_name"], said, "", null_handling="skip")


def _days(table: pa.Table, name: str) -> DateArray:
    days: DateArray = table[name].to_numpy()
    return days.astype("datetime64[D]")


def _words(codes: NDArray[np.integer], words: list[str]) -> pa.DictionaryArray:
    """Words by index; None where the index is negative."""
    indices = pa.array(codes.astype(np.int8), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string()))


def _numbers(codes: NDArray[np.integer], numbers: list[int]) -> pa.Array:
    """Whole numbers by index."""
    return pa.array(np.array(numbers, dtype=np.int16)[codes])


def _figures(array: FloatArray, *, of: BoolArray | bool = True) -> pa.Array:
    """Float column with None for NaN, and for loans that the figure is not of."""
    return pa.array(array, type=pa.float64(), mask=np.isnan(array) | np.logical_not(of))


def _months(array: FloatArray) -> pa.Array:
    """Whole months with None for NaN."""
    return pa.array(np.nan_to_num(array).astype(np.int32), mask=np.isnan(array))


def _dollars(array: FloatArray, *, of: BoolArray | bool = True) -> pa.Array:
    """Whole dollars with None for NaN, what no loan reaches, and loans that they are not of."""
    unknown = ~(np.abs(array) < BEYOND_ANY_LOAN) | np.logical_not(of)
    return pa.array(np.where(unknown, 0, np.round(array)).astype(np.int64), mask=unknown)


def _feature_table(
    f: Features, tables: Mapping[str, pa.Table], rate_pressure: pa.Array, sizings: Sizings
) -> pa.Table:
    """The scored facts of contract/facts.py."""
    series = list(SERIES)
    codes = [series.index(quote.series) for quote in f.reference.quotes]
    reference = np.array([*codes, -1])[f.reference.code]
    basis = np.select(
        [f.whole.by_service, f.whole.at_least & f.whole.junior, f.whole.at_least, f.whole.derived],
        [2, 3, 1, 0],
        default=-1,
    )
    why = [f.paid_off, f.defeased, f.reo, f.repays_itself]
    exempt = np.select(why, range(len(EXEMPT)), default=-1)
    refinanced = f.must_refinance
    alive = f.pays_from_property
    unpriced = np.isnan(f.refi_debt_service) | ~refinanced
    convention = np.where(unpriced, -1, f.interest_only.astype(np.int8))
    by_dscr_on_noi = (f.max_proceeds.binding == 0) & f.income_is_noi
    bound_by = np.where(by_dscr_on_noi, len(BOUND_BY) - 1, f.max_proceeds.binding)
    bound_by = np.where(refinanced, bound_by, -1)
    due = f.effective_maturity
    return pa.table(
        {
            "rate_pressure": rate_pressure,
            "reference_series": _words(reference, series),
            "refi_rate": _figures(f.refi_rate),
            **_spreads(f, sizings),
            "rate_gap_bp": _figures(f.rate_gap_bp),
            "effective_maturity": pa.array(due, pa.date32(), mask=np.isnat(due)),
            "months_to_maturity": _figures(f.months_to_maturity, of=refinanced),
            "exemption": _words(exempt, list(EXEMPT)),
            "special_servicing": pa.array(f.in_special_servicing),
            **watch_triggers(f, tables),
            "whole_loan": f.notes.whole_loan,
            "sums_notes": pa.array(f.notes.sums_notes),
            "whole_loan_debt": _dollars(f.whole_loan_debt),
            "whole_loan_basis": _words(basis, _WHOLE_LOAN_BASES),
            "debt_due": _dollars(f.due.today),
            "exposure": _dollars(f.exposure.amount),
            "months_unpaid": _months(f.months_unpaid),
            "computed_reduction": _dollars(f.exposure.reduction),
            "expected_loss": _dollars(f.exposure.expected_loss),
            "debt_at_least": pa.array(f.debt_at_least),
            "partial_note": pa.array(f.partial_note),
            "ltv": _figures(f.ltv, of=~f.defeased),
            "debt_yield": _figures(f.debt_yield, of=~f.defeased),
            "own_debt_service": _dollars(f.own_debt_service),
            "noi_room": _figures(f.noi_room, of=alive & ~f.imputed),
            "underwritten_markup": _figures(f.underwritten_markup, of=alive),
            "filed_over_implied": _figures(
                rounded(f.whole.filed_over_implied), of=alive & ~f.floats
            ),
            "balance_at_maturity": _dollars(f.balance_at_maturity),
            "refi_convention": _words(convention, _CONVENTIONS),
            "refi_debt_service": _dollars(f.refi_debt_service, of=refinanced),
            "proforma_dscr": _figures(f.proforma_dscr, of=refinanced),
            "payment_shock": _figures(f.payment_shock, of=refinanced),
            "max_proceeds": _dollars(f.max_proceeds.amount, of=refinanced),
            "binding_constraint": _words(bound_by, list(BOUND_BY)),
            "refinance_gap": _figures(f.refinance_gap, of=refinanced),
            "dollars_short": _dollars(f.dollars_short),
            "own_dollars_short": _dollars(f.own_dollars_short),
            "sponsor_share": _figures(f.families.share(f.families.sponsors)),
        }
    )


def _spreads(f: Features, sizings: Sizings) -> dict[str, pa.Array]:
    """The date of the spread in each refi rate, and how many months off it is where it is too
    far from the loan's as-of date.
    """
    # The last place is of loans without a reference rate.
    used = [*(sizings.on(day).used for day in f.reference.as_of), None]
    days = np.array([one and one.day for one in used], "datetime64[D]")[f.reference.code]
    months = np.array([0 if one is None or one.fits else one.months_off for one in used])
    priced = ~np.isnan(f.refi_rate) & ~np.isnat(days)
    off = months[f.reference.code]
    return {
        "spreads_of": pa.array(days, pa.date32(), mask=~priced),
        "spreads_months_off": pa.array(off, pa.int32(), mask=~priced | (off == 0)),
    }


def _screened(tables: Mapping[str, pa.Table], found: Features) -> pa.Table:
    """What results are ordered by beside facts (contract/book.py)."""
    dscr = tables["loans"]["dscr"].to_numpy().astype(np.float64)
    heads = {"sponsor": found.families.sponsors, "owner": found.families.owners}
    return pa.table(
        {
            **{name: pa.array(of.astype(np.int32), mask=of < 0) for name, of in heads.items()},
            "dscr_short": _figures(found.min_dscr - dscr),
        }
    )


def _inputs(found: Features) -> pa.Table:
    """What a scenario rescores the loans from: the inputs, and the place of each loan's Treasury
    among the quotes.
    """
    columns = {one.name: getattr(found, one.name) for one in fields(Inputs)}
    columns["type_index"] = columns["type_index"].astype(np.int8)
    return pa.table({**columns, "reference": found.reference.code})


def _families(found: Features) -> pa.Table:
    """Which loans stand under which sponsors and owners (contract/book.py)."""
    of = found.families
    return pa.table({"loan": of.loan.astype(np.int32), "owner": of.owner.astype(np.int32)})


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
    listed = [one.rule for one in ordered]
    components = pa.table(
        {
            "signal": pa.array(number[fired, kinds[column]]),
            "rule": _words(column, [rule.id for rule in listed]),
            "title": _words(column, [rule.title for rule in listed]),
            "rule_version": _numbers(column, [rule.version for rule in listed]),
            "limits_version": _numbers(column, [rule.ladder.version for rule in listed]),
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

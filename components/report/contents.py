"""What the report says of a result of loans: words, figures and rows, ready to be set.

Every figure comes from the same reads as the pages, so that paper and screen agree.
"""

from collections.abc import Sequence
from typing import Any, Final

from components.kit import severity
from components.kit.fields import label
from components.kit.formatting import (
    MISSING,
    count,
    day,
    days,
    fraction,
    loan_count,
    money,
    multiple,
    percent,
    share,
    words,
)
from components.loans import horizons, spreads
from components.report import drawing, states
from components.report.concentration import concentration
from components.report.table import Table
from components.report.worst import worst
from services.contract.aggregates import FoundTotals, Group, Slice
from services.contract.columns import COLUMN
from services.contract.loan_filter import LoanFilter
from services.contract.snapshot_info import Snapshot, TableUsed
from services.contract.source import Analytics
from services.contract.vocabulary import SERIES, SEVERE_OR_WORSE, SEVERITIES

_SIGNAL: Final = COLUMN["worst_severity"].label
_QUARTERS: Final = 24
#: Quarters in the table under the bars: two years.
_IN_TABLE: Final = 8


def contents(source: Analytics, query: LoanFilter, shown: str) -> dict[str, Any]:
    """Everything that the template sets. `shown` says in words which loans they are."""
    query = query.without("order").at(1)
    snapshot = source.snapshot()
    totals = source.loan_totals(query)
    bad = query.model_copy(update={"severity": _worst_of(query)})
    by_severity = _by_severity(source, query, totals)
    by_state = states.by_state(source, query, bad)
    quarters = _quarters(source, query, snapshot)
    concentrated = concentration(source, query, totals.book_value)
    worst_loans = worst(source, bad, snapshot)
    return {
        "shown": shown,
        "as_of": days(snapshot.oldest, snapshot.as_of),
        "sources": [
            f"{one.title} as of {day(one.as_of)} ({one.publisher})" for one in snapshot.sources
        ],
        "synthetic": snapshot.synthetic,
        "snapshot": snapshot.snapshot_id,
        "headline": _headline(totals),
        "severities": by_severity.data(),
        "dispositions": _dispositions(totals).data(),
        "evidence": _evidence(source, query),
        "map": drawing.state_map(states.shares(by_state)),
        "states": states.largest(by_state).data(),
        "wall": drawing.wall(quarters),
        "quarters": _of_quarters(quarters).data(),
        "horizons": _horizons(totals).data(),
        "left_out": horizons.left_out(totals.left_out),
        "spreads": spreads.of_all(snapshot.spreads),
        "concentration": concentrated,
        "worst": worst_loans.data(),
        "method": _method(snapshot),
    }


def _worst_of(query: LoanFilter) -> tuple[str, ...]:
    """Severe and critical, as far as the question has them."""
    asked = query.severity
    chosen = SEVERE_OR_WORSE
    return chosen if asked is None else tuple(word for word in chosen if word in asked) or asked


def _headline(totals: FoundTotals) -> list[list[str]]:
    soon, later = totals.matures_12_months, totals.matures_24_months
    return [
        [
            label("book_value"),
            money(totals.book_value),
            loan_count(totals.loans, totals.notes, totals.records),
        ],
        [label("interest_rate"), percent(totals.coupon.mean), _on(totals.coupon.coverage)],
        [label("dscr"), multiple(totals.dscr.mean), _on(totals.dscr.coverage)],
        [label("ltv"), fraction(totals.ltv.mean), _on(totals.ltv.coverage)],
        [label("dollars_short"), money(totals.dollars_short), loan_count(totals.short_loans)],
        [
            "Matures in 12 months",
            money(soon.book_value),
            f"{loan_count(soon.loans)}; {money(later.book_value)} in 24",
        ],
    ]


def _horizons(totals: FoundTotals) -> Table:
    """What is short by when it must be refinanced."""
    rows = [
        [one.word, count(one.loans), money(one.book_value), money(one.dollars_short)]
        for one in totals.by_horizon
    ]
    heads = ("To be refinanced", "Loans", label("book_value"), label("dollars_short"))
    return Table(heads, rows, (1, 2, 3))


def _on(coverage: float | None) -> str:
    return MISSING if coverage is None else f"on {fraction(coverage, 0)} of it"


def _by_severity(source: Analytics, query: LoanFilter, totals: FoundTotals) -> Table:
    """Loans by their worst signal, the worst first, those without one last."""
    asked = query.severity
    found = [
        one for one in source.loan_counts(query, "severity") if asked is None or one.word in asked
    ]
    found.sort(key=lambda one: severity.order(one.word), reverse=True)
    rows = [_row(severity.label(one.word), one, totals) for one in found]
    return Table((_SIGNAL, "Loans", label("book_value"), "Of it"), rows, (1, 2, 3))


def _dispositions(totals: FoundTotals) -> Table:
    """How the loans stand, and how those that no longer owe ended, with what was lost."""
    rows = [
        [
            words(one.disposition or "no balance known"),
            count(one.loans),
            money(one.book_value),
            money(one.realized_loss) if one.loss_loans else MISSING,
        ]
        for one in totals.dispositions
    ]
    heads = (label("disposition"), "Loans", label("book_value"), label("realized_loss"))
    return Table(heads, rows, (1, 2, 3))


def _row(name: str, one: Slice, totals: FoundTotals) -> list[str]:
    part = share(one.book_value, totals.book_value)
    return [name, count(one.loans), money(one.book_value), part]


def _evidence(source: Analytics, query: LoanFilter) -> str:
    """How sure the ownership of the worst is."""
    worst = max(
        (one.word for one in source.loan_counts(query, "severity") if one.word in SEVERITIES),
        key=severity.rank,
        default=None,
    )
    if worst is None:
        return "No loan carries a signal."
    asked = query.model_copy(update={"severity": (worst,)})
    whole = source.loan_totals(asked).book_value
    tiers = {one.word: one.book_value for one in source.loan_counts(asked, "confidence_tier")}
    return (
        f"{money(whole)} {worst}, {share(tiers.get('confirmed', 0), whole)} of it on confirmed "
        f"ownership chains, {share(tiers.get('probable', 0), whole)} on probable ones."
    )


def _quarters(source: Analytics, query: LoanFilter, snapshot: Snapshot) -> list[Group]:
    """The quarters of maturity from that of the as-of date on, in order."""
    today = snapshot.as_of
    found = source.loan_ranking(query, "quarter", 1000).groups
    later = sorted((one for one in found if one.days and one.days[1] >= today), key=_word)
    return later[:_QUARTERS]


def _word(one: Group) -> str:
    return one.word or ""


def _of_quarters(quarters: Sequence[Group]) -> Table:
    rows = [
        [
            _word(one),
            count(one.loans),
            money(one.book_value),
            money(one.dollars_short),
            severity.label(one.worst),
        ]
        for one in quarters[:_IN_TABLE]
    ]
    due, value, short = map(label, ("effective_maturity", "book_value", "dollars_short"))
    return Table((due, "Loans", value, short, _SIGNAL), rows, (1, 2, 3))


def _method(snapshot: Snapshot) -> dict[str, Any]:
    rates = [
        f"{SERIES.get(series, series)} {percent(of)} of {day(on)}"
        for series, of, on in dict.fromkeys(
            (one.series, one.percent, one.day) for one in snapshot.rates
        )
    ]
    coverage = {one.rule: one for one in snapshot.rule_coverage}
    rows = [
        [
            f"{one.id} {one.title}",
            f"{one.version}",
            count(sum(coverage[one.id].fired.values()) if one.id in coverage else None),
            count(coverage[one.id].not_testable if one.id in coverage else None),
        ]
        for one in snapshot.rules
    ]
    return {
        "rates": ", ".join(rates) or "none",
        "rests_on": ", ".join(_rested_on(one) for one in snapshot.rests_on),
        "rules": Table(("Rule", "Version", "Fired", "Not testable"), rows, (1, 2, 3)).data(),
    }


def _rested_on(one: TableUsed) -> str:
    """A table in words: those of Credit Atlas itself have no name that a reader would know."""
    own = f"the {one.table} of Credit Atlas" if one.origin == "packaged" else ""
    version = "" if one.version is None else f", version {one.version}"
    return f"{own}{version}" if own else f"{one.table}: {one.source}"

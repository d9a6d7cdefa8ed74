"""What the report says of a result of loans: words, figures and rows, ready to be set.

Every figure comes from the same reads as the pages, so that paper and screen agree.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from components.kit import severity
from components.kit.formatting import (
    MISSING,
    basis_points,
    count,
    day,
    money,
    multiple,
    percent,
    place,
    share,
    words,
)
from components.report import drawing
from services.contract.aggregates import FoundTotals, Group, Ranking, Slice
from services.contract.loaded import Snapshot
from services.contract.loan_filter import LoanFilter
from services.contract.source import Analytics, GroupBy
from services.contract.vocabulary import SEVERITIES

#: Hears what is being read, and which part of all is done.
Progress = Callable[[str, float], None]
_BAD: Final = ("severe", "critical")
_KINDS: Final[Mapping[GroupBy, str]] = {
    "lender": "Lender",
    "sponsor": "Sponsor",
    "state": "State",
    "property_type": "Property type",
}
_QUARTERS: Final = 24
_WORST: Final = 25
#: Quarters in the table under the bars: two years.
_IN_TABLE: Final = 8
_COLUMNS: Final = ("property_type", "property_city", "property_state", "worst_severity",
                   "book_value", "dollars_short", "dscr", "rate_gap_bp", "maturity_date",
                   "sponsor")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the report. The columns named in `figures` are set to the right."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: Sequence[int]

    def data(self) -> dict[str, Any]:
        """As the template reads it."""
        return {"heads": self.heads, "rows": self.rows, "figures": self.figures}


def contents(
    source: Analytics, query: LoanFilter, shown: str, progress: Progress
) -> dict[str, Any]:
    """Everything that the template sets. `shown` says in words which loans they are."""
    query = query.without("order").at(1)
    snapshot = source.snapshot()
    progress("Totals", 0.05)
    totals = source.loan_totals(query)
    bad = query.model_copy(update={"severity": _worst_of(query)})
    progress("Severities", 0.15)
    by_severity = _by_severity(source, query, totals)
    progress("States", 0.3)
    by_state = _by_state(source, query, bad)
    progress("Maturities", 0.4)
    quarters = _quarters(source, query, snapshot)
    progress("Concentration", 0.5)
    rankings = {by: source.loan_ranking(query, by, 10) for by in _KINDS}
    progress("Worst loans", 0.7)
    worst = _worst_loans(source, bad)
    progress("Setting the pages", 0.85)
    return {
        "shown": shown,
        "as_of": day(snapshot.as_of),
        "sources": [f"{one.title} ({one.publisher})" for one in snapshot.sources],
        "synthetic": snapshot.synthetic,
        "snapshot": snapshot.snapshot_id,
        "headline": _headline(totals),
        "severities": by_severity.data(),
        "evidence": _evidence(source, query),
        "map": drawing.state_map(_shares(by_state)),
        "states": _states(by_state).data(),
        "wall": drawing.wall(quarters),
        "quarters": _of_quarters(quarters).data(),
        "concentration": [
            {
                "title": f"Concentration by {_KINDS[by].lower()}",
                "said": _said(found),
                "table": _of_groups(found, by, totals.book_value).data(),
            }
            for by, found in rankings.items()
        ],
        "worst": worst.data(),
        "method": _method(snapshot),
    }


def _worst_of(query: LoanFilter) -> tuple[str, ...]:
    """Severe and critical, as far as the question has them."""
    asked = query.severity
    return _BAD if asked is None else tuple(word for word in _BAD if word in asked) or asked


def _headline(totals: FoundTotals) -> list[list[str]]:
    ltv = None if totals.ltv.mean is None else 100 * totals.ltv.mean
    soon, later = totals.matures_12_months, totals.matures_24_months
    return [
        ["Book value", money(totals.book_value), f"{count(totals.loans)} loans"],
        ["Coupon", percent(totals.coupon.mean), _on(totals.coupon.coverage)],
        ["DSCR", multiple(totals.dscr.mean), _on(totals.dscr.coverage)],
        ["LTV", percent(ltv, 1), _on(totals.ltv.coverage)],
        ["Short at refinance", money(totals.dollars_short), f"{count(totals.short_loans)} loans"],
        [
            "Matures in 12 months",
            money(soon.book_value),
            f"{count(soon.loans)} loans; {money(later.book_value)} in 24",
        ],
    ]


def _on(coverage: float | None) -> str:
    return MISSING if coverage is None else f"on {percent(100 * coverage, 0)} of it"


def _by_severity(source: Analytics, query: LoanFilter, totals: FoundTotals) -> Table:
    """Loans by their worst signal, the worst first, those without one last."""
    asked = query.severity
    found = [
        one for one in source.loan_counts(query, "severity") if asked is None or one.word in asked
    ]
    found.sort(key=lambda one: severity.rank(one.word), reverse=True)
    without = totals.loans - sum(one.loans for one in found)
    rows = [_row(severity.label(one.word), one, totals) for one in found]
    if without:
        rest = totals.book_value - sum(one.book_value for one in found)
        quiet = Slice(word=None, loans=without, book_value=rest)
        rows.append(_row("no signal", quiet, totals))
    return Table(("Worst signal", "Loans", "Book value", "Of it"), rows, (1, 2, 3))


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


@dataclass(frozen=True, slots=True)
class _State:
    whole: Group
    bad: Group | None


def _by_state(source: Analytics, query: LoanFilter, bad: LoanFilter) -> list[_State]:
    stressed = {one.word: one for one in source.loan_ranking(bad, "state", 100).groups}
    whole = source.loan_ranking(query, "state", 100).groups
    return [_State(one, stressed.get(one.word)) for one in whole]


def _part(one: _State) -> float:
    """Share of the book value on severe or critical loans, a percent figure."""
    if one.bad is None or not one.whole.book_value:
        return 0
    return 100 * one.bad.book_value / one.whole.book_value


def _shares(states: Sequence[_State]) -> dict[str, float]:
    return {one.whole.word: _part(one) for one in states if one.whole.word}


def _states(states: Sequence[_State]) -> Table:
    """The states with the largest share, of ten loans or more."""
    ordered = sorted(
        (one for one in states if one.whole.loans >= _FEW and one.bad),
        key=lambda one: (-_part(one), one.whole.word or "~"),
    )
    rows = [
        [
            one.whole.word or MISSING,
            percent(_part(one), 1),
            money(one.bad.book_value if one.bad else 0),
            money(one.whole.book_value),
            f"{count(one.bad.loans if one.bad else 0)} of {count(one.whole.loans)}",
            money(one.bad.dollars_short if one.bad else 0),
        ]
        for one in ordered[:12]
    ]
    heads = ("State", "Share", "Severe or critical", "Book value", "Loans", "Short")
    return Table(heads, rows, (1, 2, 3, 4, 5))


_FEW: Final = 10


def _quarters(source: Analytics, query: LoanFilter, snapshot: Snapshot) -> list[Group]:
    """The quarters of maturity from that of the as-of date on, in order."""
    today = snapshot.as_of
    first = f"{today.year} Q{(today.month + 2) // 3}"
    found = source.loan_ranking(query, "quarter", 1000).groups
    later = sorted((one for one in found if one.word and one.word >= first), key=_word)
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
    return Table(("Matures", "Loans", "Book value", "Short", "Worst signal"), rows, (1, 2, 3))


def _said(found: Ranking) -> str:
    if found.hhi is None or found.effective is None:
        return ""
    return (
        f"HHI {found.hhi:,.0f}; as if {found.effective:,.1f} of equal size shared it; "
        f"{count(found.total)} in all."
    )


def _of_groups(found: Ranking, by: GroupBy, whole: int) -> Table:
    rows = [
        [
            words(one.word) if by == "property_type" else one.word or MISSING,
            count(one.loans),
            money(one.book_value),
            share(one.book_value, whole),
            severity.label(one.worst),
        ]
        for one in found.groups
    ]
    return Table((_KINDS[by], "Loans", "Book value", "Of it", "Worst signal"), rows, (1, 2, 3))


def _worst_loans(source: Analytics, bad: LoanFilter) -> Table:
    asked = bad.model_copy(update={"order": "-worst_severity", "per_page": _WORST})
    rows = []
    for one in source.loans_found(asked, _COLUMNS).items:
        found = one.values
        rows.append(
            [
                one.loan_number,
                words(found["property_type"]),
                place(found["property_city"], found["property_state"]),
                severity.label(found["worst_severity"]),
                money(found["book_value"]),
                money(found["dollars_short"]),
                multiple(found["dscr"]),
                basis_points(found["rate_gap_bp"]),
                day(found["maturity_date"]),
                found["sponsor"] or MISSING,
            ]
        )
    heads = ("Loan", "Type", "City", "Worst signal", "Book value", "Short", "DSCR", "Gap",
             "Matures", "Sponsor")  # fmt: skip
    return Table(heads, rows, (4, 5, 6, 7, 8))


def _method(snapshot: Snapshot) -> dict[str, Any]:
    rates = [f"{one.series} {percent(one.percent)} of {day(one.day)}" for one in snapshot.rates]
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
        "rests_on": ", ".join(f"{one.table}: {one.source}" for one in snapshot.rests_on),
        "rules": Table(("Rule", "Version", "Fired", "Not testable"), rows, (1, 2, 3)).data(),
    }

"""How a book fared month by month: sums that were written with each period."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from services.contract.compared import MonthDeals
from services.contract.events import STAGES
from services.contract.history import (
    COUNTED_BY,
    HeatOverTime,
    HeatPoint,
    HeatQuery,
    OverTime,
    Roll,
    TrendPoint,
    TrendQuery,
    Trends,
)
from services.contract.scope import Scope, own_sources
from services.contract.vocabulary import GRADED, SEVERITIES

from .changed_loans import side
from .history import kept_periods
from .history_tables import rolls_of, sums_of
from .periods import counting
from .reader import Reader

#: Of each source its last period of a month, as the table `monthly`.
MONTHS: Final = """
WITH monthly AS (
    SELECT period, source, rules_version, date_trunc('month', as_of)::DATE AS month
    FROM history.periods
    QUALIFY row_number() OVER (PARTITION BY source, month ORDER BY as_of DESC) = 1
)
"""
_WORD: Final = {
    "all": "NULL::VARCHAR",
    "property_type": "part.property_type",
    "vintage": "part.vintage::VARCHAR",
}
#: Sums that a point has as they are, and those that a roll has.
_PLAIN: Final = (
    *("loans", "balance"),
    *(
        f"{part}_{unit}"
        for part in ("delinquent", "late_60", "late_90", "special")
        for unit in ("loans", "balance")
    ),
)
_SUMMED: Final = (
    *_PLAIN,
    *("dscr_loans", "dscr_balance", "dscr_product"),
    *("occupancy_loans", "occupancy_balance", "occupancy_product"),
)
_ROLL_COLUMNS: Final = (
    *("period", "next", "state", "property_type", "before", "after"),
    *("loans", "balance", "special_loans", "special_balance"),
)
_ROLLED: Final = ("loans", "balance", "special_loans", "special_balance")


_COLUMNS: Final = (
    *("period", "state", "property_type", "vintage", "worst"),
    *("loans", "balance", "dollars_short"),
    *(f"graded_{rank}" for rank in range(1, len(SEVERITIES))),
    *(name for name in _SUMMED if name not in {"loans", "balance"}),
)
_IN_SETS: Final = (
    "loan IN (SELECT loan FROM history.numbers"
    " WHERE loan_number IN (SELECT unnest($scope::VARCHAR[])))"
)
_IN_BOOK: Final = (
    "period IN (SELECT period FROM history.periods WHERE source IN (SELECT unnest($scope)))"
)
#: The pairs of rows that rolls are counted of.
_FOLLOWS: Final = "(b.period, a.period) IN (SELECT DISTINCT period, next FROM history.rolls)"


def of_scope(reader: Reader, scope: Scope | None) -> tuple[str, dict[str, Any]]:
    """The condition that a row of `lines` is of a scope, and what it is asked with."""
    if scope is None:
        return "true", {}
    own = list(own_sources(reader.snapshot)) if scope.numbers is None else list(scope.numbers)
    return _IN_BOOK if scope.numbers is None else _IN_SETS, {"scope": own}


@dataclass(frozen=True, slots=True)
class _Tables:
    """The sums and rolls that a question is about: as they were written, or those of a scope."""

    sums: str
    rolls: str
    asked: dict[str, Any]


def _tables(reader: Reader, scope: Scope | None) -> _Tables:
    if scope is None:
        return _Tables("history.sums", "history.rolls", {})
    which, asked = of_scope(reader, scope)
    rolls = rolls_of(f"b.{which} AND {_FOLLOWS}", "history.")
    return _Tables(
        f"(SELECT * FROM ({sums_of(f'line.{which}', 'history.')}) AS t({', '.join(_COLUMNS)}))",
        f"(SELECT * FROM ({rolls}) AS t({', '.join(_ROLL_COLUMNS)}))",
        asked,
    )


def where(query: OverTime) -> tuple[str, dict[str, Any]]:
    """The conditions of a query on rows `part` by source, as SQL, and what they are asked with."""
    columns = {"state": "part.state", "property_type": "part.property_type", "deal": "source"}
    asked = {name: list(value) for name in columns if (value := getattr(query, name)) is not None}
    conditions = [f"list_contains(${name}, {columns[name]})" for name in asked]
    return " AND ".join(["true", *conditions]), asked


def trends(reader: Reader, query: TrendQuery) -> Trends:
    """The loans that match month by month, and what became of them."""
    kept_periods(reader)
    condition, asked = where(query)
    of = _tables(reader, query.scope)
    asked |= of.asked
    grouped = _WORD[query.by]
    by_severity = ", ".join(
        f"coalesce(sum({name}) FILTER (worst = {side(word)}), 0)::BIGINT AS {name}_{at}"
        for at, word in enumerate(COUNTED_BY)
        for name in ("loans", "balance")
    )
    sums = ", ".join(f"sum({name}) AS {name}" for name in _SUMMED)
    rows = reader.records(
        f"{MONTHS} SELECT month, {grouped} AS word, {sums},"
        f" {by_severity} FROM {of.sums} AS part JOIN monthly USING (period) WHERE {condition}"
        " GROUP BY ALL ORDER BY month, word NULLS LAST",
        asked,
    )
    rolled = ", ".join(f"sum({name})::BIGINT AS {name}" for name in _ROLLED)
    rolls = reader.records(
        f"{MONTHS} SELECT monthly.month, before, after, {rolled} FROM {of.rolls} AS part"
        f" JOIN monthly ON monthly.period = part.next WHERE {condition}"
        " GROUP BY ALL ORDER BY month, before, after",
        asked,
    )
    versions = reader.rows(
        f"{MONTHS} SELECT min(month) AS first, rules_version FROM monthly"
        " GROUP BY rules_version ORDER BY first, rules_version"
    )
    return Trends(
        deals=_deals(reader, query),
        points=tuple(_point(row) for row in rows),
        rolls=tuple(
            Roll(
                month=row["month"],
                before=STAGES[row["before"]],
                after=STAGES[row["after"]],
                **{name: row[name] for name in _ROLLED},
            )
            for row in rolls
        ),
        rules_versions=tuple(versions),
    )


def _deals(reader: Reader, query: OverTime) -> tuple[MonthDeals, ...]:
    """Which sources filed in each month, of those that had filed by then."""
    filed: dict[date, set[str]] = defaultdict(set)
    title: dict[str, str] = {}
    for one in counting(reader.periods):
        if query.deal is None or one.source in query.deal:
            filed[one.as_of.replace(day=1)].add(one.source)
            title[one.source] = one.title
    found, known = [], set[str]()
    for month, sources in filed.items():
        known |= sources
        missing = tuple(sorted(title[one] for one in known - sources))
        found.append(
            MonthDeals(month=month, deals=len(sources), of_deals=len(known), missing=missing)
        )
    return tuple(found)


def _point(row: Mapping[str, Any]) -> TrendPoint:
    parts: dict[str, dict[str, int]] = {
        name: {word: int(row[f"{name}_{at}"]) for at, word in enumerate(COUNTED_BY)}
        for name in ("loans", "balance")
    }
    return TrendPoint(
        month=row["month"],
        word=row["word"],
        **{name: int(row[name]) for name in _PLAIN},
        severity_loans=parts["loans"],
        severity_balance=parts["balance"],
        dscr=_mean(row, "dscr"),
        dscr_loans=int(row["dscr_loans"]),
        occupancy=_mean(row, "occupancy"),
        occupancy_loans=int(row["occupancy_loans"]),
    )


def _mean(row: Mapping[str, Any], name: str) -> float | None:
    weight = row[f"{name}_balance"]
    return float(row[f"{name}_product"]) / float(weight) if weight else None


def heat_over_time(reader: Reader, query: HeatQuery) -> HeatOverTime:
    """Shares of states month by month."""
    kept_periods(reader)
    condition, asked = where(query)
    of = _tables(reader, query.scope)
    least = SEVERITIES.index(query.at_least)
    graded = " + ".join(
        f"coalesce(sum(graded_{SEVERITIES.index(word)}), 0)"
        for word in GRADED
        if SEVERITIES.index(word) >= least
    )
    hit = f"FILTER (worst >= {least})"
    rows = reader.records(
        f"{MONTHS} SELECT month, part.state AS state, ({graded})::BIGINT AS signals,"
        f" coalesce(sum(loans) {hit}, 0)::BIGINT AS loans,"
        f" coalesce(sum(balance) {hit}, 0)::BIGINT AS book_value,"
        f" coalesce(sum(dollars_short) {hit}, 0)::BIGINT AS dollars_short,"
        " sum(loans)::BIGINT AS of_loans, sum(balance)::BIGINT AS of_book_value"
        f" FROM {of.sums} AS part JOIN monthly USING (period) WHERE {condition}"
        " GROUP BY ALL ORDER BY month, state NULLS LAST",
        asked | of.asked,
    )
    points = tuple(HeatPoint(**row) for row in rows)
    return HeatOverTime(months=tuple(dict.fromkeys(one.month for one in points)), points=points)

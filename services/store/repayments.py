"""Loans that came due while filings were kept: what they were a year before and came to."""

from collections.abc import Mapping
from typing import Any, Final

from services.contract.disposition import DISCOUNTED, ENDINGS, LIQUIDATED, OUTSTANDING, PAID_OFF
from services.contract.repayments import (
    CLASSES,
    DEBT_YIELDS,
    NOTICE,
    OUTCOMES,
    DueLoans,
    RepaymentQuery,
    Repayments,
)
from services.contract.schedule_al import FULL_DEFEASANCE, REO

from .dispositions import of_line
from .history import kept_periods
from .reader import Reader
from .trends import of_scope, where


def _words(words: frozenset[str]) -> str:
    return ", ".join(f"'{word}'" for word in sorted(words))


#: What a loan has come to by its last row. A loss on a loan that is still owed, as by a
#: modification, is no ending.
_OUTCOME: Final = f"""
CASE WHEN stands IN ('{DISCOUNTED}', '{LIQUIDATED}')
          OR (stands IN ({_words(ENDINGS)}) AND last_loss > 0) THEN 'liquidated'
     WHEN stands IN ({_words(PAID_OFF)}) THEN 'repaid'
     WHEN stands <> '{OUTSTANDING}' OR last_balance IS NULL OR last_filed < judged_on THEN 'unknown'
     WHEN last_due > due THEN 'extended'
     ELSE 'unpaid' END
"""
_COUNTED: Final = ", ".join(
    f"count(*) FILTER (outcome = '{word}') AS {word},"
    f" coalesce(sum(balance) FILTER (outcome = '{word}'), 0)::BIGINT AS {word}_balance"
    for word in OUTCOMES
)
#: The cells, each with the loans that are in none: a row without a cell where there is none. `line`
#: is every record of a loan with its next filing. A loan is looked at in its last filing that is at
#: least NOTICE months before the day that it is due by that filing; what it came to says the first
#: filing of its source that is at least so many months after that day, or its last one before.
_CELLS: Final = f"""
WITH filing AS (
    SELECT period, source, as_of, max(as_of) OVER (PARTITION BY source) AS newest
    FROM history.periods
),
line AS (
    SELECT own.*, source, as_of, newest,
           lead(as_of) OVER (PARTITION BY source, own.loan ORDER BY as_of) AS next
    FROM (FROM history.lines WHERE {{scope}}) AS own JOIN filing USING (period)
         LEFT JOIN history.notes AS note ON note.loan = own.loan
    WHERE coalesce(note.whole, own.loan) = own.loan
),
owing AS (
    SELECT part.*, effective_maturity AS due,
           due - INTERVAL {NOTICE} MONTH AS noticed
    FROM line AS part
    WHERE balance > 0 AND workout IS DISTINCT FROM '{REO}'
      AND defeasance IS DISTINCT FROM '{FULL_DEFEASANCE}' AND due <= newest AND {{which}}
),
seen AS (
    SELECT *, (
        SELECT min(f.as_of) FROM filing AS f
        WHERE f.source = owing.source AND f.as_of >= due + to_months($grace)
    ) AS judged_on
    FROM owing WHERE as_of <= noticed AND coalesce(next > noticed, true)
),
judged AS (
    SELECT seen.source, seen.loan, due, judged_on, seen.property_type, seen.balance,
           if(seen.debt_yield IS NULL, NULL,
              len(list_filter({list(DEBT_YIELDS)}, lambda one: one <= seen.debt_yield))) AS place,
           coalesce({of_line("l")}, '{OUTSTANDING}') AS stands, l.as_of AS last_filed,
           l.balance AS last_balance, l.realized_loss AS last_loss, l.effective_maturity AS last_due
    FROM seen JOIN line AS l
         ON l.source = seen.source AND l.loan = seen.loan AND l.as_of <= judged_on
    QUALIFY row_number() OVER (PARTITION BY l.source, l.loan, due ORDER BY l.as_of DESC) = 1
),
outcome AS (SELECT *, {_OUTCOME} AS outcome FROM judged),
cell AS (
    SELECT property_type, place, min(due) AS first, max(due) AS last, {_COUNTED}
    FROM outcome GROUP BY ALL
),
beside AS (
    SELECT (SELECT count(*) FROM seen WHERE judged_on IS NULL) AS not_yet,
           (SELECT count(DISTINCT (source, loan)) FROM owing ANTI JOIN seen USING (source, loan)
            WHERE owing.as_of <= owing.due AND coalesce(owing.next > owing.due, true)) AS no_notice
)
FROM beside LEFT JOIN cell ON true ORDER BY property_type NULLS LAST, place NULLS LAST
"""


def repayments(reader: Reader, query: RepaymentQuery) -> Repayments:
    """The loans that came due and match, by what they came to. Raises NoHistory."""
    kept_periods(reader)
    scope, of_scope_asked = of_scope(reader, query.scope)
    which, asked = where(query)
    rows = reader.records(
        _CELLS.format(scope=scope, which=which), asked | of_scope_asked | {"grace": query.grace}
    )
    cells = [row for row in rows if row["first"]]
    return Repayments(
        cells=tuple(map(_cell, cells)),
        first=min((row["first"] for row in cells), default=None),
        last=max((row["last"] for row in cells), default=None),
        not_yet=rows[0]["not_yet"],
        no_notice=rows[0]["no_notice"],
    )


def _cell(row: Mapping[str, Any]) -> DueLoans:
    low, high = CLASSES[-1 if row["place"] is None else row["place"]]
    counted = {name: row[name] for word in OUTCOMES for name in (word, f"{word}_balance")}
    return DueLoans(property_type=row["property_type"], low=low, high=high, **counted)

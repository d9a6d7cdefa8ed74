"""What the pages show, asked of the open tables in SQL that DuckDB and Spark both read.

`{today}`, `{in_12}`, `{in_24}`, `{since}` and `{until}` are dates as ISO writes them.
"""

_DUE = "exemption IS NULL AND effective_maturity"
_ADDED = "CASE WHEN NOT sums_notes THEN book_value END"
_LOAN = "coalesce(whole_loan, loan_number)"

#: Ten totals of the book, in this order: loans, notes, dollars, coupon, refi rate, loans due within
#: 12 months, their dollars, loans due within 24, past maturity, dollars short.
TOTALS = f"""
SELECT count(DISTINCT {_LOAN}), sum(CASE WHEN sums_notes THEN 0 ELSE 1 END), sum({_ADDED}),
  sum(interest_rate * {_ADDED}) / sum(CASE WHEN interest_rate IS NOT NULL THEN {_ADDED} END),
  sum(CASE WHEN interest_rate IS NOT NULL THEN refi_rate * {_ADDED} END)
    / sum(CASE WHEN interest_rate IS NOT NULL AND refi_rate IS NOT NULL THEN {_ADDED} END),
  count(DISTINCT CASE WHEN {_DUE} BETWEEN DATE '{{today}}' AND DATE '{{in_12}}' THEN {_LOAN} END),
  sum(CASE WHEN {_DUE} BETWEEN DATE '{{today}}' AND DATE '{{in_12}}' THEN {_ADDED} END),
  count(DISTINCT CASE WHEN {_DUE} BETWEEN DATE '{{today}}' AND DATE '{{in_24}}' THEN {_LOAN} END),
  count(DISTINCT CASE WHEN {_DUE} < DATE '{{today}}' THEN {_LOAN} END),
  sum(CASE WHEN NOT sums_notes THEN dollars_short END)
FROM loans
"""

#: The map of signals: state, signals, loans behind them, their dollars, all loans, all dollars.
STATES = f"""
WITH found AS (SELECT loan_number AS number, count(*) AS n FROM signals GROUP BY loan_number),
     each AS (SELECT *, coalesce(n, 0) AS signals FROM loans LEFT JOIN found
              ON loan_number = number)
SELECT property_state, CAST(sum(signals) AS BIGINT),
  count(DISTINCT CASE WHEN signals > 0 THEN {_LOAN} END),
  coalesce(sum(CASE WHEN signals > 0 THEN {_ADDED} END), 0),
  count(DISTINCT {_LOAN}), coalesce(sum({_ADDED}), 0)
FROM each GROUP BY property_state
"""

_SIDE = """
  SELECT * FROM history JOIN (SELECT source_key AS k, max(as_of) AS d FROM history
    WHERE as_of <= DATE '{{{day}}}' GROUP BY source_key) newest ON source_key = k AND as_of = d
"""
_WORD = (
    "CASE WHEN {0}.loan_number IS NULL THEN 'not in the file'"
    " WHEN coalesce({0}.disposition NOT IN ('outstanding', 'defeased in full'), {0}.balance = 0)"
    " THEN 'nothing owed' WHEN {0}.worst_severity IS NOT NULL THEN {0}.worst_severity"
    " WHEN coalesce({0}.disposition = 'defeased in full', {0}.defeasance = 'F') THEN 'defeased'"
    " ELSE 'none' END"
)
#: The matrix of moves from one date to a later one: before, after, loans, dollars.
MOVES = f"""
WITH earlier AS ({_SIDE.format(day="since")}),
     a AS ({_SIDE.format(day="until")} WHERE (as_of > DATE '{{since}}' OR '{{since}}' = '{{until}}')
           AND source_key IN (SELECT DISTINCT source_key FROM earlier)),
     b AS (SELECT * FROM earlier WHERE source_key IN (SELECT DISTINCT source_key FROM a))
SELECT {_WORD.format("b")} AS was, {_WORD.format("a")} AS now,
  count(DISTINCT coalesce(a.whole_loan, b.whole_loan)),
  coalesce(sum(CASE WHEN NOT coalesce(a.sums_notes, b.sums_notes)
    THEN coalesce(nullif(a.balance, 0), b.balance, 0) END), 0)
FROM b FULL JOIN a ON a.loan_number = b.loan_number GROUP BY 1, 2
"""

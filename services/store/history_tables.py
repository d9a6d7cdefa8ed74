"""Periods as tables of one DuckDB file beside the snapshot's: what reads over time are answered of.

The file of a new snapshot is a copy of the one before, to which the new periods are added: a
period is written once, in order of loan, and no other row moves. Sums are written with it.
"""

import shutil
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import duckdb

from services.contract.events import DEFAULT_WORKOUTS, DELINQUENT, STAGE_OF_STATUS, STAGES
from services.contract.facts import FACTS
from services.contract.period import HISTORY, KeptPeriod
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES

from . import archive, newest, periods
from .changes import graded, loans_of
from .snapshot import HISTORY_FILE, PERIODS

#: Columns of the rows that lines have as they come: the others are looked up or ranked.
PLAIN: Final = tuple(
    name
    for name in HISTORY.names
    if name
    not in {"loan_number", "property_name", "whole_loan", "sums_notes", "worst", *SIGNAL_TYPES}
)
#: Columns of `filed` by the further field of a loan that they hold.
_FILED_KEYS: Final = {
    "opening": "scheduled_balance_at_period_start",
    "scheduled_principal": "scheduled_principal",
    "unscheduled_principal": "unscheduled_principal_collected",
    "other_principal": "other_principal_adjustment",
    "non_cash_principal": "non_cash_principal_adjustment",
    "closing": "scheduled_balance_at_period_end",
    "actual": "actual_balance_at_period_end",
    "interest": "scheduled_interest",
    "reported": "reporting_period_end",
}
WORDS: Final = ", ".join(f"'{word}'" for word in SEVERITIES)


def _stage(row: str) -> str:
    """The stage of delinquency of a row; NULL if its payment status is not ranked."""
    place = {word: at for at, word in enumerate(STAGES)}
    statuses = " ".join(
        f"WHEN '{code}' THEN {place[word]}" for code, word in STAGE_OF_STATUS.items()
    )
    workouts = ", ".join(f"'{code}'" for code in DEFAULT_WORKOUTS)
    return (
        f"CASE WHEN {row}.balance = 0 THEN {place['ended']}"
        f" WHEN {row}.workout IN ({workouts}) THEN {place['default']}"
        f" ELSE CASE {row}.payment_status {statuses} END END"
    )


def _late(first: str) -> str:
    """Whether a row is in that stage of delinquency or a later one, default included."""
    return f"{_stage('line')} BETWEEN {STAGES.index(first)} AND {STAGES.index(DELINQUENT[-1])}"


def _of(flag: str) -> str:
    """Loans and dollars of the rows that have a flag."""
    return f"count(*) FILTER (counts AND {flag}), coalesce(sum(dollars) FILTER ({flag}), 0)"


def _weighted(name: str) -> str:
    """Count, weight and product of a figure that is weighted by balance: exact, so that a sum is
    the same in whatever order it is added up.
    """
    return (
        f"{_of(f'{name} IS NOT NULL')},"
        f" coalesce(sum((dollars::DOUBLE * {name})::DECIMAL(30, 4)), 0)"
    )


def _graded(rank: int) -> str:
    return (
        "sum(" + " + ".join(f"coalesce({one} = {rank}, false)::INT" for one in SIGNAL_TYPES) + ")"
    )


_FLAGS: Final = {
    **{f"late_{at}": _late(first) for at, first in enumerate(DELINQUENT[:3])},
    "special": "coalesce(special_servicing, false)",
}
#: Of several notes the loan counts once, in a row of its own that adds no dollars.
_SUMS: Final = f"""
WITH record AS (
    SELECT line.* EXCLUDE (whole, sums_notes, worst), note.whole, note.sums_notes,
           {graded("line")} AS worst,
           {", ".join(f"{flag} AS {name}" for name, flag in _FLAGS.items())}
    FROM {{tables}}lines AS line LEFT JOIN {{tables}}notes AS note USING (loan)
    WHERE {{which}} AND balance > 0
),
part AS (
    SELECT period, state, property_type, vintage, worst, {", ".join(SIGNAL_TYPES)},
           {", ".join(_FLAGS)}, dscr, occupancy, whole IS NULL AS counts,
           if(sums_notes, 0, balance) AS dollars, if(sums_notes, 0, dollars_short) AS short
    FROM record
    UNION ALL BY NAME
    SELECT period, min(state) AS state, min(property_type) AS property_type,
           min(vintage) AS vintage, max(worst) AS worst,
           {", ".join(f"bool_or({name}) AS {name}" for name in _FLAGS)},
           max(dscr) AS dscr, max(occupancy) AS occupancy, true AS counts,
           0 AS dollars, 0 AS short
    FROM record WHERE whole IS NOT NULL GROUP BY period, whole
)
SELECT period, state, property_type, vintage, worst, count(*) FILTER (counts), sum(dollars),
       coalesce(sum(short), 0), {", ".join(map(_graded, range(1, len(SEVERITIES))))},
       {", ".join(map(_of, _FLAGS))}, {_weighted("dscr")}, {_weighted("occupancy")}
FROM part GROUP BY ALL
"""
#: Into special servicing from one period to the next.
_INTO_SPECIAL: Final = "a.special_servicing AND NOT coalesce(b.special_servicing, false)"


def _pairs(condition: str = "true") -> str:
    """Loans and dollars of the pairs of rows that meet a condition."""
    return (
        f"{loans_of('note.whole', condition)},"
        f" coalesce(sum(b.balance) FILTER (note.sums_notes IS NOT TRUE AND {condition}), 0)"
    )


_ROLLS: Final = f"""
SELECT b.period, a.period, coalesce(a.state, b.state), coalesce(a.property_type, b.property_type),
       {_stage("b")} AS was, {_stage("a")} AS now, {_pairs()}, {_pairs(_INTO_SPECIAL)}
FROM {{tables}}lines AS b JOIN {{tables}}lines AS a ON a.loan = b.loan
     LEFT JOIN {{tables}}notes AS note ON note.loan = b.loan
WHERE {{which}} AND b.balance > 0 AND was IS NOT NULL AND now IS NOT NULL
GROUP BY ALL
"""


def sums_of(which: str, tables: str = "") -> str:
    """The rows of `sums`, as SQL, over the rows `line` that meet a condition."""
    return _SUMS.format(which=which, tables=tables)


def rolls_of(which: str, tables: str = "") -> str:
    """The rows of `rolls`, as SQL, over the pairs of rows `b` and `a` that meet a condition."""
    return _ROLLS.format(which=which, tables=tables)


def write(
    folder: Path,
    counting: Sequence[KeptPeriod],
    previous: Path | None,
    progress: Callable[[float], None],
) -> None:
    """Writes the tables of the periods that count, of which the files lie in `folder` already.

    `previous` is the file of the snapshot before, whose periods are not read again.
    """
    target = folder / HISTORY_FILE
    if previous is not None:
        shutil.copyfile(previous, target)
    connection = duckdb.connect(
        str(target),
        config={"enable_external_access": "false", "autoinstall_known_extensions": "false"},
    )
    try:
        connection.begin()
        if previous is None:
            script = files(__package__).joinpath("history.sql").read_text(encoding="utf-8")
            connection.execute(script)
        _bring_up(connection, folder, counting, progress)
        connection.commit()
        connection.execute("CHECKPOINT")
    finally:
        connection.close()


def _bring_up(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    counting: Sequence[KeptPeriod],
    progress: Callable[[float], None],
) -> None:
    there = {name: at for at, name in connection.sql("SELECT period, name FROM periods").fetchall()}
    wanted = {one.name for one in counting}
    for name, at in there.items():
        if name not in wanted:
            _remove(connection, at)
    number = max(there.values(), default=-1)
    new = [one for one in counting if one.name not in there]
    for done, one in enumerate(new):
        progress(done / len(new))
        number += 1
        _add(connection, number, one, folder / PERIODS / one.name)
    _join_notes(connection)
    for (period,) in connection.sql(
        "SELECT period FROM periods WHERE period NOT IN (SELECT period FROM sums) ORDER BY period"
    ).fetchall():
        connection.execute(f"INSERT INTO sums {sums_of('period = $period')}", {"period": period})
    _roll(connection)
    newest.count(connection, counting)


def _remove(connection: duckdb.DuckDBPyConnection, period: int) -> None:
    for table in ("lines", "filed", "filled", "sums", "periods"):
        connection.execute(f"DELETE FROM {table} WHERE period = ?", [period])
    connection.execute("DELETE FROM rolls WHERE period = $at OR next = $at", {"at": period})


def _add(connection: duckdb.DuckDBPyConnection, period: int, kept: KeptPeriod, own: Path) -> None:
    named = ", ".join(kept.files) or None
    connection.execute(
        "INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?, ?)",
        [period, kept.name, kept.source, kept.title, kept.as_of, kept.rules_version, named],
    )
    connection.register("incoming", periods.rows(own))
    connection.execute(
        "INSERT INTO numbers SELECT (SELECT count(*) FROM numbers)"
        " + row_number() OVER (ORDER BY loan_number) - 1, loan_number, property_name"
        " FROM incoming ANTI JOIN numbers USING (loan_number)"
    )
    # Of several names the first by letters: the same whichever period came first.
    connection.execute(
        "UPDATE numbers SET property_name = incoming.property_name FROM incoming"
        " WHERE incoming.loan_number = numbers.loan_number"
        " AND (incoming.property_name < numbers.property_name OR (numbers.property_name IS NULL"
        " AND incoming.property_name IS NOT NULL))"
    )
    severities = ", ".join(
        f"list_position([{WORDS}], {name}) - 1 AS {name}" for name in (*SIGNAL_TYPES, "worst")
    )
    connection.execute(
        f"INSERT INTO lines BY NAME SELECT {period} AS period, numbers.loan, of.loan AS whole,"
        " nullif(sums_notes, false) AS sums_notes,"
        f" {', '.join(PLAIN)}, {severities}"
        " FROM incoming JOIN numbers USING (loan_number)"
        " LEFT JOIN numbers AS of ON of.loan_number = whole_loan ORDER BY numbers.loan"
    )
    connection.unregister("incoming")
    if (said := periods.said(own)) is not None:
        _keep_filed(connection, period, said)


def _keep_filed(connection: duckdb.DuckDBPyConnection, period: int, said: Path) -> None:
    """What the source itself said, for the check sheet."""
    connection.register("incoming", archive.loans(said))
    keys = ", ".join(f"'$.{key}'" for key in _FILED_KEYS.values())
    values = ", ".join(f"further[{at}] AS {name}" for at, name in enumerate(_FILED_KEYS, start=1))
    connection.execute(
        # Text that is not quite JSON, as a lone half of a character makes it, holds none of them.
        f"WITH said AS (SELECT * REPLACE (TRY(json_extract_string(further, [{keys}])) AS further)"
        f" FROM incoming) INSERT INTO filed BY NAME SELECT {period} AS period, numbers.loan,"
        f" {values}, accrual_method,"
        " filed_debt_service AS debt_service, original_amount"
        " FROM said JOIN numbers USING (loan_number) ORDER BY numbers.loan"
    )
    fields = [fact.name for fact in FACTS if fact.counted and fact.origin == "reported"]
    counts = ", ".join(f"count({name}) AS {name}" for name in fields)
    connection.execute(
        f"INSERT INTO filled SELECT {period}, name, value FROM"
        f" (UNPIVOT (SELECT {counts} FROM incoming) ON COLUMNS(*))"
    )
    connection.unregister("incoming")


#: A filing may leave out what tells that records are notes of one loan, as that of January 2023 of
#: UBS 2017-C1 does with all addresses: what another one says holds.
_NOTES: Final = """
SELECT loan, whole, sums_notes FROM lines JOIN periods USING (period) WHERE whole IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY loan ORDER BY as_of DESC) = 1
"""


def _join_notes(connection: duckdb.DuckDBPyConnection) -> None:
    """Which loans are notes of one; sums that counted them otherwise go."""
    connection.execute(f"CREATE TEMP TABLE known AS {_NOTES}")
    connection.execute(
        "CREATE TEMP TABLE otherwise AS SELECT DISTINCT period FROM lines WHERE loan IN"
        " (SELECT loan FROM (FROM known EXCEPT FROM notes UNION (FROM notes EXCEPT FROM known)))"
    )
    connection.execute("DELETE FROM sums WHERE period IN (FROM otherwise)")
    for table in ("rolls", "happened"):
        connection.execute(
            f"DELETE FROM {table} WHERE period IN (FROM otherwise) OR next IN (FROM otherwise)"
        )
    connection.execute("DELETE FROM notes")
    connection.execute("INSERT INTO notes FROM known ORDER BY loan")
    connection.execute("DROP TABLE known")
    connection.execute("DROP TABLE otherwise")


def _roll(connection: duckdb.DuckDBPyConnection) -> None:
    """What became of the loans of each period by the next of its source: the pairs that changed."""
    pairs = set(
        connection.sql(
            "SELECT period, lead(period) OVER (PARTITION BY source ORDER BY as_of) AS next"
            " FROM periods QUALIFY next IS NOT NULL"
        ).fetchall()
    )
    there = set(connection.sql("SELECT DISTINCT period, next FROM rolls").fetchall())
    for before, after in there - pairs:
        connection.execute("DELETE FROM rolls WHERE period = ? AND next = ?", [before, after])
    for before, after in sorted(pairs - there):
        connection.execute(
            f"INSERT INTO rolls {rolls_of('b.period = $before AND a.period = $after')}",
            {"before": before, "after": after},
        )

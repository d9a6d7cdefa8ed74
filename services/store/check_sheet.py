"""Filings checked: one statement lays each beside the one before, and a check is a condition on its
rows.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from services.contract.check_sheet import (
    CHECKS,
    COVERAGE,
    DOLLAR,
    FEWER,
    INTEREST_DOLLARS,
    INTEREST_PART,
    PART,
    PRINCIPAL,
    Balance,
    Check,
    CheckedFiling,
    CheckName,
    CheckSheet,
    Finding,
    RollForward,
    SumName,
)
from services.contract.errors import NotFound
from services.contract.queries import shortened

from .history import kept_periods
from .reader import Reader


def _differ(one: str, other: str, dollars: float = DOLLAR, part: float = PART) -> str:
    """Whether two amounts differ by more than dollars, and more than a part of the larger one."""
    most = f"greatest({dollars}, {part} * greatest(abs({one}), abs({other})))"
    return f"abs(({one}) - ({other})) > {most}"


#: Every filing with the one before of its source, null for the first one.
_FILINGS: Final = """
WITH filing AS (
    SELECT period, source, title, as_of, file,
           lag(period) OVER its AS before, lag(as_of) OVER its AS as_of_before
    FROM history.periods WINDOW its AS (PARTITION BY source ORDER BY as_of)
),
asked AS (SELECT * FROM filing WHERE {which})
"""
#: Every record of the filings `asked` and of those before, with the condition and figures of each
#: check. `moved` is the opening balance less principal. A realized loss is filed for as long as the
#: loan is: it belongs to the month whose balance it closes. Days of interest are the whole number
#: of them from 28 to 31 that fits best.
_RECORDS: Final = f"""
{_FILINGS},
line AS (
    SELECT l.*, f.* EXCLUDE (period, loan), n.loan_number, n.property_name,
           coalesce(note.whole, loan) AS of_loan, coalesce(note.sums_notes, false) AS sums
    FROM history.lines AS l JOIN history.numbers AS n USING (loan)
         LEFT JOIN history.filed AS f USING (period, loan)
         LEFT JOIN history.notes AS note USING (loan)
    WHERE period IN (SELECT unnest([period, before]) FROM asked)
),
now AS (SELECT line.* FROM line JOIN asked USING (period)),
was AS (SELECT line.*, asked.period AS later FROM line JOIN asked ON before = line.period),
usual AS (
    SELECT period, reported AS usual FROM now WHERE reported IS NOT NULL GROUP BY period, reported
    QUALIFY row_number() OVER (PARTITION BY period ORDER BY count(*) DESC, reported DESC) = 1
),
twins AS (
    SELECT a.period, a.loan, min(b.loan_number) AS twin
    FROM now AS a JOIN now AS b USING (period, property_name, city, state, original_amount)
    WHERE a.of_loan <> b.of_loan AND a.balance > 0 AND b.balance > 0
    GROUP BY ALL
),
side AS (
    SELECT now.* EXCLUDE (period, loan_number, property_name, of_loan),
           coalesce(now.period, was.later) AS filing,
           coalesce(now.loan_number, was.loan_number) AS loan_number,
           coalesce(now.property_name, was.property_name) AS property_name,
           now.of_loan, twin, now.loan IS NOT NULL AS here, was.loan IS NOT NULL AS there,
           was.closing AS closing_before, was.balance AS balance_before,
           now.opening - {" - ".join(f"coalesce(now.{name}, 0)" for name in PRINCIPAL)} AS moved,
           now.opening * now.interest_rate / CASE now.accrual_method
               WHEN '1' THEN 1200 WHEN '2' THEN 36500 WHEN '3' THEN 36000 END AS unit,
           if(now.accrual_method = '1', 1, greatest(28, least(31, round(now.interest / unit))))
               AS units,
           coalesce(now.ncf, now.noi) / now.debt_service AS computed_dscr,
           least(coalesce(abs(now.dscr - now.ncf / now.debt_service), 'infinity'),
                 coalesce(abs(now.dscr - now.noi / now.debt_service), 'infinity')) AS dscr_off
    FROM now FULL JOIN was ON was.loan = now.loan AND was.later = now.period
         LEFT JOIN twins ON twins.loan = now.loan AND twins.period = now.period
),
record AS (
    SELECT side.*, usual, as_of_before, if({_differ("moved", "closing")}
               AND NOT {_differ("moved - realized_loss", "closing")}, realized_loss, 0) AS loss
    FROM side JOIN asked ON asked.period = filing LEFT JOIN usual ON usual.period = filing
)
"""


@dataclass(frozen=True, slots=True)
class _Condition:
    """One check as conditions and values over the rows of `record`, SQL."""

    #: Which records state what it needs.
    needs: str
    broken: str
    expected: str = "NULL"
    filed: str = "NULL"
    remark: str = "''"

    @property
    def tests(self) -> str:
        """Whether it tests a record."""
        return f"coalesce({self.needs}, false)"

    @property
    def fails(self) -> str:
        """Whether it does not hold of a record."""
        return f"coalesce({self.needs} AND {self.broken}, false)"


_CONDITIONS: Final[Mapping[CheckName, _Condition]] = {
    "roll-forward": _Condition(
        "opening IS NOT NULL AND closing IS NOT NULL",
        _differ("moved - loss", "closing"), "moved - loss", "closing",
    ),
    "opening balance": _Condition(
        "opening IS NOT NULL AND closing_before IS NOT NULL",
        _differ("opening", "closing_before"), "closing_before", "opening",
    ),
    "missing": _Condition("balance_before > 0", "NOT here", "balance_before"),
    "new": _Condition(
        "here AND as_of_before IS NOT NULL",
        "NOT there AND coalesce(vintage < year(as_of_before), true)", filed="balance",
    ),
    "interest": _Condition(
        "opening > 0 AND interest > 0 AND unit > 0",
        _differ("unit * units", "interest", INTEREST_DOLLARS, INTEREST_PART),
        "unit * units", "interest",
    ),
    # Of a loan in its grace period or late the actual balance is behind the scheduled one.
    "actual balance": _Condition(
        "payment_status = '0' AND closing > 0 AND actual IS NOT NULL",
        _differ("closing", "actual"), "closing", "actual",
    ),
    "coverage": _Condition(
        "dscr IS NOT NULL AND debt_service > 0 AND computed_dscr IS NOT NULL",
        f"dscr_off > {COVERAGE}", "computed_dscr", "dscr",
    ),
    "reporting date": _Condition(
        "reported IS NOT NULL", "reported <> usual", remark="reported::VARCHAR"
    ),
    "duplicate": _Condition(
        "here AND balance > 0 AND original_amount IS NOT NULL", "twin IS NOT NULL",
        filed="original_amount", remark="twin",
    ),
}  # fmt: skip

#: Of the filings `asked` and of those before: which part of the records has each field.
_FIELDS: Final = f"""
{_FILINGS},
part AS (
    SELECT filled.period, field, loans / (
        SELECT count(*) FROM history.lines WHERE lines.period = filled.period
    ) AS share
    FROM history.filled WHERE period IN (SELECT unnest([period, before]) FROM asked)
)
SELECT asked.period AS filing, field, round(was.share, 6) AS expected, round(now.share, 6) AS filed,
       was.share - now.share > {FEWER} AS fails
FROM asked JOIN part AS now USING (period) JOIN part AS was USING (field)
WHERE was.period = before AND was.share > 0 ORDER BY filing, field
"""
_SUMS: Final[Mapping[SumName, str]] = {
    "scheduled balance": "closing",
    "actual balance": "actual",
    "book value": "balance",
}
_ROLLED: Final = ("opening", *PRINCIPAL)
#: Records that are no sum of others.
_EACH: Final = " AND NOT sums"
#: Records that a filing's balances are rolled forward of.
_ROLLS: Final = f"{_CONDITIONS['roll-forward'].tests}{_EACH}"


def _counted() -> str:
    """What is counted and added of the records of a filing, as columns."""
    of_roll = {name: name for name in (*_ROLLED, "closing")} | {"losses": "loss"}
    return ", ".join(
        (
            "count(*) FILTER (here) AS records, count(DISTINCT of_loan) FILTER (here) AS loans",
            f"count(*) FILTER (here{_EACH}) AS notes",
            f"count(*) FILTER ({_ROLLS}) AS rolled",
            *(
                f"round(coalesce(fsum({column}) FILTER ({_ROLLS}), 0), 2) AS {name}"
                for name, column in of_roll.items()
            ),
            *(
                f'count({column}) FILTER (here{which}) AS "{name}{which} records",'
                f' round(fsum({column}) FILTER (here{which}), 2) AS "{name}{which}"'
                for name, column in _SUMS.items()
                for which in (_EACH, "")
            ),
            *(
                f'count(*) FILTER ({one.tests}) AS "{name} tested",'
                f' count(*) FILTER ({one.fails}) AS "{name} found"'
                for name, one in _CONDITIONS.items()
            ),
        )
    )


_NEWEST: Final = "period IN (SELECT max_by(period, as_of) FROM filing GROUP BY source)"
_OF_SOURCE: Final = "source = $source"
_ONE: Final = (
    f"{_OF_SOURCE} AND as_of = coalesce("
    "$as_of, (SELECT max(as_of) FROM filing WHERE source = $source))"
)


def checked_filings(reader: Reader, source: str | None) -> list[CheckedFiling]:
    """Every filing of a source, or the newest one of each source. Raises NotFound, NoHistory."""
    which, asked = (_NEWEST, {}) if source is None else (_OF_SOURCE, {"source": source})
    return [
        CheckedFiling(
            **_said(one),
            tested=sum(one[f"{name} tested"] > 0 for name in CHECKS),
            found={name: one[f"{name} found"] for name in CHECKS},
        )
        for one in _filings(reader, which, asked)
    ]


def check_sheet(reader: Reader, source: str, as_of: date | None) -> CheckSheet:
    """One filing of a source, checked. Raises NotFound and NoHistory."""
    asked = {"source": source, "as_of": as_of}
    [one] = _filings(reader, _ONE, asked)
    figures = ", ".join(
        f'{check.fails} AS "{name} fails", {check.expected} AS "{name} expected",'
        f' {check.filed} AS "{name} filed", {check.remark} AS "{name} remark"'
        for name, check in _CONDITIONS.items()
    )
    failing = reader.records(
        f"{_RECORDS.format(which=_ONE)} SELECT loan_number, property_name, {figures} FROM record"
        f" WHERE {' OR '.join(check.fails for check in _CONDITIONS.values())} ORDER BY loan_number",
        asked,
    )
    findings = [
        *(_of_record(name, row) for name in _CONDITIONS for row in failing if row[f"{name} fails"]),
        *(_of_field(row) for row in one["fields"] if row["fails"]),
    ]
    order = list(CHECKS)
    findings.sort(key=lambda found: (order.index(found.check), -found.size))
    return CheckSheet(
        **_said(one),
        loans=one["loans"],
        notes=one["notes"],
        balances=tuple(_balances(one)),
        checks=tuple(
            Check(check=name, tested=one[f"{name} tested"], found=one[f"{name} found"])
            for name in CHECKS
        ),
        findings=tuple(findings),
    )


def _filings(reader: Reader, which: str, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Filings with what is counted of them and their fields, the newest one first.

    Raises NotFound and NoHistory.
    """
    kept_periods(reader)
    filings = reader.records(
        f"{_FILINGS.format(which=which)} FROM asked ORDER BY as_of DESC, source",
        asked,
    )
    if not filings:
        when = f" as of {asked['as_of']}" if asked.get("as_of") else ""
        raise NotFound(f"No filing of '{shortened(asked.get('source', ''))}'{when}")
    counted = {
        one["filing"]: one
        for one in reader.records(
            f"{_RECORDS.format(which=which)} SELECT filing, {_counted()} FROM record"
            " GROUP BY filing",
            asked,
        )
    }
    fields: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in reader.records(_FIELDS.format(which=which), asked):
        fields[row["filing"]].append(row)
    return [
        {
            **one,
            **counted[one["period"]],
            "fields": of,
            "fields tested": len(of),
            "fields found": sum(row["fails"] for row in of),
        }
        for one in filings
        for of in (fields[one["period"]],)
    ]


def _said(one: Mapping[str, Any]) -> dict[str, Any]:
    """What the list and the sheet both say of a filing."""
    roll = None
    if one["rolled"]:
        names = (*_ROLLED, "losses", "closing")
        roll = RollForward(records=one["rolled"], **{name: one[name] for name in names})
    said = {name: one[name] for name in ("source", "title", "as_of", "file", "records")}
    return {**said, "before": one["as_of_before"], "roll": roll}


def _balances(one: Mapping[str, Any]) -> Iterator[Balance]:
    """Each kind of balance over the records that are no sum, and over all where some are."""
    for which in (_EACH, "") if one["notes"] < one["records"] else (_EACH,):
        for name in _SUMS:
            if records := one[f"{name}{which} records"]:
                yield Balance(
                    of=name,
                    every_record=which == "",
                    records=records,
                    dollars=one[f"{name}{which}"],
                )


def _of_record(name: CheckName, row: Mapping[str, Any]) -> Finding:
    places = 2 if CHECKS[name].unit == "dollars" else 4

    def figure(which: str) -> float | None:
        value = row[f"{name} {which}"]
        return None if value is None else round(float(value), places)

    return Finding(
        check=name,
        loan_number=row["loan_number"],
        property_name=row["property_name"],
        expected=figure("expected"),
        filed=figure("filed"),
        remark=row[f"{name} remark"],
    )


def _of_field(row: Mapping[str, Any]) -> Finding:
    return Finding(check="fields", field=row["field"], expected=row["expected"], filed=row["filed"])

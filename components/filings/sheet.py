"""One filing, checked: tie-out, roll-forward, checks, and what they found."""

from datetime import date
from functools import partial
from typing import Final

import streamlit as st

from components.frame import exports, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CHECK_SHEET, LOAN, SOURCES, Route
from components.kit import actions, fields, tables, text
from components.kit.card import card
from components.kit.formatting import (
    MISSING,
    count,
    day,
    dollars,
    fraction,
    loan_count,
    multiple,
    words,
)
from services.contract.check_sheet import (
    CHECKS,
    DOLLAR,
    PART,
    Balance,
    Check,
    CheckSheet,
    Finding,
    RollForward,
    Unit,
)
from services.contract.rounding import number_of

#: Findings that the page shows; the file holds all.
_SHOWN: Final = 100


def heading(sheet: CheckSheet) -> None:
    """What was checked, and how it came out; all findings as a file."""
    found = len(sheet.findings)
    before = f"after that of {day(sheet.before)}" if sheet.before else "the first filing kept"
    counted = loan_count(sheet.loans, sheet.notes, sheet.records)
    strong = f"{_named(sheet)}: {_in_short(sheet)}"
    of = ", ".join(filter(None, (counted, before, sheet.file)))
    with actions.beside(strong, of, key="sheet"):
        if found:
            make = partial(export, sheet)
            exports.download(make, found, "credit-atlas-check-sheet")


def _in_short(sheet: CheckSheet) -> str:
    """12 findings in 3 checks, 6 checks hold, 1 not tested."""
    failed = sum(one.found > 0 for one in sheet.checks)
    held = sum(one.tested > 0 and not one.found for one in sheet.checks)
    left = len(sheet.checks) - failed - held
    if held == len(sheet.checks):
        return "every check holds"
    said = []
    if failed:
        said.append(f"{number_of(len(sheet.findings), 'finding')} in {number_of(failed, 'check')}")
    if held:
        said.append(f"{number_of(held, 'check')} {'holds' if held == 1 else 'hold'}")
    if left:
        said.append(f"{count(left)} not tested")
    return ", ".join(said)


def _named(sheet: CheckSheet) -> str:
    return f"{sheet.title}, {day(sheet.as_of)}"


def balances(sheet: CheckSheet, total: float | None) -> None:
    """Each kind of balance, and how far the typed total is from it, beside the roll-forward."""
    left, right = st.columns(2, gap="small")
    with left, card("Tie-out", level=2):
        tables.sheet([_tied(one, total) for one in sheet.balances], "Tie-out", prose=("Ties",))
        text.caption(
            "Records that are the sum of others count in “every record” alone."
            if any(one.every_record for one in sheet.balances)
            else "Sums of the records as filed."
        )
    with right, card("Roll-forward", level=2):
        if sheet.roll is None:
            states.nothing("No record of this filing states both an opening and a closing balance.")
        else:
            tables.sheet(_rolled(sheet.roll), "Roll-forward")
            text.caption(f"Of {number_of(sheet.roll.records, 'record')} that state both ends.")


def _tied(one: Balance, total: float | None) -> dict[str, str]:
    which = f"{words(one.of)}{', every record' if one.every_record else ''}"
    row = {"Balance": which, "Records": count(one.records), "Sum": dollars(one.dollars, 2)}
    if total is None:
        return row
    off = round(total - one.dollars, 2)
    ties = "ties" if abs(off) < DOLLAR else "to a millionth" if abs(off) <= PART * total else "off"
    return {**row, "Typed total less sum": dollars(off, 2), "Ties": ties}


def _rolled(roll: RollForward) -> list[dict[str, str]]:
    lines = {
        "Opening balance": roll.opening,
        "less scheduled principal": -roll.scheduled_principal,
        "less unscheduled principal": -roll.unscheduled_principal,
        "less other principal": -roll.other_principal,
        "less non-cash principal": -roll.non_cash_principal,
        "less losses of loans that ended": -roll.losses,
        "Rolled forward": roll.rolled,
        "Closing balance as filed": roll.closing,
        "Difference": roll.closing - roll.rolled,
    }
    return [{"Line": line, "US dollars": dollars(amount, 2)} for line, amount in lines.items()]


def checks(sheet: CheckSheet) -> None:
    """Each check with what must hold, how many records state what it needs, and how it came out."""
    with card("Checks", level=2):
        rows = [
            {
                "Check": CHECKS[one.check].label,
                "What must hold": CHECKS[one.check].holds,
                "Tested": count(one.tested),
                "Came out": _came_out(one, sheet.before),
            }
            for one in sheet.checks
        ]
        tables.plain(rows, "Checks", figures=("Tested",))
        text.caption(
            "Balances may differ by a dollar, or by a millionth where that is more, as filings "
            "state seven digits; interest by 0.2%; a DSCR by 0.02."
        )


def _came_out(one: Check, before: date | None) -> str:
    if not one.tested:
        first = before is None and CHECKS[one.check].of_two
        return f"not tested: {'no filing before' if first else 'not filed'}"
    return f"▲ {number_of(one.found, 'finding')}" if one.found else "✓ holds"


def findings(sheet: CheckSheet) -> None:
    """What does not agree, a row each; a loan opens its page."""
    if not sheet.findings:
        return
    columns: tuple[Column[Finding], ...] = (
        Column("loan_number", "Loan or field", _subject),
        Column("check", "Check", lambda one: CHECKS[one.check].label),
        Column("expected", "Expected", lambda one: _figure(one.expected, CHECKS[one.check].unit),
               figure=True, under=lambda one: CHECKS[one.check].expected),
        Column("filed", "As filed", lambda one: _figure(one.filed, CHECKS[one.check].unit),
               figure=True, under=lambda one: CHECKS[one.check].filed),
        Column("difference", "Difference",
               lambda one: _figure(one.difference, CHECKS[one.check].unit), figure=True),
        Column("remark", "Note", _note),
    )  # fmt: skip

    def opens(one: Finding) -> tuple[Route, str | dict[str, str]]:
        if one.loan_number is None:
            return SOURCES, {"source": sheet.source}
        if one.check == "missing" and sheet.before:
            return CHECK_SHEET, {"source": sheet.source, "as_of": sheet.before.isoformat()}
        return LOAN, one.loan_number

    with card(f"Findings: {count(len(sheet.findings))}", level=2):
        ledger(columns, sheet.findings[:_SHOWN], opens=opens, named=_subject, caption="Findings")
        if len(sheet.findings) > _SHOWN:
            text.caption(f"The first {_SHOWN} of {count(len(sheet.findings))}.")


def _subject(one: Finding) -> str:
    return one.loan_number or fields.label(one.field or "")


def _figure(value: float | None, unit: Unit) -> str:
    if value is None:
        return MISSING
    if unit == "dollars":
        return dollars(value, 2)
    return multiple(value) if unit == "times" else fraction(value)


def _note(one: Finding) -> str:
    match one.check:
        case "reporting date":
            return f"reports for {day(date.fromisoformat(one.remark))}"
        case "duplicate":
            return f"as {one.remark}"
        case "missing":
            return "not in this filing"
        case "new":
            return "not in the filing before"
    return MISSING


def export(sheet: CheckSheet) -> exports.Export:
    """All findings of a filing."""
    rows = [
        {
            "source": sheet.source,
            "as_of": sheet.as_of,
            **one.model_dump(),
            "difference": one.difference,
            "unit": CHECKS[one.check].unit,
        }
        for one in sheet.findings
    ]
    kinds = {"source": str, "as_of": date, "check": str, "loan_number": str, "property_name": str,
             "field": str, "expected": float, "filed": float, "remark": str, "difference": float,
             "unit": str}  # fmt: skip
    return exports.of_rows("findings", f"Findings of {_named(sheet)}", rows, kinds)

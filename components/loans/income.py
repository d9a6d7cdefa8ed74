"""What the property earns and is worth: underwriting beside the latest filed period."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

import streamlit as st

from components.frame import states
from components.kit import fields, tables, text
from components.kit.card import card
from components.kit.formatting import (
    MISSING,
    change,
    count,
    day,
    distance,
    dollars,
    fixed,
    fraction,
    multiple,
    percent,
    share,
)
from services.contract.loan_figures import (
    TELLS_FROM,
    Income,
    LoanFigures,
    Statement,
    TenantLease,
)

#: Leases in sight; a loan on several properties has three of each.
LISTED: Final = 6


def panel(of: LoanFigures) -> None:
    """Income, occupancy and value, then the leases of the largest tenants; nothing of a loan that
    has ended.
    """
    if of.ended:
        return
    income, today = of.income, of.as_of
    with card(_title(income), part="income"):
        rows = _rows(income, other_debt=of.debt.by_service)
        if rows:
            tables.sheet(rows, "Income, occupancy and value")
        for said in remarks(of):
            text.caption(said)
        if income.leases:
            area = income.rentable_area
            whole = f", of {count(round(area))} square feet" if area else ""
            text.lead("Leases of the largest tenants", f"by expiry{whole}")
            listed = [_lease(lease, area, today) for lease in income.leases]
            alt = "Leases of the largest tenants by expiry"
            tables.sheet(listed[:LISTED], alt)
            if later := listed[LISTED:]:
                with st.expander(f"{count(len(later))} later leases"):
                    tables.sheet(later, f"{alt}, continued")
        if not rows and not income.leases:
            states.nothing("The source gives neither income nor occupancy nor value.")


def remarks(of: LoanFigures) -> list[str]:
    """What income and value are of, and what to beware of; then of debt that DSCR is on."""
    found = [_remarks(of.income, of.as_of, released="defeased" in of.exempt)]
    over = of.debt.filed_over_implied.value
    if of.debt.by_service:
        found.append(
            "DSCR was underwritten on the senior notes alone and is filed on all debt of the "
            "loan: the two are not compared."
        )
    elif over is not None and over >= TELLS_FROM:
        found.append(
            f"The debt service filed is {multiple(over)} what the debt known pays: there may "
            "be further debt that the record does not name."
        )
    return [said for said in found if said]


def period(statement: Statement | None) -> str:
    """Of what months a statement is: "Jan–Sep 2025, 9 mo"; in words where it is not dated."""
    if statement is None:
        return "Latest filed"
    start, end = statement.start, statement.end
    if start is None or end is None:
        return "Latest filed" if end is None else f"To {end:%b %Y}"
    # Filers begin a year on 31 December too; no month is of one day.
    start += timedelta(days=(start + timedelta(days=1)).day == 1)
    begin = f"{start:%b}" if start.year == end.year else f"{start:%b %Y}"
    return f"{begin}–{end:%b %Y}, {statement.months} mo"


def basis(income: Income, of: str) -> str:
    """What figures rest on: "NCF of Jan–Sep 2025, 9 mo, annualised", "underwritten NCF"; marked as
    stale where it is old, as sentences of rules mark it.
    """
    return _rests_on(income, of, "annualised")


def of_dscr(income: Income) -> str:
    """What DSCR rests on, which is not made a year's: "NCF of Jan–Sep 2025, 9 mo, as filed"."""
    return _rests_on(
        income, "NCF" if income.in_place is None else income.in_place.basis, "as filed"
    )


def _rests_on(income: Income, stands_on: str, part_year: str) -> str:
    in_place = income.in_place
    if in_place is None:
        return "no income"
    if income.filed is None:
        return f"underwritten {stands_on}"
    scaled = f", {part_year}" if in_place.annualised else ""
    when = in_place.said if in_place.end is None and in_place.said else period(in_place)
    stale = ", stale" if income.old else ""
    before = ", before the loan" if income.before_loan else ""
    return f"{stands_on} of {when}{scaled}{stale}{before}"


def _title(income: Income) -> str:
    in_place = income.in_place
    if in_place is None:
        return "Income: no filed period" if income.underwritten else "Income: not known"
    parts = [f"DSCR {multiple(in_place.dscr)}"] if in_place.dscr is not None else []
    now, then = in_place.noi, income.underwritten and income.underwritten.noi
    if income.filed and now is not None and then:
        moved = now / then - 1
        side = "above" if moved > 0 else "below"
        parts.append(f"NOI {percent(abs(100 * moved), 1)} {side} underwriting")
    whose = "Income before the loan" if income.before_loan else "Income"
    return f"{whose}: {', '.join(parts)}" if parts else "Income and value"


def _rows(income: Income, *, other_debt: bool = False) -> list[dict[str, str]]:
    none = Statement()
    then, now = income.underwritten or none, income.filed or none
    found = [
        _row("noi", then.noi, now.noi, dollars),
        _row("ncf", then.ncf, now.ncf, dollars),
        _row("dscr", then.dscr, now.dscr, multiple),
        _row("occupancy", income.underwritten_occupancy, income.occupancy, fraction),
        _row("value", income.underwritten_value, income.value, dollars),
    ]
    heads = ("Figure", "Underwritten", period(income.filed), "Change")
    rows = [dict(zip(heads, row, strict=True)) for row in found if row]
    not_alike = {} if income.reappraised else {"value": "not reappraised"}
    if None not in (income.filed, income.underwritten) and then.basis != now.basis:
        when = "now" if now.basis == "NOI" else "then"
        not_alike |= {"ncf": f"no reserves {when}", "dscr": f"{then.basis}, now {now.basis}"}
    if other_debt:
        not_alike["dscr"] = "other debt"
    said = {fields.label(name): word for name, word in not_alike.items()}
    return [
        row
        if row["Change"] == MISSING
        else {**row, "Change": said.get(row["Figure"], row["Change"])}
        for row in rows
    ]


def _row(
    name: str, then: float | None, now: float | None, write: Callable[[float | None], str]
) -> tuple[str, str, str, str] | None:
    """A fact then and now with its change; None where neither is known."""
    if then is None and now is None:
        return None
    return fields.label(name), write(then), write(now), _change(then, now, write)


def _change(then: float | None, now: float | None, write: Callable[[float | None], str]) -> str:
    if then is None or now is None:
        return MISSING
    if then == now:
        return "unchanged"
    if write is fraction:
        return f"{fixed(100 * (now - then), 1, '+')} points"
    return change(now / then - 1, 1) if then > 0 else MISSING


def _remarks(income: Income, today: date, *, released: bool = False) -> str:
    said = ["The property is released: Treasuries secure and pay the loan."] if released else []
    filed = income.filed
    if filed is None and income.underwritten is not None:
        rests = ", so coverage rests on that" if income.in_place and not released else ""
        said.append(f"No period is filed since underwriting{rests}.")
    if filed is not None:
        said.append(_filed(filed))
    if filed is not None and income.old:
        said.append(f"It ended {distance(filed.end, today)}: stale, over 12 months.")
    if income.before_loan:
        said.append("It ended before the loan was made: its DSCR is not graded.")
    if filed is not None and filed.annualised and filed.dscr is not None:
        said.append("DSCR is that of these months, as filed.")
    if income.imputed:
        said.append("A cooperative earns no rent: NOI and NCF are what its homes would rent for.")
    if income.seasonal:
        said.append("Lodging is seasonal: a part of a year is a poor measure of one.")
    if income.in_place is not None and income.in_place.without_reserves:
        said.append("NCF equals NOI to the cent: no reserves are taken, so coverage is on NOI.")
    if income.value is not None:
        said.append(_valued(income, today))
    return " ".join(said)


def _filed(statement: Statement) -> str:
    if statement.said:  # that it is seasonal, a sentence of its own says
        return f"Filed: {statement.said.removesuffix(', seasonal')}."
    if statement.start is None or statement.end is None:
        return f"Filed: {statement.basis}, period not given."
    scaled = ", annualised" if statement.annualised else ""
    days = f"{day(statement.start)} to {day(statement.end)}, {statement.months} months"
    return f"Filed: {statement.basis}, {days}{scaled}."


def _valued(income: Income, today: date) -> str:
    if income.value_date is None:
        return "The appraisal is not dated."
    age = f"Appraised {day(income.value_date)}, {distance(income.value_date, today)}"
    return f"{age}: stale, over 24 months." if income.stale else f"{age}."


def _lease(lease: TenantLease, area: float | None, today: date) -> dict[str, str]:
    feet = lease.square_feet
    return {
        "Tenant": lease.tenant or MISSING,
        "Square feet": MISSING if feet is None else count(round(feet)),
        "Of the area": MISSING if feet is None or not area else share(feet, area),
        "Expires": day(lease.expires),
        "Due": distance(lease.expires, today),
    }

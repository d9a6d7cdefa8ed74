"""The six figures that a loan's page begins with: each with what it was underwritten at, or what a
lender asks, and the severity of the rule that fired on it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from components.kit import fields
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, fraction, money, multiple, percent
from components.loans import ending, exposure, hero, income, spreads, watchlist
from services.contract.loan_figures import ADVANCES, LoanFigures
from services.contract.records import LoanDetail, Signal

#: Figure -> the rule that grades it.
_GRADED_BY: Final = {"DSCR": "CV-1", "LTV": "LV-1", "Debt yield": "DY-1", "Occupancy": "OC-1"}
_RELEASED: Final = "the property is released"


def panel(loan: LoanDetail, found: LoanFigures, signals: Sequence[Signal] | None) -> None:
    """What matters first, in a sentence and in figures; then exposure and watchlist.

    `signals` is None where they could not be asked for: that is not "no signal". Of a loan that has
    ended: how, and what was lost.
    """
    hero.hero(loan, found, signals)
    if found.ended:
        ending.figures(loan)
        return
    fired = {part.rule: part.severity for one in signals or () for part in one.components}
    grades = {label: fired.get(rule) for label, rule in _GRADED_BY.items()}
    figures = (_balance(loan, found), _dscr(found), _at_refi(found), *_of_property(found))
    row([replace(one, grade=grades.get(one.label)) for one in figures])
    exposure.panel(found)
    watchlist.panel(loan, found)


def _balance(loan: LoanDetail, found: LoanFigures) -> Figure:
    coupon = f"{percent(loan.interest_rate)} coupon"
    return Figure("Book value", money(loan.book_value), f"{_of_what(found)} · {coupon}")


def _of_what(found: LoanFigures) -> str:
    if found.debt.part and found.debt.whole.value is not None:
        least = "at least " if found.debt.at_least else ""
        return f"of {least}{money(found.debt.whole.value)} whole loan"
    if found.debt.behind:
        return f"with {money(found.debt.behind)} mezzanine behind it"
    layers = sum(layer.position != ADVANCES for layer in found.stack)
    return f"senior of {layers} layers" if layers > 1 else "one debt layer"


def _dscr(found: LoanFigures) -> Figure:
    in_place, then = found.income.in_place, found.income.underwritten
    dscr = None if in_place is None else in_place.dscr
    stands_on = f"On {income.of_dscr(found.income)}." if dscr is not None else "No DSCR is filed."
    of = "underwritten" if found.income.filed is None and dscr is not None else ""
    # Underwritten on the senior notes alone, and filed on all debt: two ratios of two debts.
    if found.income.filed and then and then.dscr is not None and not found.debt.by_service:
        of = f"{multiple(then.dscr)} underwritten"
    if (room := found.income.room.value) is not None:
        moves = "may fall" if room >= 0 else "has to rise"
        of = " · ".join(filter(None, (of, f"NOI {moves} {percent(abs(100 * room), 1)} to 1.00x")))
    return Figure("DSCR", multiple(dscr), of, stands_on)


def _at_refi(found: LoanFigures) -> Figure:
    refi, label = found.refinance, fields.label("proforma_dscr")
    if found.exempt:
        return Figure(label, MISSING, f"exempt: {found.exempt[0]}")
    ratio = refi.graded(refi.dscr)
    most = "≤ " if found.debt.at_least and ratio.value is not None and ratio.value > 0 else ""
    how = "interest only" if refi.interest_only_graded else "amortising"
    of = ratio.why if ratio.value is None else f"at {percent(refi.rate.value)}, {how}"
    uncovered = ratio.value is not None and ratio.value < 1
    of += " · under 1.00x" if uncovered else ""
    of = _of_whole(found, of)
    help_text = (
        "On income of a year and the balance at maturity, in the convention in which the loan pays "
        f"now. {spreads.said(refi.spreads)}"
    )
    return Figure(label, f"{most}{multiple(ratio.value)}", of, help_text, bad=uncovered)


def _of_property(found: LoanFigures) -> Sequence[Figure]:
    """LTV, debt yield and occupancy."""
    names = ("LTV", "Debt yield", "Occupancy")
    if "defeased" in found.exempt:
        return [Figure(name, MISSING, _RELEASED) for name in names]
    of, debt, terms = found.income, found.debt, found.refinance.terms
    least, most = ("≥ ", "≤ ") if debt.at_least else ("", "")
    appraised = f"appraised {of.value_date:%b %Y}" if of.value_date else "appraisal not dated"
    on = "on exposure, " if found.exposure.counts else ""
    asked = f"{percent(terms.min_debt_yield_pct, 1)} asked today" if terms else ""
    then = of.underwritten_occupancy
    ltv, debt_yield = debt.ltv.value, debt.debt_yield.value
    return (
        Figure("LTV", _bounded(least, None if ltv is None else fraction(ltv)),
               debt.ltv.why
               or _of_whole(found, f"{on}{appraised}{', stale' if of.stale else ''}")),
        Figure("Debt yield", _bounded(most, None if debt_yield is None else percent(debt_yield)),
               debt.debt_yield.why or _of_whole(found, asked),
               "NOI / debt of the whole loan, against what a lender asks of the property type."),
        Figure("Occupancy",
               fraction(of.occupancy),
               "" if then is None else f"{fraction(then)} underwritten"),
    )  # fmt: skip


def _of_whole(found: LoanFigures, said: str) -> str:
    """Whose figure it is where the page is that of one note of a larger loan."""
    return " · ".join(filter(None, ("whole loan" if found.debt.part else "", said)))


def _bounded(sign: str, written: str | None) -> str:
    return MISSING if written is None else f"{sign}{written}"

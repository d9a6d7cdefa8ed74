"""What the page of a loan says first: its worst signal, how income covers debt, what is short."""

import streamlit as st

from components.kit import severity, text
from components.kit.formatting import MISSING, distance, percent
from components.kit.text import element
from components.loans import income
from components.loans.refinance import short
from services.contract.loan_figures import LoanFigures


def hero(found: LoanFigures, worst: str | None) -> None:
    """One sentence in the colour of the worst signal; `worst` is None where there is none, or
    where it is not known.
    """
    said = state(found)
    if not said:
        return
    graded = worst if severity.rank(worst) >= 0 else None
    with st.container(key=f"hero {graded or 'none'}", gap="xsmall"):
        chip = severity.chip(severity.label(graded)) if graded else ""
        text.show(element("p", chip, said, class_="atlas-hero"))
        # It says what coverage rests on, and without a DSCR the sentence says nothing of coverage.
        if _dscr(found) is not None:
            text.caption(f"Income: {income.of_dscr(found.income)}.")


def state(found: LoanFigures) -> str:
    """Coverage now and at the refi rate, and what is short when the loan is due."""
    parts = [one for one in (_covers(found), _short(found)) if one]
    return f"{'; '.join(parts)}." if parts else ""


def _dscr(found: LoanFigures) -> float | None:
    in_place = found.income.in_place
    return None if in_place is None else in_place.dscr


def _covers(found: LoanFigures) -> str:
    ratio = _dscr(found)
    if ratio is None:
        return ""
    if ratio <= 0:
        return "Income covers none of the debt service"
    refi = found.refinance
    then = None if found.exempt else refi.graded(refi.dscr).value
    bound = "at most " if found.debt.at_least else ""
    at_refi = "" if then is None or then <= 0 else f", {bound}{_part(then)} at today's refi rate"
    return f"Income covers {_part(ratio)} of debt service{at_refi}"


def _part(ratio: float) -> str:
    return percent(100 * ratio, 0)


def _short(found: LoanFigures) -> str:
    """Nothing of a loan that nobody refinances."""
    refi = found.refinance
    gap = refi.own_gap_usd if found.debt.part else refi.gap_usd
    if found.exempt or gap.value is None:
        return ""
    due = found.debt.effective
    when = "" if due is None else distance(due, found.as_of)
    falls = f", due {when}" if when and when != MISSING else ""
    return f"{short(gap, at_least=found.debt.at_least)} at refinance{falls}"

"""What refinancing at today's rate would take, in both conventions, and if rates and NOI move."""

from collections.abc import Mapping
from datetime import date
from typing import Final

import streamlit as st

from components.frame import address
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, day, dollars, fixed, multiple, percent, words
from components.loans import conventions, income, outcome, owed, sensitivity, sizing, spreads
from components.loans.outcome import against_coupon, short
from services.contract.loan_figures import (
    CONSTRAINTS,
    Exemption,
    Floating,
    LoanFigures,
    Refinance,
)
from services.contract.sizing import SizingInputs
from services.contract.vocabulary import SERIES

#: What holds the coupon of a floating loan.
_HELD_BY: Final = {"floor": "floor", "cap": "cap", "strike": "bought cap with a strike of"}
#: Why an exempt loan has no refinance figures.
EXEMPT: Final[Mapping[Exemption, str]] = {
    "without a balance": "Nothing is owed on this loan: there is nothing to refinance.",
    "defeased": "The loan is fully defeased: Treasuries pay it to maturity. Maturity, rate and "
    "refinance figures do not concern it.",
    "REO": "The lender has taken the property over and is to sell it: there is nothing to "
    "refinance.",
    "fully amortising": "The loan is fully amortising: its schedule repays it in full, and nothing "
    "is left to refinance at maturity.",
}


def panel(figures: LoanFigures, number: str) -> dict[str, float]:
    """Refinance figures of a loan; of an exempt one, why it has none; of one that has ended,
    nothing. Of a note, its own share or, by a switch, the whole loan: the view of the page has the
    field `whole`. Below them the calculator: returns what is changed in it (sizing.panel).
    """
    if figures.ended:
        return {}
    _card(figures)
    return sizing.panel(figures, number)


def _card(figures: LoanFigures) -> None:
    part = figures.debt.part and not figures.exempt
    with card(_title(figures), part="refinance"):
        if figures.exempt:
            text.sentence("\n".join(EXEMPT[why] for why in figures.exempt))
            return
        refi, debt = figures.refinance, figures.debt
        own = part and not st.toggle("The whole loan, not this note", **address.widget("whole"))
        outcome.panel(figures, own=own)
        left, right = st.columns(2, gap="medium")
        with left:
            tables.sheet(
                conventions.rows(refi, debt, on=SizingInputs.of(figures).dscr_basis),
                "Refinance in both conventions",
            )
            listed, until = owed.rows(debt, figures.as_of), "What is owed, and until when"
            text.closed(until, tables.of_figures(listed, until, prose=("Of what",)), level=4)
        with right:
            tables.sheet(_proceeds(figures), "Largest new loan by constraint")
            text.caption(_proceeds_in_words(figures))
        text.caption(_rate_in_words(refi))
        if debt.floating:
            text.caption(_floating_in_words(debt.floating, figures.as_of))
        moved = sensitivity.grids(refi, at_least=debt.at_least)
        text.closed(f"If rates and NOI move{owed.of_whole(debt)}", moved, level=4)


def _title(figures: LoanFigures) -> str:
    if figures.exempt:
        return f"Refinance: does not concern a loan that is {figures.exempt[0]}"
    refi = figures.refinance
    rate = "" if refi.rate.value is None else f" at {percent(refi.rate.value)}"
    gap = outcome.of_each(figures)
    return f"Refinance{rate}: {gap}" if gap else f"Refinance{rate}, {refi.gap_usd.why}"


def _rate_in_words(refi: Refinance) -> str:
    said = []
    if refi.rate.value is None:
        said.append(f"Refi rate: {refi.rate.why}.")
    elif refi.reference is not None:
        name = SERIES.get(refi.reference.series, refi.reference.series)
        spread = "" if refi.spread_bp is None else f" {_plus(refi.spread_bp)}"
        said.append(
            f"Refi rate {percent(refi.rate.value)}: {name} {percent(refi.reference.percent)} on "
            f"{day(refi.reference.day)}{spread}, the spread of the property type."
        )
    else:
        said.append(
            f"Refi rate {percent(refi.rate.value)} as the source states it; what it stands on is "
            "not known here."
        )
    if refi.rate.value is not None and (aged := spreads.said(refi.spreads)):
        said.append(aged)
    if refi.rate_gap.value is not None:
        said.append(f"It is {against_coupon(refi.rate_gap.value)}.")
    if refi.instead_of:
        said.append(
            f"The original term asks for the {SERIES[refi.instead_of]}, of which no rate of "
            "that date is loaded here."
        )
    if refi.terms is not None:
        said.append(
            f"New loan of {refi.term_years} years, amortising over {refi.terms.amortisation_years}."
        )
    how = "interest only" if refi.interest_only_graded else "amortising"
    said.append(f"Graded as the loan pays now: {how}.")
    return " ".join(said)


def _floating_in_words(rate: Floating, as_of: date) -> str:
    """What the coupon follows, and between what it is held."""
    margin = "" if rate.margin is None else f" {_plus(100 * rate.margin)}"
    bounds = {"floor": rate.floor, "cap": rate.cap, "strike": rate.strike}
    held = [
        f"{_HELD_BY[name]} {percent(bound)}{', where it is now' if rate.at == name else ''}"
        for name, bound in bounds.items()
        if bound is not None
    ]
    if rate.expires is not None:
        over = rate.expires < as_of
        held.append(f"that cap {'expired' if over else 'expires'} on {day(rate.expires)}")
    between = "".join(f"; {one}" for one in held)
    return f"The coupon floats with {rate.index or 'an index that is not stated'}{margin}{between}."


def _plus(spread_bp: float) -> str:
    return f"{'−' if spread_bp < 0 else '+'} {fixed(abs(spread_bp))} bp"


def _proceeds(figures: LoanFigures) -> list[dict[str, str]]:
    refi, debt = figures.refinance, figures.debt
    terms, due = refi.terms, debt.due_at_maturity.value
    head = f"Largest new loan{owed.of_whole(debt)}"
    limits = (
        (
            f"at least {multiple(terms.min_dscr)} on {SizingInputs.of(figures).dscr_basis}",
            f"at least {percent(terms.min_debt_yield_pct, 1)} on NOI",
            f"at most {percent(100 * terms.max_ltv, 0)} of the value",
        )
        if terms
        else (MISSING, MISSING, MISSING)
    )
    rows = []
    for name, limit, figure in zip(CONSTRAINTS, limits, refi.proceeds, strict=True):
        left = None if figure.value is None or due is None else figure.value - due
        rows.append(
            {
                head: f"By {name}{', binds' if name == refi.binding else ''}",
                "Lender asks": limit,
                "Proceeds": figure.written(dollars),
                "Less what is due": sensitivity.signed(left, at_most=debt.at_least),
            }
        )
    return rows


def _proceeds_in_words(figures: LoanFigures) -> str:
    refi, debt = figures.refinance, figures.debt
    if refi.gap.value is None:
        return f"The gap is {refi.gap.why}."
    gap = short(refi.gap_usd, at_least=debt.at_least)
    lacks = SizingInputs.of(figures).ncf is None
    owed = "debt due with the loan" if debt.behind else "balance at maturity"
    part = f"{percent(abs(100 * refi.gap.value), 1)} of the {owed}"
    said = [
        f"Sized on {income.basis(figures.income, 'NOI' if lacks else 'NOI and NCF')}.",
        *(["No NCF after reserves is stated."] if lacks else []),
        f"{words(refi.binding)} binds: {gap}, {part}.",
    ]
    if debt.part or debt.behind:
        what = "the whole loan" if debt.part else "all debt due with the loan"
        own = short(refi.own_gap_usd, at_least=debt.at_least)
        whose = "this note's" if debt.part else "the loan's own"
        said.append(f"Amounts are those of {what}; {whose} share: {own}.")
    return " ".join(said)

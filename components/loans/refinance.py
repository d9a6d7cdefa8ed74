"""What refinancing at today's rate would take, in both conventions, and if rates and NOI move."""

from collections.abc import Mapping
from datetime import date
from typing import Final

import streamlit as st

from components.kit import fields, tables, text
from components.kit.card import card
from components.kit.formatting import (
    MISSING,
    day,
    distance,
    dollars,
    fixed,
    money,
    multiple,
    percent,
    words,
)
from components.loans import conventions, income, sensitivity, spreads
from services.contract.loan_figures import (
    CONSTRAINTS,
    Debt,
    Exemption,
    Figure,
    Floating,
    LoanFigures,
    Refinance,
    SizingInputs,
)
from services.contract.vocabulary import SERIES

#: Why an exempt loan has no refinance figures.
EXEMPT: Final[Mapping[Exemption, str]] = {
    "without a balance": "Nothing is owed on this loan: there is nothing to refinance.",
    "defeased": "The loan is fully defeased: Treasuries pay it to maturity. Maturity, rate and "
    "refinance figures do not concern it.",
    "REO": "The lender has taken the property over: it is sold, and nobody refinances the loan.",
    "self-amortising": "The loan is self-amortising: its schedule repays it in full, and nothing "
    "is left to refinance at maturity.",
}


def panel(figures: LoanFigures) -> None:
    """Refinance figures of a loan; of an exempt one, why it has none."""
    with card(_title(figures)):
        if figures.exempt:
            text.sentence("\n".join(EXEMPT[why] for why in figures.exempt))
            return
        refi, debt = figures.refinance, figures.debt
        left, right = st.columns(2, gap="medium")
        with left:
            tables.sheet(
                conventions.rows(
                    refi, at_least=debt.at_least, on=SizingInputs.of(figures).dscr_basis
                ),
                "Refinance in both conventions",
            )
            text.caption(_rate_in_words(refi))
            if debt.floating:
                text.caption(_floating_in_words(debt.floating))
        with right:
            tables.sheet(_debt(debt, figures.as_of), "What is owed, and until when",
                         prose=("Of what",))  # fmt: skip
            tables.sheet(_proceeds(figures), "Largest new loan by constraint")
            text.caption(_proceeds_in_words(figures))
        sensitivity.grids(refi, at_least=debt.at_least)


def short(gap: Figure, *, at_least: bool = False) -> str:
    """A gap in dollars in words: "$2.7M short", "$0.4M to spare"; else why there is none.

    `at_least`: only a part of the debt is known, so that the gap may be larger.
    """
    if gap.value is None:
        return gap.why
    if gap.value == 0:
        return "nothing short"
    lacks = gap.value > 0
    bound = "" if not at_least else "at least " if lacks else "at most "
    return f"{bound}{money(abs(gap.value))} {'short' if lacks else 'to spare'}"


def _title(figures: LoanFigures) -> str:
    if figures.exempt:
        return f"Refinance: does not concern a loan that is {figures.exempt[0]}"
    refi = figures.refinance
    rate = "" if refi.rate.value is None else f" at {percent(refi.rate.value)}"
    if refi.gap_usd.value is None:
        return f"Refinance{rate}, {refi.gap_usd.why}"
    return f"Refinance{rate}: {short(refi.gap_usd, at_least=figures.debt.at_least)}"


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
        side = "above" if refi.rate_gap.value >= 0 else "below"
        said.append(f"It is {fixed(abs(refi.rate_gap.value))} bp {side} the coupon.")
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


def _floating_in_words(rate: Floating) -> str:
    """What the coupon follows, and between what it is held."""
    margin = "" if rate.margin is None else f" {_plus(100 * rate.margin)}"
    held = [
        f"{name} {percent(bound)}{', where it stands' if rate.at == name else ''}"
        for name, bound in (("floor", rate.floor), ("cap", rate.cap))
        if bound is not None
    ]
    bounds = "".join(f"; {one}" for one in held)
    return f"The coupon floats with {rate.index or 'an index that is not stated'}{margin}{bounds}."


def _plus(spread_bp: float) -> str:
    return f"{'−' if spread_bp < 0 else '+'} {fixed(abs(spread_bp))} bp"


def _debt(debt: Debt, today: date) -> list[dict[str, str]]:
    """What is owed now and at effective maturity, and how it pays."""
    own = ("Balance", fields.label("balance_at_maturity"), fields.label("own_debt_service"))
    if debt.part:
        own = ("This note", "This note at maturity", "Its debt service, a year")
    found = [
        (own[0], dollars(debt.balance), _pays(debt)),
        (own[1], debt.at_maturity.written(dollars), _matures(debt, today)),
        (own[2], debt.service.written(dollars), _service(debt)),
    ]
    if debt.part:
        found.append(("Whole loan", debt.whole.written(dollars), _whole(debt)))
        due = debt.whole_at_maturity.written(dollars)
        least = "at least, " if debt.at_least else ""
        how = "interest only" if debt.interest_only_throughout else "as the note amortises"
        found.append(("Whole loan at maturity", due, f"{least}{how}"))
    if debt.behind:
        found.append(("Mezzanine behind it", dollars(debt.behind), "due with the loan"))
        found.append(("Due with the loan", debt.due_at_maturity.written(dollars), "all ranks"))
    names = ("Owed", "Dollars", "Of what")
    return [dict(zip(names, row, strict=True)) for row in found]


def _whole(debt: Debt) -> str:
    """How the whole loan's debt is known."""
    if debt.by_service:
        return "implied by the debt service filed"
    if not debt.at_least:
        return "implied by underwriting"
    return "at least: up to this junior note" if debt.junior else "at least: the senior part"


def _pays(debt: Debt) -> str:
    if debt.interest_only_throughout:
        return "interest only to maturity"
    if debt.interest_only_now:
        until = debt.amortises_from
        return "interest only now" if until is None else f"interest only, amortises {until:%b %Y}"
    return "amortising"


def _service(debt: Debt) -> str:
    how = "interest" if debt.interest_only_now else "principal and interest"
    return f"{how}, {'by actual days' if debt.day_count != 1 else 'equal months'}"


def _matures(debt: Debt, today: date) -> str:
    if debt.effective is None:
        return "no maturity date"
    when = f"{day(debt.effective)}, {distance(debt.effective, today)}"
    if debt.effective == debt.anticipated_repayment and debt.maturity != debt.effective:
        return f"ARD {when}; matures {day(debt.maturity)}"
    return when


def _proceeds(figures: LoanFigures) -> list[dict[str, str]]:
    refi, debt = figures.refinance, figures.debt
    terms, due = refi.terms, debt.due_at_maturity.value
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
                "Largest new loan": f"By {name}{', binds' if name == refi.binding else ''}",
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

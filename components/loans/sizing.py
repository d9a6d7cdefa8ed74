"""A sizing calculator that starts from the loan's own figures; changes stand in the address."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from components.frame import address, field_bar, links, session
from components.frame.fields import Number
from components.frame.routes import LOAN
from components.kit import tables, text
from components.kit.formatting import day, dollars, multiple, percent
from components.loans.sensitivity import signed
from services.contract.loan_figures import CONSTRAINTS, LoanFigures
from services.contract.sizing import Sized, SizingInputs
from services.contract.source import Dossiers


def _input(label: str, low: float, high: float, step: float, digits: int = 2) -> Number:
    return Number(
        label=label,
        empty="not known",
        low=low,
        high=high,
        step=step,
        whole=digits == 0,
        digits=digits or None,
        required=True,
    )


_LABEL: Final = "Size a new loan"
#: Inputs of the calculator by field of SizingInputs, which is their parameter too.
INPUTS: Final = {
    "noi": _input("NOI in dollars", -(10**9), 10**10, 50_000, 0),
    "ncf": _input("NCF in dollars", -(10**9), 10**10, 50_000, 0),
    "refi_rate": _input("Rate in percent", 0.1, 25, 0.25),
    "amortisation_years": _input("Amortisation in years", 0, 50, 1, 0),
    "min_dscr": _input("Min DSCR", 0.5, 10, 0.05),
    "min_debt_yield": _input("Min debt yield in percent", 0.5, 50, 0.5),
    "max_ltv": _input("Max LTV in percent", 1, 150, 5, 1),
    "cap_rate": _input("Cap rate in percent", 0.5, 50, 0.25),
}


def panel(figures: LoanFigures, number: str) -> dict[str, float]:
    """A line that opens on the calculator, and is open where the address changes an input; what
    differs from the loan's own figures, by parameter. The view of the page has the field `sizing`.
    """
    own = SizingInputs.of(figures)
    if figures.income.imputed:  # nothing is lent on a rent that is not paid
        own = replace(own, noi=None, ncf=None, cap_rate=None)
    opened = st.expander(text.label(_LABEL), **address.widget("sizing"))
    if not opened.open:
        return _changed(own, lambda: {name: st.session_state.get(name) for name in INPUTS})
    with opened:
        changed = _changed(own, partial(field_bar.draw, INPUTS, key="sizing-inputs", label=_LABEL))
        inputs = replace(own, **changed)  # type: ignore[arg-type]  # whole ones are int
        sized = session.ask(Dossiers.sized, inputs)
        left, right = st.columns([1, 1.3], gap="medium")
        with left:
            _verdict(inputs, sized, figures)
            if changed:
                again = "Back to the loan's own figures"
                own_figures = {"loan_number": number, "sizing": "yes"}
                links.link(LOAN, again, "restart_alt", own_figures)
            else:
                text.caption("These are the loan's own figures; the address keeps what you change.")
        with right:
            tables.sheet(_rows(inputs, sized, figures), "Proceeds by constraint")
    return changed


def _changed(own: SizingInputs, read: Callable[[], Mapping[str, Any]]) -> dict[str, float]:
    """What `read` gives of the inputs, seeded from the loan wherever the address does not say."""
    known = {name: _held(field, getattr(own, name)) for name, field in INPUTS.items()}
    for name, value in known.items():
        if st.session_state.get(name) is None:
            st.session_state[name] = value
    return {
        name: value for name, value in read().items() if value is not None and value != known[name]
    }


def _held(field: Number, value: float | None) -> float | None:
    """The loan's own figure as its field holds it; None where it cannot."""
    if value is None or field.fault(value):
        return None
    return round(value) if field.whole else value


def _due(figures: LoanFigures) -> float | None:
    """What proceeds are set against; None where nothing is, or it is not known."""
    return None if figures.exempt else figures.debt.due_at_maturity.value


def _verdict(inputs: SizingInputs, sized: Sized, figures: LoanFigures) -> None:
    """The largest loan, what binds it, and what it leaves over or lacks at maturity."""
    due = _due(figures)
    if sized.amount is None:
        lacks = (
            "type a NOI to size a loan on it" if inputs.noi is None else "no constraint is known"
        )
        text.lead("Not testable:", lacks)
    else:
        left = _left_over(sized.amount, due, at_least=figures.debt.at_least)
        text.lead(f"{dollars(sized.amount)}: {sized.binding} binds", left)
    text.caption(
        f"{_property_in_words(inputs)} {_due_in_words(figures)} 0 years sizes interest only."
    )


def _left_over(amount: float, due: float | None, *, at_least: bool) -> str:
    """`at_least`: more is due than is known."""
    if due is None:
        return ""
    over = amount >= due
    bound = "" if not at_least else "at most " if over else "at least "
    return f"· {'surplus' if over else 'shortfall'} of {bound}{dollars(abs(amount - due))}"


def _rows(inputs: SizingInputs, sized: Sized, figures: LoanFigures) -> list[dict[str, str]]:
    """Proceeds by each constraint against what is due at maturity."""
    due, least = _due(figures), figures.debt.at_least
    limits = (
        f"{multiple(inputs.min_dscr)} on {inputs.dscr_basis} at {percent(inputs.refi_rate)}",
        f"{percent(inputs.min_debt_yield)} on NOI",
        f"{percent(inputs.max_ltv, 1)} of the value",
    )
    each = (sized.by_dscr, sized.by_debt_yield, sized.by_ltv)
    return [
        {
            "Proceeds": f"By {name}{', binds' if name == sized.binding else ''}",
            "Limit": limit,
            "Dollars": dollars(amount),
            "Less what is due": signed(
                None if due is None or amount is None else amount - due, dollars, at_most=least
            ),
        }
        for name, limit, amount in zip(CONSTRAINTS, limits, each, strict=True)
    ]


def _property_in_words(inputs: SizingInputs) -> str:
    if inputs.noi is None:
        return "NOI is not known."
    at_cap = "" if inputs.value is None else f", worth {dollars(inputs.value)} at the cap rate"
    cash = " and no NCF" if inputs.ncf is None else f", NCF of {dollars(inputs.ncf)}"
    covers = "; DSCR is on NOI" if inputs.ncf is None else ""
    none = "" if inputs.noi > 0 else " Nothing is lent on a property without income."
    return f"NOI of {dollars(inputs.noi)}{at_cap}{cash}{covers}.{none}"


def _due_in_words(figures: LoanFigures) -> str:
    debt, due = figures.debt, _due(figures)
    if figures.exempt:
        return f"Nothing is to be refinanced: the loan is {figures.exempt[0]}."
    if due is None:
        return f"Balance at maturity: {debt.due_at_maturity.why}."
    of = " of the whole loan" if debt.part else ""
    of += " and the mezzanine debt behind it" if debt.behind else ""
    least = ", at least" if debt.at_least else ""
    when = "" if debt.effective is None else f" on {day(debt.effective)}"
    return f"Due: {dollars(due)}, the balance at maturity{of}{when}{least}."

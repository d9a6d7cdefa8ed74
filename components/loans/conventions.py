"""Refinance figures in both conventions of the new loan's payments, side by side."""

from collections.abc import Callable

from components.kit.fields import label
from components.kit.formatting import MISSING, change, dollars, multiple, percent
from components.loans.owed import of_whole
from services.contract.loan_figures import Both, Debt, Figure, Refinance


def rows(refi: Refinance, debt: Debt, *, on: str = "NOI") -> list[dict[str, str]]:
    """Both conventions side by side; the heading says which one is graded, and that figures of one
    note of a larger loan are the whole loan's.

    `on`: the income that the least DSCR is of, "NCF" or "NOI".
    """
    # More is due than is known: each figure is a bound.
    least, most = ("≥ ", "≤ ") if debt.at_least else ("", "")
    head = f"A year at the refi rate{of_whole(debt)}"
    alone = refi.interest_only_graded
    names = (
        f"Interest only{', graded' if alone else ''}",
        f"Amortising{'' if alone else ', graded'}",
    )

    def row(name: str, both: Both, write: Callable[[float], str], sign: str = "") -> dict[str, str]:
        each = _bounded(both, write, sign)
        return {head: name, **dict(zip(names, each, strict=True))}

    none = Figure(None, MISSING)
    shock = Both(refi.shock, none) if alone else Both(none, refi.shock)
    return [
        row("Debt service", refi.service, dollars, least),
        row("DSCR", refi.dscr, multiple, most),
        row(f"Required {on}", refi.required_noi, dollars, least),
        row(label("payment_shock"), shock, change),
        row("Break-even rate, 1.00x", refi.break_even, percent, most),
    ]


def _bounded(both: Both, write: Callable[[float], str], sign: str) -> tuple[str, str]:
    """A figure in both conventions, with a sign before what is a bound."""

    def of(figure: Figure) -> str:
        loss = figure.value is not None and figure.value < 0
        return figure.written(lambda value: f"{'' if loss else sign}{write(value)}")

    return of(both.interest_only), of(both.amortising)

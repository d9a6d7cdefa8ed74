"""Totals of a result of loans, in one row over the table."""

from components.frame import session
from components.frame.columns import LACKS
from components.kit import text
from components.kit.fields import label
from components.kit.figure import Figure, row
from components.kit.formatting import fraction, loan_count, money, multiple, percent
from components.loans import dispositions, horizons, spreads
from services.contract.aggregates import FoundTotals, Weighted
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens


def strip(query: LoanFilter) -> None:
    """Book value, weighted figures with what they rest on, dollars short, what matures soon.

    Over an API without its mirror they are not known, and it says so.
    """
    if not session.mirrored():
        text.caption("Totals, orders and further filters need the mirror: see Sources.")
        return
    figures(_of_result(query))


def notes(query: LoanFilter) -> None:
    """What the strip's figures leave out, and when what is short falls due: below the list."""
    if session.mirrored():
        remarks(_of_result(query))


def _of_result(query: LoanFilter) -> FoundTotals:
    return session.ask(Screens.loan_totals, query.without("order").at(1))


def figures(found: FoundTotals) -> None:
    """Totals as one row of figures."""
    soon, later = found.matures_12_months, found.matures_24_months
    row(
        [
            Figure(
                label("book_value"),
                money(found.book_value),
                loan_count(found.loans, found.notes, found.records),
            ),
            Figure(
                label("interest_rate"), percent(found.coupon.mean), _of(found.coupon), _WEIGHTED
            ),
            dscr(found),
            ltv(found),
            Figure(
                label("dollars_short"),
                money(found.dollars_short),
                loan_count(found.short_loans),
                f"{LACKS} {spreads.note()}",
            ),
            Figure(
                "Matures in 12 months",
                money(soon.book_value),
                f"{loan_count(soon.loans)}; {money(later.book_value)} in 24",
                f"From the as-of date on. {horizons.BASIS} The filter “Matures within” lists them.",
            ),
        ],
        slim=True,
    )


def dscr(found: FoundTotals) -> Figure:
    """The weighted DSCR of some loans."""
    return Figure(label("dscr"), multiple(found.dscr.mean), _of(found.dscr), _WEIGHTED)


def ltv(found: FoundTotals) -> Figure:
    """The weighted LTV of some loans."""
    return Figure(label("ltv"), fraction(found.ltv.mean), _of(found.ltv), _WEIGHTED)


def debt_yield(found: FoundTotals) -> Figure:
    """The weighted debt yield of some loans."""
    mean = found.debt_yield.mean
    return Figure(label("debt_yield"), percent(mean, 1), _of(found.debt_yield), _WEIGHTED)


def remarks(found: FoundTotals) -> None:
    """How the loans stand, and dollars short by when they must be refinanced."""
    dispositions.line(found.dispositions)
    text.caption(" ".join(one for one in (horizons.line(found), spreads.note()) if one))


_WEIGHTED = "Mean weighed by book value; the share is that of the book value it rests on."


def _of(found: Weighted) -> str:
    return "" if found.coverage is None else f"on {percent(100 * found.coverage, 0)} of it"

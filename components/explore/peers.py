"""A loan among its peers: those of its type, state and vintage that owe."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from components.explore.figures import label, written
from components.frame import links, session, states
from components.frame.routes import EXPLORE
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, fixed, words
from services.contract.disposition import OUTSTANDING
from services.contract.distributions import FIGURES as FACTS
from services.contract.distributions import Distributions, FigureName, Standing
from services.contract.facts import Worse
from services.contract.loan_figures import LoanFigures
from services.contract.loan_filter import LoanFilter
from services.contract.months import between
from services.contract.records import LoanDetail
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.source import Screens
from services.contract.vocabulary import STATES

FIGURES: Final[tuple[FigureName, ...]] = ("dscr", "ltv", "debt_yield", "interest_rate")
#: Loans that a state has to have for its peers to be of that state alone (D129).
LEAST_IN_STATE: Final = 30
#: Years before and after a loan's own that are its vintage.
_YEARS: Final = 1
#: Which end of a figure is bad -> what its lowest and highest are called, and a place between them.
_SAID: Final[Mapping[Worse, tuple[str, str, str]]] = {
    "low": ("worst", "best", "better"),
    "high": ("best", "worst", "worse"),
    "": ("lowest", "highest", "higher"),
}
#: Property types that filters of the pages can hold.
_KNOWN: Final = frozenset(PROPERTY_TYPES.values())


def panel(loan: LoanDetail, figures: LoanFigures) -> None:
    """The card: where it lies among peers, how many these are, and the way to see them; nothing of
    a loan that has ended or is defeased.
    """
    if figures.settled:
        return
    with card("Among its peers"):
        if loan.property_type is None:
            states.nothing("Its property type is not known, so nobody can say who its peers are.")
            return
        query, group = peers(loan)
        found = session.ask(Distributions.standings, query, loan.loan_number, FIGURES)
        tables.sheet([_row(one) for one in found], "Its place among peers")
        total = session.ask(Screens.loan_totals, query).loans
        text.caption(f"Among {count(total)} {group} that owe.")
        if loan.property_type in _KNOWN:
            params = {"show": "boxes", "x": "dscr", "loan": loan.loan_number}
            links.link(EXPLORE, "See them, with this loan marked", "scatter_plot",
                       query.params() | params)  # fmt: skip


def _row(one: Standing) -> dict[str, str]:
    return {
        "Figure": label(one.figure),
        "This loan": written(one.figure, one.value),
        "Median": written(one.figure, one.median),
        "Its place": place(one),
    }


def place(one: Standing) -> str:
    """Better than 71% of 31, worst of 8; of a figure without a bad end, higher than 71% of 31."""
    if one.percentile is None:
        return MISSING
    lowest, highest, between = _SAID[FACTS[one.figure].worse]
    if one.percentile in (0, 100):
        return f"{highest if one.percentile else lowest} of {count(one.loans)}"
    return f"{between} than {fixed(one.percentile)}% of {count(one.loans - 1)}"


def peers(loan: LoanDetail) -> tuple[LoanFilter, str]:
    """Who its peers are in what this run reads; see `group`."""
    return group(loan, lambda asked: session.ask(Screens.loan_totals, asked).loans)


def group(loan: LoanDetail, loans: Callable[[LoanFilter], int]) -> tuple[LoanFilter, str]:
    """Who its peers are, and the same in words: office loans in TX originated 2021 to 2023.
    `loans` says how many match.

    Of one type, of vintages within a year where the loan has one, and of its state where that has
    enough of them (D129); those that owe and are not defeased.
    """
    kind = loan.property_type or ""
    asked = LoanFilter(property_type=(kind,), disposition=(OUTSTANDING,))
    when = ""
    if loan.origination_date:
        first, last = (loan.origination_date.year + by for by in (-_YEARS, _YEARS))
        asked = asked.model_copy(
            update=between(date(first, 1, 1), date(last, 12, 31), "originated")
        )
        when = f" originated {first} to {last}"
    where = ""
    if loan.property_state in STATES:
        there = asked.model_copy(update={"state": (loan.property_state,)})
        if loans(there) >= LEAST_IN_STATE:
            asked, where = there, f" in {loan.property_state}"
    return asked, f"{words(kind).lower()} loans{where}{when}"

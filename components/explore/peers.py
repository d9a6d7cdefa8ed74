"""A loan among its peers: those of its type, state and vintage."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from components.explore.figures import ENDS, label, standing, written
from components.frame import links, session, states
from components.frame.routes import EXPLORE
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, fixed, words
from services.contract.distributions import Distributions, FigureName, Standing
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
#: Property types that filters of the pages can hold.
_KNOWN: Final = frozenset(PROPERTY_TYPES.values())


def panel(loan: LoanDetail, *, ended: bool) -> None:
    """The card: percentiles among peers, how many these are, and the way to see them; nothing of a
    loan that has ended.
    """
    if ended:
        return
    with card("Among its peers"):
        if loan.property_type is None:
            states.nothing("Its property type is not known, so nobody can say who its peers are.")
            return
        query, group = peers(loan)
        found = session.ask(Distributions.standings, query, loan.loan_number, FIGURES)
        tables.sheet([_row(one) for one in found], "Percentiles among peers")
        total = session.ask(Screens.loan_totals, query).loans
        text.caption(f"Among {count(total)} {group}. {_read(found)}")
        if loan.property_type in _KNOWN:
            params = {"show": "boxes", "x": "dscr", "loan": loan.loan_number}
            links.link(EXPLORE, "See them, with this loan marked", "scatter_plot",
                       query.params() | params)  # fmt: skip


def _read(found: Sequence[Standing]) -> str:
    """How a percentile reads, by the first one of the table."""
    for one in found:
        if one.percentile is not None and one.percentile not in ENDS:
            part = fixed(one.percentile)
            named = label(one.figure)
            return f"P{part}: {part}% of the others have a lower {named}."
    return ""


def _row(one: Standing) -> dict[str, str]:
    return {
        "Figure": label(one.figure),
        "This loan": written(one.figure, one.value),
        "Percentile": MISSING if one.percentile is None else standing(one.percentile, one.loans),
        "Median": written(one.figure, one.median),
    }


def peers(loan: LoanDetail) -> tuple[LoanFilter, str]:
    """Who its peers are in what this run reads; see `group`."""
    return group(loan, lambda asked: session.ask(Screens.loan_totals, asked).loans)


def group(loan: LoanDetail, loans: Callable[[LoanFilter], int]) -> tuple[LoanFilter, str]:
    """Who its peers are, and the same in words: office loans in TX originated 2021 to 2023.
    `loans` says how many match.

    Of one type, of vintages within a year where the loan has one, and of its state where that has
    enough of them (D129).
    """
    kind = loan.property_type or ""
    asked = LoanFilter(property_type=(kind,))
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

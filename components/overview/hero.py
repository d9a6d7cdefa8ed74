"""What the Overview says first: how much of the book is in trouble, and the loan to open first."""

from collections.abc import Sequence

from components.frame import links, loan_names, states
from components.frame.routes import LOAN
from components.kit import text
from components.kit.card import ground
from components.kit.formatting import count, loan_count, money, share
from components.kit.text import element
from components.loans import worst_signal
from services.contract import endpoints
from services.contract.aggregates import FoundLoan, Totals, WorstSeverity
from services.contract.maturities import Horizon
from services.contract.vocabulary import SEVERE_OR_WORSE

_YEAR = "within 12 months"


def hero(
    found: Sequence[WorstSeverity],
    totals: Totals,
    horizons: Sequence[Horizon],
    first: FoundLoan | None,
) -> None:
    """The state of the book in two sentences, and its worst loan with the reason."""
    text.show(element("p", f"{troubled(found)} {maturing(totals, horizons)}", class_="atlas-hero"))
    if first is None:
        return
    number = first.loan_number
    with ground(first.values.get("worst_severity")):
        worst_loan(number)
        with states.panel(endpoints.SIGNALS):
            worst_signal.sentence(number)


def worst_loan(number: str) -> None:
    """A link to it, by its name."""
    name = loan_names.beside(number, loan_names.of([number]))
    links.link(LOAN, f"Worst loan: {name}", "arrow_forward", {"loan_number": number})


def troubled(found: Sequence[WorstSeverity]) -> str:
    """How many loans are severe or critical, and their part of book value."""
    loans, whole = sum(one.loans for one in found), sum(one.book_value for one in found)
    bad = [one for one in found if one.severity in SEVERE_OR_WORSE]
    if not loans:
        return "No loan is here."
    among = sum(one.loans for one in bad)
    if not among:
        return f"None of {loan_count(loans)} has a severe or critical signal."
    dollars = sum(one.book_value for one in bad)
    have = "has" if among == 1 else "have"
    return (
        f"{count(among)} of {count(loans)} loans {have} a severe or critical signal: "
        f"{money(dollars)}, {share(dollars, whole)} of book value."
    )


def maturing(totals: Totals, horizons: Sequence[Horizon]) -> str:
    """What matures within a year, and how much of it is short at refinance."""
    due = totals.matures_12_months.book_value
    if not due:
        return "Nothing matures within 12 months."
    short = sum(one.dollars_short for one in horizons if one.word == _YEAR)
    rest = f", {money(short)} short at refinance" if short else ", none of it short at refinance"
    return f"{money(due)} matures within 12 months{rest}."

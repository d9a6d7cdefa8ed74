"""The notes of one loan that are here, in whatever trust, each with the way to its page."""

from typing import Final

from components.frame import links, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN, LOANS
from components.kit import text
from components.kit.card import card
from components.kit.formatting import MISSING, count, money, percent
from components.loans.columns import Values
from services.contract.loan_figures import LoanFigures
from services.contract.loan_filter import LoanFilter
from services.contract.records import LoanDetail
from services.contract.schedule_al import STRUCTURES
from services.contract.source import Screens

_LISTED: Final = 25


def panel(loan: LoanDetail, figures: LoanFigures) -> None:
    """Nothing of a record that is alone, or where only an API is asked."""
    query = asked(loan)
    if query is None or not session.mirrored():
        return
    found = session.ask(Screens.loans_found, query, NAMES)
    totals = session.ask(Screens.loan_totals, LoanFilter(whole_loan=query.whole_loan))
    with card(f"Notes of this loan ({count(totals.notes)})"):
        ledger(
            COLUMNS,
            [one.values for one in found.items],
            opens=lambda values: (LOAN, values["loan_number"]),
            caption="Notes of this loan",
        )
        text.caption(_in_words(loan, figures, totals.book_value))
        if found.total > len(found.items):
            links.link(LOANS, "All of them", "arrow_forward", {"whole_loan": str(query.whole_loan)})


def asked(loan: LoanDetail) -> LoanFilter | None:
    """The records of one loan that are here; None of a record that is alone."""
    number = loan.extended.get("whole_loan")
    return LoanFilter(whole_loan=number, per_page=_LISTED) if isinstance(number, str) else None


def _in_words(loan: LoanDetail, figures: LoanFigures, here: int) -> str:
    """What the notes here add up to, of how much."""
    debt = figures.debt.whole.value
    least = "at least " if figures.debt.at_least else ""
    of = "" if debt is None else f" of {least}{money(debt)} whole loan"
    said = [f"Together {money(here)}{of}, each dollar once."]
    if loan.extended.get("sums_notes"):
        said.append("This record is the sum of its notes: totals leave its amounts out.")
    return " ".join(said)


def _structure(values: Values) -> str:
    if values["sums_notes"]:
        return "sum of its notes"
    code = values["structure"]
    return MISSING if code is None else f"{code}: {STRUCTURES.get(code, 'unranked')}"


COLUMNS: Final[tuple[Column[Values], ...]] = (
    Column("loan_number", "Record", lambda values: values["loan_number"], short=True),
    Column("book_value", "Book value", lambda values: money(values["book_value"]), figure=True,
           short=True),
    Column("interest_rate", "Coupon", lambda values: percent(values["interest_rate"]), figure=True),
    Column("structure", "Part", _structure),
    Column("source", "Source", lambda values: values["source"]),
)  # fmt: skip
#: What their values are read from.
NAMES: Final = (*(column.name for column in COLUMNS), "sums_notes")

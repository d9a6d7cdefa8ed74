"""Dollars short by when loans must be refinanced, and the loans that nobody refinances."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from components.frame import columns
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit.card import card
from components.kit.formatting import count, money
from services.contract.aggregates import FoundTotals
from services.contract.maturities import ENDS, HORIZONS, PAST, SINCE, UNDATED, Horizon, LeftOut
from services.contract.months import months_after

#: What "matures" means wherever loans are counted by it.
BASIS: Final = (
    "By effective maturity: the anticipated repayment date where there is one, else maturity as "
    "extended. Only loans that somebody must refinance count."
)
#: How many there are of each word of EXEMPT: "3 defeased".
_LEFT: Final[Mapping[str, str]] = {
    "without a balance": "without a balance",
    "defeased in full": "defeased",
    "REO": "REO",
    "repaid by its schedule": "repaid by their schedule",
}


def left_out(found: Sequence[LeftOut]) -> str:
    """What no maturity counts, in one line: "Left out of maturities: 3 defeased, 2 REO, $104.1M.";
    blank where all loans count.
    """
    if not found:
        return ""
    parts = [f"{count(one.loans)} {_LEFT.get(one.word, one.word)}" for one in found]
    book = money(sum(one.book_value for one in found))
    return f"Left out of maturities: {', '.join(parts)}, {book}."


def line(found: FoundTotals) -> str:
    """Dollars short by horizon and what is left out, in words."""
    short = [one for one in found.by_horizon if one.dollars_short]
    parts = [f"{money(one.dollars_short)} {_when(one.word)}" for one in short]
    said = f"Short at refinance: {', '.join(parts)}." if parts else ""
    return " ".join(one for one in (said, left_out(found.left_out)) if one)


def _when(word: str) -> str:
    return f"in {word}" if word[:1].isdigit() else f"with {word}" if word == UNDATED else word


def panel(found: Sequence[Horizon], today: date) -> None:
    """Loans that must be refinanced, one row a horizon, which leads to its
    loans; a single one is all that the headline counts.
    """
    found = [one for one in found if one.loans]
    if len(found) <= 1:
        return
    with card("Dollars short at refinance, by when loans must be refinanced", level=2):
        ledger(
            (
                Column[Horizon]("horizon", "To be refinanced", lambda one: one.word),
                columns.loans(),
                columns.book_value(),
                columns.dollars_short("short", columns.LACKS, short=True, bar=True, zero=True),
                Column("lacking", "Loans short", lambda one: count(one.short_loans), figure=True),
            ),
            found,
            opens=lambda one: (LOANS, params(one.word, today)),
            caption="Dollars short by horizon",
        )


def params(word: str, today: date) -> dict[str, str]:
    """The filters that find the loans of a horizon; of loans without a date there is none. Those of
    PAST and SINCE are found together: both were due before the date of the book.
    """
    day, order = timedelta(days=1), {"order": "-dollars_short"}
    if word == UNDATED:
        return order
    if word in {PAST, SINCE}:
        return {"due_before": today.isoformat(), **order}
    at = HORIZONS.index(word) - 1
    first = months_after(today, ENDS[at - 1]) if at else today - day
    found = {"due_after": first.isoformat(), **order}
    if at < len(ENDS):
        found["due_before"] = (months_after(today, ENDS[at]) + day).isoformat()
    return found

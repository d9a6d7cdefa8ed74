"""The date of a loan whose source is older than the book's newest one."""

from components.frame import session
from components.kit import text
from components.kit.formatting import day, distance
from services.contract.months import months_after
from services.contract.records import LoanDetail
from services.contract.snapshot_info import OLD_MONTHS


def said(loan: LoanDetail) -> None:
    """That date; and over a year that nothing later is known (D214)."""
    newest = session.today()
    if loan.as_of is None or loan.as_of >= newest:
        return
    words = f"As of {day(loan.as_of)}, the date of its source."
    if months_after(loan.as_of, OLD_MONTHS) < newest:
        words += (
            f" That is {distance(loan.as_of, newest)}, counted from {day(newest)}: what became of "
            "the loan since, no source here says."
        )
    text.sentence(words)

"""What sets one loan apart, beside its name: a part of a larger loan, special servicing, exempt."""

from itertools import takewhile

from components.frame import session
from components.kit.badge import Badge
from components.kit.formatting import day, words
from components.loans import ending, rule_rows
from components.loans.refinance import EXEMPT
from services.contract.errors import MirrorMissing, NoHistory, NotFound
from services.contract.history import Histories, HistoryQuery
from services.contract.loan_figures import Exemption, LoanFigures
from services.contract.records import LoanDetail
from services.contract.schedule_al import REO


def badges(loan: LoanDetail, figures: LoanFigures) -> list[Badge]:
    """Badges of what sets a loan apart; of one that has ended, how."""
    found = []
    if loan.extended.get("partial_note"):
        said = (
            "The book value is one note of a larger loan; income and value are those of the whole "
            "property. Ratios use the whole loan's debt or are not given."
        )
        found.append(Badge("Pari passu or split note", "violet", said, glyph="◨"))
    if since := figures.special_servicing_since:
        said = "Transferred to the special servicer and not returned since."
        found.append(Badge(f"Special servicing since {day(since)}", "orange", said, glyph="▲"))
    if (over := ending.badge(loan)) is not None:
        return [*found, over]
    if changed := rule_rows.modified(loan):
        said = "The terms of the loan were modified."
        found.append(Badge(words(changed), "orange", said, glyph="▲"))
    return found + [_exempt(why, loan.loan_number) for why in figures.exempt]


def _exempt(why: Exemption, number: str) -> Badge:
    if why != "REO":
        return Badge(words(why), "gray", EXEMPT[why], glyph="✓")
    # What the lender took over is no good end: no tick.
    return Badge(f"REO{_taken_over(number)}", "gray", EXEMPT[why], glyph="▼")


def _taken_over(number: str) -> str:
    """Since which filing a loan is REO, of those that are kept; no filing has a date of it."""
    try:
        rows = session.ask(Histories.history, number, HistoryQuery()).rows
    except (MirrorMissing, NoHistory, NotFound):
        return ""
    taken = list(takewhile(lambda row: row.workout == REO, reversed(rows)))
    if len(taken) == len(rows):  # none is kept of before: it may have been so for longer
        return f" since {day(taken[-1].as_of)} or before" if len(taken) > 1 else ""
    return f" since {day(taken[-1].as_of)}" if taken else ""

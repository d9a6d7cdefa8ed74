"""What sets one loan apart, beside its name: a part of a larger loan, special servicing, exempt."""

from components.kit.badge import Badge
from components.kit.formatting import day, words
from components.loans import ending
from components.loans.refinance import EXEMPT
from services.contract.loan_figures import LoanFigures
from services.contract.records import LoanDetail


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
    # What the lender took over is no good end: no tick.
    found += [
        Badge(words(why), "gray", EXEMPT[why], glyph="▼" if why == "REO" else "✓")
        for why in figures.exempt
    ]
    return found

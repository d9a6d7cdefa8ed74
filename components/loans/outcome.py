"""What a new loan repays of what is due, and what is short: in words, as a bar, and in figures."""

from typing import Final

from components.kit import text
from components.kit.figure import Figure as Headline
from components.kit.figure import row
from components.kit.formatting import MISSING, fixed, money, percent
from components.kit.text import Markup, element
from components.loans import owed, spreads
from services.contract.loan_figures import Figure, LoanFigures

#: A part of the bar that is narrower has no words on it.
_NARROW: Final = 0.15


def panel(figures: LoanFigures, *, own: bool) -> None:
    """What a new loan repays of what is due, as a bar and in figures; `own`: of this note alone."""
    refi, debt = figures.refinance, figures.debt
    due, gap = (debt.at_maturity, refi.own_gap_usd) if own else (debt.due_at_maturity, refi.gap_usd)
    new = None if due.value is None or gap.value is None else due.value - gap.value
    if due.value and due.value > 0 and new is not None and gap.value is not None:
        text.show(_bar(due.value, new, short(gap, at_least=debt.at_least)))
    over = "" if refi.rate_gap.value is None else against_coupon(refi.rate_gap.value)
    # What is owed on the note itself is known; of the whole loan, and of the note's share, a bound.
    least, most = (("", "≤ ") if own else ("≥ ", "")) if debt.at_least else ("", "")
    share = percent(abs(100 * (refi.gap.value or 0)), 0)
    of = f"{share} of the {'debt due' if debt.behind else 'balance'} · {refi.binding} binds"
    if own:
        of = f"whole loan {short(refi.gap_usd, at_least=debt.at_least)} · {refi.binding} binds"
    written = MISSING if gap.value is None else short(gap, at_least=debt.at_least)
    whose = "" if new is None else "of this note" if own else owed.whose(debt)
    row(
        [
            Headline(
                "Refi rate",
                percent(refi.rate.value),
                over,
                "Reference rate plus the spread of the property type. "
                f"{spreads.said(refi.spreads)}",
            ),
            Headline(
                "Due at maturity",
                f"{least}{money(due.value)}",
                due.why or owed.matures(debt, figures.as_of),
            ),
            Headline("New loan at most", f"{most}{money(new)}", whose),
            Headline(
                "At refinance",
                written,
                gap.why or of,
                "Debt due with the loan less the largest new loan by DSCR, debt yield "
                "and LTV; the note's share, by rank, where it is one note of a larger "
                f"loan. {spreads.said(refi.spreads)}",
            ),
        ],
        slim=True,
    )


def _bar(due: float, new: float, said: str) -> Markup:
    """What is due as one bar: repaid by a new loan, then what is short."""
    repaid = min(max(new / due, 0), 1)
    parts = [("new", repaid, f"{money(min(new, due))} new loan")]
    if new < due:
        parts.append(("short", 1 - repaid, said))
    # A narrow part has no room for its words; the figures below say the same.
    drawn = (
        element(
            "span",
            words_of if part > _NARROW else "",
            class_=name,
            style=text.shares(part=part),
        )
        for name, part, words_of in parts
    )
    return element("div", *drawn, class_="atlas-proceeds", aria_hidden="true")


def short(gap: Figure, *, at_least: bool = False) -> str:
    """A gap in dollars in words: "$2.7M short", "$0.4M to spare"; else why there is none.

    `at_least`: only a part of the debt is known, so that the gap may be larger.
    """
    if gap.value is None:
        return gap.why
    if gap.value == 0:
        return "nothing short"
    lacks = gap.value > 0
    bound = "" if not at_least else "at least " if lacks else "at most "
    return f"{bound}{money(abs(gap.value))} {'short' if lacks else 'to spare'}"


def of_each(figures: LoanFigures) -> str:
    """What is short at refinance: of one note of a larger loan its own share and the whole loan's,
    each by name; empty where it is not known.
    """
    refi, least = figures.refinance, figures.debt.at_least
    whole, own = refi.gap_usd, refi.own_gap_usd
    if whole.value is None:
        return ""
    if not figures.debt.part or own.value is None:
        return short(whole, at_least=least)
    return (
        f"{short(own, at_least=least)} on this note, "
        f"{short(whole, at_least=least)} on the whole loan"
    )


def against_coupon(gap_bp: float) -> str:
    """The refi rate less the coupon, basis points, in words: "42 bp above the coupon"."""
    return f"{fixed(abs(gap_bp))} bp {'above' if gap_bp >= 0 else 'below'} the coupon"

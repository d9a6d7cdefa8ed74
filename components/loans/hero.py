"""What the page of a loan says first: how it pays, how income covers debt, what is short."""

from collections.abc import Sequence

from components.kit import card, text
from components.kit.formatting import MISSING, distance, percent, words
from components.loans import ending, exposure, income, rule_rows, worst_signal
from components.loans.outcome import short
from components.loans.refinance import EXEMPT
from services.contract.loan_figures import LoanFigures
from services.contract.records import LoanDetail, Signal


def hero(loan: LoanDetail, found: LoanFigures, signals: Sequence[Signal] | None) -> None:
    """One sentence in the colour of the worst signal; of a loan that has ended, how. `signals` is
    None where they are not known.
    """
    worst = worst_signal.among(signals or ())
    said = ending.said(loan) if found.ended else None
    grade = worst.of_itself if worst else None
    with card.hero(" ".join(said) if said else state(loan, found, signals), grade):
        # It says what coverage rests on, and without a DSCR the sentence says nothing of coverage.
        if not found.ended and _dscr(found) is not None:
            text.caption(f"Income: {income.of_dscr(found.income)}.")


def state(loan: LoanDetail, found: LoanFigures, signals: Sequence[Signal] | None) -> str:
    """How it pays, coverage now and at the refi rate, what is short when the loan is due; of a loan
    of which none of it can be said, why.
    """
    covers = _covers(found) or _owes(found)
    late = ", ".join(filter(None, (rule_rows.standing(loan), exposure.unpaid(found.exposure))))
    parts = [one for one in (late, covers, _short(found)) if one]
    if parts:
        return f"{words('; '.join(parts))}."
    if found.exempt:
        return EXEMPT[found.exempt[0]]
    return "No rule fired on this loan." if signals == [] else "Neither income nor debt is filed."


def _dscr(found: LoanFigures) -> float | None:
    in_place = found.income.in_place
    return None if in_place is None else in_place.dscr


def _covers(found: LoanFigures) -> str:
    ratio = _dscr(found)
    if ratio is None:
        return ""
    whose = "income before the loan" if found.income.before_loan else "income"
    if ratio <= 0:
        return f"{whose} covers none of the debt service"
    refi = found.refinance
    then = None if found.exempt else refi.graded(refi.dscr).value
    bound = "at most " if found.debt.at_least else ""
    at_refi = "" if then is None or then <= 0 else f", {bound}{_part(then)} at today's refi rate"
    return f"{whose} covers {_part(ratio)} of debt service{at_refi}"


def _owes(found: LoanFigures) -> str:
    """Of debt that is more than the property is worth."""
    ltv = None if "defeased" in found.exempt else found.debt.ltv.value
    if ltv is None or ltv <= 1:
        return ""
    least = "at least " if found.debt.at_least else ""
    return f"the debt is {least}{_part(ltv)} of the property's value"


def _part(ratio: float) -> str:
    return percent(100 * ratio, 0)


def _short(found: LoanFigures) -> str:
    """Nothing of a loan that nobody refinances."""
    refi = found.refinance
    gap = refi.own_gap_usd if found.debt.part else refi.gap_usd
    if found.exempt or gap.value is None:
        return ""
    due = found.debt.effective
    when = "" if due is None else distance(due, found.as_of)
    falls = f", due {when}" if when and when != MISSING else ""
    return f"{short(gap, at_least=found.debt.at_least)} at refinance{falls}"

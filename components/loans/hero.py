"""What the page of a loan says first: how it pays, how income covers debt, what is short."""

from collections.abc import Iterator, Sequence
from datetime import date

from components.kit import card, text
from components.kit.formatting import distance, percent, words
from components.loans import ending, exposure, income, rule_rows, worst_signal
from components.loans.outcome import of_each
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
        if not (found.ended or found.taken_over) and _dscr(found) is not None:
            text.caption(f"Income: {income.of_dscr(found.income)}.")


def state(loan: LoanDetail, found: LoanFigures, signals: Sequence[Signal] | None) -> str:
    """How it pays, coverage now and at the refi rate, what is short when the loan is due; of REO
    what its value is against the debt; of a loan of which none of it can be said, why.
    """
    if found.taken_over:
        return f"{words('; '.join(_taken_over(found)))}."
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
    whose = "imputed rent" if found.income.imputed else whose
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
    return "" if ltv is None or ltv <= 1 else f"the debt is {_of_value(ltv, found)}"


def _of_value(ltv: float, found: LoanFigures) -> str:
    return f"{'at least ' if found.debt.at_least else ''}{_part(ltv)} of the property's value"


def _taken_over(found: LoanFigures) -> Iterator[str]:
    """A property that the lender owns is sold: what is out on it against what it is worth."""
    yield ", ".join(filter(None, ("REO", exposure.unpaid(found.exposure))))
    ltv, valued = found.debt.ltv.value, found.income.value_date
    if ltv is None:
        yield "no appraised value is filed"
        return
    what = "exposure" if found.exposure.counts else "debt"
    whole = " of the whole loan" if found.debt.part else ""
    when = f" of {valued:%b %Y}" if valued else ""
    yield f"the {what}{whole} is {_of_value(ltv, found)}{when}"


def _part(ratio: float) -> str:
    return percent(100 * ratio, 0)


def _short(found: LoanFigures) -> str:
    """Nothing of a loan that nobody refinances."""
    gap = "" if found.exempt else of_each(found)
    if not gap:
        return ""
    due = found.debt.effective
    falls = "" if due is None else f", {_falls(due, found)} {distance(due, found.as_of)}"
    return f"{gap} at refinance{falls}"


def _falls(due: date, found: LoanFigures) -> str:
    return "matured" if due < found.as_of and due == found.debt.maturity else "due"

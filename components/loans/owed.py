"""What is owed on a loan now and when it falls due, and how it pays: a table in rows."""

from datetime import date

from components.kit import fields
from components.kit.formatting import day, distance, dollars
from services.contract.loan_figures import Debt


def rows(debt: Debt, today: date) -> list[dict[str, str]]:
    """What is owed now and at effective maturity, and how it pays."""
    own = ("Balance", fields.label("balance_at_maturity"), fields.label("own_debt_service"))
    if debt.part:
        own = ("This note", "This note at maturity", "Its debt service, a year")
    found = [
        (own[0], dollars(debt.balance), _pays(debt)),
        (own[1], debt.at_maturity.written(dollars), matures(debt, today)),
        (own[2], debt.service.written(dollars), _service(debt)),
    ]
    if debt.part:
        found.append(("Whole loan", debt.whole.written(dollars), _whole(debt)))
        due = debt.whole_at_maturity.written(dollars)
        least = "at least, " if debt.at_least else ""
        how = "interest only" if debt.interest_only_throughout else "as the note amortises"
        found.append(("Whole loan at maturity", due, f"{least}{how}"))
    if debt.behind:
        found.append(("Mezzanine behind it", dollars(debt.behind), "due with the loan"))
        found.append(("Due with the loan", debt.due_at_maturity.written(dollars), "all ranks"))
    names = ("Owed", "Dollars", "Of what")
    return [dict(zip(names, row, strict=True)) for row in found]


def of_whole(debt: Debt) -> str:
    """What a heading adds to figures of the whole loan on the page of one note of it."""
    return ", whole loan" if debt.part else ""


def whose(debt: Debt) -> str:
    """What debt figures are of that are more than the record's own; blank where they are not."""
    return "whole loan" if debt.part else "all debt due with the loan" if debt.behind else ""


def _whole(debt: Debt) -> str:
    """How the whole loan's debt is known."""
    if debt.by_service:
        return "implied by the debt service filed"
    if not debt.at_least:
        return "implied by underwriting"
    return "at least: up to this junior note" if debt.junior else "at least: the senior part"


def _pays(debt: Debt) -> str:
    if debt.interest_only_throughout:
        return "interest only to maturity"
    if debt.interest_only_now:
        until = debt.amortises_from
        return "interest only now" if until is None else f"interest only, amortises {until:%b %Y}"
    return "amortising"


def _service(debt: Debt) -> str:
    how = "interest" if debt.interest_only_now else "principal and interest"
    return f"{how}, {'by actual days' if debt.day_count != 1 else 'equal months'}"


def matures(debt: Debt, today: date) -> str:
    """When it falls due; of an anticipated repayment date the legal one too."""
    if debt.effective is None:
        return "no maturity date"
    when = f"{day(debt.effective)}, {distance(debt.effective, today)}"
    if debt.effective == debt.anticipated_repayment and debt.maturity != debt.effective:
        return f"ARD {when}; matures {day(debt.maturity)}"
    return when

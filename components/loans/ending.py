"""How a loan ended, in words and figures, for the head of its page."""

from datetime import date
from typing import Any

from components.kit import text
from components.kit.badge import Badge
from components.kit.fields import label
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, day, dollars, money, percent, words
from services.contract.disposition import (
    DISCOUNTED,
    ENDED,
    ENDINGS,
    LIQUIDATED,
    OWING,
    PAID_OFF,
    lost,
)
from services.contract.records import LoanDetail

_NOT_DATED = "date not stated"


def badge(loan: LoanDetail) -> Badge | None:
    """What the loan has come to; None of one that owes."""
    how, _, loss = _ending(loan)
    if how not in ENDINGS:
        return None
    with_loss = lost(how, loss) or how == LIQUIDATED
    return Badge(
        words(how),
        "orange" if with_loss else "gray",
        "Nothing is owed on this loan any more: it has no LTV, no maturity and no signals.",
        glyph="▼" if with_loss else "✓",
    )


def shown(loan: LoanDetail) -> None:
    """A loss on a loan that goes on, at the head of the page; else nothing."""
    if (found := said(loan)) is not None:
        text.lead(*found)


def said(loan: LoanDetail) -> tuple[str, str] | None:
    """How and when it ended, and what was lost or received; a loss on a loan that goes on too."""
    how, on, loss = _ending(loan)
    if how not in ENDINGS:
        return ("Realized loss:", _lost(loan, loss)) if loss and loss > 0 else None
    when = day(on) if on else _NOT_DATED
    if how == ENDED:
        return "Nothing is owed.", "The source does not say how the loan ended."
    head = f"{words(how)}, {when}:"
    if loss and loss > 0:
        return head, _lost(loan, loss)
    if how in PAID_OFF:
        received = _figure(loan, "principal_received")
        return head, "in full." if received is None else f"{dollars(received)} received."
    if how in {LIQUIDATED, DISCOUNTED}:
        return head, "without a realized loss." if loss == 0 else "the loss is not stated."
    return head, "nothing is owed any more."


def figures(loan: LoanDetail) -> None:
    """The headline of a loan that has ended, in place of coverage and refinancing."""
    how, on, loss = _ending(loan)
    of_owed, of_lent = (_figure(loan, name) for name in ("loss_of_owed", "loss_of_original"))
    owed, received = (_figure(loan, name) for name in ("owed_before", "principal_received"))
    row(
        [
            Figure(label("disposition"), words(how or ENDED), day(on) if on else _NOT_DATED),
            Figure(
                label("realized_loss"),
                money(loss),
                "none is stated" if loss is None else _share(of_lent, "of the original amount"),
            ),
            Figure(
                label("owed_before"),
                money(owed),
                "not in the last filing" if owed is None else _share(of_owed, "of it lost"),
                "What was owed when the period began in which the loan ended; later reports do "
                f"not repeat it.{_filed(loan)}",
            ),
            Figure(
                label("original_amount"),
                money(_figure(loan, "original_amount")),
                "when it was lent",
            ),
            Figure(
                label("principal_received"),
                money(received),
                "not in the last filing" if received is None else "in its last period",
                _filed(loan).strip() or None,
            ),
            *_last_value(loan),
        ]
    )


def _filed(loan: LoanDetail) -> str:
    """Which earlier filing of its source says so, where the newest one does not (D182)."""
    as_of = _date(loan.extended.get("ending_as_of"))
    return "" if as_of is None else f" As filed for {day(as_of)}."


def _last_value(loan: LoanDetail) -> list[Figure]:
    """The last appraisal before it ended, where the newest filing gives an older one."""
    value, on = _figure(loan, "last_value"), _date(loan.extended.get("last_value_date"))
    if value is None or on is None:
        return []
    return [Figure(label("last_value"), money(value), f"as of {day(on)}", _filed(loan).strip())]


def _lost(loan: LoanDetail, loss: float | None) -> str:
    owed, of_owed, of_lent = (
        _figure(loan, name) for name in ("owed_before", "loss_of_owed", "loss_of_original")
    )
    parts = [f"{dollars(loss)} lost"]
    if owed is not None and of_owed is not None:
        parts.append(f"{percent(100 * of_owed, 1)} of the {dollars(owed)} owed before")
    if of_lent is not None:
        parts.append(f"{percent(100 * of_lent, 1)} of the original amount")
    return f"{', '.join(parts)}."


def _share(part: float | None, of: str) -> str:
    return MISSING if part is None else f"{percent(100 * part, 1)} {of}"


def _ending(loan: LoanDetail) -> tuple[str | None, date | None, float | None]:
    """How and when it ended, and the loss. A balance of 0 alone does not say how (D150)."""
    how, on = (loan.extended.get(name) for name in ("disposition", "disposition_date"))
    if how not in {*OWING, *ENDINGS}:
        how = ENDED if loan.book_value == 0 else None
    return how, _date(on), _figure(loan, "realized_loss")


def _date(value: Any) -> date | None:  # noqa: ANN401 - as a record has it (D17)
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) else None


def _figure(loan: LoanDetail, name: str) -> float | None:
    value = loan.extended.get(name)
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    return value if usable else None

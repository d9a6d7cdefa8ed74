"""How the loans of a result stand and how they ended, in one line and as a table."""

from collections.abc import Sequence

from components.frame import columns
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit import text
from components.kit.card import card
from components.kit.fields import label
from components.kit.formatting import MISSING, count, money, words
from services.contract.aggregates import Disposed
from services.contract.disposition import OUTSTANDING

#: What is said of loans of which no balance is known.
_UNKNOWN = "no balance known"


def line(found: Sequence[Disposed]) -> None:
    """One line under totals; nothing where all loans are outstanding."""
    if any(one.disposition != OUTSTANDING or one.loss_loans for one in found):
        text.caption(said(found))


def said(found: Sequence[Disposed]) -> str:
    """Such as: 41 outstanding ($482.0M); 2 paid off at maturity; 3 liquidated ($21.2M lost)."""
    return f"{'; '.join(map(_one, found))}."


def _one(one: Disposed) -> str:
    parts = [money(one.book_value)] if one.book_value else []
    parts += [f"{money(one.realized_loss)} lost"] if one.realized_loss else []
    inside = f" ({', '.join(parts)})" if parts else ""
    return f"{count(one.loans)} {one.disposition or _UNKNOWN}{inside}"


def panel(found: Sequence[Disposed]) -> None:
    """A row a disposition, each a link to its loans; nothing where all are outstanding."""
    if all(one.disposition == OUTSTANDING for one in found):
        return
    with card("How the loans stand, and how those that no longer owe ended", level=2):
        listed: tuple[Column[Disposed], ...] = (
            Column(
                "disposition", label("disposition"), lambda one: words(one.disposition or _UNKNOWN)
            ),
            columns.loans(),
            columns.book_value(),
            Column(
                "realized_loss",
                label("realized_loss"),
                lambda one: money(one.realized_loss) if one.loss_loans else MISSING,
                figure=True,
            ),
            Column("losing", "Loans with a loss", lambda one: count(one.loss_loans), figure=True),
        )
        ledger(
            listed,
            found,
            opens=lambda one: (LOANS, _address(one)),
            caption="Loans by how they stand or ended",
        )


def _address(one: Disposed) -> dict[str, str]:
    if one.disposition is None:
        return {"order": "book_value"}
    return {"disposition": one.disposition, "columns": "endings", "order": "-realized_loss"}

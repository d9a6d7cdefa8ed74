"""How a loan stands, or how it ended: one word a loan, stated once, by the importer.

A balance of 0 does not tell a payoff from a liquidation with a loss, so nothing reads it for that:
counts, pages, rules and the track record all read this.
"""

from typing import Final

from .vocabulary import IS_DEFEASED, NO_SIGNAL, NOTHING_OWED

OUTSTANDING: Final = "outstanding"
#: Owed as before, but Treasuries pay it: nothing is left to refinance.
DEFEASED: Final = "defeased in full"
PREPAID: Final = "paid off before maturity"
REPAID: Final = "paid off at maturity"
DISCOUNTED: Final = "discounted payoff"
LIQUIDATED: Final = "liquidated"
REPURCHASED: Final = "repurchased or substituted"
#: Nothing is owed, and the source does not say how that came.
ENDED: Final = "ended for a reason not stated"

#: Every disposition; those that owe first.
DISPOSITIONS: Final = (
    *(OUTSTANDING, DEFEASED, PREPAID, REPAID, DISCOUNTED, LIQUIDATED, REPURCHASED, ENDED),
)
#: Loans that owe; of these only the outstanding ones must refinance.
OWING: Final = frozenset({OUTSTANDING, DEFEASED})
ENDINGS: Final = frozenset(DISPOSITIONS) - OWING
PAID_OFF: Final = frozenset({PREPAID, REPAID})
#: Facts of an ending that the filing in which a loan ended states, and later ones do not (D182).
SAID_ONCE: Final = (
    *("owed_before", "principal_received", "loss_of_owed", "ending_as_of"),
    *("last_value", "last_value_date"),
)
#: By how much the sale of a property brings the lender less than its last appraisal: the median of
#: the SALES liquidations with a loss of UBS 2017-C1 (0.14, 0.14, 0.24, 0.37, 0.53).
COST_OF_SALE: Final = 0.24
SALES: Final = 5


def standing(balance: float | None, *, defeased: bool) -> str | None:
    """The disposition of a loan of which no ending is stated; None where no balance is known."""
    if balance is None:
        return None
    if balance == 0:
        return ENDED
    return DEFEASED if defeased else OUTSTANDING


def has_ended(disposition: str | None, balance: float | None) -> bool:
    """Whether a loan no longer owes. A balance of 0 tells it only where nothing else is stated."""
    return disposition in ENDINGS or (disposition is None and balance == 0)


def without_signal(disposition: str | None) -> str:
    """What a loan without a signal counts as: a word of UNGRADED (D278)."""
    if disposition in ENDINGS:
        return NOTHING_OWED
    return IS_DEFEASED if disposition == DEFEASED else NO_SIGNAL


def lost(disposition: str | None, realized_loss: float | None) -> bool:
    """Whether lenders got less than they were owed: a realized loss, or a discounted payoff."""
    return disposition == DISCOUNTED or (realized_loss is not None and realized_loss > 0)

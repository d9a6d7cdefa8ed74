"""How a loan stands or how it ended, by what its servicer filed."""

from decimal import Decimal
from typing import Final

from services.contract.disposition import (
    DISCOUNTED,
    ENDINGS,
    LIQUIDATED,
    PAID_OFF,
    PREPAID,
    REPAID,
    REPURCHASED,
    standing,
)
from services.contract.schedule_al import FULL_DEFEASANCE
from services.importers.base import Facts
from services.importers.values import as_float, whole_dollars

#: Liquidation or prepayment code -> how the loan ended. 1, 10 and 11 are of loans that go on.
_BY_CODE: Final = {
    "2": PREPAID,
    "3": LIQUIDATED,
    "4": REPURCHASED,
    "5": REPAID,
    "6": DISCOUNTED,
    "7": LIQUIDATED,
    "8": PREPAID,
    "9": PREPAID,
}
#: Demand status of a loan that its seller has bought back or replaced.
_BOUGHT_BACK: Final = "1"


def disposition(facts: Facts, defeasance: str | None) -> str | None:
    """The word of a loan; `defeasance` is its Schedule AL code.

    A loan that still has a balance has not ended, whatever its codes say. One without a balance has
    ended by its code; a loss makes a liquidation of a payoff, and of what has no code.
    """
    reported = balance(facts)
    if not reported:
        how = _BY_CODE.get(facts.text("liquidation_or_prepayment") or "")
        bought = facts.text("repurchase_demand_status") == _BOUGHT_BACK
        if how is None and reported == 0 and (bought or _positive(facts, "repurchase_amount")):
            how = REPURCHASED
        filed_loss = _positive(facts, "realized_loss_to_trust") is not None
        if filed_loss and (how in PAID_OFF or (how is None and reported == 0)):
            how = LIQUIDATED
        if how is not None:
            return how
    known = reported if reported is not None else facts.number("balance_at_securitization")
    return standing(as_float(known), defeased=defeasance == FULL_DEFEASANCE)


def balance(facts: Facts) -> Decimal | None:
    """At the end of the period: what is owed, else what the certificates are reckoned on."""
    owed = facts.number("actual_balance_at_period_end")
    return facts.number("scheduled_balance_at_period_end") if owed is None else owed


def ending_values(facts: Facts, defeasance: str | None) -> dict[str, object]:
    """The columns of LOANS that say how a loan ended, and what was lost."""
    how = disposition(facts, defeasance)
    ended = how in ENDINGS
    loss = facts.number("realized_loss_to_trust")
    before = _positive(facts, "scheduled_balance_at_period_start") if ended else None
    # In later filings nothing is left of the period in which it ended but code, date and loss.
    received = None
    if before is not None:
        kinds = ("unscheduled_principal_collected", "scheduled_principal")
        parts = [amount for kind in kinds if (amount := facts.number(kind)) is not None]
        received = sum(parts, Decimal()) if parts else None
    return {
        "disposition": how,
        "disposition_date": facts.day("liquidation_or_prepayment_date") if ended else None,
        "realized_loss": whole_dollars(loss),
        "owed_before": whole_dollars(before),
        "loss_of_owed": _share(loss, before),
        "loss_of_original": _share(loss, _positive(facts, "original_loan_amount")),
        "principal_received": whole_dollars(received),
    }


def _positive(facts: Facts, key: str) -> Decimal | None:
    amount = facts.number(key)
    return amount if amount is not None and amount > 0 else None


def _share(loss: Decimal | None, whole: Decimal | None) -> float | None:
    if loss is None or loss <= 0 or whole is None:
        return None
    return round(float(loss / whole), 9)

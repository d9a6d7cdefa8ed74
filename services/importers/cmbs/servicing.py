"""How a loan is serviced: payment status, workout, special servicing, modification, defeasance."""

from collections.abc import Sequence
from typing import Final

from services.contract.schedule_al import (
    FORBEARANCE,
    FORECLOSURE,
    FULL_DEFEASANCE,
    NO_DEFEASANCE,
    OTHER_MODIFICATION,
    OTHER_WORKOUT,
    PART_DEFEASANCES,
    REO,
    SECURITIES,
    UNSTATED_MODIFICATION,
)
from services.importers.base import Facts
from services.importers.values import whole_dollars

#: Property status -> workout that it amounts to.
_STATUS_TO_WORKOUT: Final = {"2": REO, "1": FORECLOSURE}
#: Fact -> key of what is filed of it.
OUTSTANDING: Final = {
    "scheduled_balance": "scheduled_balance_at_period_end",
    "payment_advances": "principal_and_interest_advances_outstanding",
    "tax_advances": "tax_and_insurance_advances_outstanding",
    "other_advances": "other_advances_outstanding",
}
#: Property status of a property whose place Treasuries have taken, and what filers call it.
_DEFEASED: Final = "3"
_CALLED_DEFEASED: Final = "defeased"


def servicing_values(facts: Facts, total: Facts, properties: Sequence[Facts]) -> dict[str, object]:
    """The columns of LOANS that say how a loan fares.

    `total` is the block that speaks for the whole loan, empty where there is none.
    """
    blocks = [total, *properties]
    return {
        "payment_status": facts.text("payment_status_meaning"),
        "workout": workout(facts, blocks),
        "paid_through": facts.day("paid_through"),
        **{name: whole_dollars(facts.number(key)) for name, key in OUTSTANDING.items()},
        "special_servicing_since": facts.day("special_servicer_transfer"),
        "special_servicing_returned": facts.day("master_servicer_return"),
        "modification": modification(facts),
        "modified_on": facts.day("last_modification"),
        "defeasance": loan_defeasance(total, properties),
    }


def loan_defeasance(total: Facts, properties: Sequence[Facts]) -> str | None:
    """Schedule AL code of a loan; `total` as for `servicing_values`."""
    return defeasance(total) or _defeasance_of_all(properties)


def workout(facts: Facts, blocks: Sequence[Facts]) -> str | None:
    """Schedule AL code. Of several REO, then foreclosure, then the first that is not "other";
    the state of a property speaks where the loan has no code or "other".
    """
    codes = facts.texts("workout_strategies")
    for code in (REO, FORECLOSURE):
        if code in codes:
            return code
    stated = next((code for code in codes if code != OTHER_WORKOUT), None)
    statuses = {one.text("property_status") for one in blocks}
    implied = next((_STATUS_TO_WORKOUT[one] for one in _STATUS_TO_WORKOUT if one in statuses), None)
    return stated or implied or (codes[0] if codes else None)


def modification(facts: Facts) -> str | None:
    """Schedule AL code. Of several forbearance, then the first that is not "other"; "unstated"
    where the loan is said to be modified and no code says how.
    """
    codes = facts.texts("modifications")
    if not codes and facts.flag("modified"):
        return UNSTATED_MODIFICATION
    if FORBEARANCE in codes:
        return FORBEARANCE
    return next((code for code in codes if code != OTHER_MODIFICATION), codes[0] if codes else None)


def defeasance(block: Facts) -> str | None:
    """Schedule AL code of a block. Its status, its type (securities) or its name may alone say that
    it is defeased; the code that filers leave at "no defeasance" does not gainsay them.
    """
    stated = block.text("defeasance_status")
    defeased = (
        block.text("property_status") == _DEFEASED
        or (block.text("type") or "").upper() == SECURITIES
        or (block.text("name") or "").casefold() == _CALLED_DEFEASED
    )
    return FULL_DEFEASANCE if defeased and stated not in PART_DEFEASANCES else stated


def _defeasance_of_all(properties: Sequence[Facts]) -> str | None:
    """Of a loan on properties of which some may be defeased: then it is a portion of the loan."""
    codes = {defeasance(one) for one in properties}
    if len(codes) == 1:
        return codes.pop()
    if not codes.isdisjoint({FULL_DEFEASANCE, *PART_DEFEASANCES}):
        return PART_DEFEASANCES[0]
    return NO_DEFEASANCE if NO_DEFEASANCE in codes else min(filter(None, codes), default=None)

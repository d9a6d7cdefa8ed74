"""Notes of one loan that are filed apart: number 10 has the property, 10A and 10B their terms."""

import re
from collections.abc import Mapping
from typing import Final

from services.contract.schedule_al import PARI_PASSU
from services.importers.cmbs.loan import Loan
from services.importers.cmbs.property import Property, place

#: What notes of one loan have in common.
_COMMON: Final = (
    "originator_as_filed",
    "origination_date",
    "scheduled_maturity_date",
    "original_interest_rate",
)


def share_collateral(loans: Mapping[str, Loan]) -> None:
    """Gives a pari passu note without a property the properties of the note that it stands beside.

    Only where the filing leaves no doubt: 10A belongs to 10 when both are pari passu notes of one
    originator, day, maturity and rate, and nothing that 10A states is about a property.
    """
    for number, loan in loans.items():
        beside = loans.get(re.sub(r"[-. ]?[A-Z]$", "", number))
        if beside is None or beside is loan or _has_property(loan) or not _has_property(beside):
            continue
        notes = (loan.facts, beside.facts)
        pari_passu = all(one.text("loan_structure") == PARI_PASSU for one in notes)
        common = [loan.facts.get(key) for key in _COMMON]
        if pari_passu and None not in common and common == [beside.facts.get(k) for k in _COMMON]:
            loan.blocks, loan.children = beside.blocks, beside.children
            loan.child_missing, loan.filed_under = beside.child_missing, beside.number


def _has_property(loan: Loan) -> bool:
    return any(map(_is_stated, [*loan.blocks, *loan.children]))


def _is_stated(block: Property) -> bool:
    """Whether a block says where, what or how much a property is."""
    named = any(place(block.facts, key) for key in ("name", "address", "city"))
    return named or block.property_type is not None or block.value is not None

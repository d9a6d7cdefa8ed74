"""Notes of one loan that are filed apart: 10, or 10A, has the property, 10A and 10B their terms."""

import re
from collections.abc import Mapping
from typing import Final

from services.contract.schedule_al import PARI_PASSU
from services.importers.base import Facts
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

    Only where the filing leaves no doubt: 10B belongs to 10, or to 10A, when both are pari passu
    notes of one originator, day, maturity and rate, and nothing that 10B states is about a
    property.
    """
    with_property: dict[str, list[Loan]] = {}
    for number, loan in loans.items():
        if _has_property(loan):
            with_property.setdefault(_bare(number), []).append(loan)
    for number, loan in loans.items():
        for beside in () if _has_property(loan) else with_property.get(_bare(number), ()):
            if _is_note_beside(loan.facts, beside.facts):
                loan.blocks, loan.children = beside.blocks, beside.children
                loan.child_missing, loan.filed_under = beside.child_missing, beside.number
                break


def _bare(number: str) -> str:
    """The number without the mark of a note: 10 of 10A."""
    return re.sub(r"[-. ]?[A-Z]$", "", number)


def _is_note_beside(note: Facts, other: Facts) -> bool:
    if any(one.text("loan_structure") != PARI_PASSU for one in (note, other)):
        return False
    common = [note.get(key) for key in _COMMON]
    return None not in common and common == [other.get(key) for key in _COMMON]


def _has_property(loan: Loan) -> bool:
    return any(map(_is_stated, [*loan.blocks, *loan.children]))


def _is_stated(block: Property) -> bool:
    """Whether a block says where, what or how much a property is."""
    named = any(place(block.facts, key) for key in ("name", "address", "city"))
    return named or block.property_type is not None or block.value is not None

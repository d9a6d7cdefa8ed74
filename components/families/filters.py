"""The Sponsors page: which loans count, which heads of families are ranked, in which order."""

from typing import Final

from components.frame import address
from components.frame.routes import SPONSORS
from components.frame.switch import switch
from components.loans import filters
from services.contract.families import FamilyFilter

#: What stands in the address beside the filters of loans.
_LOOKS: Final = ("page", "per_page", "order", "kind")
#: Heads of families, as a choice and within a sentence.
HEADS: Final = {"sponsor": "Sponsors", "owner": "Owners", "either": "Both"}
_NOUNS: Final = {"sponsor": "sponsors", "owner": "owners", "either": "sponsors and owners"}


def families_view() -> FamilyFilter | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(FamilyFilter, SPONSORS, filters.check)
    if asked is None:
        return None
    return address.settled(asked, filters.bar(asked), _LOOKS)


def head_switch() -> None:
    """Whether sponsors are ranked, owners, or both; it goes to the address by "kind"."""
    switch("kind", "Heads of families", HEADS, address.first_page)


def sentence(view: FamilyFilter) -> str:
    """What is ranked, in words: Families of sponsors, office loans in Texas."""
    loans = filters.sentence(view.of_loans())
    return f"Families of {_NOUNS[view.kind]}, {loans[0].lower()}{loans[1:]}"

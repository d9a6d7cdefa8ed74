"""Columns of a list of who is behind loans: their worst signal, how many are distressed, and what
they are short.
"""

from typing import Final, Protocol

from components.frame.ledger import Column
from components.kit import severity
from components.kit.formatting import MISSING, count, money
from services.contract.facts import FACT


class Distress(Protocol):
    """What lists of parties and of families have in common."""

    @property
    def worst(self) -> str | None:
        """Worst signal of its loans."""

    @property
    def stressed(self) -> int:
        """Loans that are severe or critical by themselves."""

    @property
    def dollars_short(self) -> int:
        """US dollars, over the loans that are short."""


WORST: Final = Column[Distress](
    "worst",
    "Worst signal",
    lambda one: severity.label(one.worst),
    order=True,
    short=True,
    help="Contagion from siblings counts in.",
)
DISTRESSED: Final = Column[Distress](
    "stressed",
    "Distressed loans",
    lambda one: count(one.stressed) if one.stressed else MISSING,
    figure=True,
    order=True,
    help="Loans with a severe or critical signal, contagion from siblings left out.",
)
SHORT: Final = Column[Distress](
    "dollars_short",
    FACT["dollars_short"].label,
    lambda one: money(one.dollars_short) if one.dollars_short else MISSING,
    figure=True,
    order=True,
    help="Over the loans that are short: balance at maturity less the largest new loan.",
)

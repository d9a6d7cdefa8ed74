"""What scoring rests on beside the loans: reference rates, limits, sizing defaults by type."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from services.rates.reference import ReferenceRates
from services.rates.spreads import Sizings
from services.signals.limits import Limits


@dataclass(frozen=True, slots=True, eq=False)
class Assumptions:
    """The three tables, packaged or a user's own."""

    rates: ReferenceRates
    limits: Limits
    sizings: Sizings

    @classmethod
    def packaged(cls) -> Self:
        """What ships with the program."""
        return cls.of()

    @classmethod
    def of(
        cls, *, rates: Path | None = None, limits: Path | None = None, spreads: Path | None = None
    ) -> Self:
        """Those of a user's files, packaged where none is named.

        Raises SettingsInvalid or ImportRefused, in one sentence naming file, line and reason.
        """
        return cls(
            ReferenceRates.read(rates) if rates else ReferenceRates.packaged(),
            Limits.read(limits) if limits else Limits.packaged(),
            Sizings.read(spreads) if spreads else Sizings.packaged(),
        )

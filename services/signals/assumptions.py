"""What scoring rests on beside the loans: reference rates, limits, sizing defaults by type."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from services.contract.snapshot_info import TableUsed
from services.rates.reference import ReferenceRates
from services.rates.spreads import Sizings
from services.signals.limits import Limits


@dataclass(frozen=True, slots=True, eq=False)
class Assumptions:
    """The three tables, packaged or a user's own."""

    rates: ReferenceRates
    limits: Limits
    sizings: Sizings

    def tables(self) -> tuple[TableUsed, ...]:
        """Where each of them comes from."""
        return (
            TableUsed(table="limits", origin=self.limits.origin, version=self.limits.version),
            TableUsed(table="spreads", origin=self.sizings.origin, version=self.sizings.version),
            TableUsed(table="reference rates", origin=self.rates.origin),
        )

    def texts(self) -> dict[str, str]:
        """Limits and spreads as their files have them: `Limits.parsed` and `Sizings.parsed` read
        them again.
        """
        return {"limits": self.limits.text, "spreads": self.sizings.text}

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

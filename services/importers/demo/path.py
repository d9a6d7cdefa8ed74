"""How trouble came and went on each loan before today: what earlier quarters have in common."""

from dataclasses import dataclass

import numpy as np

from services.importers.demo.assumptions import Floats, Ints
from services.importers.demo.days import Days

FULL_LOSS_DAYS = 365  # from the onset until all of the income is lost that is lost today
DIP_DAYS = 180  # of income before the first missed payment, and until it has recovered


@dataclass(frozen=True, slots=True)
class Path:
    """Of each loan. Today all dips are over, and what ails has lost what it has lost."""

    onset: Days  # when a property that ails today began to
    missed: Days  # since when it was late in a spell that is over; NaT: there was none
    cured: Days
    dip: Floats  # part of the income that was lost in the spell
    defeased: Days  # of loans that are defeased today; any day of the others
    renewed: Days  # when the appraisal before the latest was made; NaT: when the loan was
    today: np.datetime64

    def left(self, today: Floats, days: Days) -> Floats:
        """Part of the income that is left on these days, of what is left `today`."""
        ramp = np.minimum(_days(self.today - self.onset), FULL_LOSS_DAYS)
        lost = np.clip(_days(days - self.onset) / np.maximum(ramp, 1), 0, 1)
        ailing = np.where(lost < 1, 1 - (1 - today) * lost, today)
        falls = _days(days - self.missed) / DIP_DAYS + 1
        over = np.minimum(self.cured + DIP_DAYS, self.today)
        dip = np.clip(np.minimum(falls, _days(over - days) / DIP_DAYS), 0, 1)
        dipped = ~np.isnat(self.missed) & (dip > 0)
        return np.where(dipped, ailing * (1 - self.dip * np.where(dipped, dip, 0)), ailing)

    def behind(self, day: np.datetime64) -> Ints:
        """Payments that were missed in a spell that is over today; 0 before and after it."""
        within = (self.missed <= day) & (day < self.cured)
        return np.where(within, 1 + _days(day - self.missed) // 31, 0)


def _days(span: np.ndarray) -> Ints:
    return np.asarray(span).astype(np.int64)

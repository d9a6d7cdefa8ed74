"""Roll rates: what became of loans of each stage of delinquency by the next filing."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from components.frame import exports
from components.kit import tables
from components.kit.formatting import MISSING, count, share, words
from components.overview.view import FIELD, Unit, Window
from services.contract.distributions import FEW
from services.contract.events import STAGES
from services.contract.history import Roll
from services.contract.months import months_after

WINDOWS: Final = {
    "3": "3 months", "12": "12 months", "24": "24 months", "all": "All months",
}  # fmt: skip
_LABELS: Final = {word: words(word) for word in STAGES} | {"90 days": "90+ days"}
INTO_SPECIAL: Final = "Into special servicing"


def within(rolls: Sequence[Roll], newest: date, window: Window) -> list[Roll]:
    """Those of the last months, the newest included."""
    if window == "all":
        return list(rolls)
    first = months_after(newest, 1 - int(window))
    return [one for one in rolls if one.month >= first]


def rows(rolls: Sequence[Roll], unit: Unit) -> list[dict[str, str]]:
    """One row a stage that loans were in: how many, and the share that went to each stage; of
    under FEW loans how many of how many.
    """
    found = []
    for before in STAGES:
        here = [one for one in rolls if one.before == before]
        loans = _sum(here, "loans")
        if loans:
            row = {"From": _LABELS[before], "Loan-months": count(loans)}
            for after in STAGES:
                there = [one for one in here if one.after == after]
                row[_LABELS[after]] = _cell(there, here, unit)
            row[INTO_SPECIAL] = _cell(here, here, unit, "special_")
            found.append(row)
    return found


def _cell(part: Sequence[Roll], of: Sequence[Roll], unit: Unit, which: str = "") -> str:
    """98.1% (1,204): a share, and of how many loans it is."""
    loans, whole = _sum(part, f"{which}loans"), _sum(of, "loans")
    if not loans:
        return MISSING
    if whole < FEW:
        return f"{count(loans)} of {count(whole)}"
    field = FIELD[unit]
    return f"{share(_sum(part, which + field), _sum(of, field))} ({count(loans)})"


def _sum(rolls: Sequence[Roll], field: str) -> int:
    return sum(getattr(one, field) for one in rolls)


def table(rolls: Sequence[Roll], unit: Unit) -> None:
    """The stages by row, where they went by column."""
    tables.sheet(rows(rolls, unit), "Roll rates from one filing to the next")


def export(rolls: Sequence[Roll], shown: str) -> exports.Export:
    """Every month, stage by stage."""
    kinds = {**dict.fromkeys(Roll.model_fields, int), "month": date, "before": str, "after": str}
    return exports.of_rows("roll rates", shown, [dict(one) for one in rolls], kinds)

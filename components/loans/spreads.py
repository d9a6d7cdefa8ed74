"""What is said beside refinance figures whose spreads do not fit the as-of date."""

from collections.abc import Sequence

from components.frame import session
from components.kit.formatting import day
from services.contract.snapshot_info import SpreadsUsed


def note() -> str:
    """That of the snapshot's spreads; blank where they fit, and where they have no date."""
    return of_all(session.analytics().snapshot().spreads) if session.mirrored() else ""


def of_all(spreads: Sequence[SpreadsUsed]) -> str:
    """The same of the spreads of several as-of dates: each of those that do not fit."""
    if len(spreads) == 1:
        return said(spreads[0])
    unfit = [one for one in spreads if not one.fits and one.as_of]
    parts = [
        f"for loans as of {day(one.as_of)} of {day(one.day)} ({one.fitted}), {one.months_off} "
        "months from it"
        for one in unfit
    ]
    if not parts:
        return ""
    listed = "; ".join(parts)
    return f"Spreads are {listed}: refinance figures may not be those of that market."


def said(used: SpreadsUsed | None) -> str:
    """Which spreads they are, and how far off."""
    if used is None or used.fits:
        return ""
    return (
        f"Spreads are of {day(used.day)} ({used.fitted}), {used.months_off} months from the as-of "
        "date: refinance figures may not be those of that market."
    )

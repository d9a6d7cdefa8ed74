"""Filings as a list, each with the number of its findings."""

from collections.abc import Callable, Sequence
from typing import Final

from components.frame import exports
from components.frame.ledger import Column, ledger
from components.frame.routes import CHECK_SHEET
from components.kit import text
from components.kit.formatting import MISSING, count, day, dollars
from components.kit.gaps import gaps
from services.contract.check_sheet import CHECKS, CheckedFiling, RollForward

#: Pixels from which a list of filings scrolls.
_HEIGHT: Final = 480
_PRINCIPAL: Final = "Scheduled, unscheduled, other and non-cash principal."


def filings(listed: Sequence[CheckedFiling], *, several: bool) -> None:
    """Filings of one source, or with `several` the newest one of each; each opens its sheet."""
    first: Column[CheckedFiling] = Column("as_of", "As of", lambda one: day(one.as_of))
    source: Column[CheckedFiling] = Column(
        "title", "Source", lambda one: one.title, under=lambda one: day(one.as_of)
    )
    rolled = (
        _of_roll("opening", "Opening", lambda roll: roll.opening),
        _of_roll("principal", "Principal", lambda roll: roll.principal, _PRINCIPAL),
        _of_roll("losses", "Losses", lambda roll: roll.losses),
        _of_roll("closing", "Closing", lambda roll: roll.closing),
    )
    columns: tuple[Column[CheckedFiling], ...] = (
        source if several else first,
        Column("records", "Records", lambda one: count(one.records), figure=True),
        *(rolled if any(one.roll for one in listed) else ()),
        Column("findings", "Findings", lambda one: count(_number(one)), figure=True,
               under=_of_checks,
               tint=lambda one: "weak" if _number(one) else None),
        Column("checks", "Checks with findings", lambda one: ", ".join(
            CHECKS[name].label for name, found in one.found.items() if found
        ) or MISSING),
    )  # fmt: skip
    ledger(
        columns,
        listed,
        opens=lambda one: (
            CHECK_SHEET, {"source": one.source, "as_of": one.as_of.isoformat()},
        ),
        named=lambda one: f"{one.title}, {day(one.as_of)}",
        caption="Filings",
        height=_HEIGHT,
    )  # fmt: skip
    days = sorted(one.as_of for one in listed)
    missing = [f"{day(before)} and {day(after)}" for before, after in gaps(days)]
    if missing and not several:
        text.caption(f"A filing is missing between {'; between '.join(missing)}.")


def _of_roll(
    name: str, label: str, of: Callable[[RollForward], float], help_text: str | None = None
) -> Column[CheckedFiling]:
    def written(one: CheckedFiling) -> str:
        return MISSING if one.roll is None else dollars(of(one.roll))

    return Column(name, label, written, figure=True, help=help_text)


def _of_checks(one: CheckedFiling) -> str:
    """How many of the checks could be tested, where not all could."""
    return "" if one.tested == len(CHECKS) else f"{one.tested} of {len(CHECKS)} checks tested"


def _number(one: CheckedFiling) -> int:
    return sum(one.found.values())


def export(listed: Sequence[CheckedFiling], shown: str) -> exports.Export:
    """Filings with the sums that they are rolled forward of, and the findings of each check."""
    rows = [
        {
            **one.model_dump(exclude={"roll", "found"}),
            **{name: getattr(one.roll, name, None) for name in RollForward.model_fields
               if name != "records"},
            **{f"{name.replace('-', '_').replace(' ', '_')}_findings": found
               for name, found in one.found.items()},
        }
        for one in listed
    ]  # fmt: skip
    return exports.of_rows("filings checked", shown, rows)

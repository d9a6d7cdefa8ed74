"""A loan's history as tables and files: its rows, newest first, and what happened, in words."""

from collections.abc import Sequence
from typing import Final

from components.frame import exports
from components.frame.history_window import Window
from components.history import figures, wording
from components.kit import tables
from components.kit.formatting import MISSING, day, money
from services.contract.events import KIND, Event
from services.contract.history import HistoryRow, LoanHistory
from services.contract.schedule_al import PAYMENT_STATUSES
from services.contract.vocabulary import SIGNAL_TYPES

#: Heads of the columns of figures.
HEADS: Final = tuple(map(figures.label, figures.FIGURES))


def cells(row: HistoryRow) -> dict[str, str]:
    """The figures of a row under their heads."""
    values = (figures.written(name, getattr(row, name)) for name in figures.FIGURES)
    return dict(zip(HEADS, values, strict=True))


def rows(found: Sequence[HistoryRow]) -> None:
    """One row a filing, the newest first."""
    listed = [
        {
            "As of": day(one.as_of),
            **cells(one),
            "Income of": one.income_basis or MISSING,
            "Payment status": _status(one.payment_status),
            "Special servicing": "yes" if one.special_servicing else "",
            "Worst signal": wording.worst(one),
            "Scored by": one.rules_version,
            "File": one.file or MISSING,
        }
        for one in reversed(found)
    ]
    tables.plain(listed, "Filings of the loan", figures=HEADS, scrolls=True)


def _status(code: str | None) -> str:
    return f"{code}: {PAYMENT_STATUSES.get(code, 'unranked')}" if code else MISSING


def events(found: Sequence[Event]) -> None:
    """What happened, the newest first, of one date the most important first."""
    ordered = sorted(found, key=lambda one: one.as_of, reverse=True)  # keeps the order of a date
    listed = [
        {
            "As of": day(one.as_of),
            "What happened": wording.kind(one),
            "In words": one.sentence,
            "At stake": money(one.dollars),
        }
        for one in ordered
    ]
    tables.plain(listed, "What happened to the loan", figures=("At stake",), scrolls=True)


def shown(numbers: Sequence[str], view: Window) -> str:
    """Which part of which loans, as a file says it."""
    since = f" from {view.since.isoformat()}" if view.since else ""
    until = f" until {view.until.isoformat()}" if view.until else ""
    return f"History of {', '.join(numbers)}{since}{until}"


def export_rows(of: tuple[LoanHistory, ...], view: Window) -> exports.Export:
    """Every filing of the window, by loan and date, as filed: raw figures, codes, ISO dates."""
    listed = [
        {"loan_number": loan.loan_number, **_flat(one)}
        for loan in of
        for one in loan.rows
        if view.has(one.as_of)
    ]
    said = shown([loan.loan_number for loan in of], view)
    return exports.of_rows("history", said, listed, facts=figures.FACTS)


def _flat(row: HistoryRow) -> dict[str, object]:
    """A row with a column for each type of signal, and its rules in one."""
    facts = {name: value for name, value in row if name not in {"signals", "rules", "sponsor"}}
    return {
        **facts,
        **{kind: row.signals.get(kind) for kind in SIGNAL_TYPES},
        "rules": " ".join(row.rules) or None,
    }


def export_events(of: LoanHistory, view: Window) -> exports.Export:
    """Every event of the window, by date."""
    listed = [
        {
            "as_of": one.as_of,
            "since": one.since,
            "kind": one.kind,
            "direction": KIND[one.kind].direction,
            "signal_type": one.signal_type,
            "before": None if one.before is None else str(one.before),
            "after": None if one.after is None else str(one.after),
            "dollars": one.dollars,
            "sentence": one.sentence,
        }
        for one in of.events
        if view.has(one.as_of)
    ]
    said = shown([of.loan_number], view)
    return exports.of_rows("events", said, listed, facts=figures.FACTS)

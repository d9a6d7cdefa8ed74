"""What a point of a history says: the figure as filed, of what, its date and file. Pure."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from components.history import figures
from components.history.line import Income
from components.kit import severity
from components.kit.formatting import MISSING, day, money, words
from components.kit.text import escaped
from services.contract import disposition
from services.contract.events import KIND, Direction, Event
from services.contract.history import HistoryRow
from services.contract.schedule_al import PAYMENT_STATUSES, WORKOUTS

#: How events that point a way are marked.
GLYPHS: Final[dict[Direction, str]] = {"worse": "▼", "better": "▲", "other": "●"}
#: Letters of a line of a hover card, and events on one.
_WIDE: Final = 64
_MOST: Final = 6


def card(lines: Iterable[str]) -> str:
    """HTML of a hover card: long lines are broken, words are shown as written."""
    broken = (part for line in lines for part in textwrap.wrap(line, _WIDE) or [""])
    return "<br>".join(escaped(part) for part in broken)


def filed(row: HistoryRow) -> list[str]:
    """When a row was filed, and in which file."""
    return [f"As of {day(row.as_of)}", f"File: {row.file or 'not named'}"]


def at(row: HistoryRow, name: str) -> str:
    """The card of one figure of a row."""
    of = [f"Of: {row.income_basis}"] if name in figures.OF_INCOME and row.income_basis else []
    said = f"{figures.label(name)}: {figures.written(name, getattr(row, name))}"
    return card([said, *of, *filed(row)])


def income(found: Income, name: str) -> str:
    """The card of the income of a filed period."""
    first, last = found.rows[0], found.rows[-1]
    repeated = [] if first is last else [f"Repeated until {day(last.as_of)}"]
    of = [f"Of: {first.income_basis}"] if first.income_basis else []
    said = f"{figures.label(name)}: {figures.written(name, found.value)}"
    return card([said, *of, *filed(first), *repeated])


def status(row: HistoryRow) -> str:
    """The card of the payment status."""
    code = row.payment_status
    said = PAYMENT_STATUSES.get(code or "", "unranked" if code else "not stated")
    lines = [f"Payment status: {f'{code}: ' if code else ''}{said}"]
    if row.special_servicing:
        lines.append("Special servicing: yes")
    if row.workout:
        lines.append(f"Workout: {WORKOUTS.get(row.workout, row.workout)}")
    return card([*lines, *filed(row)])


def signals(row: HistoryRow) -> str:
    """The card of the signals."""
    each = [
        f"{words(kind)}: {severity.label(found)}" for kind, found in sorted(row.signals.items())
    ]
    rules = [f"Rules: {', '.join(row.rules)}"] if row.rules else []
    without = severity.label(disposition.without_signal(row.disposition)).capitalize()
    return card([*(each or [without]), *rules, f"By {row.rules_version}", *filed(row)])


def events(found: Sequence[Event]) -> str:
    """The card of what happened on one date."""
    more = [f"and {len(found) - _MOST} more, in the list below"] if len(found) > _MOST else []
    return card([day(found[0].as_of), *(one.sentence for one in found[:_MOST]), *more])


def kind(event: Event) -> str:
    """What kind of event it is, and which way it points: a glyph and words."""
    of = KIND[event.kind]
    return f"{GLYPHS[of.direction]} {of.label}"


def end(row: HistoryRow) -> str:
    """How the loan ended: "liquidated, loss $11.9M"."""
    how = row.disposition or disposition.ENDED
    if not row.realized_loss or row.realized_loss < 0:
        return how
    return f"{how}, loss {money(row.realized_loss)}"


def worst(row: HistoryRow) -> str:
    """The worst severity of a row, an em dash without one."""
    return severity.label(row.worst) if row.worst else MISSING

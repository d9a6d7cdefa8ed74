"""What can happen to a loan from one period to a later one: every kind of event, once.

The table drives all: the function that finds events (services/signals/events.py), the statement
that counts them over a book (services/store/changes.py), filters, labels and the order of lists.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from .records import Record
from .schedule_al import FORECLOSURE, REO

#: Which way an event points: for the loan's lender.
Direction = Literal["worse", "better", "other"]


@dataclass(frozen=True, slots=True)
class EventKind:
    """One kind of event."""

    name: str
    #: As a list or filter calls it.
    label: str
    direction: Direction
    #: What a figure has to pass: "x" for DSCR, a fraction for a fall, for a coupon percent points
    #: (or a fraction, where a source states one: closer than this is the same).
    limit: float | None = None


#: Every kind, the most important first.
EVENT_KINDS: Final = (
    EventKind("liquidated", "Liquidated with a loss", "worse"),
    EventKind("special_in", "Into special servicing", "worse"),
    EventKind("status_worse", "Payment status worse", "worse"),
    EventKind("matured", "Past maturity, not repaid", "worse"),
    EventKind("workout", "Workout strategy changed", "worse"),
    EventKind("signal_worse", "Signal worse", "worse"),
    EventKind("signal_new", "New signal", "worse"),
    EventKind("dscr_below_100", "DSCR below 1.00x", "worse", 1.00),
    EventKind("modified", "Modified", "worse"),
    EventKind("extended", "Maturity extended", "worse"),
    EventKind("noi_down_20", "NOI down 20% or more", "worse", 0.20),
    EventKind("dscr_below_125", "DSCR below 1.25x", "worse", 1.25),
    EventKind("occupancy_down", "Occupancy down 10 points or more", "worse", 0.10),
    EventKind("noi_down_10", "NOI down 10% or more", "worse", 0.10),
    EventKind("reappraised", "Reappraised", "other"),
    EventKind("coupon_changed", "Coupon changed", "other", 0.0005),
    EventKind("amortisation_changed", "Amortisation changed", "other"),
    EventKind("maturity_earlier", "Maturity brought forward", "other"),
    EventKind("tenant_changed", "Lease of the largest tenant changed", "other"),
    EventKind("sponsor_changed", "Sponsor changed", "other"),
    EventKind("gone", "Left the file", "other"),
    EventKind("special_out", "Back from special servicing", "better"),
    EventKind("status_cured", "Payment status better", "better"),
    EventKind("signal_better", "Signal better", "better"),
    EventKind("signal_gone", "Signal gone", "better"),
    EventKind("dscr_above_100", "DSCR at 1.00x or above", "better", 1.00),
    EventKind("dscr_above_125", "DSCR at 1.25x or above", "better", 1.25),
    EventKind("defeased", "Defeased", "better"),
    EventKind("paid_off", "Paid off", "better"),
    EventKind("new", "New in the file", "other"),
)
KIND: Final[Mapping[str, EventKind]] = {kind.name: kind for kind in EVENT_KINDS}
#: Place of each kind in order of importance, from 0.
IMPORTANCE: Final[Mapping[str, int]] = {kind.name: at for at, kind in enumerate(EVENT_KINDS)}
#: The tracks of a loan on which a kind may occur once for each: types of signals.
OF_SIGNALS: Final = ("signal_worse", "signal_new", "signal_better", "signal_gone")

#: Stage of delinquency, from a payment status of Schedule AL; "default" also by a workout. Any
#: other code has none. A matured balloon that performs (4) still pays: it is past maturity, not
#: delinquent (D183).
STAGES: Final = ("current", "30 days", "60 days", "90 days", "default", "ended")
STAGE_OF_STATUS: Final[Mapping[str, str]] = {
    code: stage
    for stage, codes in zip(STAGES, ("0AB4", "1", "2", "3", "5"), strict=False)
    for code in codes
}
#: Payment status -> how late it is.
LATENESS: Final[Mapping[str, int]] = {
    code: STAGES.index(stage) for code, stage in STAGE_OF_STATUS.items()
}
#: Workouts in which a loan is in default, whatever its payment status: deed in lieu too.
DEFAULT_WORKOUTS: Final = (FORECLOSURE, REO, "10")
#: The stages that count as delinquent: 30 days late or later.
DELINQUENT: Final = STAGES[1:5]


def stage_of(balance: int | None, workout: str | None, payment_status: str | None) -> str | None:
    """The stage of a loan, a word of STAGES; None where its payment status is not ranked.

    The statement of services/store/history_tables.py says the same of a whole book.
    """
    if balance == 0:
        return "ended"
    if workout in DEFAULT_WORKOUTS:
        return "default"
    return STAGE_OF_STATUS.get(payment_status or "")


class Event(Record):
    """Something that changed of a loan between two periods."""

    #: A name of EVENT_KINDS.
    kind: str
    #: As-of date of the period that shows it first, and of the one before.
    as_of: date
    since: date
    #: Of signals: the type.
    signal_type: str | None = None
    #: What it was and what it is, raw: a code, a figure in the unit of its column, a date. None
    #: where not known, or where there was none.
    before: date | float | str | None = None
    after: date | float | str | None = None
    #: What is at stake: the loan's balance, or what it was where nothing is owed any more.
    dollars: int | None = None
    #: All of it in a sentence, without the loan's name.
    sentence: str

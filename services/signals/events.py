"""What happened to a loan between two periods: from two rows of it the list of events. Pure.

Kinds, limits and their order are the table of services/contract/events.py; sentences are here.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Final

from services.contract.events import IMPORTANCE, KIND, LATENESS, Event
from services.contract.history import HistoryRow
from services.contract.income_basis import IncomeBasis
from services.contract.schedule_al import (
    ADJUSTABLE,
    FULL_DEFEASANCE,
    MODIFICATIONS,
    PAYMENT_STATUSES,
    WORKOUTS,
)
from services.contract.vocabulary import SEVERITIES
from services.signals.figures import day, dollars, figure, trimmed
from services.signals.servicing import CHANGES

_NOISE: Final = 1e-9
_Value = date | float | str | None
#: Kind, what it was, what it is, sentence, type of signal.
_Found = tuple[str, _Value, _Value, str, str | None]


def events(
    before: HistoryRow | None, after: HistoryRow | None, since: date, until: date
) -> tuple[Event, ...]:
    """What happened between two periods of a loan, the most important first.

    None is a period of its source that lacks the loan. Of a loan that owes nothing any more only
    its end is an event. `since` and `until` are the dates of the two periods.
    """
    if before is None or after is None:
        found = list(_came_or_went(before, after))
    elif after.balance == 0:
        found = list(_ended(before, after))
    else:
        found = [one for track in _TRACKS for one in track(before, after)]
    at_stake = _at_stake(before, after)
    listed = [
        Event(
            kind=kind,
            as_of=until,
            since=since,
            signal_type=signal_type,
            before=was,
            after=now,
            dollars=at_stake,
            sentence=sentence,
        )
        for kind, was, now, sentence, signal_type in found
    ]
    return tuple(sorted(listed, key=lambda one: (IMPORTANCE[one.kind], one.signal_type or "")))


def _at_stake(before: HistoryRow | None, after: HistoryRow | None) -> int | None:
    now = after.balance if after else None
    return now or (before.balance if before else None)


def _came_or_went(before: HistoryRow | None, after: HistoryRow | None) -> Iterator[_Found]:
    if after is not None:
        yield "new", None, after.balance, "The loan is new in the file.", None
    elif before is not None and before.balance != 0:
        owed = "" if before.balance is None else f"; it owed {dollars(before.balance)}"
        yield "gone", before.balance, None, f"The loan is in the file no more{owed}.", None


def _ended(before: HistoryRow, after: HistoryRow) -> Iterator[_Found]:
    loss, lost_before = after.realized_loss or 0, before.realized_loss or 0
    if loss > 0 and lost_before <= 0:
        text = f"The loan was liquidated with a loss of {dollars(loss)}."
        yield "liquidated", before.balance, loss, text, None
    elif before.balance is not None and before.balance > 0:
        text = f"The loan was paid off; it owed {dollars(before.balance)}."
        yield "paid_off", before.balance, 0, text, None


def _servicing(before: HistoryRow, after: HistoryRow) -> Iterator[_Found]:
    if after.special_servicing and not before.special_servicing:
        yield "special_in", "no", "yes", "The loan went into special servicing.", None
    if before.special_servicing and not after.special_servicing:
        yield "special_out", "yes", "no", "The loan came back from special servicing.", None
    was, now = before.payment_status, after.payment_status
    late_before, late_now = LATENESS.get(was or ""), LATENESS.get(now or "")
    if late_before is not None and late_now is not None and late_before != late_now:
        words = f"from {_word(PAYMENT_STATUSES, was)} to {_word(PAYMENT_STATUSES, now)}"
        if late_now > late_before:
            yield "status_worse", was, now, f"Its payment status worsened {words}.", None
        else:
            yield "status_cured", was, now, f"Its payment status improved {words}.", None
    if after.workout is not None and after.workout != before.workout:
        earlier = f", before {_word(WORKOUTS, before.workout)}" if before.workout else ""
        text = f"Its workout strategy is {_word(WORKOUTS, after.workout)}{earlier}."
        yield "workout", before.workout, after.workout, text, None
    if _newly_modified(before, after):
        on = f" on {day(after.modified_on)}" if after.modified_on else ""
        how = f": {_word(MODIFICATIONS, after.modification)}" if after.modification else ""
        yield (
            "modified",
            before.modification,
            after.modification,
            f"It was modified{on}{how}.",
            None,
        )
    if after.defeasance == FULL_DEFEASANCE and before.defeasance != FULL_DEFEASANCE:
        yield "defeased", before.defeasance, after.defeasance, "It was defeased in full.", None


def _newly_modified(before: HistoryRow, after: HistoryRow) -> bool:
    """By its date; a code without one where there was none: filers change codes of old dates."""
    if after.modified_on is not None:
        return before.modified_on is None or after.modified_on > before.modified_on
    return after.modification in CHANGES and before.modification is None


def _terms(before: HistoryRow, after: HistoryRow) -> Iterator[_Found]:
    was, now = before.maturity_date, after.maturity_date
    if now is not None and now < after.as_of and not (was is not None and was < before.as_of):
        text = f"It matured on {day(now)} and was not repaid."
        yield "matured", was, now, text, None
    if was is not None and now is not None and was != now:
        if now > was:
            text = f"Its maturity was extended from {day(was)} to {day(now)}."
            yield "extended", was, now, text, None
        else:
            text = f"Its maturity was brought forward from {day(was)} to {day(now)}."
            yield "maturity_earlier", was, now, text, None
    paid, pays = before.interest_rate, after.interest_rate
    fixed = after.rate_type != ADJUSTABLE
    if (
        fixed
        and paid is not None
        and pays is not None
        and abs(pays - paid) > _limit("coupon_changed")
    ):
        text = f"Its coupon changed from {trimmed(paid, 3)} % to {trimmed(pays, 3)} %."
        yield "coupon_changed", paid, pays, text, None
    years, then = after.amortization_months, before.amortization_months
    if years is not None and then is not None and years != then:
        text = f"Its amortisation changed from {_schedule(then)} to {_schedule(years)}."
        yield "amortisation_changed", float(then), float(years), text, None


def _income(before: HistoryRow, after: HistoryRow) -> Iterator[_Found]:
    was, now = before.dscr, after.dscr
    if was is not None and now is not None:
        limits = low, high = _limit("dscr_below_100"), _limit("dscr_below_125")
        kind = None
        if now < low <= was:
            kind = "dscr_below_100"
        elif now < high <= was:
            kind = "dscr_below_125"
        elif was < high <= now:
            kind = "dscr_above_125"
        elif was < low <= now:
            kind = "dscr_above_100"
        if kind is not None:
            verb = "fell" if now < was else "rose"
            then, today = (figure(one, "x", limits) for one in (was, now))
            text = f"Its DSCR {verb} from {then}{_of(before)} to {today}{_of(after)}."
            yield kind, was, now, text, None
    earned, earns = before.noi, after.noi
    if earned is not None and earns is not None and earned > 0:
        fall = (earned - earns) / earned
        kind = next((name for name in ("noi_down_20", "noi_down_10") if fall >= _limit(name)), None)
        if kind is not None:
            # From above zero to below it is no part of anything.
            by = "" if fall > 1 else f" by {figure(fall, 'fraction')}"
            text = (
                f"Its NOI fell{by} from {dollars(earned)}{_of(before)} to {dollars(earns)} a year"
                f"{_of(after)}."
            )
            yield kind, float(earned), float(earns), text, None
    let, lets = before.occupancy, after.occupancy
    if let is not None and lets is not None and let - lets > _limit("occupancy_down") - _NOISE:
        text = f"Its occupancy fell from {figure(let, 'fraction')} to {figure(lets, 'fraction')}."
        yield "occupancy_down", let, lets, text, None


def _of(row: HistoryRow) -> str:
    """What a figure of income is of, where no period is filed."""
    basis = IncomeBasis.read(row.income_basis or "")
    return " as underwritten" if basis.underwritten else ""


def _collateral(before: HistoryRow, after: HistoryRow) -> Iterator[_Found]:
    was, now = before.value, after.value
    if was is not None and now is not None and _reappraised(before, after):
        on = f" as of {day(after.value_date)}" if after.value_date else ""
        before_it = "as before" if was == now else f"before {dollars(was)}"
        text = f"It was reappraised{on}: {dollars(now)}, {before_it}."
        yield "reappraised", float(was), float(now), text, None
    tenant, tenants = before.tenant, after.tenant
    if tenant is not None and tenants is not None:
        if tenant.casefold() != tenants.casefold():  # filers change how they write a name
            text = f"Its largest tenant is {tenants}, before {tenant}."
            yield "tenant_changed", tenant, tenants, text, None
        elif before.tenant_expires != after.tenant_expires:
            ends = (
                day(one) if one else "a day that is not stated"
                for one in (before.tenant_expires, after.tenant_expires)
            )
            text = f"The lease of its largest tenant, {tenant}, moved from {' to '.join(ends)}."
            yield "tenant_changed", before.tenant_expires, after.tenant_expires, text, None
    if before.sponsor and after.sponsor and before.sponsor != after.sponsor:
        text = f"Its sponsor is {after.sponsor}, before {before.sponsor}."
        yield "sponsor_changed", before.sponsor, after.sponsor, text, None


def _reappraised(before: HistoryRow, after: HistoryRow) -> bool:
    """By the date of the value; by the value where a date is not stated."""
    if before.value_date is not None and after.value_date is not None:
        return after.value_date > before.value_date
    return before.value != after.value


def _signals(before: HistoryRow, after: HistoryRow) -> Iterator[_Found]:
    for kind in sorted(before.signals.keys() | after.signals.keys()):
        was, now = before.signals.get(kind), after.signals.get(kind)
        words = kind.replace("_", " ")
        if was is None:
            yield "signal_new", was, now, f"A signal of {words} is new: {now}.", kind
        elif now is None:
            yield "signal_gone", was, now, f"The signal of {words} is gone; it was {was}.", kind
        elif was != now and was in SEVERITIES and now in SEVERITIES:
            worse = SEVERITIES.index(now) > SEVERITIES.index(was)
            verb = "worsened" if worse else "eased"
            text = f"The signal of {words} {verb} from {was} to {now}."
            yield "signal_worse" if worse else "signal_better", was, now, text, kind


_TRACKS: Final[tuple[Callable[[HistoryRow, HistoryRow], Iterator[_Found]], ...]] = (
    _servicing, _terms, _income, _collateral, _signals,
)  # fmt: skip


def _limit(kind: str) -> float:
    return KIND[kind].limit or 0.0


def _word(words: Mapping[str, str], code: str | None) -> str:
    """A code in words; one that is not known as it came (D2)."""
    return words.get(code or "", code or "not stated")


def _schedule(months: int) -> str:
    return f"{months} months" if months else "interest only"

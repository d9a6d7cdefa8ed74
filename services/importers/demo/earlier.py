"""The same loans on an earlier day: which of today's facts were so already, and who was late then.

Only who pays late for once is drawn: dates stay what they are today, and count from their day on.
"""

from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.portfolio import Portfolio
from services.importers.demo.arrears import (
    AILING,
    DAYS_30,
    DAYS_90,
    LATE,
    MATURED,
    MATURED_UNPAID,
    YOUNGEST_LATE_MONTHS,
    paid_through,
)
from services.importers.demo.assumptions import Assumptions, Bools, Ints
from services.importers.demo.days import NO_DAY, Days, month_of, on
from services.importers.demo.draws import Generator, by_group
from services.importers.demo.endings import Endings
from services.importers.demo.income import Income, income
from services.importers.demo.loans import Book
from services.importers.demo.market import Debt
from services.importers.demo.path import Path
from services.importers.demo.servicing import DEFEASED_IN_FULL, NOT_DEFEASED, RESOLVED, Servicing

LEASED_MONTHS = 160  # ago at most, that a lease began
DECIDED_DAYS = 150  # from transfer to a workout, at most
# Statuses from CURRENT to DAYS_60 of sound and of ailing loans that are not late for longer.
FOR_ONCE = np.array([[0.981, 0.005, 0.002, 0.008, 0.004], [0.70, 0.10, 0.10, 0.06, 0.04]])


def book_at(
    at: date,
    data: Assumptions,
    today: Book,
    end: Endings,
    path: Path,
    *,
    earning: Generator,
    once: Generator,
) -> Book:
    """The book as it was `at` a day. `earning` gives again what today's income was drawn from,
    `once` is the day's own: it says who pays late for once.
    """
    as_of, day = today.as_of, np.datetime64(at)
    debt = today.debt.at(data, at, ended=end.on)
    earned = income(earning, data, debt, today.then, as_of=as_of, at=at, path=path)
    return replace(
        today,
        debt=debt,
        now=earned,
        worth=today.worth.at(today.then, day, path.renewed),
        served=_served(once, debt, earned, today.served, path, at=at, as_of=as_of),
        as_of=at,
    )


def leases_at(rng: Generator, let: pa.Table, *, at: date, as_of: date) -> pa.Table:
    """The leases of a day: one that began later followed another, which ended the month before."""
    ago = np.floor(LEASED_MONTHS * rng.random(let.num_rows)).astype(np.int64)
    before = on(month_of(as_of) - ago, 1) - 1
    renewed = pa.array(before > np.datetime64(at))
    column = let.schema.get_field_index("expires")
    known = pc.and_(renewed, pc.is_valid(let["expires"]))
    expires = pc.if_else(known, pa.array(before, pa.date32()), let["expires"])
    return let.set_column(column, let.schema.field(column), expires)


def only(source: Portfolio, there: Bools) -> Portfolio:
    """Without the other loans; parties stay."""
    new = pa.array(np.cumsum(there) - 1, type=pa.int32(), mask=~there)
    loans = source.loans.filter(pa.array(there))

    def kept(table: pa.Table, name: str = "loan") -> pa.Table:
        loan = table[name].combine_chunks()
        stays = pc.or_(pc.is_null(loan), pc.is_valid(new.take(loan)))
        column = table.schema.get_field_index(name)
        moved = table.set_column(column, table.schema.field(column), new.take(loan))
        return moved.filter(stays)

    return replace(
        source,
        info=replace(source.info, records_read=loans.num_rows),
        loans=loans,
        layers=kept(source.layers),
        properties=kept(source.properties),
        edges=kept(source.edges, "from_loan"),
        leases=kept(source.leases),
    )


def _served(
    rng: Generator,
    debt: Debt,
    earned: Income,
    today: Servicing,
    path: Path,
    *,
    at: date,
    as_of: date,
) -> Servicing:
    """How `debt` and `earned`, those of the day, were served `at` that day.

    `rng` is of the day: it says who pays late for once.
    """
    day = np.datetime64(at)
    owing = debt.balance > 0
    behind = np.minimum(_behind(debt, today, path, at=at), debt.repayment.paid) * owing
    late = np.minimum(DAYS_30 + behind - 1, DAYS_90)
    past = debt.dates.past_maturity
    behind = np.where(past & (today.status == MATURED_UNPAID), np.maximum(behind, 1), behind)
    full = today.defeasance == DEFEASED_IN_FULL
    once = today.status if at == as_of else _for_once(rng, debt, earned, owing & ~full)
    matured = np.maximum(today.status, MATURED)  # what was given time later had matured then
    status = np.where(past, matured, np.where(behind > 0, late, once)) * owing
    behind = np.where(behind > 0, behind, np.clip(status - LATE, 0, 2) * ~past)
    since = np.where(today.special_since <= day, today.special_since, NO_DAY).astype(NO_DAY.dtype)
    back = np.where(today.special_returned <= day, today.special_returned, NO_DAY).astype(
        NO_DAY.dtype
    )
    changed = today.modified_on <= day
    worked = _worked(today, status, since, back, day=day, now=path.today)
    return replace(
        today,
        status=status,
        behind=behind,
        paid_through=paid_through(debt, behind, as_of=at),
        workout=np.where(worked, today.workout, 0),
        special_since=since,
        special_returned=back,
        modification=np.where(changed, today.modification, 0),
        modified_on=np.where(changed, today.modified_on, NO_DAY).astype(NO_DAY.dtype),
        defeasance=np.where(full & (path.defeased > day), NOT_DEFEASED, today.defeasance),
    )


def _behind(debt: Debt, today: Servicing, path: Path, *, at: date) -> Ints:
    """Payments missed: since the last one of those who are behind today, and in earlier spells."""
    last = month_of(at) - (debt.dates.pay_day > at.day)
    since = last - today.paid_through.astype("datetime64[M]").astype(np.int64)
    arrears = (today.status >= DAYS_30) & (today.status <= DAYS_90)
    unpaid = debt.dates.past_maturity & (today.status == MATURED_UNPAID)
    behind = np.where(arrears | unpaid, np.maximum(since, 0), 0)
    return np.where(behind > 0, behind, path.behind(np.datetime64(at)))


def _for_once(rng: Generator, debt: Debt, earned: Income, free: Bools) -> Ints:
    free = free & (debt.repayment.paid >= YOUNGEST_LATE_MONTHS)
    return by_group(rng, FOR_ONCE, (earned.dscr < AILING).astype(np.int64)) * free


def _worked(
    today: Servicing,
    status: Ints,
    since: Days,
    back: Days,
    *,
    day: np.datetime64,
    now: np.datetime64,
) -> Bools:
    """Whether what today is done with a loan was done then: the special servicer decides when half
    of the time since the transfer is over, or 150 days; others do while the loan is in default.
    """
    decided = since + np.minimum((now - since) // 2, DECIDED_DAYS) <= day
    resolved = (today.workout == RESOLVED) & ~np.isnat(today.special_returned)
    default = np.isin(status, (DAYS_90, MATURED_UNPAID))
    elsewhere = np.where(resolved, ~np.isnat(back), default)
    return np.where(today.in_special, decided, elsewhere)

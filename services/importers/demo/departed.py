"""Loans that were repaid or lost in the years before today: of earlier quarters only.

Each has the lender, the sponsor and the place of a loan that is there today, and was made in the
same month; its dates, size, property and figures are its own.
"""

from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.disposition import DISCOUNTED, LIQUIDATED, PREPAID, REPAID
from services.contract.portfolio import Portfolio
from services.importers.demo.arrears import CURRENT, MATURED, MATURED_UNPAID
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.dates import Dates
from services.importers.demo.days import NO_DAY, Days, on
from services.importers.demo.draws import Generator, by_group, chance, runs
from services.importers.demo.endings import Endings
from services.importers.demo.floating import Floating
from services.importers.demo.income import Appraisals
from services.importers.demo.loans import loan_numbers
from services.importers.demo.market import LEAST_COUPON, LEAST_USD, SPLIT_FROM_USD, Debt
from services.importers.demo.path import Path
from services.importers.demo.repayment import INTEREST_ONLY, LONG_TERM, Repayment, level_payment
from services.importers.demo.securitisations import CMBS
from services.importers.demo.servicing import NOT_DEFEASED, WORKOUT_MIX, Servicing
from services.importers.demo.statements import quarter_ends
from services.importers.demo.trouble import ONSET_DAYS
from services.importers.demo.underwriting import Underwriting

YEARS, A_YEAR = 3, 0.15  # loans that went within so many years, of today's loans
YOUNGEST_DAYS = 400  # since origination
DUE, NEAR_DAYS = 0.90, 250  # of those that may have been due about the day they went, were
SOUND = 0.3  # as exposed as others were properties of loans that were repaid when due
BAD, DISCOUNTED_OF_BAD = 0.11, 0.30
LATE, LATE_DAYS, UNPAID = 0.16, (10, 300), 0.6  # repaid after maturity
BAD_DAYS, BAD_AFTER_DUE = (260, 700), (120, 500)  # from the first missed payment, from maturity
LOST, LOST_DISCOUNTED = (0.15, 0.75), (0.05, 0.30)  # of what was owed
INCOME_LOST, VALUE_LEFT = (0.25, 0.65), (0.35, 0.80)
SIZE = 0.5  # spread of sizes around the loan that lends its place
STEP_USD = 25e3


@dataclass(frozen=True, slots=True)
class Departed:
    """Loans that went; each beside a loan of today."""

    beside: Ints
    debt: Debt
    end: Endings
    bad: Bools
    path: Path
    served: Servicing


def departed(rng: Generator, data: Assumptions, debt: Debt, *, as_of: date) -> Departed:
    """Drawn once, whichever quarter is asked for; all of them had gone a quarter ago."""
    last = np.datetime64(quarter_ends(as_of, 2)[1])
    begin = np.datetime64(as_of) - int(YEARS * 365.25)
    rows = round(YEARS * A_YEAR * len(debt.kind))
    early = begin + rng.integers(1, (last - begin).astype(np.int64), rows)
    beside, there = _beside(rng, debt, early)
    early, own = early[there], _taken(debt, beside)
    rows = len(beside)
    bad = chance(rng, BAD, rows)
    after = np.where(chance(rng, LATE, rows), rng.integers(*LATE_DAYS, rows), 0)
    after = np.where(bad, rng.integers(*BAD_AFTER_DUE, rows), after)
    term, due = _terms(rng, data, own, after, early=early, last=last)
    own = _made(rng, own, term, exposed=np.where(due & ~bad, SOUND, 1.0))
    went = np.where(due, own.dates.due + after, early)
    missed = np.where(due, own.dates.due, went) - np.where(due, 60, rng.integers(*BAD_DAYS, rows))
    missed = np.where(bad, np.maximum(missed, own.dates.origination + 90), NO_DAY)
    unpaid = bad | chance(rng, UNPAID, rows)
    status = np.where(due, np.where(unpaid, MATURED_UNPAID, MATURED), CURRENT)
    past = replace(own.dates, past_maturity=own.dates.due <= went)
    path = Path(
        onset=(went - rng.integers(*ONSET_DAYS, rows)).astype(NO_DAY.dtype),
        missed=missed.astype(NO_DAY.dtype),
        cured=np.where(bad, went, NO_DAY).astype(NO_DAY.dtype),
        dip=rng.uniform(*INCOME_LOST, rows),
        defeased=went,
        renewed=np.full(rows, NO_DAY),
        today=np.datetime64(as_of),
    )
    return Departed(
        beside=beside,
        debt=replace(own, dates=past, balance=np.zeros(rows, dtype=np.int64)),
        end=_endings(rng, bad, went, repaid=past.past_maturity),
        bad=bad,
        path=path,
        served=_served(rng, own, path, status, bad, went),
    )


def _taken(debt: Debt, rows: Ints) -> Debt:
    """The loans in these rows."""
    return replace(
        debt,
        **_columns(debt, rows),
        dates=replace(debt.dates, **_columns(debt.dates, rows)),
        floating=replace(debt.floating, **_columns(debt.floating, rows)),
        repayment=replace(debt.repayment, **_columns(debt.repayment, rows)),
    )


def _columns(record: Debt | Dates | Floating | Repayment, rows: Ints) -> dict[str, Any]:
    columns = {field.name: getattr(record, field.name) for field in fields(record)}
    return {
        name: column[rows]
        for name, column in columns.items()
        if isinstance(column, np.ndarray) and name != "quarters"  # of trusts
    }


def _beside(rng: Generator, debt: Debt, days: Days) -> tuple[Ints, Bools]:
    """For each day a loan that was seasoned by then; and for which of the days there is one."""
    seasoned = debt.dates.origination + YOUNGEST_DAYS
    order = np.argsort(seasoned, kind="stable")
    count = np.searchsorted(seasoned[order], days)
    there = count > 0
    place = np.floor(rng.random(len(days)) * count).astype(np.int64)
    return order[place[there]], there


def _terms(
    rng: Generator, data: Assumptions, own: Debt, after: Ints, *, early: Days, last: np.datetime64
) -> tuple[Ints, Bools]:
    """Terms by which loans went about that day, so many days `after` they were due; and which of
    them did. The others went before they were due.
    """
    terms = data.terms_months
    went = on(own.dates.month[:, None] + terms, own.dates.pay_day[:, None]) + after[:, None]
    near = np.abs((went - early[:, None]).astype(np.int64)) < NEAR_DAYS
    fits = near & (went <= last) & (terms < LONG_TERM)
    weights = np.where(fits, data.term_by_layer[own.layer], 0.0)
    weights *= (own.dates.term_months < LONG_TERM)[:, None]
    none = weights.sum(axis=1) == 0
    weights[none] = 1.0
    drawn = by_group(rng, weights, np.arange(len(none)))
    due = ~none & chance(rng, DUE, len(none))
    return np.where(due, terms[drawn], own.dates.term_months), due


def _made(rng: Generator, own: Debt, term: Ints, *, exposed: Floats) -> Debt:
    """The loans with amounts and schedules of their own."""
    rows, when, pays = len(term), own.dates, own.repayment
    sized = own.original * np.exp(SIZE * rng.normal(0, 1, rows))
    due = on(when.month + term, when.pay_day)
    only = pays.payment_type == INTEREST_ONLY
    first = np.where(only, term, np.minimum(pays.interest_only_months, np.maximum(term - 12, 0)))
    moved = own.coupon + 0.125 * rng.integers(-2, 3, rows)
    coupon = np.where(own.floating.floats, own.coupon, np.round(np.maximum(moved, LEAST_COUPON), 3))
    level = level_payment(coupon, pays.amortization_months)
    original = np.maximum(np.rint(sized / STEP_USD) * STEP_USD, LEAST_USD).astype(np.int64)
    split = original >= SPLIT_FROM_USD * own.part
    return replace(
        own,
        dates=replace(
            when,
            term_months=term,
            extended=np.zeros(rows, dtype=np.int64),
            extended_on=np.full(rows, NO_DAY),
            due=due,
            maturity=due,
            ard=np.full(rows, NO_DAY),
        ),
        coupon=coupon,
        repayment=replace(pays, interest_only_months=first, level=level).at(coupon, pays.paid),
        original=original,
        structure=own.structure * split,
        part=np.where(split, own.part, 1.0),
        exposed=exposed,
    )


def _endings(rng: Generator, bad: Bools, went: Days, *, repaid: Bools) -> Endings:
    rows = len(bad)
    short = chance(rng, DISCOUNTED_OF_BAD, rows)
    lost = np.where(short, rng.uniform(*LOST_DISCOUNTED, rows), rng.uniform(*LOST, rows))
    way = np.where(bad, np.where(short, DISCOUNTED, LIQUIDATED), np.where(repaid, REPAID, PREPAID))
    return Endings(way=way, share=np.where(bad, lost, 0.0), on=went)


def _served(
    rng: Generator, own: Debt, path: Path, status: Ints, bad: Bools, went: Days
) -> Servicing:
    """As the loans stood when they went."""
    rows = len(bad)
    pooled = own.layer == CMBS
    special = bad & pooled
    none = np.full(rows, NO_DAY)
    workout = by_group(rng, WORKOUT_MIX, np.zeros(rows, dtype=np.int64))
    due_month = own.dates.month + own.dates.term_months
    return Servicing(
        status=status,
        behind=np.zeros(rows, dtype=np.int64),
        paid_through=on(due_month, own.dates.pay_day),
        workout=np.where(bad, workout, 0),
        special_since=np.where(special, np.minimum(path.missed + 75, went - 20), none),
        special_returned=none,
        modification=np.zeros(rows, dtype=np.int64),
        modified_on=none,
        defeasance=np.where(pooled, NOT_DEFEASED, 0),
    )


def appraised(rng: Generator, gone: Departed, then: Underwriting) -> Appraisals:
    """As underwritten, but for what fell behind."""
    rows = len(gone.bad)
    part = rng.uniform(*VALUE_LEFT, rows)
    first = gone.debt.dates.origination - 40
    return Appraisals(
        value=np.where(gone.bad, np.rint(then.value * part / 1e4) * 1e4, then.value).astype(
            np.int64
        ),
        day=np.where(gone.bad, gone.path.missed + 150, first).astype(NO_DAY.dtype),
        since_trouble=gone.bad,
        first=first,
    )


def joined(source: Portfolio, beside: Ints, *, loans: pa.Table, properties: pa.Table) -> Portfolio:
    """The portfolio with further loans after its own: the first layer and the parties of each are
    those of the loan beside it.
    """
    first, count = source.loans.num_rows, len(beside)
    own = pa.array(first + np.arange(count), type=pa.int32())
    numbers = loan_numbers(first + count)[first:]
    listed = _with(loans, loan_number=numbers)
    senior = source.layers.filter(pc.equal(source.layers["rank"], 1)).take(pa.array(beside))
    layers = _with(
        senior, loan=own, amount=loans["book_value"], interest_rate=loans["interest_rate"]
    )
    from_loan = source.edges["from_loan"].fill_null(-1).to_numpy()
    order = np.argsort(from_loan, kind="stable")
    start = np.searchsorted(from_loan[order], beside)
    stop = np.searchsorted(from_loan[order], beside, side="right")
    owner, place = runs(stop - start)
    edges = source.edges.take(pa.array(order[start[owner] + place]))
    shifted = pc.add(properties["loan"], pa.scalar(first, pa.int32()))
    return replace(
        source,
        loans=pa.concat_tables([source.loans, listed]),
        layers=pa.concat_tables([source.layers, layers]),
        properties=pa.concat_tables([source.properties, _with(properties, loan=shifted)]),
        edges=pa.concat_tables([source.edges, _with(edges, from_loan=own.take(pa.array(owner)))]),
    )


def _with(table: pa.Table, **columns: pa.Array | pa.ChunkedArray) -> pa.Table:
    """The same table with other columns of these names."""
    for name, column in columns.items():
        at = table.schema.get_field_index(name)
        table = table.set_column(at, table.schema.field(at), column)
    return table

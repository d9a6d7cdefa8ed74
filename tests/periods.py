"""Periods made by hand, and a store that keeps them."""

from datetime import date
from random import Random

import pyarrow as pa

from services.contract.history import HistoryRow
from services.contract.period import HISTORY, ScoredBy, ScoredPeriod
from services.contract.vocabulary import SIGNAL_TYPES
from services.store.publisher import SnapshotPublisher
from tests.oracle_notes import worst_of
from tests.publishing import load
from tests.world import AS_OF, RATES, Sketch, info_of

BY = ScoredBy("limits of the test", "0123456789ab")


def silent(*_):
    """Progress that nobody watches."""


def book(key, *numbers, as_of=AS_OF, **facts):
    """A portfolio of loans by number."""
    sketch = Sketch(info_of(key, as_of, **facts))
    for number in numbers:
        sketch.loan(number)
    return sketch.portfolio()


def row(number="1:a", **facts):
    """One row of a period, but for the facts given all null; it owes 10 million dollars. Its worst
    signal is the worst of them all.
    """
    empty = dict.fromkeys(HISTORY.names)
    worst = worst_of(facts.get(kind) for kind in SIGNAL_TYPES)
    return {**empty, "loan_number": number, "balance": 10_000_000, "worst": worst, **facts}


def history_row(as_of, **facts):
    """The same as the contract has it."""
    said = row(**facts)
    known = {name: said[name] for name in HistoryRow.model_fields if name in HISTORY.names}
    signals = {kind: said[kind] for kind in SIGNAL_TYPES if said[kind] is not None}
    return HistoryRow(
        **{**known, "rules": tuple((said["rules"] or "").split())},
        as_of=as_of,
        file=None,
        rules_version=BY.rules_version,
        signals=signals,
    )


def period(key, as_of, rows, by=BY, **facts):
    """A period of these rows."""
    made = book(key, *(one["loan_number"] for one in rows), as_of=as_of, **facts)
    table = pa.Table.from_pylist(sorted(rows, key=lambda one: one["loan_number"]), schema=HISTORY)
    return ScoredPeriod(made, table, by)


def kept(folder, *made, **how):
    """A store whose book is of one loan and whose periods are these, in their order; the period of
    the book itself is dropped.
    """
    key = made[0].source.info.key
    load(folder, [book(key, "today", as_of=date(2030, 1, 31))], rates=RATES)
    with SnapshotPublisher(folder, **how).build() as build:
        (own,) = build.periods()
        for one in made:
            build.add(one)
        build.drop(own)
        return build.publish(None, silent)


def drawn(rng: Random, number, as_of):
    """A row whose figures lie on limits, next to them and far away, or are not known."""

    def one_of(*values):
        return rng.choice((*values, None))

    days = [date(2020, 5, 1), date(2024, 2, 28), date(2024, 2, 29), date(2024, 6, 1), as_of]
    words = ("moderate", "elevated", "severe", "critical", None, None)
    graded = {kind: rng.choice(words) for kind in SIGNAL_TYPES}
    # Of the concentration of a loan all may be contagion, which is no part of its worst signal.
    own = {**graded, "concentration_risk": rng.choice((graded["concentration_risk"], None))}
    return row(
        number,
        balance=one_of(0, 1, 5_000_000, 10_000_000),
        interest_rate=one_of(4.0, 4.0004, 4.0005, 4.0006, 5.5),
        rate_type=one_of("1", "2"),
        maturity_date=one_of(*days),
        amortization_months=one_of(0, 300, 360),
        payment_status=one_of(*"0AB12345", "Z"),
        workout=one_of("1", "2", "7", "13"),
        modification=one_of("1", "10", "98"),
        modified_on=one_of(*days),
        defeasance=one_of("F", "N", "IP"),
        special_servicing=one_of(True, False),
        realized_loss=one_of(0, -5, 1_000_000),
        dscr=one_of(0.5, 0.99, 1.0, 1.24, 1.25, 1.6, -0.2),
        noi=one_of(-100, 0, 1000, 900, 899, 800, 801, 799, 1_200_000),
        occupancy=one_of(0.95, 0.85, 0.8501, 0.8499, 0.75, 1.0, 0.9),
        value=one_of(1_000, 2_000),
        value_date=one_of(*days),
        sponsor=one_of("X LP", "Y LP"),
        tenant=one_of("Shop", "Mill"),
        tenant_expires=one_of(*days),
        **graded,
        worst=worst_of(own.values()),
    )

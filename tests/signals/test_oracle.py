"""Rules about one loan against a slow second implementation, and their properties. D57, D154,
D276, D285.
"""

import random
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.vocabulary import SEVERITIES
from services.signals.engine import evaluate
from services.signals.features import features
from services.signals.grading import grade
from services.signals.rule import Scene
from services.signals.rules import RULES
from tests.signals.healthy import tables_of
from tests.signals.rules_oracle import ASKED, NOT_APPLICABLE, OneLoan, plus_months
from tests.world import Sketch, info_of

OF_ONE_LOAN = [rule for rule in RULES if rule.signal_type != "concentration_risk"]


def some(dice, *values, missing=0.12):
    return None if dice.random() < missing else dice.choice(values)


def random_loan(dice, as_of):
    """On and near every limit, with anything missing now and then."""
    book = some(dice, 0, *[dice.randrange(10**6, 10**8) for _ in range(19)], missing=0.05)
    about = book or 10**7
    coming = dice.choice(
        [-30, -5, 0, 0, 5, 6, 6, 9, 12, 12, 18, 24, 24, 30, 36, 36, 48, 60, 60, 90]
    )
    due = plus_months(as_of, coming) + timedelta(dice.choice([0, 0, 0, 1, -1]))
    started = plus_months(due, -dice.choice([60, 84, 97, 120, 130]))
    noi = some(dice, round(about * dice.uniform(0.03, 0.16)), round(about * 0.08), -4)
    occupied = some(dice, 0.55, 0.60, 0.799, 0.80, 0.85, 0.95, 1.0)
    dscr = dice.choice([0.99, 1.0, 1.1, 1.2, 1.25, dice.randrange(60, 250) / 100])
    rate = dice.choice([3.5, 3.95, 4.95, 5.95, dice.randrange(250, 850) / 100])
    return {
        "book_value": book,
        "original_amount": some(dice, about, round(about * 1.1)),
        "interest_rate": some(dice, rate, missing=0.05),
        "property_type": some(dice, *ASKED, missing=0.05),
        "maturity_date": some(dice, due, missing=0.05),
        "ard_date": some(dice, due, plus_months(due, -24), missing=0.85),
        "original_term_months": some(dice, 60, 72, 73, 96, 97, 120),
        "payment_type": some(dice, *"1222333333345556", "98"),
        "amortization_months": some(dice, 0, 240, 300, 360),
        "interest_only_months": some(dice, 0, 0, 24, 60),
        "origination_date": some(
            dice,
            *(plus_months(as_of, -n) for n in (6, 60)),
            *(as_of, as_of + timedelta(1)),
        ),
        "first_payment_date": some(dice, started, plus_months(due, -6), plus_months(started, 40)),
        "accrual_method": some(dice, "1", "3", "3"),
        "monthly_payment": some(
            dice, round(about * 0.0065), round(about / 10), round(about / 500), missing=0.6
        ),
        "negative_amortisation": some(dice, True, False, missing=0.6),
        "balloon": some(dice, True, True, True, False),
        "structure": some(dice, *["WL"] * 6, "PP", "PP", "A1", "A2", "B2", "MZ", "98"),
        "filed_debt_service": some(dice, *(round(about * part) for part in (0.04, 0.08, 0.3))),
        "underwritten_ncf": some(dice, round(about * 0.09), round(about * 0.2), 0),
        "underwritten_noi": some(dice, noi and round(abs(noi) / 0.8), round(about * 0.1)),
        "underwritten_dscr": some(dice, 1.2, 1.57, 2.4, 0.0),
        "value": some(dice, *(round(about / ltv) for ltv in (0.5, 0.65, 0.7, 0.8, 0.9, 1, 1.1))),
        "noi": noi,
        "ncf": some(dice, noi and round(noi * 0.95)),
        "income_basis": some(
            dice, "NCF, underwritten", "NOI, underwritten", "NCF, 3 months, amounts of a year"
        ),
        "income_from": some(dice, *(as_of - timedelta(n) for n in (364, 300, 181, 89)), as_of),
        "income_to": some(dice, as_of, missing=0.3),
        "dscr": some(dice, dscr),
        "occupancy": some(dice, occupied and round(occupied - dice.choice([0, 0.15, 0.3]), 3)),
        "underwritten_occupancy": occupied,
        "rentable_area": some(dice, 100_000),
        "payment_status": some(dice, *"000000AB123456"),
        "paid_through": some(dice, *(plus_months(as_of, -n) for n in (0, 1, 3, 69)), started),
        "scheduled_balance": some(dice, book, book and round(book * 0.9), missing=0.4),
        "payment_advances": some(dice, 0, round(about * 0.02), round(about * 0.3), missing=0.5),
        "tax_advances": some(dice, 0, round(about * 0.01), missing=0.7),
        "other_advances": some(dice, 0, round(about * 0.1), missing=0.7),
        "workout": some(dice, "1", "2", "7", "8", "10", "13", "98", missing=0.8),
        "modification": some(dice, "1", "10", "98", "unstated", missing=0.8),
        "modified_on": some(dice, *(plus_months(as_of, -n) for n in (1, 24, 25, 60))),
        "special_servicing_since": some(dice, as_of, plus_months(as_of, -9), missing=0.8),
        "special_servicing_returned": some(dice, plus_months(as_of, -4), missing=0.6),
        "defeasance": some(dice, "F", "IP", *"NNNNNX"),
        "disposition": (
            some(dice, "outstanding", missing=0.5)
            if book and dice.random() > 0.02
            else some(dice, "liquidated", "paid off at maturity", "ended for a reason not stated")
        ),
    }


def random_leases(dice, as_of):
    ends = (*(plus_months(as_of, months) for months in (0, 3, 12, 12, 40)), as_of - timedelta(1))
    return [
        (some(dice, 10_000, 15_000, 30_000, 50_000), some(dice, *ends))
        for _ in range(dice.choice([0, 1, 1, 2, 3]))
    ]


def random_mezzanine(dice, about):
    """None mostly; now and then two layers, or one without an amount."""
    layers = [(), (), (), (round(about * 0.2),), (round(about * 0.1), round(about * 0.05)), (None,)]
    return dice.choice(layers)


@pytest.mark.parametrize("as_of", [date(2026, 9, 30), date(2028, 2, 29), date(2027, 3, 15)])
def test_a_slow_second_implementation_agrees_on_random_loans(assumptions, as_of):
    dice = random.Random(as_of.toordinal())
    sketch = Sketch(info_of("random", as_of))
    loans = []
    for at in range(200):
        row, leases = random_loan(dice, as_of), random_leases(dice, as_of)
        sketch.loan(f"L{at}", **row)
        for feet, ends in leases:
            sketch.lease(f"L{at}", None, feet, ends)
        mezzanine = random_mezzanine(dice, row["book_value"] or 10**7)
        sketch.layer(f"L{at}", 1, "Harbour Bank", amount=row["book_value"])
        for rank, amount in enumerate(mezzanine, 2):
            sketch.layer(f"L{at}", rank, "Junior LLC", position="mezzanine", amount=amount)
        sketch.layer(f"L{at}", 9, "Partner LP", position="preferred", amount=777_000)
        loans.append(OneLoan(row, leases, as_of, mezzanine))
    scored = evaluate(tables_of(sketch), as_of, assumptions)
    expected = [loan.grades() for loan in loans]
    short = scored.features["dollars_short"].to_pylist()
    for row, loan in enumerate(loans):
        assert short[row] == pytest.approx(loan.dollars_short, abs=1), (row, loan)
    fired = of_components(scored)
    for row, grades in enumerate(expected):
        for rule, word in grades.items():
            emitted = word if word in SEVERITIES[1:] else None
            assert fired.get((row, rule)) == emitted, (rule, row, loans[row])
    for entry in scored.coverage:
        if entry.rule in expected[0]:
            words = [grades[entry.rule] for grades in expected]
            assert entry.silent == words.count("low")
            assert entry.not_testable == words.count(None) == sum(entry.reasons.values())
            assert entry.not_applicable == words.count(NOT_APPLICABLE)
            assert entry.fired == {word: words.count(word) for word in SEVERITIES[1:]}
    compare_figures(scored, loans, [grades["RP-1"] for grades in expected])


def of_components(scored):
    """(Row, rule) -> severity."""
    loan_of = scored.signals["loan"].to_pylist()
    parts = scored.components.to_pylist()
    return {(loan_of[part["signal"]], part["rule"]): part["severity"] for part in parts}


#: Figure -> how far it may be off: a dollar, or the ninth decimal.
FIGURES = {
    "balance_at_maturity": 1,
    "whole_loan_debt": 1,
    "debt_due": 1,
    "exposure": 1,
    "months_unpaid": 0,
    "computed_reduction": 1,
    "expected_loss": 1,
    "ltv": 2e-9,
    "dollars_short": 1,
    "own_dollars_short": 1,
    "max_proceeds": 1,
    "proforma_dscr": 2e-9,
    "refinance_gap": 2e-9,
    "noi_room": 2e-9,
    "underwritten_markup": 2e-9,
    "filed_over_implied": 2e-9,
}


#: What no loan has that has ended: LTV, income over debt, maturity, refinancing.
LIVING = (
    *("ltv", "debt_yield", "effective_maturity", "months_to_maturity", "balance_at_maturity"),
    *("refi_rate", "rate_gap_bp", "refi_debt_service", "proforma_dscr", "payment_shock"),
    *("max_proceeds", "binding_constraint", "refinance_gap", "dollars_short", "rate_pressure"),
)


#: What only a loan has that somebody must refinance (D243).
OF_REFINANCING = (
    *("months_to_maturity", "refi_convention", "refi_debt_service", "proforma_dscr"),
    *("payment_shock", "max_proceeds", "binding_constraint", "refinance_gap"),
    *("dollars_short", "own_dollars_short"),
)


def compare_figures(scored, loans, pressures):
    for row, loan, pressure in zip(scored.features.to_pylist(), loans, pressures, strict=True):
        if loan.ended:
            of_a_living_loan = {name: row[name] for name in LIVING if row[name] is not None}
            assert (of_a_living_loan, row["special_servicing"]) == ({}, False), loan
            continue
        left_out = () if loan.must_refinance else OF_REFINANCING
        # Treasuries stand behind a defeased loan, and no property (D244).
        left_out += ("ltv", "debt_yield") if loan.defeased else ()
        assert {name: row[name] for name in left_out if row[name] is not None} == {}, loan
        for name, off in FIGURES.items():
            figure = None if name in left_out else getattr(loan, name)
            close = None if figure is None else pytest.approx(float(figure), rel=0, abs=off)
            assert row[name] == close, (name, loan)
        assert row["debt_at_least"] is loan.debt_at_least
        assert row["effective_maturity"] == loan.effective_maturity
        assert row["special_servicing"] is loan.in_special_servicing
        assert row["rate_pressure"] == (None if pressure == NOT_APPLICABLE else pressure)


#: What each rule measures, as a field of the features.
MEASURES = {
    "ST-1": "status_rank",
    "CV-1": "dscr",
    "LV-1": "ltv",
    "DY-1": "debt_yield",
    "NI-1": "income_fall",
    "UW-1": "underwritten_markup",
    "OC-1": "occupancy_fall",
    "LR-1": "lease_rollover",
    "RG-1": "refinance_gap",
    "MT-1": "months_to_maturity",
    "RP-1": "rate_gap_bp",
}


@pytest.mark.parametrize("rule", OF_ONE_LOAN, ids=lambda rule: rule.id)
@given(
    measures=st.lists(st.floats(-400, 400), min_size=2, max_size=30),
    kind=st.sampled_from([None, "office", "retail", "lodging"]),
    months=st.sampled_from([-3.0, 3.0, 30.0, 40.0, 70.0]),
)
def test_a_worse_measure_never_lowers_the_severity(
    loans_of, assumptions, as_of, rule, measures, kind, months
):
    tables = {"loans": loans_of(*[{"property_type": kind}] * len(measures))}
    given_by = (assumptions.rates, assumptions.sizings, assumptions.limits)
    found = features(tables, as_of, *given_by)
    worsening = np.array(sorted(measures, reverse=not rule.higher_is_worse))
    found = replace(found, months_to_maturity=np.full(len(measures), months))
    found = replace(found, income_before=np.full(len(measures), rule.id == "UW-1"))
    found = replace(found, **{MEASURES[rule.id]: worsening})
    severity = grade(rule, Scene(found, assumptions.limits)).severity
    assert (np.diff(severity) >= 0).all()

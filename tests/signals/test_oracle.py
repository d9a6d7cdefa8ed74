"""A slow second implementation, loan by loan in exact fractions, and properties of every rule."""

import random
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.vocabulary import SEVERITIES
from services.signals.engine import evaluate
from services.signals.features import features
from services.signals.grading import grade
from services.signals.rules import RULES

SPREADS = {"office": 275, "retail": 225, "lodging": 300, "multifamily": 150, "farm": 225}
MINIMUM = {"office": 11, "retail": 10, "lodging": 12, "multifamily": 8, "farm": 10}
RATES = {"DGS5": Fraction("4.00"), "DGS7": Fraction("4.25"), "DGS10": Fraction("4.50")}


def exact(number: float | None) -> Fraction | None:
    return None if number is None else Fraction(str(number))


def plus_months(day: date, count: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    following = date(year + (month == 11), (month + 1) % 12 + 1, 1)
    return min(date(year, month + 1, 1) + timedelta(day.day - 1), following - timedelta(1))


def within(as_of: date, maturity: date, months: int) -> bool:
    return maturity <= plus_months(as_of, months)


def constant(coupon: Fraction, months: int) -> float:
    """Level payment of a loan of 1, found by paying it off month by month."""
    if months == 0:
        return float(coupon) / 100
    owed, discount = 0.0, 1.0
    for _ in range(months):
        discount /= 1 + float(coupon) / 1200
        owed += discount
    return 12 / owed


def whole_debt(loan: dict) -> tuple[float | None, bool]:
    """Debt for ratios, and whether the record is a note."""
    book, coupon, dscr = loan["book_value"], exact(loan["interest_rate"]), loan["dscr"]
    amortization = loan["amortization_months"]
    income = loan["ncf"] if loan["ncf"] is not None else loan["noi"]
    ratio = None
    if None not in (coupon, book, dscr, income) and book and income > 0:
        months = amortization
        if months is None:
            months = 300 if loan["property_type"] == "lodging" else 360
        paying = max(book, loan["original_amount"] or 0) if months else book
        ratio = income / dscr / (paying * constant(coupon, months))
    note = loan["structure"] in ("PP", "A1", "B2") or (ratio is not None and ratio > 1.2)
    if not note:
        return book, False
    if ratio is None or amortization is None:
        return None, True
    return max(book, book * ratio), True


def stress(loan: dict, as_of: date, refi: Fraction | None) -> dict[str, str | None]:
    kind, dscr, coupon = loan["property_type"], exact(loan["dscr"]), exact(loan["interest_rate"])
    debt, _ = whole_debt(loan)
    found: dict[str, str | None] = {"DY-1": None, "LV-1": None, "CV-1": None, "RP-4": None}
    ltv = None if debt is None or not loan["value"] else debt / loan["value"]
    if ltv is not None:
        found["LV-1"] = worst(ltv > 0.65, ltv > 0.7, ltv > 0.8, ltv > 1)
    if debt and kind and loan["noi"] is not None:
        short = MINIMUM[kind] - 100 * loan["noi"] / debt
        found["DY-1"] = worst(short > 0, short > 1, short > 2, short > 3)
    if dscr is not None:
        hotel = kind == "lodging"
        elevated, severe = (
            (Fraction("1.35"), Fraction("1.2")) if hotel else (Fraction("1.2"), Fraction("1.1"))
        )
        found["CV-1"] = worst(dscr < Fraction("1.25"), dscr < elevated, dscr < severe, dscr < 1)
    if loan["maturity_date"] and not within(as_of, loan["maturity_date"], 36):
        found["RP-4"] = "not applicable"
    elif None not in (dscr, coupon, refi, loan["maturity_date"]):
        after = dscr * coupon / refi
        low = after < Fraction("1.1")
        hard = kind in ("office", "lodging") or (ltv is not None and ltv > 0.8)
        found["RP-4"] = worst(after < Fraction("1.25"), low, low and hard, after < 1)
    return found


def worst(*passed: bool) -> str:
    return ("low", *SEVERITIES[1:])[max((i for i, yes in enumerate(passed, 1) if yes), default=0)]


def graded(loan: dict, as_of: date) -> dict[str, str | None]:
    """Rule -> severity, "not applicable", or None for not testable."""
    if loan["book_value"] == 0:
        return dict.fromkeys((rule.id for rule in RULES), "not applicable")
    term, kind, maturity = (
        loan[name] for name in ("original_term_months", "property_type", "maturity_date")
    )
    series = "DGS10" if term is None or term > 96 else "DGS7" if term > 72 else "DGS5"
    refi = RATES[series] + Fraction(SPREADS[kind], 100) if kind else None
    found = stress(loan, as_of, refi)
    found["RP-1"] = None
    if refi is not None and loan["interest_rate"] is not None:
        gap = (refi - exact(loan["interest_rate"])) * 100
        rank = SEVERITIES.index(worst(gap > 0, gap >= 100, gap >= 200, gap >= 300))
        if maturity is not None:
            rank -= (not within(as_of, maturity, 36)) + (not within(as_of, maturity, 60))
        found["RP-1"] = SEVERITIES[max(rank, 0)]
    found["MT-1"] = None
    if maturity is not None and not (maturity < as_of and loan["book_value"] is None):
        found["MT-1"] = worst(*(within(as_of, maturity, count) for count in (24, 18, 12, 3)))
    codes = {"0": "low", "A": "low", "B": "moderate", "1": "elevated", "2": "severe",
             "3": "critical", "4": "severe", "5": "critical"}  # fmt: skip
    found["ST-1"] = (
        "critical" if loan["workout"] in ("2", "7") else codes.get(loan["payment_status"])
    )
    return found


def random_loan(rng: random.Random, as_of: date) -> dict:
    book = rng.choice([None, 0, *[rng.randrange(10**6, 10**8)] * 8])
    value = rng.choice([None, round((book or 10**7) / rng.choice([0.5, 0.65, 0.8, 0.9, 1.0, 1.1]))])
    day = rng.choice([0, 0, 1, -1])
    maturity = plus_months(as_of, rng.choice([-5, 0, 3, 12, 18, 24, 30, 36, 40, 60, 90]))
    noi = rng.choice([None, round((book or 10**7) * rng.uniform(0.04, 0.16)), 30_000_000, -4])
    return {
        "book_value": book,
        "original_amount": rng.choice([None, book, round((book or 1) * 1.2)]),
        "interest_rate": rng.choice([None, 4.25, 5.25, 6.75, 7.25, rng.randrange(250, 850) / 100]),
        "property_type": rng.choice([None, *SPREADS]),
        "maturity_date": rng.choice([None, *[maturity + timedelta(day)] * 6]),
        "original_term_months": rng.choice([None, 60, 72, 73, 96, 97, 120]),
        "amortization_months": rng.choice([None, 0, 0, 300, 360]),
        "value": value,
        "noi": noi,
        "ncf": rng.choice([None, noi and round(noi * 0.95)]),
        "dscr": rng.choice([None, 1.0, 1.1, 1.2, 1.25, 1.35, rng.randrange(80, 250) / 100]),
        "payment_status": rng.choice([None, *"0AB123456"]),
        "workout": rng.choice([None, None, "1", "2", "7", "13"]),
        "structure": rng.choice([None, "WL", "WL", "PP", "A1", "B2"]),
    }


@pytest.mark.parametrize("as_of", [date(2026, 9, 30), date(2028, 2, 29), date(2027, 3, 15)])
def test_a_slow_second_implementation_agrees_on_random_loans(loans_of, rates, as_of):
    rng = random.Random(as_of.toordinal())
    loans = [random_loan(rng, as_of) for _ in range(200)]
    scored = evaluate(loans_of(*loans), as_of, rates)
    loan_of = scored.signals["loan"].to_pylist()
    components = scored.components.to_pylist()
    fired = {(loan_of[c["signal"]], c["rule"]): c["severity"] for c in components}
    found = scored.features.to_pylist()
    expected = [graded(loan, as_of) for loan in loans]
    for row, (loan, grades) in enumerate(zip(loans, expected, strict=True)):
        for rule, word in grades.items():
            emitted = word if word in SEVERITIES[1:] else None
            assert fired.get((row, rule)) == emitted, (rule, loan)
        debt, note = whole_debt(loan)
        assert found[row]["partial_note"] is note, loan
        assert found[row]["whole_loan_debt"] == (
            None if debt is None else pytest.approx(debt, rel=1e-9, abs=1)
        )
        pressure = grades["RP-1"]
        assert found[row]["rate_pressure"] == (None if pressure == "not applicable" else pressure)
    for entry in scored.coverage:
        words = [grades[entry.rule] for grades in expected]
        assert entry.silent == words.count("low")
        assert entry.not_testable == words.count(None) == sum(entry.reasons.values())
        assert entry.not_applicable == words.count("not applicable")
        assert entry.fired == {word: words.count(word) for word in SEVERITIES[1:]}


MEASURES = {
    "RP-1": "rate_gap_bp",
    "RP-4": "proforma_dscr",
    "MT-1": "months_to_maturity",
    "DY-1": "debt_yield",
    "CV-1": "dscr",
    "LV-1": "ltv",
    "ST-1": "payment_rank",
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@given(
    measures=st.lists(st.floats(-400, 400), min_size=2, max_size=30),
    kind=st.sampled_from([None, "office", "retail", "lodging"]),
    months=st.sampled_from([-3.0, 30.0, 40.0, 70.0]),
)
def test_a_worse_measure_never_lowers_the_severity(
    loans_of, rates, as_of, rule, measures, kind, months
):
    found = features(loans_of(*[{"property_type": kind}] * len(measures)), as_of, rates)
    worsening = np.array(sorted(measures, reverse=not rule.higher_is_worse))
    found = replace(found, months_to_maturity=np.full(len(measures), months))
    severity = grade(rule, replace(found, **{MEASURES[rule.id]: worsening})).severity
    assert (np.diff(severity) >= 0).all()

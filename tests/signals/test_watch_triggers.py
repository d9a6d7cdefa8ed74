"""Triggers of a servicer's watchlist by CREFC's codes (D283): each limit, and a genuine list."""

import random
from datetime import date

import pytest

from services.signals.engine import evaluate
from tests.signals.healthy import AS_OF, tables_of
from tests.signals.rules_oracle import OneLoan
from tests.signals.test_oracle import random_leases, random_loan, some
from tests.signals.triggers_oracle import listed, triggers
from tests.world import Sketch, info_of

YEAR = {"income_from": date(2025, 7, 1), "income_to": date(2026, 6, 30)}
#: The healthy loan of $10 million on 100,000 square feet: coverage 2.0x, 95 % let.
SOON, LATER = date(2027, 3, 30), date(2027, 3, 31)


def holding(outcome):
    return outcome.features["computed_triggers"], outcome.features["untested_triggers"]


def test_none_holds_on_a_healthy_loan(outcome_of):
    assert holding(outcome_of()) == (None, None)


@pytest.mark.parametrize(
    ("status", "found"),
    [
        *((code, (None, None)) for code in ("0", "A", "B", "4")),
        *((code, ("1A", None)) for code in ("1", "2", "3", "5")),
        *((code, (None, "1A")) for code in (None, "", "6", "30")),
    ],
)
def test_1a_is_of_payments_30_days_late(outcome_of, status, found):
    assert holding(outcome_of(payment_status=status)) == found


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        # 1E by property type; 1F needs both limits.
        ({"dscr": 1.10, "underwritten_dscr": 1.4}, None),
        ({"dscr": 1.0999, "underwritten_dscr": 1.4}, "1E"),
        ({"dscr": 1.19, "underwritten_dscr": 1.5, "property_type": "lodging"}, "1E"),
        ({"dscr": 1.20, "underwritten_dscr": 1.5, "property_type": "lodging"}, None),
        ({"dscr": 1.19, "underwritten_dscr": 1.5, "property_type": "health care"}, "1E"),
        ({"dscr": 1.39, "underwritten_dscr": 1.86}, "1F"),
        ({"dscr": 1.40, "underwritten_dscr": 1.88}, None),
        ({"dscr": 1.35, "underwritten_dscr": 1.8}, None),
        ({"dscr": 0.5, "property_type": "cooperative housing"}, None),
        ({"dscr": -0.2, "noi": -5}, "1E | 1F"),
        # 1G is of floating rates; NOI was underwritten at $1,450,000.
        ({"dscr": 0.99, "underwritten_dscr": 1.3, "noi": 1_304_999, "rate_type": "2"}, "1E | 1G"),
        ({"dscr": 0.99, "underwritten_dscr": 1.3, "noi": 1_305_000, "rate_type": "2"}, "1E"),
        ({"dscr": 1.00, "underwritten_dscr": 1.3, "noi": 1_304_999, "rate_type": "2"}, "1E"),
        ({"dscr": 0.99, "underwritten_dscr": 1.3, "noi": 1_304_999, "rate_type": "1"}, "1E"),
        # 4A
        ({"occupancy": 0.76}, None),
        ({"occupancy": 0.7599}, "4A"),
        ({"occupancy": 0.0}, "4A"),
        ({"occupancy": 0.854, "rate_type": "2"}, "4A"),
        ({"occupancy": 0.855, "rate_type": "2"}, None),
        # 5A: 90 days from 30 September.
        ({"maturity_date": date(2026, 12, 29)}, "5A"),
        ({"maturity_date": date(2026, 12, 30)}, None),
        ({"maturity_date": date(2026, 6, 30)}, "5A"),
        ({"ard_date": date(2026, 12, 29)}, "5A"),
        ({"maturity_date": date(2026, 12, 29), "payment_type": "1", "balloon": False}, None),
    ],
)
def test_each_limit_from_both_sides(outcome_of, facts, found):
    assert holding(outcome_of(**facts)) == (found, None)


@pytest.mark.parametrize(
    ("leases", "facts", "found"),
    [
        ([(30_001, SOON)], {}, "4C | 4D"),
        ([(30_000, SOON)], {}, None),
        ([(30_001, LATER)], {}, None),
        ([(30_001, LATER)], {"book_value": 30_000_000}, "4C"),
        ([(30_001, LATER)], {"book_value": 29_999_999}, None),
        ([(30_001, date(2027, 10, 1))], {"book_value": 30_000_000}, None),
        # A lease that has ended, of a tenant that is still named.
        ([(30_001, date(2026, 8, 31))], {}, "4C | 4D"),
        # The second is under 5 % of the area.
        ([(26_000, SOON), (4_900, SOON)], {}, None),
        ([(26_000, SOON), (5_000, SOON)], {}, "4D"),
        # The fourth largest is none of three, whose leases go on.
        ([(20_000, LATER)] * 3 + [(19_000, SOON)] * 2, {}, None),
        ([(20_000, LATER)] * 2 + [(19_000, SOON)] * 2, {}, None),
        ([(20_000, LATER), (19_000, SOON), (19_000, SOON)], {}, "4D"),
        ([(20_000, None), (19_000, SOON), (19_000, SOON)], {}, "4D"),
    ],
)
def test_leases_that_end_by_part_of_the_area(outcome_of, leases, facts, found):
    value = {"value": 60_000_000, "noi": 4_500_000}
    assert holding(outcome_of(leases=leases, **value, **facts))[0] == found


def test_leases_of_one_name_are_one_tenants(assumptions):
    sketch = Sketch(info_of("tenants", AS_OF))
    for number, second in (("A", "STATE of Ohio"), ("B", "Ohio Shoes"), ("C", None)):
        sketch.loan(number, book_value=10_000_000, property_type="office", rentable_area=100_000)
        sketch.lease(number, "State of Ohio", 20_000, SOON)
        sketch.lease(number, second, 15_000, SOON)
    found = evaluate(tables_of(sketch), AS_OF, assumptions).features["computed_triggers"]
    assert found.to_pylist() == ["4C | 4D", "4D", "4D"]


@pytest.mark.parametrize(
    ("facts", "untested"),
    [
        ({"dscr": None}, "1E | 1F"),
        ({"dscr": None, "rate_type": "2"}, "1E | 1F | 1G"),
        # A statement of five months; of six; of eleven, of a hotel; of before the loan.
        ({**YEAR, "income_from": date(2026, 2, 1), "dscr": 0.8}, "1E | 1F"),
        ({**YEAR, "income_from": date(2025, 8, 1), "property_type": "lodging"}, "1E | 1F"),
        ({"origination_date": date(2026, 7, 1), "dscr": 0.8}, "1E | 1F"),
        # What is high enough by itself needs no comparison.
        ({"underwritten_dscr": None, "dscr": 1.39}, "1F"),
        ({"underwritten_dscr": None, "dscr": 1.40}, None),
        ({"occupancy": None}, "4A"),
        ({"underwritten_occupancy": None}, "4A"),
        ({"underwritten_occupancy": 0.0}, "4A"),
        ({"rentable_area": None}, "4C | 4D"),
        ({"maturity_date": None}, "5A"),
    ],
)
def test_what_is_not_filed_cannot_be_tested(outcome_of, facts, untested):
    assert holding(outcome_of(**facts)) == (None, untested)


def test_half_a_year_of_income_tells(outcome_of):
    half = {**YEAR, "income_from": date(2026, 1, 1), "dscr": 0.8}
    assert holding(outcome_of(**half)) == ("1E | 1F", None)


@pytest.mark.parametrize(
    ("kind", "untested"), [("office", "4C | 4D"), ("retail", "4C | 4D"), ("multifamily", None)]
)
def test_homes_have_no_tenants_whose_leases_are_missing(outcome_of, kind, untested):
    assert holding(outcome_of(leases=(), property_type=kind)) == (None, untested)


@pytest.mark.parametrize(
    "facts",
    [
        {"defeasance": "F"},
        {"workout": "7"},
        {"book_value": 0, "disposition": "paid off at maturity"},
        {"book_value": 0},
    ],
)
def test_none_is_of_a_loan_that_no_servicer_watches(outcome_of, facts):
    poor = {"dscr": 0.5, "occupancy": 0.1, "payment_status": "3", "maturity_date": AS_OF}
    assert holding(outcome_of(**poor, **facts)) == (None, None)
    assert holding(outcome_of(**poor))[0] == "1A | 1E | 1F | 4A | 5A"


#: CGCMT 2014-GC19 of 8 January 2018, as its servicer lists it: loan, type, latest DSCR and its
#: period, occupancy; from the comment underwritten DSCR and occupancy; paid through, and codes.
WATCHED = [
    ("12", "retail", 2.02, 9, 0.86, 1.52, 0.8716, "0", "3B"),
    ("18", "multifamily", 1.78, 9, 0.94, 1.48, 0.917, "0", "3B"),
    ("28", "office", 1.00, 9, 0.80, 1.43, 0.842, "0", "1E | 1F"),
    ("29", "retail", 1.27, 9, 0.94, 1.28, 0.971, "0", "3B"),
    ("33", "mixed use", 0.87, 9, 0.52, 1.33, 0.966, "0", "1E | 1F | 4A"),
    # Two payments behind; its latest DSCR, 0.57x, is of three months.
    ("35", "mixed use", 0.57, 3, 0.55, 1.20, 1.00, "1", "1A | 4A"),
    ("68", "multifamily", 2.44, 9, 1.00, 1.34, 0.988, "0", "3B"),
]


@pytest.mark.parametrize("row", WATCHED, ids=[row[0] for row in WATCHED])
def test_a_genuine_watchlist_has_the_codes_that_its_figures_give(outcome_of, row):
    _, kind, dscr, months, occupancy, then, let, status, codes = row
    outcome = outcome_of(
        as_of=date(2018, 1, 8),
        property_type=kind,
        dscr=dscr,
        underwritten_dscr=then,
        income_from=date(2017, 1, 1),
        income_to=date(2017, 9, 30) if months == 9 else date(2017, 3, 31),
        occupancy=occupancy,
        underwritten_occupancy=let,
        payment_status=status,
        origination_date=date(2014, 1, 6),
        maturity_date=date(2024, 1, 6),
        leases=[(20_000, date(2024, 1, 1))],
    )
    computed = None if codes == "3B" else codes  # an inspection is in no filing
    assert outcome.features["computed_triggers"] == computed


def test_the_leases_of_the_same_list(outcome_of):
    """The Shoppes at Castle Pines, 28,103 square feet: "has expired or will be expiring within the
    next six months", code 4D.
    """
    leases = [(6_558, date(2018, 5, 31)), (2_400, date(2017, 12, 31))]
    outcome = outcome_of(
        as_of=date(2018, 1, 8), rentable_area=28_103, leases=leases, property_type="retail",
        maturity_date=date(2023, 12, 6),
    )  # fmt: skip
    assert outcome.features["computed_triggers"] == "4D"


@pytest.mark.parametrize("as_of", [date(2026, 9, 30), date(2028, 2, 29), date(2027, 3, 15)])
def test_a_slow_second_implementation_agrees_on_random_loans(assumptions, as_of):
    dice = random.Random(as_of.toordinal() + 283)
    sketch = Sketch(info_of("random", as_of))
    loans = []
    for at in range(400):
        row = random_loan(dice, as_of) | {"rate_type": some(dice, "1", "2")}
        row["maturity_date"] = some(dice, row["maturity_date"], as_of, missing=0.05)
        leases = [
            (feet, end, some(dice, "Ohio", "ohio", "Shoes", missing=0.4))
            for feet, end in random_leases(dice, as_of)
        ]
        sketch.loan(f"L{at}", **row)
        for feet, ends, tenant in leases:
            sketch.lease(f"L{at}", tenant, feet, ends)
        loans.append(OneLoan(row, leases, as_of))
    scored = evaluate(tables_of(sketch), as_of, assumptions).features
    expected = [triggers(loan) for loan in loans]
    for name, answer in (("computed_triggers", True), ("untested_triggers", None)):
        for row, found in enumerate(scored[name].to_pylist()):
            assert found == listed(expected[row], answer), (name, row, loans[row])
    for code in expected[0]:
        assert {one[code] for one in expected} == {True, False, None}, code

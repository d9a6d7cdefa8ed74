"""RG-1 and MT-1: gaps, windows, dates at and around each limit (D148, D149)."""

from datetime import date

import pytest

#: Of a loan of 7,000,000: proceeds are 70 % of the value, which LTV binds.
TEN, QUARTER, FORTY = 9_000_000, 7_500_000, 6_000_000

YEARS_3, AFTER_3 = date(2029, 9, 30), date(2029, 10, 1)
MONTHS_12, AFTER_12 = date(2027, 9, 30), date(2027, 10, 1)
MONTHS_6, AFTER_6 = date(2027, 3, 30), date(2027, 3, 31)
TODAY, PAST = date(2026, 9, 30), date(2026, 9, 29)


@pytest.mark.parametrize(
    ("value", "maturity", "result"),
    [
        (TEN + 1, YEARS_3, "silent"),
        (TEN + 1, PAST, "silent"),
        (TEN, YEARS_3, "moderate"),
        (TEN, MONTHS_6, "moderate"),
        (TEN, PAST, "moderate"),
        (TEN, AFTER_3, "not applicable"),
        (QUARTER + 1, MONTHS_12, "moderate"),
        (QUARTER + 1, PAST, "moderate"),
        (QUARTER, AFTER_3, "not applicable"),
        (QUARTER, YEARS_3, "elevated"),
        (QUARTER, AFTER_12, "elevated"),
        (QUARTER, MONTHS_12, "severe"),
        (QUARTER, MONTHS_6, "severe"),
        (QUARTER, TODAY, "severe"),
        (QUARTER, PAST, "critical"),
        (FORTY + 1, MONTHS_6, "severe"),
        (FORTY + 1, PAST, "critical"),
        (FORTY, YEARS_3, "elevated"),
        (FORTY, MONTHS_12, "severe"),
        (FORTY, AFTER_6, "severe"),
        (FORTY, MONTHS_6, "critical"),
        (FORTY, TODAY, "critical"),
        (FORTY, PAST, "critical"),
        (1, AFTER_3, "not applicable"),
        (1, AFTER_12, "elevated"),
    ],
)
def test_rg1_grades_the_gap_by_the_time_that_is_left(outcome_of, value, maturity, result):
    outcome = outcome_of(book_value=7_000_000, value=value, maturity_date=maturity)
    assert outcome.rules["RG-1"] == result
    if result not in {"silent", "not applicable"}:
        assert outcome.features["binding_constraint"] == "LTV on value"


@pytest.mark.parametrize(
    ("changes", "binding", "proceeds", "gap"),
    [
        # NCF of 700,000 / 1.40 / the constant of 6.95 % over 30 years, 0.0794342.
        ({"ncf": 700_000}, "DSCR on NCF", 6_294_554, 0.3705),
        # A minimum debt yield of 8 % and DSCR of 1.25x, at 4.50 + 2.05 = 6.55 % for multifamily.
        ({"ncf": 700_000, "property_type": "multifamily"}, "DSCR on NCF", 7_344_919, 0.2655),
        # NOI of 700,000 / 11 %; its NCF would carry more.
        ({"noi": 700_000}, "debt yield on NOI", 6_363_636, 0.3636),
        # Without NCF the DSCR is on NOI, and so it is where the source says so.
        ({"noi": 700_000, "ncf": None}, "DSCR on NOI", 6_294_554, 0.3705),
        (
            {"noi": 700_000, "income_basis": "NOI, Jul 2025-Jun 2026, 12 months"},
            "DSCR on NOI",
            6_294_554,
            0.3705,
        ),
        ({"value": 7_500_000}, "LTV on value", 5_250_000, 0.475),
        ({"noi": 0, "ncf": 0}, "DSCR on NCF", 0, 1.0),
        ({"noi": -1, "ncf": -2}, "DSCR on NCF", 0, 1.0),
        ({"noi": 5, "ncf": -2}, "DSCR on NCF", 0, 1.0),
        ({"value": None, "ncf": 700_000}, "DSCR on NCF", 6_294_554, 0.3705),
    ],
)
def test_rg1_names_what_binds_the_proceeds(outcome_of, changes, binding, proceeds, gap):
    found = outcome_of(**changes).features
    assert found["binding_constraint"] == binding
    assert found["max_proceeds"] == pytest.approx(proceeds, abs=5)
    assert found["refinance_gap"] == pytest.approx(gap, abs=5e-5)
    assert found["dollars_short"] == pytest.approx(10_000_000 - proceeds, abs=5)


def test_a_surplus_is_no_dollars_short(outcome_of):
    found = outcome_of().features
    assert found["refinance_gap"] < 0
    assert found["dollars_short"] == 0


def test_nothing_is_sized_on_the_rent_of_a_cooperative(outcome_of):
    """A multifamily loan of the same figures would be short of 2,655,081."""
    outcome = outcome_of(property_type="cooperative housing", ncf=700_000)
    assert outcome.rules["RG-1"] == "not applicable"
    sized = ("max_proceeds", "binding_constraint", "refinance_gap", "dollars_short")
    assert {outcome.features[name] for name in (*sized, "own_dollars_short")} == {None}
    # Its DSCR at the refi rate stays: 700,000 / 660,000, interest only at 4.50 + 2.10 = 6.60 %.
    assert outcome.features["proforma_dscr"] == pytest.approx(700_000 / 660_000)
    assert outcome_of(property_type="multifamily", ncf=700_000).features["dollars_short"] > 2.6e6


def test_rg1_stands_on_the_balance_at_maturity(outcome_of):
    """An amortising loan repays part of the gap before it matures."""
    terms = {"payment_type": "2", "amortization_months": 120, "interest_rate": 6.0}
    terms |= {"first_payment_date": date(2024, 9, 30), "value": 9_000_000}
    amortising, level = outcome_of(**terms), outcome_of(value=9_000_000)
    assert level.rules["RG-1"] == "elevated"
    assert amortising.features["balance_at_maturity"] == pytest.approx(8_100_774, abs=1)
    assert amortising.features["refinance_gap"] == pytest.approx(0.2222965, abs=5e-7)
    assert amortising.rules["RG-1"] == "moderate"


@pytest.mark.parametrize(
    ("maturity", "severity"),
    [
        (AFTER_12, "silent"),
        (MONTHS_12, "moderate"),
        (MONTHS_6, "moderate"),
        (TODAY, "moderate"),
        (PAST, "severe"),
        (date(2016, 9, 30), "severe"),
    ],
)
def test_mt1_grades_the_months_to_maturity(outcome_of, maturity, severity):
    assert outcome_of(maturity_date=maturity).rules["MT-1"] == severity


def test_mt1_counts_to_the_anticipated_repayment_date(outcome_of):
    decades = date(2049, 3, 30)
    soon = outcome_of(maturity_date=decades, ard_date=MONTHS_12)
    assert soon.rules["MT-1"] == "moderate"
    assert soon.features["effective_maturity"] == MONTHS_12
    assert outcome_of(maturity_date=decades, ard_date=PAST).rules["MT-1"] == "severe"
    after_maturity = outcome_of(maturity_date=MONTHS_12, ard_date=decades)
    assert after_maturity.features["effective_maturity"] == MONTHS_12


@pytest.mark.parametrize("maturity", [date(2026, 6, 30), date(2027, 6, 30)])
def test_a_property_that_the_trust_has_taken_over_is_not_refinanced(outcome_of, maturity):
    """REO: it is sold, so neither the calendar nor the rate nor a new loan concerns it."""
    owed = {"maturity_date": maturity, "value": 6_000_000, "interest_rate": 3.0}
    before, taken = outcome_of(**owed), outcome_of(**owed, workout="7")
    for rule in ("RG-1", "MT-1", "RP-1"):
        assert before.rules[rule] not in {"silent", "not applicable"}
        assert taken.rules[rule] == "not applicable"
    assert taken.signals == {"stress_indicator": "critical"}


def test_mt1_past_maturity_needs_a_balance(outcome_of):
    assert outcome_of(maturity_date=PAST, book_value=1).rules["MT-1"] == "severe"
    assert outcome_of(maturity_date=PAST, book_value=0).rules["MT-1"] == "not applicable"
    unknown = outcome_of(maturity_date=PAST, book_value=None)
    assert unknown.rules["MT-1"] == "past maturity, and no book value"
    assert outcome_of(maturity_date=MONTHS_12, book_value=None).rules["MT-1"] == "moderate"

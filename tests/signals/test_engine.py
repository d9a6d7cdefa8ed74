"""Tables that evaluate returns: shape, order, one signal per loan and type, sums."""

from datetime import date

import pyarrow as pa
import pytest

from services.contract.portfolio import LOANS
from services.contract.vocabulary import SEVERITIES
from services.signals.engine import evaluate
from services.signals.rules import RULES

WORD = pa.dictionary(pa.int8(), pa.string())


@pytest.fixture
def scored(loans_of, rates, as_of):
    loans = loans_of(
        {},
        {"interest_rate": 3.0, "dscr": 1.05, "noi": None, "payment_status": "5"},
        {"maturity_date": date(2026, 12, 1), "value": 12_000_000},
        {"book_value": 0, "payment_status": "3"},
        {"interest_rate": None, "payment_status": "6", "maturity_date": date(2036, 1, 1)},
        {"interest_rate": 7.0, "maturity_date": date(2036, 1, 1)},
    )
    return evaluate(loans, as_of, rates)


def test_tables_have_the_promised_columns(scored):
    assert scored.features.schema == pa.schema(
        {
            "rate_pressure": WORD,
            "reference_series": WORD,
            "refi_rate": pa.float64(),
            "rate_gap_bp": pa.float64(),
            "months_to_maturity": pa.float64(),
            "whole_loan_debt": pa.int64(),
            "whole_loan_basis": WORD,
            "partial_note": pa.bool_(),
            "ltv": pa.float64(),
            "debt_yield": pa.float64(),
            "proforma_dscr": pa.float64(),
        }
    )
    assert scored.signals.schema == pa.schema(
        {
            "loan": pa.int32(),
            "signal_type": WORD,
            "severity": WORD,
            "description": pa.string(),
        }
    )
    assert scored.components.schema == pa.schema(
        {
            "signal": pa.int32(),
            "rule": WORD,
            "title": WORD,
            "rule_version": pa.int16(),
            "limits_version": pa.int16(),
            "severity": WORD,
            "value": pa.float64(),
            "limit": pa.float64(),
        }
    )


def test_rate_pressure_is_rp1_after_urgency_low_included(scored):
    pressure = scored.features["rate_pressure"].to_pylist()
    assert pressure == ["low", "critical", "low", None, None, "low"]


def test_signals_are_one_per_loan_and_type_with_the_worst_severity(scored):
    assert [tuple(row.values())[:3] for row in scored.signals.to_pylist()] == [
        (1, "rate_pressure", "critical"),
        (1, "stress_indicator", "critical"),
        (2, "maturity_timing", "critical"),
        (2, "stress_indicator", "severe"),
    ]


def test_components_are_the_fired_rules_in_order_with_the_limit_passed(scored):
    rows = [tuple(row.values()) for row in scored.components.to_pylist()]
    proforma = pytest.approx(1.05 * 3 / 7.25, abs=1e-9)
    months = pytest.approx(2 + 1 / 30)
    assert rows == [
        (0, "RP-1", "Rate gap", 1, 1, "critical", 425.0, 300.0),
        (1, "CV-1", "DSCR", 1, 1, "severe", 1.05, 1.10),
        (1, "RP-4", "Pro-forma DSCR at the refi rate", 1, 1, "critical", proforma, 1.00),
        (1, "ST-1", "Payment status", 1, 1, "critical", None, None),
        (2, "MT-1", "Months to maturity", 1, 1, "critical", months, 3.0),
        (3, "LV-1", "LTV", 1, 1, "severe", pytest.approx(10 / 12, abs=1e-9), 0.80),
    ]


def test_coverage_sums_to_the_loans(scored):
    assert [entry.rule for entry in scored.coverage] == [rule.id for rule in RULES]
    for entry in scored.coverage:
        assert list(entry.fired) == list(SEVERITIES[1:])
        counted = entry.silent + entry.not_applicable + entry.not_testable
        assert sum(entry.fired.values()) + counted == 6
        assert sum(entry.reasons.values()) == entry.not_testable
    rp1, *_, st1 = scored.coverage
    assert (rp1.fired["critical"], rp1.silent, rp1.not_applicable) == (1, 3, 1)
    assert rp1.reasons == {"no coupon": 1}
    assert st1.reasons == {"payment status is not ranked": 1}


def test_rates_used_name_the_quotes_of_the_date(scored, rates):
    assert scored.rates_used == {quote.series: quote for quote in rates.quotes}


def test_order_of_loans_does_not_change_their_grades(loans_of, rates, as_of):
    changes = [
        {"interest_rate": 3.0 + i / 4, "property_type": kind}
        for i, kind in enumerate(["office", "retail", None, "lodging", "data center", "office"])
    ]
    forward = evaluate(loans_of(*changes), as_of, rates).features.to_pylist()
    backward = evaluate(loans_of(*changes[::-1]), as_of, rates).features.to_pylist()
    assert forward == backward[::-1]


def test_a_portfolio_without_loans_scores_to_empty_tables(rates, as_of):
    scored = evaluate(LOANS.empty_table(), as_of, rates)
    assert (scored.features.num_rows, scored.signals.num_rows, scored.components.num_rows) == (
        0,
        0,
        0,
    )
    assert all(entry.silent == 0 for entry in scored.coverage)


def test_tables_in_several_chunks_score_as_one(loans_of, rates, as_of):
    parts = [loans_of({"interest_rate": 3.0}), loans_of({"property_type": "retail"}), loans_of({})]
    whole = evaluate(pa.concat_tables(parts), as_of, rates)
    one_by_one = [evaluate(part, as_of, rates).features.to_pylist()[0] for part in parts]
    assert whole.features.to_pylist() == one_by_one


def test_absurd_figures_neither_warn_nor_fail(loans_of, rates, as_of):
    biggest = 2**63 - 1
    scored = evaluate(
        loans_of(
            {"book_value": biggest, "value": 1, "noi": -biggest, "dscr": 1e308},
            {"book_value": -biggest, "value": -1, "interest_rate": 1e308, "dscr": -1e308},
            {"interest_rate": 5e-324, "amortization_months": 2**31 - 1, "original_amount": biggest},
            {"original_term_months": -(2**31), "amortization_months": -1, "payment_status": "\x00"},
            {"property_type": "  ", "structure": " pp ", "maturity_date": date(9999, 12, 31)},
            {"maturity_date": date(1, 1, 1), "dscr": float("inf")},
        ),
        as_of,
        rates,
    )
    for entry in scored.coverage:
        counted = entry.silent + entry.not_applicable + entry.not_testable
        assert sum(entry.fired.values()) + counted == 6
    assert scored.features["partial_note"].to_pylist()[4] is True

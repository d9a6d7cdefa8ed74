"""Tables that evaluate returns: shape, order, one signal per loan and type, sums (D24, D26)."""

from datetime import date

import pyarrow as pa
import pytest

from services.contract.facts import FACTS
from services.contract.portfolio import LOANS
from services.contract.vocabulary import SEVERITIES
from services.signals.engine import evaluate
from services.signals.rules import RULES
from tests.signals.healthy import tables_of
from tests.world import Sketch, info_of

WORD = pa.dictionary(pa.int8(), pa.string())


@pytest.fixture
def scored(loans_of, assumptions, as_of):
    """Without edges: no loan has a resolved owner."""
    loans = loans_of(
        {},
        {"interest_rate": 3.0, "dscr": 1.05, "ncf": 730_000, "payment_status": "5",
         "maturity_date": date(2028, 9, 30)},
        {"maturity_date": date(2026, 12, 1), "value": 12_000_000},
        {"book_value": 0, "payment_status": "3"},
        {"interest_rate": None, "payment_status": "6", "maturity_date": date(2036, 1, 1)},
        {"interest_rate": 7.0, "maturity_date": date(2036, 1, 1)},
    )  # fmt: skip
    return evaluate({"loans": loans}, as_of, assumptions)


def test_tables_have_the_promised_columns(scored):
    assert scored.features.schema == pa.schema(
        {
            "rate_pressure": WORD,
            "reference_series": WORD,
            "refi_rate": pa.float64(),
            "spreads_of": pa.date32(),
            "spreads_months_off": pa.int32(),
            "rate_gap_bp": pa.float64(),
            "effective_maturity": pa.date32(),
            "months_to_maturity": pa.float64(),
            "exemption": WORD,
            "special_servicing": pa.bool_(),
            "computed_triggers": pa.string(),
            "untested_triggers": pa.string(),
            "whole_loan": pa.string(),
            "sums_notes": pa.bool_(),
            "whole_loan_debt": pa.int64(),
            "whole_loan_basis": WORD,
            "debt_due": pa.int64(),
            "exposure": pa.int64(),
            "months_unpaid": pa.int32(),
            "computed_reduction": pa.int64(),
            "expected_loss": pa.int64(),
            "debt_at_least": pa.bool_(),
            "partial_note": pa.bool_(),
            "ltv": pa.float64(),
            "debt_yield": pa.float64(),
            "own_debt_service": pa.int64(),
            "noi_room": pa.float64(),
            "underwritten_markup": pa.float64(),
            "filed_over_implied": pa.float64(),
            "balance_at_maturity": pa.int64(),
            "refi_convention": WORD,
            "refi_debt_service": pa.int64(),
            "proforma_dscr": pa.float64(),
            "payment_shock": pa.float64(),
            "max_proceeds": pa.int64(),
            "binding_constraint": WORD,
            "refinance_gap": pa.float64(),
            "dollars_short": pa.int64(),
            "own_dollars_short": pa.int64(),
            "sponsor_share": pa.float64(),
        }
    )
    scored_facts = {fact.name for fact in FACTS if fact.origin == "scored"}
    assert set(scored.features.column_names) == scored_facts
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


def test_rate_pressure_is_rp1_after_urgency_and_evidence_low_included(scored):
    pressure = scored.features["rate_pressure"].to_pylist()
    assert pressure == ["low", "severe", "low", None, None, "low"]


def test_signals_are_one_per_loan_and_type_with_the_worst_severity(scored):
    assert [tuple(row.values())[:3] for row in scored.signals.to_pylist()] == [
        (1, "maturity_timing", "elevated"),
        (1, "rate_pressure", "severe"),
        (1, "stress_indicator", "critical"),
        (2, "maturity_timing", "moderate"),
        (2, "stress_indicator", "elevated"),
    ]


def test_components_are_the_fired_rules_in_order_with_the_limit_passed(scored):
    rows = [tuple(row.values()) for row in scored.components.to_pylist()]
    months = pytest.approx(2 + 1 / 30)
    gap = pytest.approx(0.16, abs=1e-9)
    wide = pytest.approx(0.343568, abs=1e-6)  # 1 - 730,000 / 1.40 / 0.0794342 / 10,000,000
    assert rows == [
        (0, "RG-1", "Refinance gap", 6, 4, "elevated", wide, 0.25),
        (1, "RP-1", "Rate gap", 5, 4, "severe", 395.0, 300.0),
        (2, "CV-1", "DSCR in place", 5, 4, "elevated", 1.05, 1.10),
        (2, "NI-1", "Income against underwriting", 3, 4, "severe", 0.475, 0.40),
        (2, "ST-1", "Status and workout", 3, 4, "critical", None, None),
        (3, "MT-1", "Months to maturity", 3, 4, "moderate", months, 12.0),
        (3, "RG-1", "Refinance gap", 6, 4, "moderate", gap, 0.10),
        (4, "LV-1", "LTV", 4, 4, "elevated", pytest.approx(10 / 12, abs=1e-9), 0.80),
    ]


def test_a_severity_that_a_level_reaches_passed_no_limit(outcome_of):
    """OC-1: occupancy of 79 % is 11 points under 90 %, and 59 % is 26 points under 85 %."""
    for before, now in ((0.90, 0.79), (0.85, 0.59)):
        outcome = outcome_of(underwritten_occupancy=before, occupancy=now)
        (found,) = outcome.components
        assert found["value"] == pytest.approx(before - now)
        assert found["limit"] is None


def test_coverage_sums_to_the_loans(scored):
    assert [entry.rule for entry in scored.coverage] == [rule.id for rule in RULES]
    for entry in scored.coverage:
        assert list(entry.fired) == list(SEVERITIES[1:])
        counted = entry.silent + entry.not_applicable + entry.not_testable
        assert sum(entry.fired.values()) + counted == 6
        assert sum(entry.reasons.values()) == entry.not_testable
    found = {entry.rule: entry for entry in scored.coverage}
    assert found["ST-1"].reasons == {"payment status is not ranked": 1}
    rp1 = found["RP-1"]
    assert (rp1.fired["severe"], rp1.silent, rp1.not_applicable) == (1, 3, 1)
    assert rp1.reasons == {"no coupon": 1}


def test_rates_used_name_the_quotes_of_the_date(scored, rates):
    used = {rate.series: (rate.day, rate.percent) for rate in scored.rates}
    assert used == {quote.series: (quote.date, quote.percent) for quote in rates.quotes}


def test_order_of_loans_does_not_change_their_grades(loans_of, assumptions, as_of):
    changes = [
        {"interest_rate": 3.0 + i / 4, "property_type": kind}
        for i, kind in enumerate(["office", "retail", None, "lodging", "data center", "office"])
    ]
    forward = evaluate({"loans": loans_of(*changes)}, as_of, assumptions).features.to_pylist()
    backward = evaluate(
        {"loans": loans_of(*changes[::-1])}, as_of, assumptions
    ).features.to_pylist()
    assert forward == backward[::-1]


@pytest.mark.parametrize("tables", [{"loans": LOANS.empty_table()}, None], ids=["loans", "all"])
def test_a_book_without_loans_scores_to_empty_tables(assumptions, as_of, tables):
    whole = tables_of(Sketch(info_of("nothing"))) if tables is None else tables
    scored = evaluate(whole, as_of, assumptions)
    assert (scored.features.num_rows, scored.signals.num_rows, scored.components.num_rows) == (
        0,
        0,
        0,
    )
    assert all(entry.silent == 0 for entry in scored.coverage)


def test_tables_in_several_chunks_score_as_one(loans_of, assumptions, as_of):
    parts = [loans_of({"interest_rate": 3.0}), loans_of({"property_type": "retail"}), loans_of({})]
    whole = evaluate({"loans": pa.concat_tables(parts)}, as_of, assumptions)
    alone = [
        evaluate({"loans": part}, as_of, assumptions).features.to_pylist()[0] for part in parts
    ]
    assert whole.features.to_pylist() == alone


def test_absurd_figures_neither_warn_nor_fail(loans_of, assumptions, as_of):
    biggest = 2**63 - 1
    loans = loans_of(
        {"book_value": biggest, "value": 1, "noi": -biggest, "dscr": 1e308},
        {"book_value": -biggest, "value": -1, "interest_rate": 1e308, "dscr": -1e308},
        {"interest_rate": 5e-324, "amortization_months": 2**31 - 1, "original_amount": biggest},
        {"original_term_months": -(2**31), "amortization_months": -1, "payment_status": "\x00"},
        {"property_type": "  ", "structure": " pp ", "maturity_date": date(9999, 12, 31)},
        {"maturity_date": date(1, 1, 1), "dscr": float("inf")},
        {"payment_type": "2", "amortization_months": 1, "monthly_payment": biggest},
        {"payment_type": "5", "interest_only_months": 2**31 - 1, "interest_rate": 999.0},
        {"occupancy": float("nan"), "underwritten_occupancy": -1e308, "rentable_area": 1},
        {"underwritten_ncf": 1, "underwritten_dscr": 5e-324, "structure": "PP"},
    )
    scored = evaluate({"loans": loans}, as_of, assumptions)
    for entry in scored.coverage:
        counted = entry.silent + entry.not_applicable + entry.not_testable
        assert sum(entry.fired.values()) + counted == 10
    assert scored.features["partial_note"].to_pylist()[4] is True

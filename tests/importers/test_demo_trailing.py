"""What new securitised loans of the demonstration file before they have income of their own."""

from datetime import date

import numpy as np
import pytest

from services.importers.demo.source import portfolio
from services.importers.demo.statements import Period, twelve_months


@pytest.fixture(scope="module")
def earlier(demo):
    """Loans whose statement ended before they were made, as rows."""
    return [row for row in demo.loans.to_pylist() if is_before(row)]


def is_before(row):
    end, made = row["income_to"], row["origination_date"]
    return None not in (end, made) and end < made


def test_twelve_months_to_each_quarter_that_was_over():
    assert twelve_months(date(2026, 9, 30)) == tuple(
        Period(first, last)
        for first, last in (
            (date(2025, 7, 1), date(2026, 6, 30)),
            (date(2025, 4, 1), date(2026, 3, 31)),
            (date(2025, 1, 1), date(2025, 12, 31)),
            (date(2024, 10, 1), date(2025, 9, 30)),
            (date(2024, 7, 1), date(2025, 6, 30)),
        )
    )


def test_the_statement_is_of_the_last_quarter_that_was_over_when_the_loan_was_made(earlier):
    assert len(earlier) > 50
    for row in earlier:
        assert row["origination_date"] >= date(2026, 1, 1)
        assert (row["origination_date"] - row["income_to"]).days <= 92
        assert "12 months" in row["income_basis"]


def test_income_is_about_what_was_underwritten_and_seldom_far_under_it(earlier):
    markups = np.array([row["underwritten_noi"] / row["noi"] - 1 for row in earlier if row["noi"]])
    assert 0.65 < np.mean(markups < 0.10) < 0.90
    assert 0.03 < np.mean(markups >= 0.25) < 0.15
    assert markups.max() < 0.71
    assert markups.min() > -0.03


def test_coverage_is_of_the_debt_service_that_was_underwritten(earlier):
    for row in earlier:
        if None in (row["dscr"], row["noi"]):
            continue
        on_noi = row["ncf"] is None
        now, then = (
            (row["noi"], row["underwritten_noi"])
            if on_noi
            else (row["ncf"], row["underwritten_ncf"])
        )
        assert row["dscr"] == pytest.approx(row["underwritten_dscr"] * now / then, abs=0.006)
        assert row["filed_debt_service"] is None


def test_a_loan_keeps_its_statement_until_it_files_its_own(demo, earlier):
    then = {
        row["loan_number"]: row
        for row in portfolio(loans=demo.loans.num_rows, at=date(2026, 6, 30)).loans.to_pylist()
    }
    both = [row for row in earlier if row["loan_number"] in then]
    assert both
    for row in both:
        before = then[row["loan_number"]]
        facts = ("income_from", "income_to", "noi", "ncf", "dscr")
        assert [before[name] for name in facts] == [row[name] for name in facts]

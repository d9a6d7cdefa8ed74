"""A source is scored at its own date: a servicer's file of 2018 beside a filing of 2025 (D211);
what falls due in between (D212); which date is said (D214).
"""

from collections import Counter
from contextlib import closing
from datetime import date

import numpy as np
import pytest

from services.contract.loan_filter import LoanFilter
from services.contract.portfolio import TABLES
from services.contract.scenario import Scenario
from services.importers.crefc_irp import histories
from services.signals import engine
from services.signals.assumptions import Assumptions
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.irp_files import cells, periodic_row, setup_row, workbook
from tests.publishing import load_once
from tests.world import Sketch, info_of

OLD, NEW = date(2018, 1, 31), date(2025, 12, 11)
FELL_DUE = "MADE18X1:1"


def servicers_file(folder):
    """Three loans of January 2018: due in December 2019, long before it, and in 2028."""
    due = {1: 20191206, 2: 20171106, 3: 20280606}
    setup = [
        setup_row(number, **{"Maturity Date At Contribution": day}) for number, day in due.items()
    ]
    periodic = [
        periodic_row(number, 20180131, **{"Maturity Date": day}) for number, day in due.items()
    ]
    (filing,) = histories(
        [
            workbook(folder / "setup.xlsx", cells("setup", *setup)),
            workbook(folder / "periodic.xlsx", cells("periodic", *periodic)),
        ],
        as_of=OLD,
    )
    return filing.read()


def filing_of_2025():
    sketch = Sketch(info_of("newer", NEW))
    sketch.loan("NEW-1", property_type="office", interest_rate=5.0, book_value=10_000_000,
                maturity_date=date(2026, 6, 1), original_term_months=120)  # fmt: skip
    return sketch.portfolio()


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return servicers_file(tmp_path_factory.mktemp("files")), filing_of_2025()


@pytest.fixture(scope="module")
def mixed(sources, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    load_once(folder, sources)
    with closing(Store(folder, rescorer=RulesRescorer())) as store, store.lease() as source:
        yield source


def tables(one):
    return {name: getattr(one, name) for name in TABLES}


def scored(one, as_of):
    return engine.evaluate(tables(one), as_of, Assumptions.packaged())


def test_a_loan_of_2018_is_not_past_a_maturity_of_2019(mixed):
    """At the date of the book it read "Matured on 6 Dec 2019, 72 months ago", and severe."""
    said = [one.description for one in mixed.signals_of(FELL_DUE)]
    assert all(one.endswith("As of 31 Jan 2018.") for one in said)
    assert not [one for one in said if "Matured" in one]
    (past,) = [
        one.description
        for one in mixed.signals_of("MADE18X1:2")
        if one.signal_type == "maturity_timing"
    ]
    assert "Matured on 6 Nov 2017, 2 months ago" in past
    assert past.endswith("As of 31 Jan 2018.")


def test_severe_loans_before_and_after(sources, mixed):
    """By the book's date two loans of the old file are past maturity, by its own date one is."""
    old, _ = sources

    def late(scores):
        rules = zip(
            scores.components["rule"].to_pylist(),
            scores.components["severity"].to_pylist(),
            strict=True,
        )
        return Counter(rules)["MT-1", "severe"]

    assert (late(scored(old, NEW)), late(scored(old, OLD))) == (2, 1)
    count = "SELECT count(*) FROM components WHERE rule = 'MT-1' AND severity = 'severe'"
    assert mixed.reader.rows(count) == [(1,)]


def test_refi_rates_are_of_each_date(mixed):
    """Typed off reference_rates.csv and spreads.toml: the 10-year was 2.72 % on 31 January 2018
    and 4.02 % on 28 November 2025; office spreads were 215 bp of September 2017, 245 bp of 2025.
    """
    rates = {
        row["loan_number"]: (row["refi_rate"], row["spreads_of"])
        for row in mixed.reader.records("SELECT loan_number, refi_rate, spreads_of FROM loans")
    }
    assert rates[FELL_DUE] == (4.87, date(2017, 9, 30))
    assert rates["NEW-1"] == (6.47, date(2025, 12, 31))
    figures = mixed.figures(mixed.loan(FELL_DUE))
    assert (figures.as_of, figures.refinance.rate.value) == (OLD, 4.87)
    assert figures.refinance.reference.day == OLD


def test_windows_count_by_the_calendar_and_nobody_is_called_late(mixed):
    found = mixed.loan_totals(LoanFilter())
    assert {one.word: one.loans for one in found.by_horizon if one.loans} == {
        "past maturity": 1,
        "fell due after its source's date": 1,
        "within 12 months": 1,
        "25 to 60 months": 1,
    }
    totals = mixed.totals()
    assert (totals.as_of, totals.past_maturity.loans, totals.fell_due.loans) == (NEW, 1, 1)
    assert {(one.overdue, one.fell_due) for one in mixed.maturity_wall()} == {
        (True, False),
        (False, True),
        (False, False),
    }


def test_each_loan_says_its_date_in_lists_and_orders(mixed):
    rows = mixed.loans_found(LoanFilter(order="-as_of"), ("as_of",)).items
    assert [one.values["as_of"] for one in rows] == [NEW, OLD, OLD, OLD]
    snapshot = mixed.snapshot()
    assert (snapshot.oldest, snapshot.as_of, snapshot.has_old_sources) == (OLD, NEW, True)
    assert snapshot.dated == "2018-01-31 to 2025-12-11"


def test_a_scenario_that_changes_nothing_moves_nobody(mixed):
    """Loans are rescored by the rates and spreads of their own dates."""
    found = mixed.what_if(LoanFilter(), Scenario())
    assert (found.worse.loans, found.better.loans) == (0, 0)
    assert found.short_before == found.short_after


def test_one_date_given_loan_by_loan_scores_as_one_date(sources):
    for one in sources:
        days = np.full(one.loans.num_rows, one.info.as_of, "datetime64[D]")
        each, all_at_once = scored(one, days), scored(one, one.info.as_of)
        for part in ("features", "signals", "components", "screened", "inputs"):  # with NaN
            one_way, other = (
                repr(of.to_pylist()) for of in (getattr(each, part), getattr(all_at_once, part))
            )
            assert one_way == other, part
        assert (each.rates, each.spreads) == (all_at_once.rates, all_at_once.spreads)


def test_loans_in_one_book_score_as_their_source_alone(sources, mixed):
    """Refinance figures and ages; what is of the whole book, as a sponsor's share, is not."""
    for one in sources:
        alone = scored(one, one.info.as_of).features
        numbers = one.loans["loan_number"].to_pylist()
        for name in ("refi_rate", "months_to_maturity", "balance_at_maturity", "dollars_short"):
            wanted = dict(zip(numbers, alone[name].to_pylist(), strict=True))
            sql = f"SELECT loan_number, {name} FROM loans WHERE loan_number IN (SELECT unnest(?))"
            assert dict(mixed.reader.rows(sql, [numbers])) == wanted, name

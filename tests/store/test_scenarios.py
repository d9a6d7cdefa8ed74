"""What if, against the plain engine over inputs shifted loan by loan (D65, D67, D280)."""

import random
import re
import tempfile
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from components.what_if.moves import rows_of
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import MovedFilter, Scenario
from services.importers import demo, sec_absee
from services.signals.assumptions import Assumptions
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests import oracle_notes
from tests.genuine import BANK5, SEVEN_YEARS, SHARED
from tests.oracle_maturities import HORIZONS, horizon
from tests.oracle_scenarios import ORDER, PACKAGED, rescored, stays
from tests.publishing import load
from tests.signals.healthy import tables_of
from tests.signals.test_oracle import random_leases, random_loan
from tests.tiers import examples
from tests.world import Sketch, info_of

GENUINE = [BANK5, *SEVEN_YEARS[-1:]]
AS_OF = date(2026, 9, 30)
ALL = LoanFilter()


@dataclass
class Opened:
    """A snapshot, the tables that it was made of, and its loans as rows by number."""

    source: object
    tables: dict[str, pa.Table]
    as_of: date

    @property
    def rows(self):
        return [{**row, "as_of": self.as_of} for row in self.tables["loans"].to_pylist()]

    @cached_property
    def notes(self):
        """Which loan each record is a note of, and whether it sums others (test_notes.py)."""
        found = {}
        for row in self.rows:
            told = self.source.loan(row["loan_number"]).extended
            found[row["loan_number"]] = {
                "loan_number": row["loan_number"],
                "whole_loan": told.get("whole_loan"),
                "sums_notes": told.get("sums_notes", False),
            }
        return found

    def moved(self, scenario):
        """All loans by number: severities and dollars short, before and after."""
        found = {}
        for before in ORDER:
            for after in ORDER:
                query = MovedFilter(move=(before, after))
                for batch in self.source.moved_batches(query, scenario):
                    found |= {row["loan_number"]: row for row in batch.to_pylist()}
        return found


def floating_terms(dice):
    """Of a loan that may float, at a floor or cap as often as not, with anything missing."""
    coupon, margin = dice.choice([5.5, 6.5, 7.0]), dice.choice([2.0, 3.0, None])
    return {
        "interest_rate": dice.choice([coupon, coupon, coupon, None]),
        "rate_type": dice.choice(["2", "2", "2", "1", "4", None]),
        "rate_index": dice.choice(["Q", "N", "G", None]),
        "rate_margin": margin,
        "rate_floor": dice.choice([None, 4.0, coupon, 6.75]),
        "rate_cap": dice.choice([None, None, coupon, 8.0]),
        "cap_strike": dice.choice([None, 5.0, coupon - (margin or 0), 3.0]),
        "cap_expires": dice.choice([None, AS_OF, AS_OF + timedelta(400), AS_OF - timedelta(1)]),
    }


def drawn():
    """Loans on and near every limit, with anything missing, of few owners."""
    dice, rates = random.Random(68), random.Random(280)
    sketch = Sketch(info_of("drawn", AS_OF))
    for at in range(400):
        number = f"L{at:03}"
        sketch.loan(number, **random_loan(dice, AS_OF) | floating_terms(rates))
        for feet, ends in random_leases(dice, AS_OF):
            sketch.lease(number, None, feet, ends)
        sketch.tie(number, "borrower", f"Owner {at} LLC", 0.95)
        owner = f"Sponsor {dice.randrange(90)}"
        sketch.party(owner, "sponsor")
        sketch.link(f"Owner {at} LLC", "owned_by", owner, 0.9)
    return sketch.portfolio()


BOOKS = {
    "demonstration": lambda: demo.portfolio(loans=600),
    "drawn": drawn,
    **{path.stem[:12]: lambda path=path: sec_absee.portfolio([path])[0] for path in GENUINE},
}


@pytest.fixture(scope="module", params=BOOKS)
def opened(request):
    if request.param not in {"demonstration", "drawn"} and not SHARED.exists():
        pytest.skip("the shared data folder is not on this machine")
    portfolio = BOOKS[request.param]()
    with tempfile.TemporaryDirectory() as folder:
        load(Path(folder), [portfolio])
        store = Store(Path(folder), rescorer=RulesRescorer())
        with store.lease() as source:
            yield Opened(source, tables_of_portfolio(portfolio), source.snapshot().as_of)
        store.close()


def tables_of_portfolio(portfolio):
    class Made:
        def portfolio(self):
            return portfolio

    return tables_of(Made())


SHIFTS = st.sampled_from([-200, -137.5, -50, 0, 25, 100, 250, 300])
SCENARIOS = st.builds(
    Scenario,
    rate_5=SHIFTS,
    rate_7=SHIFTS,
    rate_10=SHIFTS,
    rate_short=SHIFTS,
    noi=st.sampled_from([-30, -20, -12.5, -1, 0, 5, 10]),
    cap=st.sampled_from([0, 10, 75, 200]),
)


@examples(5, 12)
@given(scenario=SCENARIOS)
@example(scenario=Scenario.of(rates=-200, noi=-30, cap=200))
@example(scenario=Scenario.of(rates=300, noi=-30, cap=200))
@example(scenario=Scenario.of(rates=300, noi=10))
def test_a_scenario_is_what_the_engine_makes_of_shifted_inputs_loan_by_loan(opened, scenario):
    expected = rescored(opened.tables, opened.as_of, scenario)
    found = opened.moved(scenario)
    assert set(found) == set(expected)
    before = rescored(opened.tables, opened.as_of, Scenario())
    for row in opened.rows:
        number = row["loan_number"]
        one, (worst, short) = found[number], expected[number]
        assert [one["severity_before"], one["dollars_short_before"]] == before[number]
        assert one["severity_after"] == worst, (number, scenario)
        if stays(row):
            assert [one["severity_after"], one["dollars_short_after"]] == before[number]
        else:
            assert one["dollars_short_after"] == short, (number, scenario)


def test_a_scenario_without_a_change_moves_nothing(opened):
    found = opened.source.what_if(ALL, Scenario())
    assert all(one.before == one.after for one in found.moves)
    assert (found.worse.loans, found.better.loans) == (0, 0)
    assert found.short_before == found.short_after
    assert all(one.short_before == one.short_after for one in found.by_type)
    assert opened.source.moved_loans(MovedFilter(), Scenario()).total == 0
    for row in opened.moved(Scenario()).values():
        assert row["severity_before"] == row["severity_after"]
        assert row["dollars_short_before"] == row["dollars_short_after"]


def test_the_whole_demonstration_book_stays_where_it_is_without_a_change(tmp_path):
    load(tmp_path, [demo.portfolio()])
    with Store(tmp_path, rescorer=RulesRescorer()).lease() as source:
        found, totals = source.what_if(ALL, Scenario()), source.loan_totals(ALL)
        assert found.loans == 5_000
        assert all(one.before == one.after for one in found.moves)
        assert found.short_before == found.short_after
        assert found.short_after.dollars == totals.dollars_short
        assert source.moved_loans(MovedFilter(), Scenario()).total == 0


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"state": ("TX",)},
        {"property_type": ("office", "retail"), "max_dscr": 1.3},
        {"severity": ("severe", "critical")},
        {"min_short": 1},
        {"find": "no such loan"},
    ],
)
def test_sums_are_those_of_the_filter(opened, query):
    asked, scenario = LoanFilter(**query), Scenario.of(rates=150, noi=-10, cap=50)
    totals = opened.source.loan_totals(asked)
    found = opened.source.what_if(asked, scenario)
    assert (found.loans, found.book_value) == (totals.loans, totals.book_value)
    assert found.short_before.loans == totals.short_loans
    assert found.short_before.dollars == totals.dollars_short
    for parts in (found.moves, found.by_type):
        for name, whole in (
            ("loans", found.loans),
            ("book_value", found.book_value),
            ("short_before", found.short_before.dollars),
            ("short_after", found.short_after.dollars),
        ):
            assert sum(getattr(one, name) for one in parts) == whole
    moved = [one for one in found.moves if one.before != one.after]
    rows = [
        row["loan_number"]
        for batch in opened.source.moved_batches(MovedFilter(**query), scenario)
        for row in batch.to_pylist()
    ]
    # Records 10, 10A and 10B of one trust are one loan, and move as one.
    loans = {re.sub(r"^(UBS 2017-C1:10)[AB]$", r"\1", number) for number in rows}
    assert len(loans) == sum(one.loans for one in moved)
    up = [one for one in moved if ORDER.index(one.after) > ORDER.index(one.before)]
    assert found.worse.loans == sum(one.loans for one in up)
    assert found.worse.book_value == sum(one.book_value for one in up)
    assert sum(one.better.loans for one in found.by_type) == found.better.loans


@examples(4, 8)
@given(scenario=SCENARIOS)
@example(scenario=Scenario.of(rates=200, noi=-20, cap=100))
def test_the_rows_of_moves_add_up(opened, scenario):
    # D159, D279
    rows, noted = opened.moved(scenario), opened.notes
    found = opened.source.what_if(ALL, scenario)
    listed = rows_of(found.moves)
    *parts, total = listed
    assert (total.loans, total.book_value) == (found.loans, found.book_value)
    assert (total.short_before, total.short_after) == (
        found.short_before.dollars,
        found.short_after.dollars,
    )
    for name in ("loans", "book_value", "short_before", "short_after"):
        assert sum(getattr(one, name) for one in parts) == getattr(total, name)
    for place, short in enumerate(("dollars_short_before", "dollars_short_after")):
        sums = dict.fromkeys(HORIZONS, 0)
        for row in opened.rows:
            if (word := horizon(row, opened.as_of)) and not oracle_notes.is_sum(
                noted[row["loan_number"]]
            ):
                sums[word] += rows[row["loan_number"]][short] or 0
        shown = {one.word: (one.short_before, one.short_after)[place] for one in found.by_horizon}
        assert shown == sums
        assert sum(sums.values()) == (found.short_before, found.short_after)[place].dollars


def test_loans_that_move_come_worst_first_and_in_pages(opened):
    scenario = Scenario.of(rates=200, noi=-20, cap=100)
    rows = [
        row
        for batch in opened.source.moved_batches(MovedFilter(), scenario)
        for row in batch.to_pylist()
    ]
    keys = [
        (
            -ORDER.index(row["severity_after"]),
            ORDER.index(row["severity_before"]),
            -(row["book_value"] if row["book_value"] is not None else -1),
            row["loan_number"],
        )
        for row in rows
    ]
    assert keys == sorted(keys)
    pages = [
        one.loan_number
        for page in range(1, 2 + len(rows) // 100)
        for one in opened.source.moved_loans(MovedFilter(page=page, per_page=100), scenario).items
    ]
    assert pages == [row["loan_number"] for row in rows]


def test_higher_rates_lower_noi_and_higher_cap_rates_never_make_a_loan_better(opened):
    for scenario in (Scenario.of(rates=100), Scenario.of(noi=-15), Scenario.of(cap=100)):
        assert opened.source.what_if(ALL, scenario).better.loans == 0


def test_a_snapshot_is_scored_anew_by_the_limits_and_spreads_that_scored_it(tmp_path):
    limits, spreads = tmp_path / "limits.toml", tmp_path / "spreads.toml"
    limits.write_text(
        PACKAGED.limits.text.replace('moderate = "< 1.25"', 'moderate = "< 1.60"')
        .replace("all = 36", "all = 60")
        .replace('moderate = "> 0.70"', 'moderate = "> 0.55"')
    )
    spreads.write_text(PACKAGED.sizings.text.replace("spread_bp = 225", "spread_bp = 410"))
    resting = Assumptions.of(limits=limits, spreads=spreads)
    portfolio = demo.portfolio(loans=300)
    load(tmp_path / "store", [portfolio], assumptions=resting)
    with Store(tmp_path / "store", rescorer=RulesRescorer()).lease() as source:
        opened = Opened(source, tables_of_portfolio(portfolio), source.snapshot().as_of)
        for scenario in (Scenario(), Scenario.of(rates=125, noi=-10, cap=50)):
            expected = rescored(opened.tables, opened.as_of, scenario, resting)
            found = opened.moved(scenario)
            assert {number: row["severity_after"] for number, row in found.items()} == {
                number: worst for number, (worst, _) in expected.items()
            }
    packaged = rescored(opened.tables, opened.as_of, Scenario())
    assert packaged != rescored(opened.tables, opened.as_of, Scenario(), resting)


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("rate_5", -200, True),
        ("rate_10", 300, True),
        ("rate_10", 300.01, False),
        ("rate_7", -200.01, False),
        ("rate_short", -200, True),
        ("rate_short", 300.01, False),
        ("noi", -30, True),
        ("noi", 10, True),
        ("noi", -30.01, False),
        ("noi", 10.01, False),
        ("cap", 0, True),
        ("cap", 200, True),
        ("cap", -1, False),
        ("cap", 200.01, False),
    ],
)
def test_a_scenario_lies_within_its_bounds(field, value, allowed):
    if allowed:
        assert getattr(Scenario(**{field: value}), field) == value
    else:
        with pytest.raises(ValidationError):
            Scenario(**{field: value})

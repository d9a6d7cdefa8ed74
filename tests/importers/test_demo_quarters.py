"""The quarters of the demonstration portfolio, counted from their rows (D162, D286)."""

from collections import Counter, defaultdict
from datetime import date, timedelta
from itertools import pairwise

import pyarrow.compute as pc
import pytest

from services.contract.errors import InvalidRequest
from services.contract.portfolio import TABLES
from services.importers.demo import filings, portfolio, quarters
from services.pipeline import Scoring
from services.signals.assumptions import Assumptions

TODAY = date(2026, 9, 30)
DAYS = [
    *(date(2023, 12, 31), date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30)),
    *(date(2024, 12, 31), date(2025, 3, 31), date(2025, 6, 30), date(2025, 9, 30)),
    *(date(2025, 12, 31), date(2026, 3, 31), date(2026, 6, 30), TODAY),
]
ARREARS = ("1", "2", "3", "5")
LATE = ("1", "2", "3")
#: What a loan is made with, and what stays as it is.
FIXED = (
    *("origination_date", "ard_date", "first_payment_date", "original_amount"),
    *("underwritten_noi", "underwritten_ncf", "underwritten_dscr", "underwritten_value"),
    *("property_name", "address", "property_type", "lender_normalized", "original_term_months"),
    *("amortization_months", "rate_margin", "rate_floor", "cap_strike", "cap_expires"),
)


@pytest.fixture(scope="module")
def made():
    return {day: portfolio(at=day) for day in DAYS}


@pytest.fixture(scope="module")
def paths(made):
    """By loan number its rows by day, as (day, row)."""
    found = defaultdict(list)
    for day, one in made.items():
        for row in one.loans.to_pylist():
            found[row["loan_number"]].append((day, row))
    return found


@pytest.fixture(scope="module")
def moves(paths):
    """Rows of one loan in two quarters, one after the other."""
    return [(a, b) for rows in paths.values() for (_, a), (_, b) in pairwise(rows)]


@pytest.mark.parametrize(
    "book",
    [
        {"as_of": TODAY},
        {"as_of": TODAY, "loans": 3},
        {"as_of": date(2025, 5, 17), "loans": 700, "seed": 3},
        {"as_of": date(2013, 2, 28), "loans": 40, "seed": 9},
    ],
)
def test_the_last_quarter_is_today_byte_for_byte(book):
    today, last = portfolio(**book), portfolio(**book, at=book["as_of"])
    for name in TABLES:
        assert getattr(today, name).equals(getattr(last, name)), name
    assert today.info == last.info


def test_a_quarter_is_the_same_however_many_are_asked_for():
    (only,) = [one.read() for one in filings(loans=200, seed=4, as_of=TODAY, count=2)][:1]
    earlier = [one.read() for one in filings(loans=200, seed=4, as_of=TODAY, count=7)][-2]
    assert only.loans.equals(earlier.loans)
    assert only.edges.equals(earlier.edges)


def test_the_days_are_ends_of_quarters():
    assert quarters(loans=5000, seed=1, as_of=TODAY, count=12) == DAYS
    middle = quarters(loans=5000, seed=1, as_of=date(2026, 8, 15), count=3)
    assert middle == [date(2026, 3, 31), date(2026, 6, 30), date(2026, 8, 15)]
    assert quarters(loans=5000, seed=1, as_of=TODAY, count=1) == [TODAY]


def test_quarters_without_a_loan_are_left_out():
    first = portfolio(loans=1).loans["origination_date"][0].as_py()
    days = quarters(loans=1, seed=1, as_of=TODAY, count=12)
    assert days == [day for day in DAYS if day >= first]
    assert portfolio(loans=1, at=days[0]).loans["loan_number"].to_pylist()[0] == "CA-000001"


@pytest.mark.parametrize("count", [0, 13, -1])
def test_other_numbers_of_quarters_are_refused(count):
    with pytest.raises(InvalidRequest, match="has 1 to 12 quarters"):
        filings(loans=5, seed=1, as_of=TODAY, count=count)


def test_every_quarter_says_that_it_is_made_up(made):
    for day, one in made.items():
        assert (one.info.provenance, one.info.key, one.info.as_of) == ("synthetic", "demo", day)
        assert one.info.records_read == one.loans.num_rows


def test_rows_of_every_table_are_those_of_loans_that_are_there(made):
    for one in made.values():
        count, parties = one.loans.num_rows, one.entities.num_rows
        for table, column in [("layers", "loan"), ("properties", "loan"), ("leases", "loan"),
                              ("edges", "from_loan")]:  # fmt: skip
            assert pc.min(getattr(one, table)[column]).as_py() >= 0
            assert pc.max(getattr(one, table)[column]).as_py() < count
        assert pc.max(one.edges["to_entity"]).as_py() < parties
        assert set(one.properties["loan"].to_pylist()) == set(range(count))
        first = one.layers.filter(pc.equal(one.layers["rank"], 1))
        assert sorted(first["loan"].to_pylist()) == list(range(count))
        amount = dict(zip(first["loan"].to_pylist(), first["amount"].to_pylist(), strict=True))
        lender = dict(zip(first["loan"].to_pylist(), first["lender"].to_pylist(), strict=True))
        for at, row in enumerate(one.loans.to_pylist()):
            assert (amount[at], lender[at]) == (row["book_value"], row["lender_normalized"])


def test_loans_are_there_from_the_day_they_were_made(made):
    today = {row["loan_number"]: row for row in made[TODAY].loans.to_pylist()}
    for day, one in made.items():
        there = set(one.loans["loan_number"].to_pylist())
        for number, row in today.items():
            if row["origination_date"] is not None:
                assert (number in there) == (row["origination_date"] <= day)


def test_balances_never_rise(moves):
    assert all(a["book_value"] >= b["book_value"] for a, b in moves)
    falling = [a["book_value"] > b["book_value"] > 0 for a, b in moves]
    assert 0.3 < sum(falling) / len(falling) < 0.7


def test_what_a_loan_was_made_with_never_changes(moves):
    extended = 0
    for a, b in moves:
        assert [a[name] for name in FIXED] == [b[name] for name in FIXED], a["loan_number"]
        if a["maturity_date"] != b["maturity_date"]:
            extended += 1
            assert a["maturity_date"] < b["maturity_date"]
            assert b["rate_type"] == "2" or b["modified_on"] > a["maturity_date"] - timedelta(80)
        if a["rate_type"] != "2":
            assert a["interest_rate"] == b["interest_rate"]
    assert extended > 25


def test_dates_stay_once_they_are_there(moves):
    for a, b in moves:
        for name in ("special_servicing_since", "special_servicing_returned", "modified_on"):
            assert a[name] in (None, b[name]), (a["loan_number"], name)
        if a["value_date"] is not None:
            assert a["value_date"] <= b["value_date"]
            assert (a["value_date"] < b["value_date"]) or a["value"] == b["value"]


def test_what_is_due_and_owed_has_matured(paths):
    """Also what was extended later: until then it was past its first maturity."""
    matured = Counter()
    for rows in paths.values():
        for day, row in rows:
            due = row["ard_date"] or row["maturity_date"]
            if due is not None and due <= day and row["book_value"]:
                assert row["payment_status"] in {"4", "5", None}, (row["loan_number"], day)
                matured["later" if rows[-1][1]["maturity_date"] > due else "still"] += 1
    assert min(matured.values()) > 5


def test_no_date_lies_ahead(paths):
    names = ("special_servicing_since", "special_servicing_returned", "modified_on")
    names += ("disposition_date", "value_date", "origination_date", "income_to")
    for rows in paths.values():
        for day, row in rows:
            assert all(row[name] is None or row[name] <= day for name in names)


def test_a_period_states_the_same_as_long_as_it_is_filed(moves):
    said, changed = ("noi", "ncf", "dscr", "occupancy"), 0
    for a, b in moves:
        dates = [(row["income_from"], row["income_to"]) for row in (a, b)]
        if dates[0] == dates[1] and dates[0][0] is not None:
            assert [a[name] for name in said] == [b[name] for name in said], a["loan_number"]
        changed += dates[0] != dates[1]
    assert changed > 5_000


def test_income_moves_in_every_quarter(paths):
    moved = Counter()
    for rows in paths.values():
        for (_, a), (day, b) in pairwise(rows):
            moved[day] += a["noi"] != b["noi"] and None not in (a["noi"], b["noi"])
    assert set(moved) == set(DAYS[1:])
    assert min(moved.values()) > 1_000


def test_floating_rates_follow_one_month_money(made):
    """One-month money of the middle of 2024 and of 2026, typed from demo.toml: 5.15 and 3.66."""
    for day, index in [(date(2024, 6, 30), 5.15), (date(2026, 9, 30), 3.66)]:
        held = 0
        for row in made[day].loans.to_pylist():
            if row["rate_type"] == "2" and row["interest_rate"] is not None:
                capped = row["cap_expires"] >= day
                paid = min(index, row["cap_strike"]) if capped else index
                rate = max(paid + row["rate_margin"], row["rate_floor"])
                assert row["interest_rate"] == pytest.approx(rate, abs=0.006)
                held += 1
        assert held > 300


def test_who_is_90_days_late_today_fell_behind_in_steps(paths):
    """Once 90 days late it stays so; most were seen on the way there."""
    steps = Counter()
    for rows in paths.values():
        if rows[-1][0] == TODAY and rows[-1][1]["payment_status"] == "3":
            known = [row["payment_status"] for _, row in rows]
            steps.update(pairwise(word if word in LATE else "0" for word in known))
    assert steps["3", "3"] > 100
    assert steps["1", "3"] + steps["2", "3"] > 3 * steps["0", "3"] > 0
    assert not steps["3", "0"] + steps["3", "1"] + steps["3", "2"]


def test_income_of_those_who_are_behind_fell_before(paths):
    worse = 0
    behind = []
    for rows in paths.values():
        if rows[-1][0] == TODAY and rows[-1][1]["payment_status"] == "3":
            filed = [row["dscr"] for _, row in rows if row["dscr"] and row["income_from"]]
            if len(filed) > 8:
                behind.append(filed)
                worse += filed[-1] < filed[0]
    assert len(behind) > 30
    assert worse / len(behind) > 0.75


def test_every_kind_of_cure_occurs(moves):
    cures = Counter()
    for a, b in moves:
        if a["payment_status"] in LATE and b["payment_status"] == "0" and b["book_value"]:
            cures[a["payment_status"]] += 1
        if a["special_servicing_since"] and not a["special_servicing_returned"]:
            cures["returned"] += b["special_servicing_returned"] is not None
        if a["payment_status"] == "5" and b["disposition"] == "paid off at maturity":
            cures["paid after maturity"] += 1
        if a["dscr"] and b["dscr"] and a["dscr"] < 1 <= b["dscr"]:
            cures["dscr"] += 1
        if a["payment_status"] in LATE and b["disposition"] == "discounted payoff":
            cures["discounted"] += 1
    assert min(cures[word] for word in LATE) > 40
    assert cures["returned"] > 8
    assert cures["paid after maturity"] > 20
    assert cures["dscr"] > 20
    assert cures["discounted"] > 3


def test_who_came_back_from_special_servicing_was_late_there(paths):
    late = there = 0
    for rows in paths.values():
        back = rows[-1][1]["special_servicing_returned"]
        if back is not None and back > date(2024, 9, 30):
            there += 1
            since = rows[-1][1]["special_servicing_since"]
            late += any(row["payment_status"] in LATE for day, row in rows if since <= day <= back)
    assert there > 8
    assert 0.4 < late / there < 0.95


def test_loans_that_went_end_once_and_are_gone(made, paths):
    today = set(made[TODAY].loans["loan_number"].to_pylist())
    gone = {number: rows for number, rows in paths.items() if number not in today}
    years = (TODAY - DAYS[0]).days / 365.25
    assert 0.10 < len(gone) / 5000 / years < 0.20
    ways = Counter()
    for rows in gone.values():
        assert [row["book_value"] for _, row in rows].count(0) == 1
        day, last = rows[-1]
        assert last["book_value"] == 0
        assert last["disposition_date"] <= day
        assert all(row["disposition_date"] is None for _, row in rows[:-1])
        before = DAYS[DAYS.index(day) - 1] if day > DAYS[0] else date(2023, 9, 30)
        assert last["disposition_date"] > before
        ways[last["disposition"]] += 1
        lost = last["disposition"] in {"liquidated", "discounted payoff"}
        assert (last["realized_loss"] is not None) == lost
        if last["disposition"] == "paid off at maturity":
            due = last["ard_date"] or last["maturity_date"]
            assert due is None or due <= last["disposition_date"]
    short = ways["liquidated"] + ways["discounted payoff"]
    assert 0.07 < short / sum(ways.values()) < 0.13
    assert ways["paid off at maturity"] > 300
    assert ways["paid off before maturity"] > 300


@pytest.fixture(scope="module")
def came_due(paths):
    """Property type, debt yield (a fraction) and outcome of the loans that came due: what they
    were a year before at least, and what the first quarter after that day says.
    """
    found = []
    for rows in paths.values():
        for at, (day, row) in enumerate(rows):
            due = row["ard_date"] or row["maturity_date"]
            if not row["book_value"] or due is None or due > TODAY:
                continue
            year_before = date(due.year - 1, due.month, due.day)
            after = rows[at + 1][0] if at + 1 < len(rows) else TODAY
            if not day <= year_before < after:
                continue
            last = next((one for then, one in rows if then >= due), rows[-1][1])
            known = row["noi"] is not None and row["structure"] == "WL"
            earned = row["noi"] / row["book_value"] if known else None
            found.append((row["property_type"], earned, outcome(last, due)))
    return found


def outcome(row, due):
    if not row["book_value"]:
        return "repaid" if row["disposition"].startswith("paid off") else "lost"
    return "extended" if row["maturity_date"] > due else "unpaid"


def repaid(found):
    return sum(end == "repaid" for _, _, end in found) / len(found)


def test_what_became_of_loans_that_came_due_is_as_in_the_market(came_due):
    ends = Counter(end for _, _, end in came_due)
    assert len(came_due) > 300
    assert 0.50 < ends["repaid"] / len(came_due) < 0.70
    assert 0.05 < ends["extended"] / len(came_due) < 0.15
    assert 0.20 < ends["unpaid"] / len(came_due) < 0.37
    office = [one for one in came_due if one[0] == "office"]
    assert repaid(office) < repaid(came_due) - 0.10


def test_the_more_a_loan_earned_a_year_before_the_likelier_it_was_repaid(came_due):
    told = [one for one in came_due if one[1] is not None]
    low = [one for one in told if one[1] < 0.08]
    high = [one for one in told if one[1] >= 0.10]
    assert min(len(low), len(high)) > 30
    assert repaid(low) < repaid(high) - 0.15


def test_every_quarter_is_a_book_that_lenders_know(made):
    """Loans, dollars in arrears, worst signals (contagion left out): roughly in each quarter as
    today.
    """
    scoring = Scoring(Assumptions.packaged())
    for day, one in made.items():
        rows = [row for row in scoring.period(one)[0].rows.to_pylist() if row["balance"]]
        dollars = sum(row["balance"] for row in rows)
        late = sum(row["balance"] for row in rows if row["payment_status"] in ARREARS)
        worst = Counter(row["worst"] for row in rows)
        share = {word: count / len(rows) for word, count in worst.items()}
        assert 4_400 < len(rows) < 5_100, day
        assert 0.035 < late / dollars < 0.085, day
        assert 0.58 < share[None] < 0.74, day
        assert 0.045 < share["severe"] + share["critical"] < 0.105, day
        assert 0.015 < share["critical"] < 0.06, day
        assert 0.05 < share["elevated"] < 0.10, day


def test_each_quarter_is_scored_at_the_rates_of_its_own_end(made):
    """The 10-year Treasury of three quarters' ends, typed from the packaged table."""
    assumptions = Assumptions.packaged()
    for day, percent in [(DAYS[0], 3.88), (DAYS[4], 4.58), (DAYS[-2], 4.44)]:
        scores = Scoring(assumptions).period(made[day])[1]
        (used,) = [rate for rate in scores.rates if rate.series == "DGS10"]
        assert used.percent == percent

"""What must be refinanced and when, by hand and from raw filings (D156): totals, wall, filters,
horizons, rankings and maps say the same.
"""

import xml.etree.ElementTree as ET
from collections import Counter
from datetime import date

import pytest

from services.contract.loan_filter import LoanFilter
from services.contract.maturities import HORIZONS
from services.contract.properties import PropertyFilter
from services.importers import sec_absee
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS
from tests.oracle_maturities import months_after
from tests.publishing import load, load_once
from tests.signals.healthy import AS_OF
from tests.world import Sketch, info_of

#: An office that is left short: 70 % of a value of $6,000,000 is $4,200,000 of $10,000,000.
SHORT = {
    "noi": 600_000, "ncf": 600_000, "dscr": 1.0, "value": 6_000_000, "payment_type": "3",
    "amortization_months": 0, "interest_rate": 4.0, "property_city": "Austin",
}  # fmt: skip
#: As of 30 September 2026: facts, and the horizon or why it is left out.
LOANS = {
    "due": ({"maturity_date": date(2027, 9, 30)}, "within 12 months"),
    "a day later": ({"maturity_date": date(2027, 10, 1)}, "13 to 24 months"),
    "anticipated": (
        {"maturity_date": date(2056, 3, 1), "ard_date": date(2027, 3, 1)}, "within 12 months",
    ),
    # Due in July 2026, extended on 30 July to July 2028.
    "extended two months ago": (
        {"maturity_date": date(2028, 7, 6), "ard_date": date(2026, 7, 6),
         "modification": "1", "modified_on": date(2026, 7, 30)}, "13 to 24 months",
    ),
    "matured": ({"maturity_date": date(2026, 9, 29)}, "past maturity"),
    "today": ({"maturity_date": date(2026, 9, 30)}, "within 12 months"),
    "in five years": ({"maturity_date": date(2031, 9, 30)}, "25 to 60 months"),
    "in ten": ({"maturity_date": date(2036, 9, 30)}, "later"),
    "no date": ({"maturity_date": None}, "no maturity date"),
    "defeased": ({"maturity_date": date(2027, 1, 1), "defeasance": "F"}, "defeased in full"),
    "defeased in part": ({"maturity_date": date(2027, 1, 1), "defeasance": "IP"},
                         "within 12 months"),
    "taken over": ({"maturity_date": date(2025, 1, 1), "workout": "7"}, "REO"),
    "repaid": ({"maturity_date": date(2026, 1, 1), "book_value": 0}, "without a balance"),
    "level": ({"maturity_date": date(2027, 1, 1), "payment_type": "1",
               "amortization_months": 240, "first_payment_date": date(2007, 2, 1)},
              "repaid by its schedule"),
}  # fmt: skip
TEN = 10_000_000
#: Of 10,000,000; an ended, exempt or undated loan has none or no known one.
LACKS = 5_800_000


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    sketch = Sketch(info_of("by hand", AS_OF))
    for number, (facts, _) in LOANS.items():
        sketch.loan(number, **SHORT | facts)
    folder = tmp_path_factory.mktemp("maturities")
    load_once(folder, [sketch.portfolio()])
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as found:
        yield found
    store.close()


def numbers(source, **query):
    page = source.loans_found(LoanFilter(per_page=100, **query), ("book_value",))
    return {one.loan_number for one in page.items}


def of(*words):
    return {number for number, (_, word) in LOANS.items() if word in words}


def test_each_loan_stands_in_its_horizon_or_is_left_out(source):
    totals = source.loan_totals(LoanFilter())
    expected = Counter(word for _, word in LOANS.values())
    assert [(one.word, one.loans) for one in totals.by_horizon] == [
        (word, expected[word]) for word in HORIZONS
    ]
    assert [(one.word, one.loans, one.book_value) for one in totals.left_out] == [
        ("without a balance", 1, 0),
        ("defeased in full", 1, TEN),
        ("REO", 1, TEN),
        ("repaid by its schedule", 1, TEN),
    ]
    assert sum(one.loans for one in totals.by_horizon) + 4 == totals.loans == len(LOANS)


def test_dollars_short_are_of_loans_that_must_be_refinanced_and_add_up(source):
    totals = source.loan_totals(LoanFilter())
    by_word = {one.word: (one.dollars_short, one.short_loans) for one in totals.by_horizon}
    assert by_word == {
        "past maturity": (LACKS, 1),
        "within 12 months": (4 * LACKS, 4),
        "13 to 24 months": (2 * LACKS, 2),
        "25 to 60 months": (LACKS, 1),
        "later": (LACKS, 1),
        "no maturity date": (LACKS, 1),
    }
    assert totals.dollars_short == 10 * LACKS
    assert sum(one.dollars_short for one in source.worst_severities()) == 10 * LACKS
    assert sum(one.dollars_short for one in source.maturity_wall()) == 9 * LACKS
    assert numbers(source, min_short=1) == set(LOANS) - of(
        "without a balance", "defeased in full", "REO", "repaid by its schedule"
    )


def test_filters_headline_and_wall_count_the_same_loans(source):
    soon, later = of("within 12 months"), of("within 12 months", "13 to 24 months")
    assert numbers(source, matures_within=12) == soon
    assert numbers(source, matures_within=24) == later
    assert numbers(source, due_before=AS_OF) == of("past maturity")
    assert numbers(source, due_after=date(2031, 9, 30)) == of("later")
    totals, found = source.totals(), source.loan_totals(LoanFilter())
    for one in (totals, found):
        assert (one.matures_12_months.loans, one.matures_24_months.loans) == (4, 6)
        assert one.matures_24_months.book_value == 6 * TEN
    assert (totals.past_maturity.loans, totals.no_maturity_date.loans) == (1, 1)
    wall = Counter()
    for bucket in source.maturity_wall():
        wall[bucket.quarter, bucket.overdue] += bucket.loans
    assert wall == {
        (date(2026, 7, 1), True): 1,
        (date(2026, 7, 1), False): 1,
        (date(2027, 1, 1), False): 2,
        (date(2027, 7, 1), False): 1,
        (date(2027, 10, 1), False): 1,
        (date(2028, 7, 1), False): 1,
        (date(2031, 7, 1), False): 1,
        (date(2036, 7, 1), False): 1,
    }


def test_the_legal_date_is_a_column_and_a_filter_of_its_own(source):
    legal = numbers(source, maturity_before=date(2027, 1, 2), maturity_after=date(2026, 12, 31))
    assert legal == {"defeased", "defeased in part", "level"}
    columns = ("maturity_date", "effective_maturity", "exemption", "dollars_short")
    rows = {
        one.loan_number: one.values
        for one in source.loans_found(LoanFilter(per_page=100), columns).items
    }
    assert str(rows["anticipated"]["maturity_date"]) == "2056-03-01"
    assert str(rows["anticipated"]["effective_maturity"]) == "2027-03-01"
    assert str(rows["extended two months ago"]["effective_maturity"]) == "2028-07-06"
    assert rows["taken over"]["exemption"] == "REO"
    assert rows["taken over"]["dollars_short"] is None


def test_rankings_and_maps_go_by_the_same_dates(source):
    groups = source.loan_ranking(LoanFilter(), "quarter", 100).groups
    assert {one.word: one.loans for one in groups} == {
        "2026 Q3": 2, "2027 Q1": 2, "2027 Q3": 1, "2027 Q4": 1, "2028 Q3": 1, "2031 Q3": 1,
        "2036 Q3": 1, None: 5,
    }  # fmt: skip
    points = source.properties_found(PropertyFilter(per_page=100)).items
    years = Counter(one.maturity_year for one in points)
    assert years == {2026: 2, 2027: 4, 2028: 1, 2031: 1, 2036: 1, None: 5}


def test_a_trust_of_one_quarter_matures_in_one_bar(tmp_path):
    sketch = Sketch(info_of("one quarter", AS_OF))
    for at in range(30):
        ends = date(2031, 4 + at % 3, 1 + at % 28)
        exempt = {0: {"defeasance": "F"}, 1: {"workout": "7"}}.get(at, {})
        sketch.loan(f"L{at}", **SHORT | {"maturity_date": ends} | exempt)
    load(tmp_path, [sketch.portfolio()])
    with Store(tmp_path).lease() as source:
        wall = source.maturity_wall()
        assert {one.quarter for one in wall} == {date(2031, 4, 1)}
        assert sum(one.loans for one in wall) == 28
        assert sum(one.book_value for one in wall) == 28 * TEN


# The same from raw filings


def raw(path):
    """Of each note: its loan, balance, day it must be refinanced or None, whether it is left out.

    Record 10 is the sum of 10A and 10B, two notes of one loan.
    """
    found = []
    for asset in ET.parse(path).getroot():  # noqa: S314 - filings of the shared folder
        own = {one.tag.split("}")[1]: one.text for one in asset if not len(one)}
        if not own.get("originatorName"):
            continue
        blocks = [{one.tag.split("}")[1]: one.text for one in of} for of in asset if len(of)]
        said = own.get("postModificationMaturityDate") or own.get("maturityDate")
        month, day, year = map(int, said.split("-")) if said else (None,) * 3
        owed = round(float(own.get("reportPeriodEndActualBalanceAmount") or 0))
        treasuries = bool(blocks) and all(one.get("DefeasedStatusCode") == "F" for one in blocks)
        reo = own.get("workoutStrategyCode") == "7"
        number = own["assetNumber"]
        if number != "10":
            due = date(year, month, day) if said else None
            found.append((number.rstrip("AB"), owed, due, treasuries, reo))
    return found


@pytest.mark.skipif(not SEVEN_YEARS, reason="the shared data folder is not on this machine")
@pytest.mark.parametrize("path", SEVEN_YEARS[29::18], ids=lambda path: path.stem[-7:])
def test_a_genuine_trust_matures_as_its_raw_rows_do(tmp_path, path):
    load(tmp_path, sec_absee.portfolio([path]))
    rows = raw(path)
    with Store(tmp_path).lease() as source:
        today, totals = source.snapshot().as_of, source.loan_totals(LoanFilter())
        due = [one[:3] for one in rows if one[1] and not one[3] and not one[4]]
        assert (totals.notes, totals.loans) == (len(rows), len({number for number, *_ in rows}))
        assert sum(one.loans for one in totals.by_horizon) == len({number for number, *_ in due})
        assert sum(one.book_value for one in totals.by_horizon) == pytest.approx(
            sum(owed for _, owed, _ in due), abs=len(due)
        )
        left = {one.word: one.loans for one in totals.left_out}
        assert left.get("defeased in full", 0) == sum(gone for _, owed, _, gone, _ in rows if owed)
        for months, share in ((12, totals.matures_12_months), (24, totals.matures_24_months)):
            end = months_after(today, months)
            inside = {at: o for at, (_, o, day) in enumerate(due) if day and today <= day <= end}
            assert (share.loans, share.book_value) == (
                len({due[at][0] for at in inside}),
                pytest.approx(sum(inside.values()), abs=len(inside)),
            )
        wall = Counter()
        for bucket in source.maturity_wall():
            wall[bucket.quarter.year] += bucket.book_value
        for year in {day.year for _, _, day in due if day}:
            expected = sum(owed for _, owed, day in due if day and day.year == year)
            assert wall[year] == pytest.approx(expected, abs=len(due))


@pytest.mark.skipif(not SEVEN_YEARS, reason="the shared data folder is not on this machine")
def test_what_ubs_2017_c1_must_refinance_in_2026(tmp_path):
    # Loans 30 and 61 of the filing of June 2024; 40 and 65, $9,526,645, are defeased.
    load(tmp_path, sec_absee.portfolio([SEVEN_YEARS[-1]]))
    with Store(tmp_path).lease() as source:
        wall = [one for one in source.maturity_wall() if one.quarter.year == 2026]
        assert sum(one.book_value for one in wall) == 10_054_645 + 3_293_946
        assert sum(one.loans for one in wall) == 2

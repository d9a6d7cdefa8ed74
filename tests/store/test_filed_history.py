"""Seven years of UBS 2017-C1 as filed: what happened to five loans, typed by hand from the filings'
own elements, month by month (D165); and the whole of it imported in one command.
"""

from collections import Counter
from datetime import date
from itertools import pairwise

import pytest
from lxml import etree

from services.contract.history import ChangeQuery, HeatQuery, HistoryQuery, TrendQuery
from services.importers.sec_absee import portfolio
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS, seven_years
from tests.oracle_events import kinds
from tests.publishing import load

pytestmark = pytest.mark.skipif(not SEVEN_YEARS, reason="the filings are not beside the project")

#: Kinds that were typed; those of NOI, tenants, terms and signals were not.
TYPED = {
    "special_in", "special_out", "status_worse", "status_cured", "workout", "modified", "defeased",
    "dscr_below_100", "dscr_below_125", "dscr_above_100", "dscr_above_125", "occupancy_down",
    "reappraised", "liquidated", "paid_off", "matured", "gone",
}  # fmt: skip
#: Loan -> what each month's filing shows first, in the order of the months.
EVENTS = {
    # Hilton Woodcliff Lake
    "14": """
        2020-06 modified
        2020-08 special_in workout
        2020-09 status_worse
        2020-10 status_worse reappraised
        2020-11 workout
        2021-02 dscr_below_100 occupancy_down
        2021-06 occupancy_down
        2021-09 reappraised
        2022-05 workout
        2022-08 reappraised
        2023-05 reappraised
        2024-01 reappraised
        2024-03 liquidated
    """,
    # Hampton Inn Savannah Historic District
    "16": """
        2020-05 status_worse
        2020-07 status_worse
        2020-09 status_worse dscr_below_100 occupancy_down
        2020-10 special_in workout
        2020-11 workout
        2020-12 workout reappraised
        2021-03 workout
        2021-06 workout status_cured
        2021-11 dscr_above_125
        2021-12 workout
        2022-01 workout
        2022-04 workout special_out
        2022-06 dscr_below_100
        2023-01 dscr_above_125
        2023-09 occupancy_down
    """,
    # Ivy Walk
    "28": """
        2018-08 dscr_below_125
        2019-04 dscr_above_125
        2019-07 dscr_below_125
        2020-09 dscr_below_100
        2022-06 dscr_above_100
        2022-08 defeased
    """,
    # Greenhill Apartments
    # Its occupancy when underwritten, 91 %, stands where no statement is filed.
    "44": """
        2017-12 occupancy_down
        2018-06 occupancy_down
        2018-08 special_in
        2018-09 workout
        2018-10 status_worse
        2018-11 status_worse workout reappraised
        2018-12 status_worse
        2019-01 workout
        2019-07 reappraised
        2019-09 dscr_below_100
        2020-03 reappraised
        2020-10 occupancy_down
        2021-05 reappraised
        2022-06 reappraised
        2023-05 reappraised
        2024-01 liquidated
    """,
    # Comfort Inn Cleveland
    "52": """
        2018-07 dscr_below_100
        2018-09 dscr_above_125
        2019-08 dscr_below_100 occupancy_down
        2019-10 dscr_above_125
        2020-04 status_worse
        2020-05 status_worse
        2020-06 special_in status_worse workout
        2020-07 dscr_below_125
        2020-09 reappraised
        2020-10 workout
        2021-07 reappraised
        2022-02 dscr_below_100 occupancy_down
        2022-07 reappraised
        2023-05 reappraised
        2024-01 reappraised
        2024-03 workout
        2024-05 occupancy_down
        2024-06 liquidated
    """,
}
#: Loan, month, balance, DSCR, payment status as filed.
LINES = [
    ("14", "2017-12", 21_713_278, 1.8559, "0"),
    ("14", "2021-02", 20_648_552, -0.245, "3"),
    ("16", "2020-09", 19_709_898, -0.2343, "3"),
    ("28", "2019-07", 11_647_202, 1.0245, "0"),
    ("44", "2019-09", 7_500_000, -3.662, "3"),
    ("52", "2024-05", 5_298_790, -1.038, "3"),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("filed") / "store"
    seven_years(folder)
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as found:
        yield found
    store.close()


def line(source, number):
    return source.history(f"UBS 2017-C1:{number}", HistoryQuery())


@pytest.mark.parametrize("number", EVENTS)
def test_what_happened_to_a_loan_is_what_was_typed(source, number):
    found = {}
    for event in line(source, number).events:
        if event.kind in TYPED:
            found.setdefault(f"{event.as_of:%Y-%m}", set()).add(event.kind)
    typed = {
        words[0]: set(words[1:]) for text in EVENTS[number].split("\n") if (words := text.split())
    }
    assert found == typed


@pytest.mark.parametrize(("number", "month", "balance", "dscr", "status"), LINES)
def test_a_row_is_as_it_was_filed(source, number, month, balance, dscr, status):
    (row,) = (one for one in line(source, number).rows if f"{one.as_of:%Y-%m}" == month)
    assert (row.balance, row.dscr, row.payment_status) == (balance, dscr, status)
    assert row.file == f"UBS_2017-C1__rpt_{month}.xml"


def test_a_loss_is_as_it_was_filed(source):
    losses = {
        number: event.after
        for number in EVENTS
        for event in line(source, number).events
        if event.kind == "liquidated"
    }
    assert losses == {"14": 11_874_863, "44": 4_548_626, "52": 4_735_348}


def test_every_month_against_the_next_is_what_the_oracle_finds(source):
    dates = [one.as_of for one in source.periods()]
    assert len(dates) == 84
    lines = {}
    for number in {
        row.loan_number
        for row in source.changes(ChangeQuery(since=dates[0], per_page=100)).found.items
    }:
        rows = source.history(number, HistoryQuery()).rows
        lines[number] = {one.as_of: {**one.model_dump(), **_by_type(one)} for one in rows}
    for since, until in list(pairwise(dates))[::7]:
        found = source.changes(ChangeQuery(since=since, until=until, per_page=100))
        said = {one.loan_number: sorted({e.kind for e in one.events}) for one in found.found.items}
        for number, rows in lines.items():
            assert said.get(number, []) == kinds(rows.get(since), rows.get(until)), (number, until)


#: Record that is filed beside its own notes, and these.
SUM, NOTES = "10", {"10A", "10B"}


#: Loan -> owed before it ended, principal received, last appraisal, when, and the report that
#: states them: typed from the elements of that month's filing. That of 52 is the newest itself.
ENDINGS = {
    "14": (18_828_946, 6_954_082, 17_000_000, date(2023, 10, 20), "2024-03"),
    "44": (7_097_545, 2_548_919, 7_400_000, date(2023, 10, 23), "2024-01"),
    "5": (34_000_000, 34_000_000, None, None, "2021-08"),
    "29": (10_609_780, 10_609_780, None, None, "2022-01"),
}
STATED = ("owed_before", "principal_received", "last_value", "last_value_date", "ending_as_of")


def endings(source):
    """As ENDINGS, of the loans of today's book."""
    found = {}
    for number in ENDINGS:
        said = source.loan(f"UBS 2017-C1:{number}").extended
        *stated, last, as_of = (said.get(name) for name in STATED)
        found[number] = (*stated, last and date.fromisoformat(last), as_of and as_of[:7])
    return found


def test_what_later_filings_leave_out_of_an_ending_is_carried_on(source):
    """D182."""
    assert endings(source) == ENDINGS
    said = source.loan("UBS 2017-C1:14").extended
    assert said["loss_of_owed"] == pytest.approx(11_874_863 / 18_828_946)
    assert said["value_date"] == "2016-11-23"  # as its own record has it
    said = source.loan("UBS 2017-C1:52").extended
    assert said["owed_before"] == 5_023_845
    assert said.get("ending_as_of") is None


def test_an_older_filing_that_comes_later_says_how_loans_ended(tmp_path):
    """D182: the book is the same in whatever order its filings came."""
    newest = SEVEN_YEARS[-1]
    load(tmp_path, portfolio([newest]))
    older = [
        path for path in SEVEN_YEARS if path.stem[-7:] in {one[-1] for one in ENDINGS.values()}
    ]
    load(tmp_path, portfolio(older))
    store = Store(tmp_path)
    with store.lease() as found:
        assert endings(found) == ENDINGS
    store.close()


def _balance(record, space):
    """As filed; of some loans that ended the scheduled balance alone is."""
    names = ("reportPeriodEndActualBalanceAmount", "reportPeriodEndScheduledLoanBalanceAmount")
    return round(float(next(filter(None, (record.findtext(space + name) for name in names)))))


@pytest.fixture(scope="module")
def filed():
    """Month -> balance of each record, read here from the filings' own elements."""
    found = {}
    for path in SEVEN_YEARS:
        root = etree.parse(path).getroot()
        space = root.tag.partition("}")[0] + "}"
        found[path.stem[-7:]] = {
            record.findtext(f"{space}assetNumber"): _balance(record, space)
            for record in root.iter(f"{space}assets")
        }
    return found


def test_a_loan_and_its_notes_are_one_in_every_month(source, filed):
    """D181: record 10 is the sum of 10A and 10B."""
    points = {f"{one.month:%Y-%m}": one for one in source.trends(TrendQuery()).points}
    heat = source.heat_over_time(HeatQuery())
    assert set(points) == set(filed)
    for month, balances in filed.items():
        owing = {number for number, balance in balances.items() if balance > 0}
        assert {SUM, *NOTES} <= owing
        dollars = sum(balances[number] for number in owing - {SUM})
        assert (points[month].loans, points[month].balance) == (len(owing - NOTES), dollars), month
        assert sum(points[month].severity_loans.values()) == len(owing - NOTES)
        assert sum(points[month].severity_balance.values()) == dollars
        states = [one for one in heat.points if f"{one.month:%Y-%m}" == month]
        assert sum(one.of_loans for one in states) == len(owing - NOTES)
        assert sum(one.of_book_value for one in states) == dollars
    assert (points["2017-07"].loans, points["2024-06"].loans) == (56, 51)
    rolled = Counter()
    for one in source.trends(TrendQuery()).rolls:
        rolled[f"{one.month:%Y-%m}"] += one.loans
    for before, month in pairwise(filed):
        owed = {number for number, balance in filed[before].items() if balance > 0}
        assert rolled[month] == len(owed - NOTES), month


def test_changes_count_a_loan_and_its_notes_once(source, filed):
    """D181: of July 2017 and June 2024; the lists have every record."""
    first, last = filed["2017-07"], filed["2024-06"]
    every = (first.keys() | last.keys()) - NOTES
    found = source.changes(
        ChangeQuery(since=min(one.as_of for one in source.periods()), per_page=100)
    )
    assert found.compared == len(every) == 56
    assert sum(one.loans for one in found.moves) == 56
    assert sum(one.dollars for one in found.moves) == sum(
        last[number] or first[number] for number in every - {SUM} | NOTES
    )
    # All three records of it fell below a DSCR of 1.00x: one loan, and the dollars of two notes.
    listed = {one.loan_number.partition(":")[2]: one for one in found.found.items}
    fell = [
        number
        for number, one in listed.items()
        if "dscr_below_100" in {event.kind for event in one.events}
    ]
    assert {SUM, *NOTES} <= set(fell)
    (count,) = (one for one in found.counts if one.kind == "dscr_below_100")
    assert count.loans == len(fell) - 2
    assert count.dollars == sum(last[number] for number in fell if number != SUM)
    assert found.loans == len(listed) - 2
    # January 2023 was filed without addresses: that filing by itself tells of no notes.
    for (month, balances), one in zip(filed.items(), source.periods(), strict=True):
        left_out = set() if month == "2023-01" else {SUM}
        assert one.balance == sum(balances[number] for number in balances.keys() - left_out)
        assert one.loans == (56 if left_out else 58)


def _by_type(row):
    types = ("rate_pressure", "maturity_timing", "concentration_risk", "stress_indicator")
    return {kind: row.signals.get(kind) for kind in types}

"""Loan 14 of UBS 2017-C1, a hotel, as its history draws it: typed by hand from the raw filings.

Pins D171.
"""

from datetime import date

import pytest

from components.history import drawing
from services.contract.history import HistoryQuery
from services.importers.sec_absee import portfolio
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS
from tests.publishing import load_once

MONTHS = ("2020-07", "2020-08", "2020-09", "2020-10", "2021-02", "2021-10", "2024-02", "2024-03")
FILES = [path for path in SEVEN_YEARS if path.stem[-7:] in MONTHS]
pytestmark = pytest.mark.skipif(len(FILES) != len(MONTHS), reason="the filings are not at hand")
#: Reporting period end, actual balance, payment status, physical occupancy.
FILED = [
    (date(2020, 7, 13), 20_648_552, "0", 0.45),
    (date(2020, 8, 11), 20_648_552, "0", 0.45),
    (date(2020, 9, 11), 20_648_552, "2", 0.45),
    (date(2020, 10, 13), 20_648_552, "3", 0.45),
    (date(2021, 2, 11), 20_648_552, "3", 0.26),
    (date(2021, 10, 12), 20_648_552, "3", 0.11),
    (date(2024, 2, 12), 20_535_674, "3", 0.54),
    (date(2024, 3, 11), 0, "0", 0.54),
]
#: Most recent financials: start, end; NOI where the amounts are those of a year.
INCOME = [
    (date(2019, 4, 1), date(2020, 3, 31), 2_826_777),
    (date(2019, 10, 1), date(2020, 9, 30), -204_277),
    (date(2021, 1, 1), date(2021, 6, 30), None),
    (date(2023, 1, 1), date(2023, 6, 30), None),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [one for path in FILES for one in portfolio([path])])
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as source:
        yield source.history("UBS 2017-C1:14", HistoryQuery())
    store.close()


def drawn(found, name):
    figure = drawing.drawn(found.rows, found.events)
    return [one for one in figure.data if one.name == name]


def test_balance_occupancy_and_status_are_those_of_the_filings(found):
    (balance,) = drawn(found, "Balance")
    known = {
        day: value for day, value in zip(balance.x, balance.y, strict=True) if value is not None
    }
    assert known == {day: dollars for day, dollars, _, _ in FILED}
    (let,) = drawn(found, "Occupancy")
    known = {day: value for day, value in zip(let.x, let.y, strict=True) if value is not None}
    assert known == {day: part for day, _, _, part in FILED}
    (status,) = drawn(found, "Payment status")
    assert list(status.y) == [{"0": 1, "2": 3, "3": 4}[code] for _, _, code, _ in FILED[:-1]]
    (special,) = drawn(found, "Special servicing")  # transferred on 21 July 2020
    assert list(special.y) == [0, -1, -1, -1, -1, -1, -1]
    assert "UBS_2017-C1__rpt_2021-02.xml" in balance.hovertext[list(balance.x).index(FILED[4][0])]


def test_income_stands_over_the_months_of_its_statement(found):
    spans = {}
    for trace in drawn(found, "NOI, a year, its months"):
        for at in range(0, len(trace.x), 3):
            spans[trace.x[at], trace.x[at + 1]] = trace.y[at]
    assert sorted(spans) == [(start, end) for start, end, _ in INCOME]
    assert [spans[start, end] for start, end, noi in INCOME if noi] == [2_826_777, -204_277]
    # Half a year of -808,652.44, made a year's.
    assert spans[date(2021, 1, 1), date(2021, 6, 30)] == pytest.approx(-808_652.44 * 2, rel=0.01)


def test_what_happened_is_what_the_filings_tell(found):
    kinds = {(one.as_of, one.kind) for one in found.events}
    assert kinds >= {
        (date(2020, 8, 11), "special_in"),
        (date(2020, 9, 11), "status_worse"),
        (date(2020, 10, 13), "status_worse"),
        (date(2020, 10, 13), "reappraised"),
        (date(2021, 2, 11), "dscr_below_100"),
        (date(2021, 2, 11), "occupancy_down"),
        (date(2024, 3, 11), "liquidated"),
    }
    (end,) = [one for one in found.events if one.kind == "liquidated"]
    assert end.after == 11_874_863
    assert end.sentence == "The loan was liquidated with a loss of $11,874,863."

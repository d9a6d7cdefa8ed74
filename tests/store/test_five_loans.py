"""Five loans of UBS 2017-C1 over 84 months: payment status, DSCR and balance of every month, typed
by hand from the filings' own elements; what happened to them is in test_filed_history.py (D165).
"""

import pytest
from lxml import etree

from services.contract.history import HistoryQuery
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS, seven_years

pytestmark = pytest.mark.skipif(not SEVEN_YEARS, reason="the filings are not beside the project")

#: `paymentStatusLoanCode`, from the month on; a dash where a filing has none.
STATUS = {
    "14": "2017-07 0  2020-05 B  2020-06 0  2020-09 2  2020-10 3  2024-03 0  2024-04 -",
    "16": """
        2017-07 0  2020-04 B  2020-05 1  2020-07 2  2020-09 3  2021-06 0  2021-08 B  2021-09 0
        2022-02 B  2022-03 0  2022-04 B  2022-05 0  2022-08 B  2022-09 0
    """,
    "28": "2017-07 0  2020-05 B  2020-06 0  2021-09 B  2021-10 0",
    "44": "2017-07 0  2018-09 B  2018-10 1  2018-11 2  2018-12 3  2024-01 0  2024-02 -",
    "52": "2017-07 0  2020-02 B  2020-04 1  2020-05 2  2020-06 3  2024-06 0",
}
#: Most recent DSCR of NCF, from the month on. Where a filing has no statement, the underwritten one
#: stands: 1.61, 2.03, 1.26, 1.5 and 2.05. Loan 28 was defeased: no DSCR, but for one month that
#: states what was underwritten again.
DSCR = {
    "14": """
        2017-07 1.61     2017-12 1.8559   2018-06 1.61     2018-07 1.797    2018-09 1.822
        2018-12 1.9305   2019-03 1.9605   2019-09 1.7227   2019-12 1.6681   2020-03 1.5635
        2020-07 1.4263   2021-02 -0.245   2021-06 -0.7908  2021-10 -0.9775  2022-02 -0.619
        2022-05 -0.5488  2022-11 -0.1662  2023-08 -1.3053  2023-11 -0.2489  2024-04 -
    """,
    "16": """
        2017-07 2.03     2018-01 2.4353   2018-02 2.03     2018-07 2.7695   2018-09 3.3813
        2019-01 2.8465   2019-04 2.5712   2019-08 2.7562   2019-11 1.9697   2020-03 1.814
        2020-09 -0.2343  2021-07 -0.1775  2021-11 1.7377   2021-12 2.0489   2022-05 2.0323
        2022-06 -0.4544  2022-09 -0.0215  2023-01 3.4134   2023-06 3.78     2023-09 3.2264
        2024-01 3.5903   2024-03 3.0351
    """,
    "28": """
        2017-07 1.26     2017-11 1.4477   2018-02 1.26     2018-07 1.4427   2018-08 1.1512
        2018-09 1.2414   2018-11 1.222    2019-04 1.2834   2019-07 1.0245   2019-09 1.0566
        2019-11 1.0792   2019-12 1.0812   2020-06 1.0433   2020-09 0.8415   2021-02 0.7441
        2021-04 0.7443   2021-07 0.9812   2021-10 0.9138   2022-01 0.9128   2022-04 0.9306
        2022-06 1.1449   2022-08 -        2023-01 1.26     2023-02 -
    """,
    "44": """
        2017-07 1.5      2017-12 1.5842   2018-04 1.5      2018-06 1.364    2019-09 -3.662
        2019-12 -3.7042  2020-04 -3.2891  2020-10 -0.3374  2020-11 -0.7904  2021-07 -0.5048
        2021-09 -0.0304  2022-02 -0.1075  2022-08 -0.1129  2022-11 -0.2617  2023-08 0.4976
        2023-11 0.5      2024-02 -
    """,
    "52": """
        2017-07 2.05     2017-11 1.7003   2018-06 2.05     2018-07 0.7188   2018-08 0.9808
        2018-09 1.6393   2018-12 2.2317   2019-05 1.2909   2019-08 0.8792   2019-09 0.9029
        2019-10 1.3722   2019-11 1.2696   2020-07 1.2479   2022-02 -0.2724  2022-05 -0.434
        2022-10 -0.2445  2022-11 -0.1439  2023-08 -1.4317  2023-11 -1.3518  2024-05 -1.038
    """,
}
#: `reportPeriodEndActualBalanceAmount` of each June, 2018 to 2024.
BALANCES = {
    "14": (21_510_418, 21_090_300, 20_723_978, 20_648_552, 20_648_552, 20_572_394, 0),
    "16": (20_000_000, 19_977_682, 19_735_932, 19_377_954, 19_054_208, 18_714_384, 18_360_172),
    "28": (11_824_047, 11_661_809, 11_492_541, 11_312_502, 11_122_796, 10_922_903, 10_713_847),
    "44": (7_500_000, 7_500_000, 7_500_000, 7_500_000, 7_500_000, 7_500_000, 0),
    # Two of them were filed with half a dollar.
    "52": (5_427_128, 5_355_246, 5_306_384, 5_298_790, 5_298_790, 5_298_790, 0),
}


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """Loan -> month -> row."""
    folder = tmp_path_factory.mktemp("five") / "store"
    seven_years(folder)
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as source:
        found = {
            number: {
                f"{row.as_of:%Y-%m}": row
                for row in source.history(f"UBS 2017-C1:{number}", HistoryQuery()).rows
            }
            for number in STATUS
        }
    store.close()
    return found


@pytest.fixture(scope="module")
def balances():
    """Loan -> month -> balance, read here from the filings: actual, else scheduled."""
    found = {number: {} for number in STATUS}
    for path in SEVEN_YEARS:
        root = etree.parse(path).getroot()
        space = root.tag.partition("}")[0] + "}"
        for record in root.iter(f"{space}assets"):
            number = record.findtext(f"{space}assetNumber")
            if number in found:
                actual = record.findtext(f"{space}reportPeriodEndActualBalanceAmount")
                scheduled = record.findtext(f"{space}reportPeriodEndScheduledLoanBalanceAmount")
                found[number][path.stem[-7:]] = float(actual or scheduled)
    return found


def monthly(steps, months):
    """What was typed from a month on, for every month."""
    words = steps.split()
    typed = dict(zip(words[::2], words[1::2], strict=True))
    assert typed.keys() <= set(months)
    value, found = None, {}
    for month in months:
        value = typed.get(month, value)
        found[month] = None if value == "-" else value
    return found


@pytest.mark.parametrize("number", STATUS)
def test_status_and_dscr_of_every_month_are_what_was_typed(lines, number):
    months = [path.stem[-7:] for path in SEVEN_YEARS]
    found = lines[number]
    assert list(found) == months
    assert len(months) == 84
    assert {month: row.payment_status for month, row in found.items()} == monthly(
        STATUS[number], months
    )
    typed = {
        month: value and float(value) for month, value in monthly(DSCR[number], months).items()
    }
    assert {month: row.dscr for month, row in found.items()} == typed


@pytest.mark.parametrize("number", BALANCES)
def test_balances_are_those_of_the_filings(lines, balances, number):
    """Each month as filed, to the dollar; each June as it was typed."""
    found = {month: row.balance for month, row in lines[number].items()}
    assert found == {month: round(value) for month, value in balances[number].items()}
    junes = (value for month, value in found.items() if month >= "2018" and month.endswith("-06"))
    assert tuple(junes) == BALANCES[number]

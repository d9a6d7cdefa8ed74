"""Income that ended over 12 months ago is marked wherever a dossier rests on it.

Loan 52 of UBS 2017-C1, Comfort Inn Cleveland, typed from the filing of January 2022: special
servicing since June 2020, and the last statement filed ends on 31 December 2019. A year before it
was a statement of the year. Reduced to what the sentences rest on.
"""

import pytest
from lxml import etree

from services.importers.sec_absee import portfolio
from services.rates.reference import ReferenceRates
from tests.genuine import SEVEN_YEARS, SHARED
from tests.pages.screen import said
from tests.publishing import load
from tests.store.test_notes import exhibit

FILING = SHARED / "sec-absee-history/UBS_2017-C1__rpt_2022-01.xml"
COMFORT_INN = {
    "assetNumber": "52",
    "reportingPeriodBeginningDate": "12-14-2021",
    "reportingPeriodEndDate": "01-11-2022",
    "originatorName": "Natixis Real Estate Capital LLC",
    "originationDate": "04-12-2017",
    "originalLoanAmount": "5500000.0",
    "originalTermLoanNumber": "120",
    "maturityDate": "05-05-2027",
    "originalAmortizationTermNumber": "360",
    "originalInterestRatePercentage": "0.05654",
    "interestAccrualMethodCode": "3",
    "originalInterestOnlyTermNumber": "0",
    "firstLoanPaymentDueDate": "06-05-2017",
    "loanStructureCode": "WL",
    "paymentTypeCode": "2",
    "balloonIndicator": "true",
    "reportPeriodInterestRatePercentage": "0.05654",
    "reportPeriodEndActualBalanceAmount": "5298790.0",
    "paymentStatusLoanCode": "3",
    "workoutStrategyCode": "2",
    "mostRecentSpecialServicerTransferDate": "06-02-2020",
    "property": {
        "propertyName": "COMFORT INN CLEVELAND",
        "propertyState": "OH",
        "propertyTypeCode": "LO",
        "valuationSecuritizationAmount": "9500000.0",
        "mostRecentValuationAmount": "6400000.0",
        "mostRecentValuationDate": "06-01-2021",
        "DefeasedStatusCode": "N",
        "mostRecentFinancialsStartDate": "12-31-2018",
        "mostRecentFinancialsEndDate": "12-31-2019",
        "netOperatingIncomeSecuritizationAmount": "868601.44",
        "mostRecentNetOperatingIncomeAmount": "551455.0",
        "netCashFlowFlowSecuritizationAmount": "780233.7",
        "mostRecentNetCashFlowAmount": "475662.0",
        "mostRecentDebtServiceAmount": "381142.0",
        "debtServiceCoverageNetCashFlowSecuritizationPercentage": "2.05",
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "1.2479",
    },
}
#: The statement in a sentence: what DSCR and what debt yield rest on.
OF_DSCR = "DSCR 1.248x (NCF, 31 Dec 2018 to 31 Dec 2019, 12 months"
OF_NOI = "NOI $551,455 (31 Dec 2018 to 31 Dec 2019, 12 months"
ENDED = "It ended"
MARK = "stale, over 12 months"
#: The line at the head of the page, and that of what the new loan is sized on.
HEAD, SIZED = "Income: NCF of Jan–Dec 2019, 12 mo", "Sized on NOI and NCF of Jan–Dec 2019, 12 mo"


@pytest.mark.skipif(not SEVEN_YEARS, reason="the filings are not beside the project")
def test_the_case_is_what_the_filing_says():
    assets = etree.parse(FILING).getroot().findall("{*}assets")
    (filed,) = [one for one in assets if one.findtext("{*}assetNumber") == "52"]
    for name, typed in {**COMFORT_INN, **COMFORT_INN["property"]}.items():
        if name != "property":
            assert filed.findtext(f".//{{*}}{name}").strip() == typed, name


def dossier(visit, folder):
    path = exhibit(folder / "UBS_2017-C1__01.xml", [COMFORT_INN])
    load(folder / "store", portfolio([path]), rates=ReferenceRates.packaged())
    return said(visit("pages/loan.py", folder / "store", {"loan_number": "UBS 2017-C1:52"}))


def test_income_that_ended_two_years_ago_is_marked_by_page_and_sentence(visit, tmp_path):
    """From which day: tests/signals. Income of this year is not: tests/pages/test_loan_page.py."""
    text = dossier(visit, tmp_path)
    assert f"{ENDED} over 24 mo ago: {MARK}." in text
    assert f"{OF_DSCR}, stale) is under the 1.25x limit" in text
    assert f"{OF_NOI}, stale) / book value $5,298,790" in text
    for line in (HEAD, SIZED):
        assert f"{line}, stale." in text

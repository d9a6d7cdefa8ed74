"""Loans and notes, and what stands behind a loan, by genuine records typed from their filings.

UBS 2017-C1 of December 2019 and BANK5 2025-5YR19 of December 2025. Pins D151 to D153, D155.
"""

import pytest

from services.contract.families import FamilyFilter
from services.contract.loan_filter import LoanFilter
from services.contract.signal_filter import SignalFilter
from services.importers.sec_absee import portfolio
from services.rates.reference import ReferenceRates
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.alike import alike
from tests.filed_loans import exhibit
from tests.genuine import SEVEN_YEARS, SHARED
from tests.oracle import Oracle
from tests.pilot_street import pilot_street
from tests.publishing import load, load_once
from tests.world import BOTH, BUDGET_EDGES, HUB_EDGES, RATES

#: Of all of them, and what each states otherwise.
UBS = {
    "reportingPeriodEndDate": "12-11-2019",
    "originalTermLoanNumber": "120",
    "interestAccrualMethodCode": "3",
    "balloonIndicator": "true",
    "paymentStatusLoanCode": "0",
    "DefeasedStatusCode": "N",
}
BAYPOINT = {
    **UBS,
    "originatorName": "UBS AG",
    "originationDate": "04-07-2017",
    "maturityDate": "04-06-2027",
    "originalAmortizationTermNumber": "360",
    "originalInterestRatePercentage": "0.04733",
    "reportPeriodInterestRatePercentage": "0.04733",
    "originalInterestOnlyTermNumber": "24",
    "firstLoanPaymentDueDate": "05-06-2017",
    "loanStructureCode": "PP",
    "paymentTypeCode": "5",
}
RECORDS = (
    {
        **BAYPOINT,
        "assetNumber": "10",
        "originalLoanAmount": "15000000.0",
        "reportPeriodEndActualBalanceAmount": "14854409.0",
        "totalScheduledPrincipalInterestDueAmount": "78093.48",
        "scheduledPrincipalAmount": "19428.59",
        "property": {
            "propertyName": "BAYPOINT COMMERCE CENTER",
            "propertyAddress": "877 EXECUTIVE CENTER DRIVE",
            "propertyCity": "St. Petersburg",
            "propertyState": "FL",
            "propertyTypeCode": "OF",
            "valuationSecuritizationAmount": "62000000.0",
            "netOperatingIncomeSecuritizationAmount": "5719777.0",
            "netCashFlowFlowSecuritizationAmount": "4467708.0",
            "debtServiceCoverageNetCashFlowSecuritizationPercentage": "1.79",
            "mostRecentFinancialsStartDate": "01-01-2019",
            "mostRecentFinancialsEndDate": "09-30-2019",
            "mostRecentNetOperatingIncomeAmount": "4466079.0",
            "mostRecentNetCashFlowAmount": "3527028.0",
            "mostRecentDebtServiceAmount": "1433082.0",
            "mostRecentDebtServiceCoverageNetCashFlowpercentage": "2.4611",
        },
    },
    {
        **BAYPOINT,
        "assetNumber": "10B",
        "originalLoanAmount": "5000000.0",
        "reportPeriodEndActualBalanceAmount": "4951469.5",
    },
    {
        **BAYPOINT,
        "assetNumber": "10A",
        "originalLoanAmount": "10000000.0",
        "reportPeriodEndActualBalanceAmount": "9902939.0",
    },
    {
        **UBS,
        "assetNumber": "7",
        "originatorName": "Natixis Real Estate Capital LLC",
        "originationDate": "04-03-2017",
        "maturityDate": "04-05-2027",
        "originalLoanAmount": "33000000.0",
        "originalInterestRatePercentage": "0.040767",
        "reportPeriodInterestRatePercentage": "0.040767",
        "originalInterestOnlyTermNumber": "120",
        "firstLoanPaymentDueDate": "05-05-2017",
        "loanStructureCode": "A2",
        "paymentTypeCode": "3",
        "reportPeriodEndActualBalanceAmount": "33000000.0",
        "property": {
            "propertyName": "75 BROAD STREET",
            "propertyAddress": "75 BROAD STREET",
            "propertyCity": "New York",
            "propertyState": "NY",
            "propertyTypeCode": "OF",
            "valuationSecuritizationAmount": "403000000.0",
            "netOperatingIncomeSecuritizationAmount": "16957992.0",
            "netCashFlowFlowSecuritizationAmount": "15850232.0",
            "debtServiceCoverageNetCashFlowSecuritizationPercentage": "4.17",
            "mostRecentFinancialsStartDate": "07-01-2018",
            "mostRecentFinancialsEndDate": "06-30-2019",
            "mostRecentNetOperatingIncomeAmount": "15018772.0",
            "mostRecentNetCashFlowAmount": "13911010.0",
            "mostRecentDebtServiceAmount": "10012145.0",
            "mostRecentDebtServiceCoverageNetCashFlowpercentage": "1.3894",
        },
    },
    {
        **UBS,
        "assetNumber": "48",
        "originatorName": "Natixis Real Estate Capital LLC",
        "originationDate": "01-06-2017",
        "maturityDate": "02-05-2027",
        "originalLoanAmount": "6950000.0",
        "originalAmortizationTermNumber": "360",
        "originalInterestRatePercentage": "0.0563",
        "reportPeriodInterestRatePercentage": "0.0563",
        "firstLoanPaymentDueDate": "03-05-2017",
        "loanStructureCode": "WL",
        "paymentTypeCode": "2",
        "reportPeriodEndActualBalanceAmount": "6691887.5",
        "property": {
            "propertyName": "HAMPTON INN MONROE",
            "propertyAddress": "1565 NORTH DIXIE HIGHWAY",
            "propertyCity": "Monroe",
            "propertyState": "MI",
            "propertyTypeCode": "LO",
            "valuationSecuritizationAmount": "10300000.0",
            "netOperatingIncomeSecuritizationAmount": "952057.94",
            "netCashFlowFlowSecuritizationAmount": "870970.2",
            "debtServiceCoverageNetCashFlowSecuritizationPercentage": "1.81",
            "mostRecentFinancialsStartDate": "10-01-2018",
            "mostRecentFinancialsEndDate": "09-30-2019",
            "mostRecentNetOperatingIncomeAmount": "1515552.0",
            "mostRecentNetCashFlowAmount": "1418710.0",
            "mostRecentDebtServiceAmount": "480361.0",
            "mostRecentDebtServiceCoverageNetCashFlowpercentage": "2.9534",
        },
    },
)
BANK5 = {
    "reportingPeriodEndDate": "12-11-2025",
    "originalTermLoanNumber": "60",
    "interestAccrualMethodCode": "3",
    "balloonIndicator": "true",
    "paymentTypeCode": "3",
    "originalInterestOnlyTermNumber": "60",
}
#: Number, structure, balance, rate, NCF and DSCR underwritten, value, debt service filed.
INTEREST_ONLY_NOTES = (
    ("1", "A1", "70000000.00", "0.06715", "26482560.19", "2.29", "492274298.00", "11574048.60"),
    ("7", "PP", "40000000.00", "0.06643", "11699310.85", "1.67", "170000000.00", None),
    ("8", "PP", "40000000.00", "0.05808", "11430817.26", "1.39", "223300000.00", "8244133.38"),
    ("21", "PP", "18000000.00", "0.0699", "7624935.16", "1.75", "100000000.00", "4358556.24"),
)


def of_bank5(number, structure, owed, rate, ncf, dscr, value, service):
    return {
        **BANK5,
        "assetNumber": number,
        "originatorName": "WFB",
        "originationDate": "10-01-2025",
        "firstLoanPaymentDueDate": "12-01-2025",
        "maturityDate": "11-01-2030",
        "originalLoanAmount": owed,
        "reportPeriodInterestRatePercentage": rate,
        "loanStructureCode": structure,
        "reportPeriodEndActualBalanceAmount": owed,
        "property": {
            "propertyName": f"Property {number}",
            "propertyState": "NY",
            "propertyTypeCode": "OF",
            "valuationSecuritizationAmount": value,
            "netCashFlowFlowSecuritizationAmount": ncf,
            "debtServiceCoverageNetCashFlowSecuritizationPercentage": dscr,
            **({"mostRecentDebtServiceAmount": service} if service else {}),
        },
    }


def opened(folder, *files):
    """A store of these files, at the packaged rates."""
    load(
        folder,
        [one for file in files for one in portfolio([file])],
        rates=ReferenceRates.packaged(),
    )
    return Store(folder, rescorer=RulesRescorer())


@pytest.fixture(scope="module")
def ubs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ubs")
    store = opened(folder / "store", exhibit(folder / "UBS_2017-C1__12.xml", RECORDS))
    with store.lease() as source:
        yield source
    store.close()


@pytest.fixture(scope="module")
def bank5(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bank5")
    notes = [of_bank5(*one) for one in INTEREST_ONLY_NOTES]
    store = opened(folder / "store", exhibit(folder / "BANK5__12.xml", notes))
    with store.lease() as source:
        yield source
    store.close()


def dossier(source, number):
    loan = source.loan(number)
    return loan, source.figures(loan)


def test_a_record_that_sums_its_notes_is_neither_added_nor_counted(ubs):
    """9,902,939 + 4,951,470 + 33,000,000 + 6,691,888: five records, three loans, four notes."""
    found = ubs.loan_totals(LoanFilter())
    assert (found.records, found.loans, found.notes) == (5, 3, 4)
    assert found.book_value == 54_546_297
    totals = ubs.totals()
    assert (totals.book.loans, totals.notes, totals.book.book_value) == (3, 4, 54_546_297)
    assert ubs.snapshot().book_value == ubs.snapshot().sources[0].book_value == 54_546_297
    assert ubs.loans_found(LoanFilter(), ()).total == 5  # each record is a row
    of_ltv = ubs.loan_distribution(LoanFilter(), "ltv", "state")
    assert {one.word: one.loans for one in of_ltv.groups} == {"NY": 1, "FL": 1, "MI": 1}
    assert (of_ltv.whole.loans, of_ltv.whole.missing) == (3, 0)
    by_state = {
        one.word: (one.loans, one.book_value) for one in ubs.loan_counts(LoanFilter(), "state")
    }
    assert by_state == {"NY": (1, 33_000_000), "FL": (1, 14_854_409), "MI": (1, 6_691_888)}


def test_any_part_of_a_loan_counts_as_the_loan(ubs):
    of = ubs.loan_totals(LoanFilter(whole_loan="UBS 2017-C1:10"))
    assert (of.records, of.loans, of.notes, of.book_value) == (3, 1, 2, 14_854_409)
    small = ubs.loan_totals(LoanFilter(whole_loan="UBS 2017-C1:10", max_balance=5_000_000))
    assert (small.records, small.loans, small.notes, small.book_value) == (1, 1, 1, 4_951_470)


def test_the_record_and_its_notes_have_one_ltv(ubs):
    """4,467,708 / 1.79 at 12 x 78,093.48 / 15,000,000 is 39.95 million lent, 39.56 left: 63.8 %."""
    for number in ("10", "10A", "10B"):
        loan, found = dossier(ubs, f"UBS 2017-C1:{number}")
        assert loan.extended["whole_loan"] == "UBS 2017-C1:10"
        assert loan.extended["sums_notes"] is (number == "10")
        assert loan.extended["ltv"] == pytest.approx(found.debt.ltv.value, abs=1e-9)
        assert loan.extended["ltv"] == pytest.approx(0.6381, abs=1e-4)
        ltvs = {layer.position: layer.ltv.value for layer in found.stack}
        assert set(ltvs) == {"senior", "other notes"}
        assert len(set(ltvs.values())) == 1


def test_75_broad_street_stands_against_what_its_debt_service_says(ubs):
    """10,012,145 a year at 4.0767 % by actual days is 242.2 million of 403: 60.1 %, not 22.8 %."""
    loan, found = dossier(ubs, "UBS 2017-C1:7")
    said = loan.extended
    assert said["whole_loan_debt"] == pytest.approx(242_231_000, abs=1_000)
    assert said["whole_loan_basis"] == "implied by the debt service filed"
    assert said["debt_at_least"] is False
    assert said["ltv"] == pytest.approx(0.6011, abs=1e-4)
    assert [layer.position for layer in found.stack] == ["senior", "other notes", "notes behind it"]
    senior, others, behind = found.stack
    assert senior.ltv == others.ltv
    assert senior.ltv.value == pytest.approx(0.2282, abs=1e-4)  # 15,850,232 / 4.17: 91.96 million
    assert behind.ltv.value == pytest.approx(0.6011, abs=1e-4)
    # On the senior part alone it was 242.23 / 91.96 = 2.634 times as good.
    alone = said["proforma_dscr"] * 242_231 / 91_960
    rate = said["refi_rate"] / 100 * 365 / 360
    assert alone == pytest.approx(13_911_010 / (91_960_000 * rate), rel=1e-3)
    assert said["proforma_dscr"] == pytest.approx(13_911_010 / (242_231_000 * rate), rel=1e-4)


def test_a_whole_loan_is_what_it_owes_whatever_service_is_filed(ubs):
    loan, found = dossier(ubs, "UBS 2017-C1:48")
    assert loan.extended["whole_loan_debt"] == loan.extended["debt_due"] == 6_691_888
    assert loan.extended["ltv"] == pytest.approx(0.6497, abs=1e-4)
    assert loan.extended.get("whole_loan") is None
    assert [layer.position for layer in found.stack] == ["senior"]


@pytest.mark.parametrize(
    ("number", "millions", "ltv"),
    [("7", 104.01, 0.6118), ("8", 139.65, 0.6254), ("21", 61.48, 0.6148)],
)
def test_pari_passu_notes_of_bank5_have_the_ltv_of_their_loan(bank5, number, millions, ltv):
    """205 East 42nd: 11,699,310.85 / 1.67 at 6.643 % x 365 / 360, over 170 million."""
    loan, found = dossier(bank5, f"BANK5:{number}")
    assert loan.extended["whole_loan_debt"] / 1e6 == pytest.approx(millions, abs=0.01)
    assert [layer.ltv.value for layer in found.stack] == pytest.approx([ltv, ltv], abs=1e-4)
    assert not found.debt.at_least


def test_an_a_note_whose_service_tells_nothing_more_is_a_lower_bound(bank5):
    """Bay Plaza: 11,574,048.60 are paid a year, 26,482,560.19 / 2.29 underwritten."""
    loan, found = dossier(bank5, "BANK5:1")
    assert loan.extended["debt_at_least"] is True
    assert found.debt.at_least
    assert loan.extended["whole_loan_basis"] == "senior part only, by underwriting"
    assert loan.extended["ltv"] == pytest.approx(0.3451, abs=1e-4)


@pytest.mark.skipif(not SEVEN_YEARS, reason="the shared data folder is not on this machine")
def test_the_whole_trusts_add_up_once(tmp_path):
    """58 records of UBS, 56 loans in 57 notes; 35 of BANK5, whose balance is that of the filing."""
    december = next(path for path in SEVEN_YEARS if path.stem.endswith("2019-12"))
    bank = SHARED / "sec-absee/BANK5_2025-5YR19__rpt_2025-12-11.xml"
    store = opened(tmp_path, december, bank)
    with store.lease() as source:
        found = source.loan_totals(LoanFilter())
        assert (found.records, found.loans, found.notes) == (58 + 35, 56 + 35, 57 + 35)
        books = {one.title: one.book_value for one in source.snapshot().sources}
        (ubs,) = (book for title, book in books.items() if "UBS" in title)
        (bank5,) = (book for title, book in books.items() if "BANK5" in title)
        assert ubs == 740_691_524 - 14_854_409
        assert bank5 == 949_066_383
        assert found.book_value == ubs + bank5
    store.close()


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """The book of tests/world.py with one loan of four records in two trusts, and its oracle."""
    folder, sources = tmp_path_factory.mktemp("many"), (*BOTH, *pilot_street())
    load_once(folder, sources, rates=RATES)
    limits = {"hub_edges": HUB_EDGES, "budget_edges": BUDGET_EDGES}
    store = Store(folder, rescorer=RulesRescorer(), **limits)
    with store.lease() as source:
        yield source, Oracle(sources, RATES, **limits)
    store.close()


def test_notes_in_two_trusts_are_one_loan(many):
    source, _ = many
    of = source.loan_totals(LoanFilter(whole_loan="note-1"))
    assert (of.records, of.loans, of.notes, of.book_value) == (4, 1, 3, 35_000_000)
    lenders = source.loan_counts(LoanFilter(whole_loan="note-1"), "state")
    assert [(one.word, one.loans, one.book_value) for one in lenders] == [("TX", 1, 35_000_000)]
    assert source.loan_totals(LoanFilter(find="note-2")).loans == 1


@pytest.mark.parametrize(
    "asked",
    [
        lambda one: one.totals(),
        lambda one: one.maturity_wall(),
        lambda one: one.worst_severities(),
        lambda one: one.loan_totals(LoanFilter()),
        lambda one: one.loan_totals(LoanFilter(property_type=("office",), max_dscr=1.1)),
        lambda one: one.loan_counts(LoanFilter(), "severity"),
        lambda one: one.loan_counts(LoanFilter(), "rule"),
        lambda one: one.loan_counts(LoanFilter(), "special_servicing"),
        lambda one: one.loan_classes(LoanFilter(), "dscr", (1.0, 1.25)),
        lambda one: one.loan_ranking(LoanFilter(), "lender", 50).groups,
        lambda one: one.loan_ranking(LoanFilter(), "quarter", 50).groups,
        lambda one: one.signal_totals(SignalFilter()),
        lambda one: one.signal_states(SignalFilter()),
        lambda one: one.signal_matrix(SignalFilter(), "severity"),
        lambda one: one.signal_matrix(SignalFilter(), "property_type"),
        lambda one: one.families(FamilyFilter()),
        lambda one: one.family("Ada Quill"),
        lambda one: one.severe_shares(LoanFilter()),
        lambda one: one.exposure("Quay Bank"),
        lambda one: one.exposure("Pilot Street LLC"),
    ],
)
def test_every_page_counts_loans_and_adds_dollars_as_the_oracle_does(many, asked):
    source, oracle = many
    assert alike(asked(source), asked(oracle))

"""What single records mean, by hand: a hotel's winter quarter, REO, a defeased loan and an A note
of UBS 2017-C1 and new loans of BANK5 2025-5YR19 typed from their filings, and a demonstration loan
with mezzanine debt. Pins D243, D244, D275.
"""

import pytest

from services.contract.loan_filter import LoanFilter
from services.importers import demo
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.publishing import load
from tests.store.test_notes import exhibit, opened

#: Filed of all three; each is a whole loan over 360 months by actual days.
WHOLE = {
    "originatorName": "Natixis Real Estate Capital LLC",
    "originalTermLoanNumber": "120",
    "originalAmortizationTermNumber": "360",
    "interestAccrualMethodCode": "3",
    "loanStructureCode": "WL",
    "balloonIndicator": "true",
}
#: Comfort Inn Cleveland in August 2019: NCF of January to March is 83,778 over 95,286 of debt
#: service. A Cleveland hotel earns its year in the summer; the loan was current.
WINTER = {
    **WHOLE,
    "assetNumber": "52",
    "reportingPeriodEndDate": "08-12-2019",
    "originationDate": "04-12-2017",
    "originalLoanAmount": "5500000.0",
    "maturityDate": "05-05-2027",
    "originalInterestRatePercentage": "0.05654",
    "reportPeriodInterestRatePercentage": "0.05654",
    "firstLoanPaymentDueDate": "06-05-2017",
    "paymentTypeCode": "2",
    "reportPeriodEndActualBalanceAmount": "5342995.0",
    "paymentStatusLoanCode": "0",
    "property": {
        "propertyName": "COMFORT INN CLEVELAND",
        "propertyCity": "Middleburg Heights",
        "propertyState": "OH",
        "propertyTypeCode": "LO",
        "valuationSecuritizationAmount": "9500000.0",
        "valuationSecuritizationDate": "03-02-2017",
        "DefeasedStatusCode": "N",
        "netOperatingIncomeSecuritizationAmount": "868601.44",
        "netCashFlowFlowSecuritizationAmount": "780233.7",
        "debtServiceCoverageNetCashFlowSecuritizationPercentage": "2.05",
        "mostRecentFinancialsStartDate": "01-01-2019",
        "mostRecentFinancialsEndDate": "03-31-2019",
        "mostRecentNetOperatingIncomeAmount": "98622.0",
        "mostRecentNetCashFlowAmount": "83778.0",
        "mostRecentDebtServiceAmount": "95286.0",
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "0.8792",
    },
}
#: La Quinta Harrisburg Hershey in June 2024: the trust has owned it since the loan failed.
REO = {
    **WHOLE,
    "assetNumber": "49",
    "reportingPeriodEndDate": "06-11-2024",
    "originationDate": "01-19-2017",
    "originalLoanAmount": "6070000.0",
    "maturityDate": "02-05-2027",
    "originalInterestRatePercentage": "0.0595",
    "reportPeriodInterestRatePercentage": "0.0595",
    "firstLoanPaymentDueDate": "03-05-2017",
    "paymentTypeCode": "2",
    "reportPeriodEndActualBalanceAmount": "5831563.0",
    "paymentStatusLoanCode": "3",
    "mostRecentSpecialServicerTransferDate": "07-21-2020",
    "workoutStrategyCode": "7",
    "property": {
        "propertyName": "LA QUINTA INNS & SUITES HARRISBURG HERSHEY".replace("&", "&amp;"),
        "propertyCity": "Harrisburg",
        "propertyState": "PA",
        "propertyTypeCode": "LO",
        "mostRecentValuationAmount": "6600000.0",
        "mostRecentValuationDate": "10-10-2023",
        "DefeasedStatusCode": "N",
        "netOperatingIncomeSecuritizationAmount": "787376.0",
        "netCashFlowFlowSecuritizationAmount": "699631.6",
        "debtServiceCoverageNetCashFlowSecuritizationPercentage": "1.61",
        "mostRecentFinancialsStartDate": "12-31-2022",
        "mostRecentFinancialsEndDate": "12-31-2023",
        "mostRecentNetOperatingIncomeAmount": "-620615.0",
        "mostRecentNetCashFlowAmount": "-623450.0",
        "mostRecentDebtServiceAmount": "434374.0",
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "-1.4352",
    },
}
#: A loan of June 2024 whose property the filing calls "Defeased".
DEFEASED = {
    **WHOLE,
    "assetNumber": "28",
    "reportingPeriodEndDate": "06-11-2024",
    "originationDate": "04-03-2017",
    "originalLoanAmount": "11850000.0",
    "maturityDate": "04-05-2027",
    "originalInterestRatePercentage": "0.0517",
    "reportPeriodInterestRatePercentage": "0.0517",
    "originalInterestOnlyTermNumber": "12",
    "firstLoanPaymentDueDate": "05-05-2017",
    "paymentTypeCode": "5",
    "reportPeriodEndActualBalanceAmount": "10713847.0",
    "paymentStatusLoanCode": "0",
    "property": {
        "propertyName": "Defeased",
        "valuationSecuritizationAmount": "16700000.0",
        "valuationSecuritizationDate": "03-01-2017",
        "DefeasedStatusCode": "F",
        "netOperatingIncomeSecuritizationAmount": "1027328.75",
        "netCashFlowFlowSecuritizationAmount": "978454.9",
    },
}
#: 75 Broad Street in December 2019: the A2 note of a loan with junior notes. 4.17x is the DSCR of
#: the A notes alone; 10,012,145 is the service of all debt.
BROAD = {
    "assetNumber": "7",
    "reportingPeriodEndDate": "12-11-2019",
    "originatorName": "Natixis Real Estate Capital LLC",
    "originationDate": "04-03-2017",
    "originalLoanAmount": "33000000.0",
    "originalTermLoanNumber": "120",
    "maturityDate": "04-05-2027",
    "originalInterestRatePercentage": "0.040767",
    "reportPeriodInterestRatePercentage": "0.040767",
    "interestAccrualMethodCode": "3",
    "originalInterestOnlyTermNumber": "120",
    "firstLoanPaymentDueDate": "05-05-2017",
    "loanStructureCode": "A2",
    "paymentTypeCode": "3",
    "balloonIndicator": "true",
    "reportPeriodEndActualBalanceAmount": "33000000.0",
    "paymentStatusLoanCode": "0",
    "property": {
        "propertyName": "75 BROAD STREET",
        "propertyCity": "New York",
        "propertyState": "NY",
        "propertyTypeCode": "OF",
        "valuationSecuritizationAmount": "403000000.0",
        "valuationSecuritizationDate": "02-22-2017",
        "mostRecentFinancialsStartDate": "07-01-2018",
        "mostRecentFinancialsEndDate": "06-30-2019",
        "netOperatingIncomeSecuritizationAmount": "16957992.0",
        "mostRecentNetOperatingIncomeAmount": "15018772.0",
        "netCashFlowFlowSecuritizationAmount": "15850232.0",
        "mostRecentNetCashFlowAmount": "13911010.0",
        "mostRecentDebtServiceAmount": "10012145.0",
        "debtServiceCoverageNetCashFlowSecuritizationPercentage": "4.17",
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "1.3894",
    },
}
#: Of BANK5 2025-5YR19: number, name, made on, statement from and to, underwritten NOI and DSCR,
#: filed NOI and DSCR, how far the one NOI is above the other, and what that is.
NEW_LOANS = [
    ("2", "Koreatown Plaza", "11-21-2025", "11-01-2024", "10-31-2025",
     ("7711212.05", "1.77"), ("5221274.73", "1.22"), "$7,711,212 is 47.7% above the $5,221,275"),
    ("13", "Pinnacle Retail Portfolio", "10-29-2025", "07-01-2024", "06-30-2025",
     ("2889696.80", "1.41"), ("1724030.47", "0.87"), "$2,889,697 is 67.6% above the $1,724,030"),
    ("31", "1638 Park Avenue", "11-14-2025", "10-01-2024", "09-30-2025",
     ("646590.50", "1.30"), ("472919.80", "0.96"), "$646,590 is 36.7% above the $472,920"),
]  # fmt: skip
#: What a loan that nobody refinances has none of.
OF_REFINANCING = (
    *("months_to_maturity", "refi_convention", "refi_debt_service", "proforma_dscr"),
    *("payment_shock", "max_proceeds", "binding_constraint", "refinance_gap"),
    *("dollars_short", "own_dollars_short"),
)


def of(folder, *records):
    return opened(folder / "store", exhibit(folder / "UBS_2017-C1__12.xml", records))


def stress(store, number="UBS 2017-C1:52"):
    with store.lease() as source:
        (signal,) = (
            one for one in source.signals_of(number) if one.signal_type == "stress_indicator"
        )
    store.close()
    return signal


def test_a_hotels_winter_quarter_is_no_worse_than_elevated(tmp_path):
    signal = stress(of(tmp_path, WINTER))
    assert signal.severity == "elevated"
    assert (
        "DSCR 0.88x (NCF, 1 Jan to 31 Mar 2019, 3 months, seasonal, as filed)" in signal.description
    )
    assert "no worse than elevated, as the income covers 3 months" in signal.description
    # 365 / 90 of 98,622 is 399,967: 7.49 % of the balance, 4.5 points under a hotel's 12 %.
    assert "Debt yield 7.49%" in signal.description


def test_the_same_figures_of_a_whole_year_are_critical(tmp_path):
    year = {**WINTER["property"], "mostRecentFinancialsStartDate": "04-01-2018"}
    assert stress(of(tmp_path, {**WINTER, "property": year})).severity == "critical"


def test_an_a_note_falls_by_its_income_where_the_service_filed_is_of_all_debt(tmp_path):
    """1 - 13,911,010 / 15,850,232 is 12.2 %; 1.39x against 4.17x would be 66.7 %."""
    signal = stress(of(tmp_path, BROAD), "UBS 2017-C1:7")
    (part,) = (one for one in signal.components if one.rule == "NI-1")
    assert (part.severity, part.value) == ("moderate", pytest.approx(0.122347, abs=1e-6))
    assert (
        "NCF $13,911,010 (1 Jul 2018 to 30 Jun 2019, 12 months) is 12.2% under the underwritten "
        "$15,850,232" in signal.description
    )


@pytest.mark.parametrize(
    ("number", "name", "made", "begins", "ends", "underwritten", "filed", "said"), NEW_LOANS
)
def test_a_statement_of_before_the_loan_is_a_mark_up_and_no_dscr_in_place(
    tmp_path, number, name, made, begins, ends, underwritten, filed, said
):
    of_property = {
        "propertyName": name,
        "propertyTypeCode": "RT",
        "mostRecentFinancialsStartDate": begins,
        "mostRecentFinancialsEndDate": ends,
        "netOperatingIncomeSecuritizationAmount": underwritten[0],
        "debtServiceCoverageNetOperatingIncomeSecuritizationPercentage": underwritten[1],
        "mostRecentNetOperatingIncomeAmount": filed[0],
        "mostRecentDebtServiceCoverageNetOperatingIncomePercentage": filed[1],
    }
    record = {
        **WHOLE,
        "assetNumber": number,
        "reportingPeriodEndDate": "12-11-2025",
        "originationDate": made,
        "originalLoanAmount": "28000000.00",
        "reportPeriodEndActualBalanceAmount": "28000000.00",
        "maturityDate": "11-06-2030",
        "property": of_property,
    }
    signal = stress(of(tmp_path, record), f"UBS 2017-C1:{number}")
    rules = {one.rule: one.severity for one in signal.components}
    assert rules["UW-1"] == "elevated"
    assert not {"CV-1", "NI-1"} & set(rules)
    assert f"Underwritten NOI {said} (" in signal.description
    assert ", before the loan), at or over the 25% limit" in signal.description


def test_nobody_refinances_what_the_trust_owns_or_treasuries_pay(tmp_path):
    store = of(tmp_path, REO, DEFEASED)
    with store.lease() as source:
        rows = {at: source.loan(f"UBS 2017-C1:{at}").extended for at in ("49", "28")}
        for row in rows.values():
            assert {name: row[name] for name in OF_REFINANCING if row.get(name) is not None} == {}
        totals = source.loan_totals(LoanFilter())
        assert [(one.word, one.book_value) for one in totals.left_out] == [
            ("defeased in full", 10_713_847),
            ("REO", 5_831_563),
        ]
        assert (totals.dollars_short, sum(one.loans for one in totals.by_horizon)) == (0, 0)
        # The REO stands against its value; of the other the property is released.
        assert rows["49"]["ltv"] == pytest.approx(5_831_563 / 6_600_000)
        assert rows["49"]["debt_yield"] == pytest.approx(100 * -620_615 / 5_831_563)
        assert rows["28"].get("ltv") is rows["28"].get("debt_yield") is None
        assert totals.ltv.mean == pytest.approx(5_831_563 / 6_600_000)
        released = source.figures(source.loan("UBS 2017-C1:28"))
        why = "none: Treasuries secure the loan"
        assert [layer.ltv.why for layer in released.stack] == [why]
        assert (released.debt.ltv.why, released.debt.debt_yield.why) == (why, why)
    store.close()


def test_mezzanine_debt_of_a_demonstration_loan_is_due_with_it(tmp_path):
    """An office of $22.1m owes $15.75m and, behind it, $2.85m; NCF of six months is $1,427,202."""
    load(tmp_path, [demo.portfolio(loans=600)])
    store = Store(tmp_path, rescorer=RulesRescorer())
    with store.lease() as source:
        loan = source.loan("CA-000193")
        row, found = loan.extended, source.figures(loan)
        assert (loan.book_value, row["value"], row["ncf"]) == (15_750_000, 22_100_000, 1_427_202)
        assert [layer.amount for layer in found.stack] == [15_750_000, 2_850_000]
        assert [layer.ltv.value for layer in found.stack] == [
            pytest.approx(0.712670, abs=1e-6),
            pytest.approx(0.841629, abs=1e-6),
        ]
        assert row["debt_due"] == 18_600_000
        assert row["ltv"] == pytest.approx(0.841629, abs=1e-6)
        assert row["refi_rate"] == 7.20  # 5-year Treasury of 4.75 % and 245 bp
        # 18,600,000 at 7.20 % by actual days is 1,357,800 a year.
        assert row["proforma_dscr"] == pytest.approx(1_427_202 / 1_357_800, abs=1e-6)
        # 1,427,202 / 1.40 over the constant of 30 years at 7.20 %, 0.0814546.
        assert row["max_proceeds"] == pytest.approx(12_515_300, abs=500)
        assert row["binding_constraint"] == "DSCR on NCF"
        assert row["dollars_short"] == 18_600_000 - row["max_proceeds"]
        assert row["own_dollars_short"] == 15_750_000 - row["max_proceeds"]
    store.close()

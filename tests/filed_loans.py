"""Exhibits 102 written for a test: records as mappings from element to text."""

NAMESPACE = "http://www.sec.gov/edgar/document/absee/cmbs/assetdata"
#: A loan without anything odd, and its property; a bank's whole loan of 2017 on an office.
PLAZA = {
    "propertyName": "Example Plaza",
    "propertyCity": "Austin",
    "propertyState": "TX",
    "propertyTypeCode": "OF",
    "valuationSecuritizationAmount": "50000000.00",
    "valuationSecuritizationDate": "01-15-2017",
    "physicalOccupancySecuritizationPercentage": "0.95",
    "mostRecentPhysicalOccupancyPercentage": "0.90",
    "propertyStatusCode": "6",
    "DefeasedStatusCode": "N",
    "mostRecentFinancialsStartDate": "01-01-2025",
    "mostRecentFinancialsEndDate": "12-31-2025",
    "mostRecentRevenueAmount": "5000000",
    "netOperatingIncomeSecuritizationAmount": "3200000",
    "netCashFlowFlowSecuritizationAmount": "3000000",
    "mostRecentNetOperatingIncomeAmount": "3000000",
    "mostRecentNetCashFlowAmount": "2800000",
    "debtServiceCoverageNetCashFlowSecuritizationPercentage": "1.64",
    "mostRecentDebtServiceCoverageNetCashFlowpercentage": "1.54",
    "mostRecentDebtServiceCoverageCode": "F",
}
LOAN = {
    "assetNumber": "1",
    "reportingPeriodEndDate": "03-11-2026",
    "originatorName": "Example Bank, National Association",
    "originationDate": "03-06-2017",
    "originalLoanAmount": "30000000.00",
    "originalTermLoanNumber": "120",
    "maturityDate": "03-06-2027",
    "originalAmortizationTermNumber": "360",
    "originalInterestRatePercentage": "0.0450",
    "interestRateSecuritizationPercentage": "0.0450",
    "interestAccrualMethodCode": "3",
    "originalInterestOnlyTermNumber": "0",
    "firstLoanPaymentDueDate": "04-06-2017",
    "loanStructureCode": "WL",
    "paymentTypeCode": "2",
    "periodicPrincipalAndInterestPaymentSecuritizationAmount": "152005.59",
    "scheduledPrincipalBalanceSecuritizationAmount": "30000000.00",
    "NumberProperties": "1",
    "balloonIndicator": "true",
    "modifiedIndicator": "false",
    "reportPeriodInterestRatePercentage": "0.0450",
    "reportPeriodEndActualBalanceAmount": "26000000.00",
    "reportPeriodEndScheduledLoanBalanceAmount": "26000000.00",
    "paymentStatusLoanCode": "0",
    "property": PLAZA,
}


def loan(number="1", *houses, **changes):
    """That loan under a number, on these properties, with other facts; None leaves one out."""
    own = houses or (PLAZA,)
    found = {**LOAN, "assetNumber": number, "property": own, **changes}
    return {name: value for name, value in found.items() if value is not None}


def house(**changes):
    """Its property with other facts; None leaves one out."""
    found = {**PLAZA, **changes}
    return {name: value for name, value in found.items() if value is not None}


def written(records):
    """An Exhibit 102 of these records."""
    assets = "".join(f"<assets>{_elements(record)}</assets>" for record in records)
    return f'<assetData xmlns="{NAMESPACE}">{assets}</assetData>'


def exhibit(path, records):
    """The same as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written(records), encoding="utf-8")
    return path


def _elements(values):
    return "".join(
        f"<{name}>{_elements(one) if isinstance(one, dict) else one}</{name}>"
        for name, value in values.items()
        for one in (value if isinstance(value, tuple) else (value,))
    )


def owed(found):
    """What the loans of a portfolio owe together, whole US dollars."""
    return sum(found.loans["book_value"].to_pylist())

"""What the servicer of UBS 2017-C1 filed of five loans that ended, typed by hand.

Loans 14, 44 and 52 were liquidated with losses, 5 and 29 are true payoffs.
"""

NAMESPACE = "http://www.sec.gov/edgar/document/absee/cmbs/assetdata"
PERIOD = {"reportingPeriodEndDate": "06-11-2024", "originatorName": "CIBC Inc."}
#: Asset -> what its servicer filed for the period in which it ended.
LAST_PERIOD = {
    "14": {
        "originalLoanAmount": "22000000.0",
        "reportPeriodBeginningScheduleLoanBalanceAmount": "18828946.0",
        "scheduledPrincipalAmount": "0.0",
        "unscheduledPrincipalCollectedAmount": "6954082.0",
        "reportPeriodEndActualBalanceAmount": "0.0",
        "reportPeriodEndScheduledLoanBalanceAmount": "0.0",
        "repurchaseAmount": "0.0",
        "realizedLossToTrustAmount": "11874863.0",
        "liquidationPrepaymentCode": "3",
        "liquidationPrepaymentDate": "02-29-2024",
    },
    "44": {
        "originalLoanAmount": "7500000.0",
        "reportPeriodBeginningScheduleLoanBalanceAmount": "7097545.0",
        "unscheduledPrincipalCollectedAmount": "2548919.0",
        "reportPeriodEndActualBalanceAmount": "0.0",
        "reportPeriodEndScheduledLoanBalanceAmount": "0.0",
        "realizedLossToTrustAmount": "4548626.0",
        "liquidationPrepaymentCode": "3",
        "liquidationPrepaymentDate": "01-03-2024",
    },
    "52": {
        "originalLoanAmount": "5500000.0",
        "reportPeriodBeginningScheduleLoanBalanceAmount": "5023845.0",
        "unscheduledPrincipalCollectedAmount": "288496.7",
        "reportPeriodEndActualBalanceAmount": "0.0",
        "reportPeriodEndScheduledLoanBalanceAmount": "0.0",
        "realizedLossToTrustAmount": "4735348.5",
        "liquidationPrepaymentCode": "3",
    },
    "5": {
        "originalLoanAmount": "34000000.0",
        "reportPeriodBeginningScheduleLoanBalanceAmount": "34000000.0",
        "scheduledPrincipalAmount": "0.0",
        "unscheduledPrincipalCollectedAmount": "34000000.0",
        "reportPeriodEndActualBalanceAmount": "0.0",
        "reportPeriodEndScheduledLoanBalanceAmount": "0.0",
        "liquidationPrepaymentCode": "9",
        "liquidationPrepaymentDate": "08-05-2021",
    },
    "29": {
        "originalLoanAmount": "11452000.0",
        "reportPeriodBeginningScheduleLoanBalanceAmount": "10609780.0",
        "scheduledPrincipalAmount": "16076.88",
        "unscheduledPrincipalCollectedAmount": "10593703.0",
        "reportPeriodEndActualBalanceAmount": "0.0",
        "liquidationPrepaymentCode": "2",
        "liquidationPrepaymentDate": "01-10-2022",
    },
}
#: The same in the filing of June 2024, months or years after: little is left of it.
LATER = {
    "14": {
        "originalLoanAmount": "22000000.0",
        "scheduledPrincipalBalanceSecuritizationAmount": "21906962.0",
        "reportPeriodBeginningScheduleLoanBalanceAmount": "0.0",
        "reportPeriodEndScheduledLoanBalanceAmount": "0.0",
        "realizedLossToTrustAmount": "11874863.0",
        "liquidationPrepaymentCode": "3",
        "liquidationPrepaymentDate": "02-29-2024",
    },
    "5": {
        "originalLoanAmount": "34000000.0",
        "scheduledPrincipalBalanceSecuritizationAmount": "34000000.0",
        "reportPeriodBeginningScheduleLoanBalanceAmount": "0.0",
        "reportPeriodEndScheduledLoanBalanceAmount": "0.0",
        "liquidationPrepaymentCode": "9",
        "liquidationPrepaymentDate": "08-05-2021",
    },
}


def elements(values):
    return "".join(f"<{name}>{value}</{name}>" for name, value in values.items())


def write(path, assets, house=None):
    """A filing of these assets, each on one property."""
    listed = [
        f"<assets>{elements({'assetNumber': number, **PERIOD, **values})}"
        f"<property>{elements(house or {'propertyCity': 'Springfield'})}</property></assets>"
        for number, values in assets.items()
    ]
    path.write_text(f'<assetData xmlns="{NAMESPACE}">{"".join(listed)}</assetData>', "utf-8")
    return path

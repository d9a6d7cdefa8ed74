"""Loans as a filer would state them: Schedule AL element -> text, one case a situation."""

#: A ten-year office loan of 2019 with thirty years of amortisation, as a filer would state it.
RECORD = {
    "reportingPeriodEndDate": "09-11-2026",
    "originalLoanAmount": "12000000.00",
    "reportPeriodEndActualBalanceAmount": "10412345.67",
    "reportPeriodInterestRatePercentage": "0.04650000",
    "interestAccrualMethodCode": "3",
    "paymentTypeCode": "2",
    "originalAmortizationTermNumber": "360",
    "originalInterestOnlyTermNumber": "0",
    "firstLoanPaymentDueDate": "05-01-2019",
    "maturityDate": "04-01-2029",
    "periodicPrincipalAndInterestPaymentSecuritizationAmount": "61876.42",
    "loanStructureCode": "WL",
    "balloonIndicator": "true",
    "DefeasedStatusCode": "N",
    "netCashFlowFlowSecuritizationAmount": "1165000.00",
    "debtServiceCoverageNetCashFlowSecuritizationPercentage": "1.57",
    "mostRecentFinancialsStartDate": "01-01-2025",
    "mostRecentFinancialsEndDate": "12-31-2025",
    "mostRecentNetOperatingIncomeAmount": "1210000.00",
    "mostRecentNetCashFlowAmount": "1130000.00",
    "mostRecentDebtServiceAmount": "742517.04",
    "mostRecentDebtServiceCoverageNetCashFlowpercentage": "1.5218",
    "valuationSecuritizationAmount": "18500000.00",
}
MARKET = {
    "rate": "6.72",
    "months": "360",
    "min_dscr": "1.40",
    "min_debt_yield": "11.0",
    "max_ltv": "0.70",
}

INTEREST_ONLY = {
    "paymentTypeCode": "3",
    "originalAmortizationTermNumber": "0",
    "originalInterestOnlyTermNumber": "120",
    "reportPeriodEndActualBalanceAmount": "12000000.00",
    "periodicPrincipalAndInterestPaymentSecuritizationAmount": "48050.00",
}
PARTIAL = {
    "paymentTypeCode": "5",
    "originalInterestOnlyTermNumber": "60",
    "periodicPrincipalAndInterestPaymentSecuritizationAmount": "48050.00",
}
BEFORE_END = {
    **PARTIAL,
    "reportPeriodEndActualBalanceAmount": "12000000.00",
    "firstLoanPaymentDueDate": "05-01-2023",
    "maturityDate": "04-01-2033",
}
NOTE = {
    "originalLoanAmount": "30000000.00",
    "reportPeriodEndActualBalanceAmount": "27900000.00",
    "periodicPrincipalAndInterestPaymentSecuritizationAmount": "154691.04",
    "netCashFlowFlowSecuritizationAmount": "9500000.00",
    "debtServiceCoverageNetCashFlowSecuritizationPercentage": "1.79",
    "valuationSecuritizationAmount": "141000000.00",
    "mostRecentNetOperatingIncomeAmount": "9900000.00",
    "mostRecentNetCashFlowAmount": "9300000.00",
}
NEGATIVE = {
    "negativeAmortizationIndicator": "true",
    "periodicPrincipalAndInterestPaymentSecuritizationAmount": "30000.00",
}
NINE_MONTHS = {
    "mostRecentFinancialsEndDate": "09-30-2025",
    "mostRecentNetOperatingIncomeAmount": "860000.00",
    "mostRecentNetCashFlowAmount": "800000.00",
    "mostRecentDebtServiceAmount": "556887.78",
}
FLOATER = {
    **INTEREST_ONLY,
    "reportPeriodInterestRatePercentage": "0.0500",
    "armIndexRatePercentage": "0.0362",
    "armMarginNumber": "0.0300",
}
TROUBLE = {
    "paymentStatusLoanCode": "3",
    "paidThroughDate": "03-05-2025",
    "reportPeriodEndScheduledLoanBalanceAmount": "10100000.00",
    "totalPrincipalInterestAdvancedOutstandingAmount": "1100000.00",
    "totalTaxesInsuranceAdvancesOutstandingAmount": "90000.00",
    "otherExpensesAdvancedOutstandingAmount": "250000.00",
    "valuationSecuritizationAmount": "11000000.00",
}
TROUBLED_NOTE = {
    **NOTE,
    **TROUBLE,
    "reportPeriodEndScheduledLoanBalanceAmount": "27700000.00",
    "valuationSecuritizationAmount": "90000000.00",
}
NO_INCOME = {
    "mostRecentNetOperatingIncomeAmount": "",
    "mostRecentNetCashFlowAmount": "",
    "mostRecentDebtServiceCoverageNetCashFlowpercentage": "",
}

CASES = {
    "amortising, actual/360": {},
    "amortising, 30/360": {"interestAccrualMethodCode": "1"},
    "amortising, no day count": {"interestAccrualMethodCode": ""},
    "amortising, payment not filed": {
        "periodicPrincipalAndInterestPaymentSecuritizationAmount": ""
    },
    "amortising, payment filed as 0": {
        "periodicPrincipalAndInterestPaymentSecuritizationAmount": "0.00"
    },
    "amortising, payment filed of two notes": {
        "periodicPrincipalAndInterestPaymentSecuritizationAmount": "123752.84"
    },
    "amortising, payment of its own schedule": {
        "periodicPrincipalAndInterestPaymentSecuritizationAmount": "63900.00"
    },
    "amortising over 25 years": {
        "originalAmortizationTermNumber": "300",
        "periodicPrincipalAndInterestPaymentSecuritizationAmount": "",
    },
    "amortising, first payment to come": {
        "firstLoanPaymentDueDate": "11-01-2026",
        "maturityDate": "10-01-2036",
        "reportPeriodEndActualBalanceAmount": "12000000.00",
    },
    "amortising, due on the last of the month": {
        "firstLoanPaymentDueDate": "05-31-2019",
        "maturityDate": "03-31-2029",
    },
    "interest only, actual/360": INTEREST_ONLY,
    "interest only, 30/360": {**INTEREST_ONLY, "interestAccrualMethodCode": "1"},
    "interest only, payment of a 28-day month": {
        **INTEREST_ONLY,
        "periodicPrincipalAndInterestPaymentSecuritizationAmount": "43400.00",
    },
    "partial interest only, before its end": BEFORE_END,
    "partial interest only, 30/360, before its end": {
        **BEFORE_END,
        "interestAccrualMethodCode": "1",
    },
    "partial interest only, ends within the year": {
        **BEFORE_END,
        "originalInterestOnlyTermNumber": "45",
    },
    "partial interest only, ends with the next payment": {
        **BEFORE_END,
        "originalInterestOnlyTermNumber": "41",
    },
    "partial interest only, after its end": PARTIAL,
    "partial interest only, ended with the last payment": {
        **BEFORE_END,
        "originalInterestOnlyTermNumber": "40",
    },
    "partial interest only, then in full": {
        **BEFORE_END,
        "paymentTypeCode": "4",
        "balloonIndicator": "false",
    },
    "anticipated repayment date": {
        "hyperAmortizingDate": "04-01-2027",
        "maturityDate": "04-01-2049",
    },
    "anticipated repayment date, interest only": {
        **INTEREST_ONLY,
        "hyperAmortizingDate": "04-01-2029",
        "maturityDate": "04-01-2034",
    },
    "anticipated repayment date is past": {
        "hyperAmortizingDate": "04-01-2026",
        "maturityDate": "04-01-2049",
    },
    "fully amortising": {"paymentTypeCode": "1", "balloonIndicator": "false"},
    "fully amortising, no balloon flag": {"paymentTypeCode": "1", "balloonIndicator": ""},
    "fully amortising, past its maturity": {
        "paymentTypeCode": "1",
        "balloonIndicator": "false",
        "maturityDate": "04-01-2026",
    },
    "fully amortising, yet with a balloon": {"paymentTypeCode": "1"},
    "whole loan of payment type 5 whose income would carry more": {
        **PARTIAL,
        "netCashFlowFlowSecuritizationAmount": "9900000.00",
    },
    "no structure code": {"loanStructureCode": ""},
    "pari passu": {**NOTE, "loanStructureCode": "PP"},
    "pari passu, interest only": {
        **NOTE,
        **INTEREST_ONLY,
        "originalLoanAmount": "30000000.00",
        "reportPeriodEndActualBalanceAmount": "30000000.00",
        "loanStructureCode": "PP",
    },
    "pari passu, partial interest only before its end": {
        **NOTE,
        **BEFORE_END,
        "originalLoanAmount": "30000000.00",
        "reportPeriodEndActualBalanceAmount": "30000000.00",
        "loanStructureCode": "PP",
    },
    "pari passu without underwriting": {
        **NOTE,
        "loanStructureCode": "PP",
        "debtServiceCoverageNetCashFlowSecuritizationPercentage": "",
    },
    "A1": {**NOTE, "loanStructureCode": "A1"},
    "A2, interest only": {
        **NOTE,
        **INTEREST_ONLY,
        "originalLoanAmount": "30000000.00",
        "reportPeriodEndActualBalanceAmount": "30000000.00",
        "loanStructureCode": "A2",
    },
    "A2 without underwriting": {
        **NOTE,
        "loanStructureCode": "A2",
        "netCashFlowFlowSecuritizationAmount": "",
    },
    "A2, whole loan by the service filed": {
        **NOTE,
        **INTEREST_ONLY,
        "originalLoanAmount": "33000000.00",
        "reportPeriodEndActualBalanceAmount": "33000000.00",
        "loanStructureCode": "A2",
        "mostRecentDebtServiceAmount": "10012145.00",
    },
    "A1, service a tenth over": {
        **NOTE,
        "loanStructureCode": "A1",
        "mostRecentFinancialsStartDate": "04-01-2025",
        "mostRecentDebtServiceAmount": "99000000.00",
    },
    "B1": {**NOTE, "loanStructureCode": "B1"},
    "B2": {**NOTE, "loanStructureCode": "B2"},
    "part of a year": NINE_MONTHS,
    "part of a year, DSCR not filed": {
        **NINE_MONTHS,
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "",
    },
    "three months with the amounts of a year": {
        "mostRecentFinancialsStartDate": "10-01-2025",
    },
    "a year from the 31st of December": {"mostRecentFinancialsStartDate": "12-31-2024"},
    "zero income": {
        "mostRecentNetOperatingIncomeAmount": "0.00",
        "mostRecentNetCashFlowAmount": "0.00",
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "0.00",
    },
    "negative income": {
        "mostRecentNetOperatingIncomeAmount": "-150000.00",
        "mostRecentNetCashFlowAmount": "-240000.00",
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "-0.3232",
    },
    "income below principal alone": {
        "mostRecentNetOperatingIncomeAmount": "200000.00",
        "mostRecentNetCashFlowAmount": "190000.00",
    },
    "income unknown": NO_INCOME,
    "value unknown": {"valuationSecuritizationAmount": ""},
    "negative amortisation": NEGATIVE,
    "negative amortisation, interest-only type": {**NEGATIVE, "paymentTypeCode": "3"},
    "negative amortisation, 30/360": {**NEGATIVE, "interestAccrualMethodCode": "1"},
    "negative amortisation allowed, interest paid": {
        **NEGATIVE,
        "periodicPrincipalAndInterestPaymentSecuritizationAmount": "61876.42",
    },
    "less than interest paid, nothing said": {**NEGATIVE, "negativeAmortizationIndicator": "false"},
    "REO": {"workoutStrategyCode": "7"},
    "REO, advanced on": {**TROUBLE, "workoutStrategyCode": "7", "paymentStatusLoanCode": "0"},
    "90 days late": TROUBLE,
    "90 days late, covered": {**TROUBLE, "valuationSecuritizationAmount": "30000000.00"},
    "90 days late, scheduled balance not filed": {
        **TROUBLE,
        "reportPeriodEndScheduledLoanBalanceAmount": "",
    },
    "90 days late, advances not filed": {
        **TROUBLE,
        "totalPrincipalInterestAdvancedOutstandingAmount": "",
        "totalTaxesInsuranceAdvancesOutstandingAmount": "",
        "otherExpensesAdvancedOutstandingAmount": "",
    },
    "90 days late, advances under what principal was due": {
        **TROUBLE,
        "totalPrincipalInterestAdvancedOutstandingAmount": "100000.00",
        "totalTaxesInsuranceAdvancesOutstandingAmount": "0.00",
        "otherExpensesAdvancedOutstandingAmount": "",
    },
    "in special servicing, current": {
        **TROUBLE,
        "paymentStatusLoanCode": "0",
        "mostRecentSpecialServicerTransferDate": "02-01-2026",
    },
    "back from special servicing, current": {
        **TROUBLE,
        "paymentStatusLoanCode": "0",
        "mostRecentSpecialServicerTransferDate": "02-01-2026",
        "mostRecentMasterServicerReturnDate": "06-01-2026",
    },
    "within grace, advanced on": {**TROUBLE, "paymentStatusLoanCode": "A"},
    "pari passu, 90 days late": {**TROUBLED_NOTE, "loanStructureCode": "PP"},
    "A1, 90 days late": {**TROUBLED_NOTE, "loanStructureCode": "A1"},
    "B1, 90 days late": {**TROUBLED_NOTE, "loanStructureCode": "B1"},
    "B1, 90 days late, value in between": {
        **TROUBLED_NOTE,
        "loanStructureCode": "B1",
        "valuationSecuritizationAmount": "120000000.00",
    },
    "matures within the year": {"maturityDate": "04-01-2027"},
    "matures with the next payment": {"maturityDate": "10-01-2026"},
    "matured": {"maturityDate": "04-01-2026"},
    "matures today": {"maturityDate": "09-11-2026", "firstLoanPaymentDueDate": "05-11-2019"},
    "defeased": {"DefeasedStatusCode": "F", **NO_INCOME},
    "defeased in part": {"DefeasedStatusCode": "IP"},
    "floater": FLOATER,
    "floater at its cap": {**FLOATER, "lifetimeRateCapPercentage": "0.0600"},
    "floater at its floor": {
        **FLOATER,
        "lifetimeRateFloorPercentage": "0.0700",
        "lifetimeRateCapPercentage": "0.0900",
    },
    "amortising floater between floor and cap": {
        **FLOATER,
        "paymentTypeCode": "2",
        "originalAmortizationTermNumber": "360",
        "originalInterestOnlyTermNumber": "0",
        "lifetimeRateFloorPercentage": "0.0300",
        "lifetimeRateCapPercentage": "0.0900",
    },
    "balance 0": {"reportPeriodEndActualBalanceAmount": "0.00"},
    "balance 0, interest only": {**INTEREST_ONLY, "reportPeriodEndActualBalanceAmount": "0.00"},
}

"""A made-up history of thirty filings: fourteen loans whose fates are planted here."""

from dataclasses import dataclass, field
from datetime import date

NAMESPACE = "http://www.sec.gov/edgar/document/absee/cmbs/assetdata"
MONTHS = 30
LAST = MONTHS - 1
TODAY = date(2026, 11, 22)
BALANCE = 10_000_000
ALWAYS = (0, LAST)


@dataclass
class Plan:
    """A made-up loan: what is filed of it, by number of the month from 0."""

    number: str
    #: DSCR from a month on; multifamily, so under 1.25 moderate, 1.10 elevated, 1.00 severe.
    dscr: dict[int, float]
    noi: int = 1_200_000
    name: str = "Elm Court"
    #: Payment status from a month on.
    status: dict[int, str] = field(default_factory=dict)
    #: Further elements from a month on, of the loan and of its property.
    loan: dict[int, dict[str, str]] = field(default_factory=dict)
    house: dict[int, dict[str, str]] = field(default_factory=dict)
    #: The first and the last month in which it is filed.
    filed: tuple[int, int] = ALWAYS
    balance: dict[int, int] = field(default_factory=dict)

    def at(self, month: int, changes: dict, otherwise):
        """What stands at a month, of what changes from month to month."""
        reached = [one for one in changes if one <= month]
        return changes[max(reached)] if reached else otherwise


PLANS = [
    # Distressed, each with its kind; the DSCR before tells in some cases.
    Plan("1", {0: 1.15}, name="Ash House", status={10: "2"}),
    Plan("2", {0: 1.50, 6: 1.05}, name="Birch House", status={13: "1", 14: "3"}),
    Plan("3", {0: 0.95}, 1_150_000, "Cedar House", loan={20: {"workoutStrategyCode": "2"}}),
    Plan(
        "4", {0: 1.60}, 1_300_000, "Dogwood House",
        loan={16: {"mostRecentSpecialServicerTransferDate": "05-20-2022"}},
    ),
    Plan(
        "5", {0: 1.20}, 1_100_000, "Elder House",
        loan={24: {"modificationCode": "1", "lastModificationDate": "12-15-2022"}},
    ),
    Plan(
        "6", {0: 1.02}, 1_250_000, "Fir House", balance={12: 0},
        loan={12: {"realizedLossToTrustAmount": "250000.00"}},
    ),
    # In the first filing already: never looked at.
    Plan("7", {0: 0.80}, 900_000, "Gum House", status={0: "3"}),
    # Never distressed: to the end, paid off, defeased, lost, modified as "other".
    Plan("8", {0: 1.80}, 1_400_000, "Holly House"),
    Plan("9", {0: 1.20, 12: 1.40}, 1_180_000, "Ivy House", status={8: "1", 9: "0"}),
    Plan(
        "10", {0: 1.50}, 1_350_000, "Juniper House", balance={18: 0},
        loan={18: {"liquidationPrepaymentCode": "2"}},
    ),
    Plan("11", {0: 1.08}, 1_150_000, "Kauri House", house={15: {"DefeasedStatusCode": "F"}}),
    Plan("12", {0: 1.30}, 1_500_000, "Larch House", filed=(0, 20)),
    Plan("13", {0: 1.70}, 1_600_000, "Maple House", loan={5: {"modificationCode": "98"}}),
    Plan("14", {0: 0.98, 20: 1.30}, 1_050_000, "Nutmeg House"),
]  # fmt: skip
#: Number -> month of the first filing that shows distress.
DISTRESS = {"1": 10, "2": 14, "3": 20, "4": 16, "5": 24, "6": 12}
#: Number -> month from which a loan is no longer looked at, and why it cannot be distressed then.
SAFE = {"10": 18, "11": 15}


def day_of(month: int) -> date:
    """Determination dates vary by a day or two."""
    return date(2021 + month // 12, month % 12 + 1, 11 + month % 3)


def written(month: int, plans=PLANS) -> str:
    """The filing of a month."""
    listed = [_asset(one, month) for one in plans if one.filed[0] <= month <= one.filed[1]]
    return f'<assetData xmlns="{NAMESPACE}">{"".join(listed)}</assetData>'


def _asset(one: Plan, month: int) -> str:
    balance = one.at(month, one.balance, BALANCE)
    loan = {
        "assetNumber": one.number,
        "reportingPeriodEndDate": f"{day_of(month):%m-%d-%Y}",
        "originatorName": "First Made-up Bank",
        "originationDate": "12-01-2020",
        "originalLoanAmount": f"{BALANCE}.00",
        "originalTermLoanNumber": "120",
        "maturityDate": "12-01-2030",
        "interestRateSecuritizationPercentage": "0.06500000",
        "loanStructureCode": "WL",
        "reportPeriodEndActualBalanceAmount": f"{balance}.00",
        "paymentTypeCode": "3",
        "interestAccrualMethodCode": "1",
        "balloonIndicator": "true",
        "paymentStatusLoanCode": one.at(month, one.status, "0"),
        **one.at(month, one.loan, {}),
    }
    house = {
        "propertyName": one.name,
        "propertyCity": "Springfield",
        "propertyState": "IL",
        "propertyTypeCode": "MF",
        "valuationSecuritizationAmount": "20000000.00",
        "valuationSecuritizationDate": "11-01-2020",
        "DefeasedStatusCode": "N",
        "netOperatingIncomeSecuritizationAmount": f"{one.noi}.00",
        "netCashFlowFlowSecuritizationAmount": f"{one.noi}.00",
        "debtServiceCoverageNetCashFlowSecuritizationPercentage": f"{one.at(month, one.dscr, 0)}",
        **one.at(month, one.house, {}),
    }
    return f"<assets>{_elements(loan)}<property>{_elements(house)}</property></assets>"


def _elements(values: dict[str, str]) -> str:
    return "".join(f"<{name}>{value}</{name}>" for name, value in values.items())


def write(folder, months=range(MONTHS), trust="MADE_UP_2020-1", plans=PLANS):
    """The files of a history in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for month in months:
        path = folder / f"{trust}__{day_of(month):%Y-%m}.xml"
        path.write_text(written(month, plans), "utf-8")
    return folder

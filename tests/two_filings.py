"""Two filings of one trust, typed by hand: in the second each check of a check sheet fails once."""

from datetime import date

from services.importers.sec_absee import portfolio
from tests.filed_loans import exhibit, house, loan
from tests.publishing import load
from tests.world import RATES

FEBRUARY, MARCH = date(2026, 2, 11), date(2026, 3, 11)
KEY = "sec-absee:DEAL 1"


def record(number, opening, principal, closing=None, at=MARCH, interest=0.0035, of=None, **changes):
    """A whole loan on a property of its own; 4.5 % of 28 days are 0.35 % of the balance."""
    closing = opening - principal if closing is None else closing
    own = house(
        propertyName=f"House {of or number}",
        propertyAddress=f"{number} Main Street",
        mostRecentDebtServiceAmount="1818181.82",
        **{name: changes.pop(name) for name in list(changes) if name.startswith("mostRecent")},
    )
    balances = {
        "reportingPeriodEndDate": f"{at:%m-%d-%Y}",
        "reportPeriodBeginningScheduleLoanBalanceAmount": f"{opening:.2f}",
        "scheduledPrincipalAmount": f"{principal:.2f}",
        "scheduledInterestAmount": f"{interest * opening:.2f}",
        "reportPeriodEndScheduledLoanBalanceAmount": f"{closing:.2f}",
        "reportPeriodEndActualBalanceAmount": f"{closing:.2f}",
    }
    return loan(number, own, **(balances | changes))


def february(number, closing, **changes):
    return record(number, closing + 40_000, 40_000, at=FEBRUARY, **changes)


NO_DAY_COUNT = {"interestAccrualMethodCode": None}
BEFORE = [
    february("1", 26_000_000),
    *(february(number, 26_000_000) for number in "2345678"),
    february("9", 26_000_000, originalLoanAmount="31000000.00"),
    february("10", 7_000_000),
    *(february(number, 500_000) for number in ("12", "13")),
    february("14", 10_000_000),
]
AFTER = [
    record("1", 26_000_000, 40_000),
    record("2", 26_000_000, 40_000, closing=25_961_000),
    record("3", 25_999_500, 40_000),
    record("4", 26_000_000, 40_000, interest=0.0042),
    record("5", 26_000_000, 40_000, reportPeriodEndActualBalanceAmount="26035426.00"),
    record("6", 26_000_000, 40_000,
           mostRecentDebtServiceCoverageNetCashFlowpercentage="1.80", **NO_DAY_COUNT),
    record("7", 26_000_000, 40_000, reportingPeriodEndDate="02-11-2026", **NO_DAY_COUNT),
    record("8", 26_000_000, 40_000),
    record("9", 26_000_000, 40_000, of="8"),
    record("11", 3_000_000, 0),
    # A balance of half a million may be a dollar off, and no cent more.
    record("12", 500_000, 1_000, closing=499_001.00),
    record("13", 500_000, 1_000, closing=499_001.01),
    record("14", 10_000_000, 0, closing=0, unscheduledPrincipalCollectedAmount="6000000.00",
           realizedLossToTrustAmount="4000000.00", liquidationPrepaymentCode="3",
           liquidationPrepaymentDate="03-02-2026"),
]  # fmt: skip


def two_filings(folder):
    """A store of both, in a new folder."""
    files = [
        exhibit(folder / "filed/DEAL_1__02.xml", BEFORE),
        exhibit(folder / "filed/DEAL_1__03.xml", AFTER),
    ]
    load(folder / "store", portfolio(files), rates=RATES)
    return folder / "store"

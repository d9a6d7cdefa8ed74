"""What the Overview reads once, for a book as for a pool."""

from dataclasses import dataclass

from components.frame import scope, session
from components.overview import stratification, worst
from services.contract.aggregates import (
    FoundLoan,
    FoundTotals,
    MaturityBucket,
    Totals,
    WorstSeverity,
)
from services.contract.loan_filter import LoanFilter
from services.contract.records import Page
from services.contract.snapshot_info import Snapshot
from services.contract.source import Portfolio, Screens


@dataclass(frozen=True, slots=True)
class Overview:
    """The loans of the scope, or all."""

    snapshot: Snapshot
    totals: Totals
    found: FoundTotals
    severities: list[WorstSeverity]
    buckets: list[MaturityBucket]
    #: The loans to look at first.
    worst: Page[FoundLoan]

    @property
    def is_pool(self) -> bool:
        """Whether they are shown as a pool."""
        return stratification.is_pool(self.totals.book.loans)


def asked(loans: LoanFilter) -> Overview:
    """Of the loans of the scope that the page is about."""
    within = scope.chosen()
    totals = session.ask(Portfolio.totals, within)
    return Overview(
        session.analytics().snapshot(),
        totals,
        session.ask(Screens.loan_totals, loans),
        session.ask(Portfolio.worst_severities, within),
        session.ask(Portfolio.maturity_wall, within),
        worst.found(pool=stratification.is_pool(totals.book.loans)),
    )

"""A local copy of an API's loans and signals, so that aggregates can be asked for (D33, D34).

Pages are kept as they come: an interrupted fill goes on where it stopped. The API's own words are
kept as given; what it does not say stays unknown.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from services.contract.book import Progress, Publisher
from services.contract.errors import ImportRefused
from services.contract.portfolio import SourceInfo
from services.contract.queries import LoanQuery, SignalQuery
from services.contract.records import Loan, Signal
from services.contract.snapshot_info import Snapshot
from services.contract.source import CreditSource
from services.mirror.pages import PER_PAGE, Pages, Quota
from services.mirror.tables import portfolio_of, scores_of
from services.pipeline import load
from services.signals.assumptions import Assumptions


@dataclass(frozen=True, slots=True)
class Filled:
    """What a fill came to."""

    snapshot: Snapshot
    requests: int
    #: "loans" or "signals" -> (distinct records kept, total that the API counts).
    counts: dict[str, tuple[int, int]]

    @property
    def complete(self) -> bool:
        """Whether every list came whole (D34)."""
        return all(kept == total for kept, total in self.counts.values())


def fill(
    source: CreditSource,
    into: Publisher,
    pages_folder: Path,
    *,
    title: str,
    today: date,
    quota: Callable[[], Quota],
    assumptions: Assumptions | None = None,
    chains: bool = False,
    progress: Progress = lambda _stage, _part: None,
    cancelled: Callable[[], bool] = lambda: False,
    sleep: Callable[[float], None] = time.sleep,
) -> Filled:
    """Publishes all loans and signals, and on request the ownership chains, as a snapshot.

    `assumptions` are the tables of what we compute of them, by default the packaged ones.
    Pages lie in `pages_folder` until it stands. Never spends more requests than the day has left:
    it stops with RateLimited and goes on from there the next time, as it does after Stopped, a
    lost connection or a killed process. Raises what the source raises.
    """
    pages = Pages(pages_folder, quota, progress, cancelled, sleep)
    loans, loan_total = pages.records("loans", source.loans, LoanQuery(per_page=PER_PAGE), Loan)
    signals, signal_total = pages.records(
        "signals", source.signals, SignalQuery(per_page=PER_PAGE), Signal
    )
    if not loans:
        raise ImportRefused("The API has no loans to mirror")
    owned = pages.chains(source, [loan.loan_number for loan in loans]) if chains else []
    info = SourceInfo(
        key=f"mirror:{title}",
        importer="mirror",
        title=title,
        publisher="The API's own records, mirrored",
        terms="As licensed by the API's vendor",
        as_of=today,
        provenance="reported",
        records_read=len(loans) + len(signals),
    )
    portfolio = portfolio_of(info, loans, owned, signals)
    totals = {"loans": loan_total, "signals": signal_total}
    scores = scores_of(portfolio, loans, signals, totals)
    snapshot = load(
        [portfolio], into=into, source_scores=scores, assumptions=assumptions, progress=progress
    )
    pages.forget()
    here = {"loans": len(loans), "signals": len(signals)}
    counts = {name: (here[name], total) for name, total in totals.items()}
    return Filled(snapshot, pages.requests, counts)


def requests_needed(source: CreditSource) -> tuple[int, int]:
    """Requests that a fill takes, without chains and with; asks for one record of each list."""
    loans = source.loans(LoanQuery(per_page=1)).total
    signals = source.signals(SignalQuery(per_page=1)).total
    lists = -(-loans // PER_PAGE) + -(-signals // PER_PAGE)
    return lists, lists + loans

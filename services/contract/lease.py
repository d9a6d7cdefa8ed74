"""How a source is held open while it is read, and what some sources can do beyond the six reads."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from .history import HistoryQuery, LoanHistory
from .source import Analytics, CreditSource, Figures
from .wire import Variant


class Lines(Protocol):
    """Whoever knows one loan over time."""

    def history(self, loan_number: str, query: HistoryQuery) -> LoanHistory:
        """See Histories. Raises MirrorMissing."""
        ...


@dataclass(frozen=True, slots=True)
class Lease:
    """What one run of a page, or one request, reads: one snapshot, held open until the lease ends.

    Everything read on one lease belongs together, whatever is published meanwhile.
    """

    source: CreditSource
    #: Null over an API whose mirror is not filled yet (D33), and where only the six reads are held.
    analytics: Analytics | None
    #: Changes whenever an answer may change; empty where no answer may be remembered.
    snapshot_id: str
    #: Which workspace this is of, as the source chip names it.
    label: str
    #: Answers in place of `analytics` where that is None: what needs no snapshot.
    figures: Figures | None = None
    #: Answers for one loan's history in place of `analytics`, where an API may keep it (D189).
    lines: Lines | None = None


@runtime_checkable
class Leasable(Protocol):
    """Whatever is read on a lease: a workspace, for one."""

    def lease(self) -> AbstractContextManager[Lease]:
        """What there is to read until the block ends. Raises StoreMissing, StoreDamaged."""
        ...


@runtime_checkable
class EncodedReads(Protocol):
    """A source that has whole loans as the wire has them, so that they need no encoding."""

    def encoded_loan(self, loan_number: str, variant: Variant) -> bytes | None:
        """What `loan` answers, as JSON and at once; None where only `loan` can tell.

        Raises NotFound.
        """
        ...

"""What a snapshot is made of, all its sources in one set of tables, and how it is published.

`services/pipeline` makes a Book of portfolios; a Publisher (services/store) writes it down.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from .period import Arrival, KeptPeriod, ScoredPeriod
from .portfolio import Portfolio
from .resolution import MATCHES
from .snapshot_info import RateUsed, RuleCard, RuleCoverage, Snapshot, SpreadsUsed, TableUsed

#: Hears what is being done, and a fraction of the whole from 0 to 1.
Progress = Callable[[str, float], None]
#: Row of a book's `sources`, by row of one of its tables.
SourceRows = np.ndarray[Any, np.dtype[np.int16]]


@dataclass(frozen=True, slots=True)
class Scores:
    """What was found on the loans of a book. Words may be dictionary-encoded."""

    #: By row of the loans: the facts that scoring computes (services/contract/facts.py).
    features: pa.Table
    #: loan (row), signal_type, severity, description (the whole sentence).
    signals: pa.Table
    #: signal (row), rule, title, rule_version, limits_version, severity, value, limit: the rules
    #: that fired within each signal.
    components: pa.Table
    #: By row of the loans, what results are ordered by beside facts: sponsor and owner (row of
    #: entities, null for none), dscr_short (minimum DSCR of the type less the loan's, None
    #: where not known).
    screened: pa.Table | None = None
    #: By row of the loans, what a scenario rescores them from. None where a source scored its
    #: own loans.
    inputs: pa.Table | None = None
    #: loan (row), owner (row of entities): which loans stand under which sponsors and owners (D58).
    families: pa.Table | None = None
    #: The limits and spreads in force, by name, as their files have them.
    tables: Mapping[str, str] = field(default_factory=dict)
    #: What each rule found, in the order of the rules.
    coverage: tuple[RuleCoverage, ...] = ()
    #: The rules, as they stand now; none where a source scored its own loans.
    rules: tuple[RuleCard, ...] = ()
    #: Reference rates that refi rates rest on (D26).
    rates: tuple[RateUsed, ...] = ()
    #: The spreads over them, by as-of date; none where their file gives no dates.
    spreads: tuple[SpreadsUsed, ...] = ()
    #: Where limits, spreads and rates come from.
    rests_on: tuple[TableUsed, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceScores:
    """Scores that a source gives its own loans: shown as they came, in place of ours (D44)."""

    #: By row of the loans.
    rate_pressure: pa.Array
    #: As in Scores.
    signals: pa.Table
    components: pa.Table
    #: How many records the source counts, by list; fewer may have come.
    counted: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Book:
    """All sources of a snapshot, joined and scored, ready to be written."""

    #: The newest date of the sources with loans (D26); loans are scored at their own source's.
    as_of: date
    #: What each source said by itself.
    sources: tuple[Portfolio, ...]
    #: All of it in one set of tables, shapes as in contract/portfolio.py.
    tables: Mapping[str, pa.Table]
    source_of_loan: SourceRows
    source_of_reject: SourceRows
    scores: Scores
    #: How many records the source counts, by list, where it says so; fewer may be here.
    counted_by_source: Mapping[str, int] = field(default_factory=dict)
    #: What the tables were joined of, where that is not the sources as they came: edges from loans
    #: of other sources have found them (D203).
    settled: tuple[Portfolio, ...] = ()
    #: Pairs of parties and of loans that may be one, as MATCHES.
    matches: pa.Table = field(default_factory=MATCHES.empty_table)

    def source_of(self, table: str) -> SourceRows:
        """Row of `sources` by row of a table that the sources' own tables were joined to."""
        rows = [getattr(one, table).num_rows for one in self.settled or self.sources]
        return np.repeat(np.arange(len(self.sources), dtype=np.int16), rows)


class Build(Protocol):
    """A snapshot that is being written: nobody reads it yet."""

    def reported(self) -> list[Portfolio]:
        """What each reported source of the current snapshot said, in order. Raises StoreDamaged."""
        ...

    def periods(self) -> list[KeptPeriod]:
        """Those of the current snapshot, in the order in which they came. Raises StoreDamaged."""
        ...

    def staged(self) -> list[KeptPeriod]:
        """Those that an import left behind that was interrupted."""
        ...

    def portfolio(self, period: KeptPeriod) -> Portfolio | None:
        """What the source of one of them said; None where it is not kept. Raises StoreDamaged."""
        ...

    def endings(self, *, came: bool = False) -> pa.Table:
        """As ENDINGS (contract/period.py), by date: of all periods that count, or of those that
        `came` alone. Raises StoreDamaged.
        """
        ...

    def add(self, period: ScoredPeriod | KeptPeriod) -> Arrival:
        """Puts a period into the snapshot, a new one or one of `staged`, after all others:
        of one source and date it is the one that counts, and takes the place of the same filing.

        From then on it is kept, whole: an import that is interrupted finds it among `staged`.
        """
        ...

    def replace(self, period: KeptPeriod, by: ScoredPeriod | KeptPeriod) -> None:
        """Puts the same filing as it is scored now, new or one of `staged`, where one of the
        current snapshot's periods is.
        """
        ...

    def drop(self, period: KeptPeriod) -> None:
        """Leaves one of the current snapshot's periods out of this one."""
        ...

    def publish(self, book: Book | None, progress: Progress) -> Snapshot:
        """Writes the book, and only when all of it is written makes it the current snapshot.

        Of the current snapshot's periods those stay whose sources the book has. None: the current
        snapshot's book stays as it is, and only periods change.
        """
        ...


class Publisher(Protocol):
    """Where books are published."""

    def build(self) -> AbstractContextManager[Build]:
        """A new snapshot, for the one process that may write. Unless it is published before the
        block ends, nothing of it stays. Raises StoreBusy, StoreDamaged, StoreFull.
        """
        ...

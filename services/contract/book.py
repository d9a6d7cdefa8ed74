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

from .loaded import RateUsed, RuleCard, RuleCoverage, Snapshot, TableUsed
from .portfolio import Portfolio

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
    #: By row of the loans, what results are ordered by beside facts: sponsor (row of entities, null
    #: without one), dscr_short (minimum DSCR of the type less the loan's, None where not known).
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

    #: Today, for every figure that depends on it (D26).
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


class Build(Protocol):
    """A snapshot that is being written: nobody reads it yet."""

    def reported(self) -> list[Portfolio]:
        """What each reported source of the current snapshot said, in order. Raises StoreDamaged."""
        ...

    def publish(self, book: Book, progress: Progress) -> Snapshot:
        """Writes the book, and only when all of it is written makes it the current snapshot."""
        ...


class Publisher(Protocol):
    """Where books are published."""

    def build(self) -> AbstractContextManager[Build]:
        """A new snapshot, for the one process that may write. Unless it is published before the
        block ends, nothing of it stays. Raises StoreBusy, StoreDamaged, StoreFull.
        """
        ...

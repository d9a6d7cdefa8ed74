"""What a snapshot says of itself: its sources, counts, rates and rules."""

from collections.abc import Mapping
from datetime import date, datetime

from pydantic import Field

from .records import Record


class LoadedSource(Record):
    """One source within a snapshot."""

    key: str
    importer: str
    title: str
    publisher: str
    terms: str
    as_of: date
    provenance: str
    files: tuple[str, ...] = ()
    sha256: tuple[str, ...] = ()
    records_read: int = 0
    #: Of made-up loans: by the same one the same loans are made.
    seed: int | None = None
    loans: int = 0
    book_value: int = 0
    properties: int = 0
    entities: int = 0
    edges: int = 0
    signals: int = 0
    rejected: int = 0
    unmapped: Mapping[str, int] = Field(default_factory=dict)


class RateUsed(Record):
    """A reference rate that the snapshot's refi rates stand on."""

    series: str
    day: date
    percent: float


class TableUsed(Record):
    """A table that scoring rests on."""

    #: "reference rates", "limits" or "spreads".
    table: str
    #: "packaged", or the name of the user's own file.
    origin: str
    version: int | None = None

    @property
    def source(self) -> str:
        """Its origin and version: "house.toml, version 3"."""
        return self.origin if self.version is None else f"{self.origin}, version {self.version}"


class RuleCoverage(Record):
    """What one rule found over all loans; the counts sum to the loans of the snapshot."""

    rule: str
    signal_type: str
    title: str
    #: Fired, by severity word.
    fired: Mapping[str, int]
    silent: int
    not_applicable: int
    not_testable: int
    #: Why it was not testable -> loans.
    reasons: Mapping[str, int]


class RuleCard(Record):
    """A rule as it stood when a snapshot was scored: what it reads, its limits, its sources."""

    id: str
    version: int
    limits_version: int
    title: str
    signal_type: str
    #: What it reads of a loan, in words.
    inputs: tuple[str, ...]
    #: Severity and its limit in words, mildest first.
    ladder: tuple[tuple[str, str], ...]
    #: What the ladder alone does not say; may be blank.
    remark: str
    clears_when: str
    source: str


class Snapshot(Record):
    """What is loaded."""

    snapshot_id: str
    #: Shape of the snapshot's files; another one is not read.
    file_format: int = 0
    #: Today, for every figure that depends on it (D26).
    as_of: date
    built_at: datetime
    loans: int
    properties: int
    entities: int
    edges: int
    signals: int
    rejected: int
    #: Signals by severity word.
    signals_by_severity: Mapping[str, int]
    signals_by_type: Mapping[str, int]
    sources: tuple[LoadedSource, ...]
    rates: tuple[RateUsed, ...]
    #: Where limits, spreads and rates come from.
    rests_on: tuple[TableUsed, ...] = ()
    rule_coverage: tuple[RuleCoverage, ...] = ()
    #: The rules that scored it; none where the source gave its own scores.
    rules: tuple[RuleCard, ...] = ()
    #: Of a mirror: what the API counts, by list; more than is here when it did not come whole.
    counted_by_source: Mapping[str, int] = Field(default_factory=dict)
    #: US dollars, whole.
    book_value: int = 0
    #: By book value, a percent figure.
    weighted_coupon: float | None = None

    @property
    def whole(self) -> bool:
        """Whether a mirror holds all that its API counts (D34); always, of other sources."""
        here = {"loans": self.loans, "signals": self.signals}
        return all(here.get(name, total) >= total for name, total in self.counted_by_source.items())

    @property
    def synthetic(self) -> bool:
        """Whether all of it is made up; synthetic and reported never mix (D27)."""
        return any(source.provenance == "synthetic" for source in self.sources)

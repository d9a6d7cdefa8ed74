"""What a snapshot says of itself: its sources, counts, rates and rules."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from pydantic import Field

from .months import months_after
from .records import Record

#: Months after which a source is old beside the newest, and is said to be (D214).
OLD_MONTHS: Final = 12


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
    #: None where no loan of it states a balance.
    book_value: int | None = None
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
    #: The as-of date of the loans whose refi rates stand on it; None: of all.
    as_of: date | None = None


class SpreadsUsed(Record):
    """The spreads that refi rates rest on: the nearest to an as-of date."""

    day: date
    #: What they were fitted to, in words.
    fitted: str
    #: Whole months between them and the as-of date, before or after it.
    months_off: int
    #: Whether they lie within 18 months of it; where they do not, every refinance figure says so.
    fits: bool
    as_of: date | None = None


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


class RuleLimit(Record):
    """A limit as a figure, beside the words of its rule's card."""

    severity: str
    #: <, <=, > or >=: where the rule fires.
    sign: str
    #: As the loan has it: fractions, times, percent figures, basis points, months.
    figure: float
    #: Those that have this limit in place of the general one, which names none.
    property_types: tuple[str, ...] = ()
    #: Whether `figure` is added to the minimum of the loan's property type.
    of_minimum: bool = False
    #: Whether it is a level of what the rule else compares with underwriting.
    level: bool = False


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
    #: The same as figures; none of a ladder of codes. Levels come last.
    limits: tuple[RuleLimit, ...] = ()
    #: What the ladder alone does not say; may be blank.
    remark: str
    clears_when: str
    source: str


class Snapshot(Record):
    """What is loaded."""

    snapshot_id: str
    #: Shape of the snapshot's files; another one is not read.
    file_format: int = 0
    #: The newest as-of date of its sources with loans, from which windows count (D26). Loans are
    #: scored at the date of their own source.
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
    #: By as-of date; none where the file of spreads gives no dates.
    spreads: tuple[SpreadsUsed, ...] = ()
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
    def oldest(self) -> date:
        """The oldest as-of date of its sources with loans."""
        return min((one.as_of for one in self.sources if one.loans), default=self.as_of)

    @property
    def has_old_sources(self) -> bool:
        """Whether a source with loans is over a year older than the newest."""
        return months_after(self.oldest, OLD_MONTHS) < self.as_of

    @property
    def dated(self) -> str:
        """The as-of date, or the oldest and the newest of sources: "2018-01-08 to 2025-12-11"."""
        last = self.as_of.isoformat()
        return last if self.oldest == self.as_of else f"{self.oldest.isoformat()} to {last}"

    @property
    def synthetic(self) -> bool:
        """Whether all of it is made up; synthetic and reported never mix (D27)."""
        return any(source.provenance == "synthetic" for source in self.sources)

"""The track record: what became of loans after they were graded, over a history of filings.

`services/track_record` makes it; its README says how each figure is counted.
"""

from collections.abc import Mapping
from datetime import date
from typing import Final

from .records import Record
from .snapshot_info import TableUsed
from .vocabulary import SEVERITIES

DELINQUENT: Final = "60 or more days delinquent"
MATURED: Final = "matured balloon unpaid"
SPECIAL: Final = "special servicing"
MODIFIED: Final = "modification"
IN_FORECLOSURE: Final = "foreclosure"
TAKEN: Final = "REO"
LOSS: Final = "liquidation with a loss"

#: Each kind of distress, and by what a filing shows it (Schedule AL).
DEFINITION: Final[Mapping[str, str]] = {
    DELINQUENT: "payment status 2 (60-89 days) or 3 (90 days and more)",
    MATURED: "payment status 4 or 5, or a balance still owed after the maturity date",
    SPECIAL: "transferred to the special servicer and not returned since, or workout strategy 3 "
    "(bankruptcy), 5 (note sale), 9 (pending return) or 13 (to be determined)",
    MODIFIED: "modification code 1, 2, 3, 5, 6, 7, 8 or 10, or none on a loan that is filed as "
    "modified, with a date within the last 24 months, "
    "or workout strategy 1 (modification) or 4 (extension); code 98, other, does not say what "
    "changed and is not counted, nor is code 10 that took its place in filings of 2024 and keeps "
    "an older date",
    IN_FORECLOSURE: "workout strategy 2 or 10 (deed in lieu), or a property in foreclosure",
    TAKEN: "workout strategy 7, or a property that is REO",
    LOSS: "a realized loss to the trust, or a discounted payoff",
}

#: Severities that warn of nothing; `low` is no signal.
_AT_MOST_MODERATE: Final = SEVERITIES[: SEVERITIES.index("moderate") + 1]


class TrustHistory(Record):
    """The filings of one trust that were scored."""

    trust: str
    #: As-of dates of the first and the last filing.
    first: date
    last: date
    filings: int
    #: Months between them without a filing.
    months_missing: int
    loans: int


class RuleUsed(Record):
    """A rule by which loans were graded."""

    id: str
    version: int
    limits_version: int


class DistressedLoan(Record):
    """A loan that became distressed within its history, and how it was graded before."""

    trust: str
    loan_number: str
    property_name: str | None
    property_type: str | None
    #: As-of date of the first filing that shows distress, and what it shows.
    as_of: date
    kinds: tuple[str, ...]
    #: As-of date of the filing before it; the loan's worst severity then, `low` for no signal,
    #: and the same without ST-1, which reads the loan's status.
    before: date
    severity_before: str
    severity_before_without_status: str
    #: Twelve months before; None where the history does not reach back.
    severity_year_before: str | None

    @property
    def missed(self) -> bool:
        """Whether the last filing before gave no signal, or a moderate one at most."""
        return self.severity_before in _AT_MOST_MODERATE

    @property
    def missed_without_status(self) -> bool:
        """Whether it would have been missed without ST-1."""
        return self.severity_before_without_status in _AT_MOST_MODERATE

    @property
    def missed_year_before(self) -> bool:
        """Whether it was missed twelve months before; False where no filing reaches back."""
        return self.severity_year_before in _AT_MOST_MODERATE


class SeverityShare(Record):
    """What became of the loans that stood at one severity."""

    #: `low` is no signal.
    severity: str
    #: Filings in which a loan that was not distressed stood so, and the loans among them.
    loan_months: int
    loans: int
    #: Of these, how many saw distress within the horizon.
    distressed_loan_months: int
    distressed_loans: int


class Discrimination(Record):
    """How well one figure ranks loans that became distressed before those that did not."""

    #: `severity`, `severity_without_status`, or a fact of contract/facts.py.
    predictor: str
    #: Loan-months for which the figure is known, and the loans among them.
    loan_months: int
    loans: int
    distressed_loans: int
    #: Area under the ROC curve, and its interval of 95 %, loans drawn with replacement; None where
    #: too few loans became distressed.
    auc: float | None = None
    low: float | None = None
    high: float | None = None


class Horizon(Record):
    """What could be seen of each loan for so many months."""

    months: int
    loan_months: int
    loans: int
    distressed_loan_months: int
    distressed_loans: int
    #: Loan-months not counted, for the loan left the filings before the horizon ended.
    lost_loan_months: int
    shares: tuple[SeverityShare, ...]
    #: The same by worst severity without ST-1.
    shares_without_status: tuple[SeverityShare, ...]
    discriminations: tuple[Discrimination, ...]


class TrackRecord(Record):
    """One run of `creditatlas track-record`."""

    #: Shape of this record.
    file_format: int
    ran_on: date
    trusts: tuple[TrustHistory, ...]
    rules: tuple[RuleUsed, ...]
    rests_on: tuple[TableUsed, ...]
    #: All loans, months with a filing, and loans by filings.
    loans: int
    months: int
    loan_months: int
    #: Loan-months at which a loan was observed: not yet distressed, defeased or ended.
    observed_loan_months: int
    #: Loans distressed in their first filing, which are never observed.
    distressed_at_first: int
    #: Loans that ended without distress: paid off, repurchased or otherwise without a loss,
    #: defeased, or in the filings no more.
    paid_off: int
    ended_otherwise: int = 0
    defeased: int
    lost: int
    #: Loans whose modification is filed as "other" and that show no distress.
    modified_otherwise: int
    #: In order of date, then number.
    distressed: tuple[DistressedLoan, ...]
    horizons: tuple[Horizon, ...]
    #: Fewer distressed loans give no AUC.
    fewest_distressed: int
    draws: int


class ShownRun(Record):
    """A run as the dashboard shows it, beside the rules that grade now."""

    run: TrackRecord
    #: Whether it is the one that ships with the program.
    packaged: bool
    #: The rules and tables behind the signals on screen; the program's own where a source scored
    #: its loans itself.
    rules: tuple[RuleUsed, ...]
    rests_on: tuple[TableUsed, ...]

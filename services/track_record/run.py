"""One run: filings in, the track record out."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused
from services.contract.track_record import (
    DistressedLoan,
    Horizon,
    SeverityShare,
    TrackRecord,
    TrustHistory,
)
from services.contract.vocabulary import SEVERITIES
from services.signals.assumptions import Assumptions
from services.track_record import in_force
from services.track_record.discrimination import (
    DRAWS,
    FEWEST_DISTRESSED,
    PREDICTORS,
    discrimination,
)
from services.track_record.history import Filing, LoanMonth, Progress, month_of, read_history
from services.track_record.observations import (
    LoanHistory,
    Observation,
    loan_histories,
    observations,
)

#: Raised whenever records written before can no longer be read.
FILE_FORMAT: Final = 1
HORIZONS: Final = (12, 24)


def track_record(
    paths: Sequence[Path],
    assumptions: Assumptions,
    today: date,
    *,
    deal: str | None = None,
    progress: Progress | None = None,
) -> TrackRecord:
    """Scores every filing at its own date and looks at what became of the loans.

    Takes what `read_history` takes; `today` is the day of the run. Raises as it does.
    """
    filings = read_history(paths, assumptions, deal=deal, progress=progress)
    if progress is not None:
        progress("looking ahead", 1.0)
    return record(filings, assumptions, today)


def record(filings: Sequence[Filing], assumptions: Assumptions, today: date) -> TrackRecord:
    """The track record of filings that are scored. Raises ImportRefused without any loan."""
    histories = loan_histories(filings)
    if not histories:
        raise ImportRefused("There is no loan in these filings; nothing was changed")
    ends = [one.end for one in histories if one.observed]
    return TrackRecord(
        file_format=FILE_FORMAT,
        ran_on=today,
        trusts=_trusts(filings),
        rules=in_force.of_assumptions(assumptions),
        rests_on=assumptions.tables(),
        loans=len(histories),
        months=len({month_of(one.as_of) for one in filings}),
        loan_months=sum(len(one.filed) for one in histories),
        observed_loan_months=sum(len(one.observed) for one in histories),
        distressed_at_first=sum(one.end == "distressed" and not one.observed for one in histories),
        paid_off=ends.count("paid off"),
        ended_otherwise=ends.count("ended"),
        defeased=ends.count("defeased"),
        lost=ends.count("lost"),
        modified_otherwise=sum(
            one.end != "distressed" and any(month.modified_otherwise for month in one.filed)
            for one in histories
        ),
        distressed=_distressed(histories),
        horizons=tuple(_horizon(histories, months) for months in HORIZONS),
        fewest_distressed=FEWEST_DISTRESSED,
        draws=DRAWS,
    )


def _trusts(filings: Iterable[Filing]) -> tuple[TrustHistory, ...]:
    by_trust: dict[str, list[Filing]] = {}
    for filing in sorted(filings, key=lambda one: (one.trust, one.as_of)):
        by_trust.setdefault(filing.trust, []).append(filing)
    return tuple(
        TrustHistory(
            trust=trust,
            first=listed[0].as_of,
            last=listed[-1].as_of,
            filings=len(listed),
            months_missing=month_of(listed[-1].as_of) - month_of(listed[0].as_of) + 1 - len(listed),
            loans=len({loan.loan_number for filing in listed for loan in filing.loans}),
        )
        for trust, listed in by_trust.items()
    )


def _distressed(histories: Iterable[LoanHistory]) -> tuple[DistressedLoan, ...]:
    found = [_one_distressed(history) for history in histories if history.observed]
    listed = [one for one in found if one is not None]
    return tuple(sorted(listed, key=lambda one: (one.as_of, one.loan_number)))


def _one_distressed(history: LoanHistory) -> DistressedLoan | None:
    event = history.first_distress
    if event is None:
        return None
    before = history.observed[-1]
    year_before = next(
        (one for one in reversed(history.observed) if one.month <= event.month - 12), None
    )
    return DistressedLoan(
        trust=event.trust,
        loan_number=event.loan_number,
        property_name=event.property_name or before.property_name,
        property_type=event.property_type or before.property_type,
        as_of=event.as_of,
        kinds=event.distress,
        before=before.as_of,
        severity_before=SEVERITIES[before.severity],
        severity_before_without_status=SEVERITIES[before.severity_without_status],
        severity_year_before=SEVERITIES[year_before.severity] if year_before else None,
    )


def _horizon(histories: Sequence[LoanHistory], months: int) -> Horizon:
    observed, lost = observations(histories, months)
    return Horizon(
        months=months,
        loan_months=len(observed),
        loans=_loans(observed),
        distressed_loan_months=sum(one.distressed for one in observed),
        distressed_loans=_loans(one for one in observed if one.distressed),
        lost_loan_months=lost,
        shares=_shares(observed, lambda month: month.severity),
        shares_without_status=_shares(observed, lambda month: month.severity_without_status),
        discriminations=tuple(discrimination(one, observed) for one in PREDICTORS),
    )


def _shares(
    observed: Sequence[Observation], rank: Callable[[LoanMonth], int]
) -> tuple[SeverityShare, ...]:
    """One row a severity, mildest first, those at which no loan stood included."""
    found = []
    for at, word in enumerate(SEVERITIES):
        here = [one for one in observed if rank(one.at) == at]
        distressed = [one for one in here if one.distressed]
        found.append(
            SeverityShare(
                severity=word,
                loan_months=len(here),
                loans=_loans(here),
                distressed_loan_months=len(distressed),
                distressed_loans=_loans(distressed),
            )
        )
    return tuple(found)


def _loans(observed: Iterable[Observation]) -> int:
    return len({(one.at.trust, one.at.loan_number) for one in observed})

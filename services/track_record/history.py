"""Filings to loan-months: each filing scored at its own date, by itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final

import numpy as np

from services.contract.errors import ImportRefused
from services.contract.portfolio import TABLES, Portfolio
from services.importers.sec_absee import filings, portfolio
from services.signals import engine
from services.signals.assumptions import Assumptions
from services.signals.period_rows import worst_ranks
from services.track_record.distress import OTHER_CHANGE, READ, defeased, distress, ended, paid_off

Progress = Callable[[str, float], None]
#: The rule that reads the loan's status, which is nearly the outcome itself.
STATUS_RULE: Final = "ST-1"
#: What a loan's figures are ranked by, beside its severities; facts of contract/facts.py.
FIGURES: Final = ("dscr", "debt_yield", "refinance_gap")


@dataclass(frozen=True, slots=True)
class LoanMonth:
    """One loan in one filing: how it was graded, and how it fared."""

    trust: str
    loan_number: str
    property_name: str | None
    property_type: str | None
    as_of: date
    #: Rank of the worst severity of its signals, 0 for none; the same without ST-1.
    severity: int
    severity_without_status: int
    #: None where not known or not tested.
    dscr: float | None
    debt_yield: float | None
    refinance_gap: float | None
    #: Kinds of distress (distress.py); empty for none.
    distress: tuple[str, ...]
    defeased: bool
    #: Nothing is owed any more; and whether that is for it was repaid in full.
    ended: bool
    paid_off: bool
    #: Whether its modification is filed as "other".
    modified_otherwise: bool

    @property
    def month(self) -> int:
        """Months since year 0: filings are monthly, on days that vary."""
        return month_of(self.as_of)


@dataclass(frozen=True, slots=True)
class Filing:
    """One filing of one trust, scored."""

    trust: str
    as_of: date
    loans: tuple[LoanMonth, ...]
    #: Records that are notes of a loan for which another record stands (D151).
    notes: frozenset[str] = frozenset()


def month_of(day: date) -> int:
    """Months since year 0."""
    return day.year * 12 + day.month - 1


def read_history(
    paths: Sequence[Path],
    assumptions: Assumptions,
    *,
    deal: str | None = None,
    progress: Progress | None = None,
) -> list[Filing]:
    """Every filing, scored as of its own date, by trust, then date.

    `paths` are Exhibit 102 files, or folders of them; `deal` names the one trust of all, by
    default each file's name tells its trust. `progress` gets a stage and the fraction done.

    Raises ImportRefused, naming the file, for one that is not a whole Exhibit 102, and for two of
    one trust and month; InvalidRequest without a file or a name of the trust.
    """
    files = filings(paths)
    found: dict[tuple[str, int], tuple[Filing, str]] = {}
    for at, file in enumerate(files):
        if progress is not None:
            progress(f"scoring {file.name}", at / len(files))
        source = portfolio([file], deal=deal)[0]
        key = source.info.title, month_of(source.info.as_of)
        if key in found:
            raise ImportRefused(
                f"{found[key][1]} and {file.name} are both of {source.info.title} for "
                f"{source.info.as_of:%B %Y}; name the one that counts."
            )
        found[key] = score(source, assumptions), file.name
    return _loans_once([found[key][0] for key in sorted(found)])


def score(source: Portfolio, assumptions: Assumptions) -> Filing:
    """One filing by itself, as of its own date."""
    tables = {name: getattr(source, name) for name in TABLES}
    as_of, trust = source.info.as_of, source.info.title
    scores = engine.evaluate(tables, as_of, assumptions)
    size = source.loans.num_rows
    # No signal ranks as `low` does, which is none.
    worst, without = (
        np.maximum(ranks, 0).tolist()
        for ranks in (worst_ranks(scores, size), worst_ranks(scores, size, STATUS_RULE))
    )
    columns = ("loan_number", "property_name", "property_type", "dscr", *READ)
    rows = source.loans.select(columns).to_pylist()
    further = zip(
        scores.features["debt_yield"].to_pylist(),
        scores.features["refinance_gap"].to_pylist(),
        worst,
        without,
        strict=True,
    )
    loans = [
        LoanMonth(
            trust=trust,
            loan_number=row["loan_number"],
            property_name=row["property_name"],
            property_type=row["property_type"],
            as_of=as_of,
            severity=severity,
            severity_without_status=without_status,
            dscr=row["dscr"],
            debt_yield=debt_yield,
            refinance_gap=gap,
            distress=distress(row, as_of),
            defeased=defeased(row),
            ended=ended(row),
            paid_off=paid_off(row),
            modified_otherwise=row["modification"] == OTHER_CHANGE,
        )
        for row, (debt_yield, gap, severity, without_status) in zip(rows, further, strict=True)
    ]
    leads = scores.features["whole_loan"].to_pylist()
    notes = {row["loan_number"] for row, lead in zip(rows, leads, strict=True) if lead is not None}
    return Filing(trust, as_of, tuple(loans), frozenset(notes - set(leads)))


def _loans_once(filings: Sequence[Filing]) -> list[Filing]:
    """The same with one record of each loan: what the newest filing says of notes that says
    anything holds at every date of its trust (D181).
    """
    notes = {one.trust: one.notes for one in filings if one.notes}
    return [
        replace(one, loans=tuple(
            loan for loan in one.loans if loan.loan_number not in notes.get(one.trust, ())
        ))
        for one in filings
    ]  # fmt: skip

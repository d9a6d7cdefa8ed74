"""Loan-months to observations: when a loan is looked at, and what is seen of it afterwards.

A loan is observed at each filing until it is distressed, defeased in full or no longer owes. An
observation counts for a horizon only where the trust's filings reach to its end, whatever became of
the loan: else late distress would count and late calm would not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from services.track_record.history import Filing, LoanMonth

#: How a loan's history ends: distressed, safe (defeased, paid off, or ended otherwise without a
#: loss, such as repurchased), lost (in later filings of its trust no more), or with the filings.
End = Literal["distressed", "defeased", "paid off", "ended", "lost", "filed to the end"]


@dataclass(frozen=True, slots=True)
class LoanHistory:
    """One loan through all filings of its trust."""

    #: Every filing of it, by date.
    filed: tuple[LoanMonth, ...]
    #: The filings at which it was observed.
    observed: tuple[LoanMonth, ...]
    end: End
    #: The last filing of its trust, as a month.
    last_of_trust: int

    @property
    def first_distress(self) -> LoanMonth | None:
        """The filing that shows distress first."""
        if self.end != "distressed":
            return None
        return self.filed[len(self.observed)]


@dataclass(frozen=True, slots=True)
class Observation:
    """A loan at a filing, and whether it was distressed within the horizon."""

    at: LoanMonth
    distressed: bool


def loan_histories(filings: Iterable[Filing]) -> list[LoanHistory]:
    """Each loan's history, by loan number. A loan is its trust and its number."""
    filed: dict[tuple[str, str], list[LoanMonth]] = {}
    last: dict[str, int] = {}
    for filing in sorted(filings, key=lambda one: one.as_of):
        for loan in filing.loans:
            filed.setdefault((loan.trust, loan.loan_number), []).append(loan)
            last[loan.trust] = loan.month
    return [_history(months, last[trust]) for (trust, _), months in sorted(filed.items())]


def _history(months: Sequence[LoanMonth], last_of_trust: int) -> LoanHistory:
    for at, month in enumerate(months):
        if (end := _ends(month)) is not None:
            return LoanHistory(tuple(months), tuple(months[:at]), end, last_of_trust)
    end = "lost" if months[-1].month < last_of_trust else "filed to the end"
    return LoanHistory(tuple(months), tuple(months), end, last_of_trust)


def _ends(month: LoanMonth) -> End | None:
    """Why a loan is no longer observed. Defeased first: Treasuries pay it, whatever its status.

    A loan that was liquidated with a loss owes nothing, and is distressed nevertheless.
    """
    if month.defeased:
        return "defeased"
    if month.distress:
        return "distressed"
    if month.paid_off:
        return "paid off"
    return "ended" if month.ended else None


def observations(histories: Iterable[LoanHistory], horizon: int) -> tuple[list[Observation], int]:
    """Observations whose outcome within `horizon` months is known, and how many are lost.

    A loan that ends without a loss or is defeased within the horizon is not distressed. Lost is a
    loan-month whose loan left the filings without either before the horizon ended.
    """
    found: list[Observation] = []
    lost = 0
    for history in histories:
        event = history.first_distress
        for month in history.observed:
            until = month.month + horizon
            if until > history.last_of_trust:
                continue
            distressed = event is not None and event.month <= until
            if history.end == "lost" and history.filed[-1].month < until:
                lost += 1
                continue
            found.append(Observation(month, distressed))
    return found, lost

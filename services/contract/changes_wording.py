"""What changed between two dates, in sentences: on the Changes page, on Overview, in the digest."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from .events import Event
from .facts import Fact, by_name
from .happened import ChangeCount, Happened
from .history import ChangedLoan, Changes
from .rounding import money
from .vocabulary import NO_SIGNAL

#: Columns of a file of changes that are not those of loans.
FACTS: Final = by_name(
    Fact("dollars", "dollars", "At stake"),
    Fact("severity_before", "severity", "Worst signal before"),
    Fact("severity_after", "severity", "Worst signal after"),
    Fact("kinds", "text", "Kinds of events"),
    Fact("events", "text", "What changed"),
)


def day(when: date) -> str:
    """30 Sep 2026."""
    return f"{when.day} {when:%b %Y}"


def span(found: Happened) -> str:
    """Which dates were compared."""
    return f"from {day(found.since)} to {day(found.until)}"


def since(found: Happened) -> str:
    """Since 31 Aug 2026: 12 worse, 5 better (3 cured), $41.0M into special servicing."""
    cured = counted(found, "status_cured").loans
    special = counted(found, "special_in").dollars
    parts = (
        f"{found.worse.loans:,} worse",
        f"{found.better.loans:,} better" + (f" ({cured:,} cured)" if cured else ""),
        f"{money(special)} into special servicing" if special else "",
    )
    return f"Since {day(found.since)}: {', '.join(part for part in parts if part)}"


def counted(found: Happened, kind: str) -> ChangeCount:
    """Loans and dollars of a kind of event; none where it did not occur."""
    nothing = ChangeCount(kind=kind, loans=0, dollars=0)
    return next((one for one in found.counts if one.kind == kind), nothing)


def remarks(found: Changes) -> tuple[str, ...]:
    """What has to be said of the comparison, sentence by sentence."""
    said = []
    if found.not_compared:
        titles = "; ".join(found.not_compared)
        said.append(f"No filing at or before {day(found.since)}: {titles}.")
    if found.silent:
        listed = "; ".join(f"{title} (last {day(last)})" for title, last in found.silent)
        said.append(f"Nothing was filed after {day(found.since)} by: {listed}.")
    own = [one for one in found.spans if (one.since, one.until) != (found.since, found.until)]
    if own:
        listed = "; ".join(f"{one.title} from {day(one.since)} to {day(one.until)}" for one in own)
        said.append(f"Compared by the filings nearest to the two dates: {listed}.")
    if found.rules_changed:
        said.append(
            "Different rules, limits or spreads scored the two dates, so signals may differ by"
            " that alone; 'creditatlas periods rescore' scores all dates by today's."
        )
    return tuple(said)


def severity(word: str) -> str:
    """A word of the matrix."""
    return "no signal" if word == NO_SIGNAL else word


def move(loan: ChangedLoan) -> str:
    """Worst signal before and after: moderate to severe; severe, as before."""
    before, after = severity(loan.severity_before), severity(loan.severity_after)
    return f"{after}, as before" if before == after else f"{before} to {after}"


def sentences(events: Iterable[Event]) -> str:
    """All that happened, the most important first."""
    return " ".join(one.sentence for one in events)

"""What a digest says: a user's cases, the changes of their watchlist, then those of the book."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from services.contract import changes_wording as wording
from services.contract.errors import NoHistory
from services.contract.events import KIND
from services.contract.history import ChangedLoan, ChangeQuery, Changes
from services.contract.rounding import money, number_of
from services.contract.source import Analytics

from . import cases
from .lines import MOST_LOANS, Line, Section, named, plain


@dataclass(frozen=True, slots=True)
class Digest:
    """All that a digest says; words from outside are on one line each, and not escaped."""

    heading: str
    summary: str
    remarks: tuple[str, ...]
    #: Kind of event, loans, dollars; the most important first.
    totals: tuple[tuple[str, str, str], ...]
    sections: tuple[Section, ...]


def digest(
    read: Analytics,
    since: date | None = None,
    watched: tuple[str, ...] | None = None,
    inbox: cases.Inbox | None = None,
) -> Digest:
    """What changed since a date, by default since the one before the newest.

    `watched` are the loans on somebody's watchlist, `inbox` their cases; None leaves that section
    out. Raises NoHistory where the book is known as of one date only; InvalidRequest for a date
    before the first.
    """
    query = ChangeQuery(since=since, per_page=MOST_LOANS)
    found = read.changes(query)
    if found.since == found.until:
        raise NoHistory(
            f"There is nothing to compare: the book is known as of {wording.day(found.until)} and"
            " not before; import the files of another date"
        )
    sections = [_section("What changed, worst first", found)]
    if watched is not None:
        of_watchlist = query.model_copy(update={"numbers": watched})
        sections.insert(0, _section("On your watchlist", read.changes(of_watchlist)))
    if inbox is not None:
        sections.insert(0, cases.section(inbox, found.since, read))
    return Digest(
        heading=f"Changes {wording.span(found)}",
        summary=f"{wording.since(found)}. {number_of(found.compared, 'loan')} compared.",
        remarks=wording.remarks(found),
        totals=tuple(
            (KIND[one.kind].label, f"{one.loans:,}", money(one.dollars)) for one in found.counts
        ),
        sections=tuple(sections),
    )


def _section(heading: str, found: Changes) -> Section:
    listed, total = found.found.items, found.found.total
    rest = "Nothing changed." if not total else ""
    if total > len(listed):
        more = total - len(listed)
        rest = f"{more:,} more changed: see the Changes page."
    return Section(f"{heading}: {found.loans:,}", tuple(map(_line, listed)), rest)


def _line(loan: ChangedLoan) -> Line:
    return Line(
        name=named(loan.property_name, loan.loan_number),
        facts=f"{plain(', '.join(_facts(loan)))}; worst signal: {wording.move(loan)}",
        events=tuple(plain(one.sentence) for one in loan.events),
    )


def _facts(loan: ChangedLoan) -> Iterator[str]:
    yield from (one for one in (loan.property_type, loan.city, loan.state) if one)
    if loan.dollars is not None:
        yield money(loan.dollars)
    yield loan.deal

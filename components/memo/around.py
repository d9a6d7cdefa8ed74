"""The parts of a memo that stand around a loan: history, events, chain, notes."""

from collections.abc import Sequence
from typing import Final

from components.history import wording as events_wording
from components.kit import severity
from components.kit.formatting import (  # fmt: skip
    day,
    dollars,
    fraction,
    multiple,
    percent,
    score,
    words,
)
from components.memo import drawing
from components.memo.document import Picture, Said, Section, Sources, Table
from components.ownership import chains
from components.ownership.view import NO_CHAIN
from services.contract.citations import Citation
from services.contract.desk import Note
from services.contract.errors import NoHistory, NotFound
from services.contract.evidence import EdgeQuery
from services.contract.history import HistoryQuery, HistoryRow, LoanHistory
from services.contract.records import OwnershipChain
from services.contract.rounding import number_of
from services.contract.source import Analytics

#: Filings that a memo lists.
PERIODS: Final = 12


def history(of: Sources, source: Analytics, number: str) -> tuple[Section, Section]:
    """Income over the last filings, drawn and listed; and what happened in them."""
    try:
        found = source.history(number, HistoryQuery())
    except (NoHistory, NotFound):
        nothing = [Said("No earlier filing is kept.")]
        return Section("History", nothing), Section("Events", nothing)
    rows = found.rows[-PERIODS:]
    listed = [_filing(of, found, row) for row in rows]
    heads = ("As of", "Balance", "NOI", "NCF", "DSCR", "Occupancy", "Worst signal")
    picture = None
    if len(rows) > 1 and any(row.noi for row in rows):
        alt = f"NOI of a year as bars by filing, {day(rows[0].as_of)} to {day(rows[-1].as_of)}"
        picture = Picture(drawing.income(rows), alt)
    table = Table(heads, listed, (1, 2, 3, 4, 5), (1, 1.2, 1.1, 1.1, 0.7, 0.9, 1.1))
    line = Section("History", picture=picture, tables=[table])
    return line, _events(of, found, rows)


def _filing(of: Sources, found: LoanHistory, row: HistoryRow) -> tuple[Said, ...]:
    cited = _of_filing(of, found, row)
    return (
        of.cited(cited, day(row.as_of)),
        of.stated(cited, row.balance, dollars),
        of.stated(cited, row.noi, dollars),
        of.stated(cited, row.ncf, dollars),
        of.stated(cited, row.dscr, multiple),
        of.stated(cited, row.occupancy, fraction),
        of.stated(cited, row.worst, severity.label),
    )


def _of_filing(of: Sources, found: LoanHistory, row: HistoryRow) -> Citation:
    """One filing: its file, and what scored it."""
    return Citation(
        key=f"filing:{row.as_of}",
        label="Filing",
        kind="text",
        value=day(row.as_of),
        basis="filed",
        source=found.title,
        file=row.file,
        as_of=row.as_of,
        period=row.income_basis or "",
        provenance=of.known["book_value"].provenance,
        rule=row.rules_version,
        limit="Its record in this filing",
    )


def _events(of: Sources, found: LoanHistory, rows: Sequence[HistoryRow]) -> Section:
    first = rows[0].as_of
    by_date = {row.as_of: row for row in found.rows}
    listed = [
        (
            of.cited(_of_filing(of, found, by_date[one.as_of]), day(one.as_of)),
            Said(events_wording.kind(one)),
            of.cited(_of_filing(of, found, by_date[one.as_of]), one.sentence),
        )
        for one in reversed(found.events)
        if one.as_of >= first and one.as_of in by_date
    ]
    title = f"Events of the last {number_of(len(rows), 'filing')}" if len(rows) > 1 else "Events"
    if not listed:
        return Section(title, [Said("No event.")])
    return Section(title, tables=[Table(("Date", "Event", "What"), listed, (), (0.8, 1.2, 3))])


def chain(of: Sources, source: Analytics, found: OwnershipChain) -> Section:
    """Borrower at the bottom, ultimate owners on top, each link with what it rests on."""
    if not found.chain:
        return Section("Ownership chain", [Said(NO_CHAIN)])
    held = chains.of_loan(found, lambda _: None)
    steps = []
    for row in held.above:
        said = f"{row.name} ({words(row.kind).lower()})" if row.kind else row.name
        if row.link is None:
            steps.append(Said(said))
            continue
        share = "" if row.link.share is None else f", {percent(100 * row.link.share, 0)} owned"
        above = "" if row.link.owned == chains.LOAN else f" above {row.link.owned}"
        sure = f"{above}, confidence {score(row.link.confidence)}{share}"
        steps.append(of.cited(_witness(of, source, found.loan_number, row.link), f"{said}{sure}"))
    steps.reverse()
    return Section("Ownership chain", steps=[*steps, Said(f"Loan {found.loan_number}")])


def _witness(of: Sources, source: Analytics, number: str, link: chains.Link) -> Citation:
    """What a link rests on: its surest document, where its source names one."""
    query = (
        EdgeQuery(from_loan=number, to_entity=link.owner, relation="borrower")
        if link.owned == chains.LOAN
        else EdgeQuery(from_entity=link.owned, to_entity=link.owner, relation="owned_by")
    )
    try:
        witnesses = source.edge_evidence(query).witnesses
    except NotFound:
        witnesses = ()
    known = of.known["book_value"]
    below = f"loan {number}" if link.owned == chains.LOAN else link.owned
    first = witnesses[0] if witnesses else None
    where = "" if first is None else ", ".join(
        part for part in (first.record, first.element) if part
    )  # fmt: skip
    return Citation(
        key=f"edge:{link.owned}:{link.owner}",
        label=f"{link.owner} above {below}",
        kind="text",
        value=link.owner,
        basis="filed",
        source=known.source if first is None else first.source,
        file=None if first is None else first.file,
        as_of=known.as_of if first is None else first.as_of,
        provenance=known.provenance if first is None else first.provenance,
        rule="" if first is None else first.method,
        limit=where or "Its source names no document for this link",
    )


def notes(of: Sources, chosen: Sequence[Note]) -> Section | None:
    """What the analysts wrote, as they wrote it; none where no note was chosen."""
    if not chosen:
        return None
    said = []
    for one in chosen:
        cited = Citation(
            key=f"note:{one.note_id}:{one.version}",
            label=f"Note of {one.author}, version {one.version}",
            kind="text",
            value=one.changed_by,
            basis="filed",
            source="the desk",
            as_of=one.changed_at.date(),
            limit="What its author wrote; its figures are the author's own",
        )
        said.append(of.cited(cited, one.body))
    return Section("The analyst's notes", said)

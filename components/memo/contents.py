"""The memo of one loan: its sections in the order in which a committee reads them.

No sentence is made up: each is a stored one, a figure's own words, or says that something is
missing. Every figure comes from the same reads as the pages.
"""

from collections.abc import Sequence

from components.kit.formatting import MISSING, day, place, words
from components.memo import around, dossier, layers, others
from components.memo.document import Memo, Said, Section, Sources
from services.contract.desk import Note
from services.contract.loan_filter import LONGEST_NUMBER, LoanFilter
from services.contract.records import LoanDetail
from services.contract.source import Analytics, CreditSource


def memo(
    reads: CreditSource, source: Analytics, loan: LoanDetail, notes: Sequence[Note] = ()
) -> Memo:
    """The memo of a loan; `notes` are those that were chosen for print."""
    number, snapshot = loan.loan_number, source.snapshot()
    found = source.figures(loan)
    of = Sources(dict(source.citations(number).by_key()))
    chain = reads.ownership(number)
    cover = _cover(of, source, loan)
    line, events = around.history(of, source, number)
    sections: list[Section | None] = [
        dossier.terms(of),
        dossier.earned(of, found),
        line,
        dossier.exposed(of, found) if found.exposure.counts else None,
        None if found.ended or found.exempt else dossier.refinanced(of, found),
        None if found.ended else layers.stack(of, loan, found),
        others.notes(of, source, loan),
        dossier.signals(of, loan, source.signals_of(number), source.rules(), found.exempt),
        around.chain(of, source, chain),
        others.family(of, source, chain),
        None if found.settled else others.among_peers(of, source, loan),
        events,
        dossier.untested(of, found),
        around.notes(of, notes),
    ]
    cited, inputs = of.finished()
    return Memo(
        title=str(loan.extended.get("property_name") or number),
        cover=cover,
        as_of=day(loan.as_of or snapshot.as_of),
        snapshot=snapshot.snapshot_id,
        synthetic=snapshot.synthetic,
        sections=[one for one in sections if one is not None],
        sources=cited,
        inputs=inputs,
    )


def _cover(of: Sources, source: Analytics, loan: LoanDetail) -> list[tuple[str, Said]]:
    """The line over everything: which loan, whose, of when."""
    where = place(loan.property_city, loan.property_state)
    known = [part for part in (words(loan.property_type), where) if part != MISSING]
    city = of.known.get("property_city") or of.known["loan_number"]
    return [
        ("Loan", of.fact("loan_number")),
        ("Property", of.cited(city, ", ".join(known) or MISSING)),
        ("Sponsor", Said(_behind(source, loan.loan_number))),
        ("Lender", of.fact("lender_normalized")),
        ("Balance", of.fact("book_value")),
        ("As of", of.cited(of.known["loan_number"], day(loan.as_of))),
    ]


def _behind(source: Analytics, number: str) -> str:
    """The sponsor of a loan; the chain has its owners."""
    query = LoanFilter(numbers=(number,))
    found = len(number) <= LONGEST_NUMBER and source.loans_found(query, ("sponsor",)).items
    return (found and found[0].values["sponsor"]) or "not known"

"""The parts of a memo that other loans make: those of the same owners, and peers."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from components.explore import figures as plotted
from components.explore import peers
from components.kit import severity
from components.kit.formatting import MISSING, count, loan_count, money
from components.loans import notes as loan_notes
from components.memo.document import NOTHING, Said, Section, Sources, Table
from components.ownership import chains
from services.contract.citations import Citation
from services.contract.loan_filter import LoanFilter
from services.contract.records import LoanDetail, OwnershipChain
from services.contract.source import Analytics
from services.contract.vocabulary import SEVERE_OR_WORSE

#: Loans of the family that a memo lists.
_MOST_NEAR: Final = 10
_COLUMNS: Final = ("property_name", "worst_severity", "book_value", "special_servicing")


def notes(of: Sources, source: Analytics, loan: LoanDetail) -> Section | None:
    """The records of one loan that are here, in whatever trust; None of a record that is alone."""
    query = loan_notes.asked(loan)
    if query is None:
        return None
    cited = _of_book(of, "notes", f"Notes of {query.whole_loan}")
    found = source.loans_found(query, loan_notes.NAMES).items
    rows = [
        tuple(of.cited(cited, column.write(one.values)) for column in loan_notes.COLUMNS)
        for one in found
    ]
    heads = [column.label for column in loan_notes.COLUMNS]
    return Section("Notes of this loan", tables=[Table(heads, rows, (1, 2))])


def family(of: Sources, source: Analytics, found: OwnershipChain) -> Section | None:
    """Loans of the same owners that are severe, critical or in special servicing; None where no
    owner is named.
    """
    if not found.chain:
        return None
    title = "Loans of the same owners in special servicing, severe or critical"
    head = chains.head_of_family(chains.of_loan(found, lambda _: None))
    if head is None:
        return Section(title, [Said("No owner above this loan is known well enough.")])
    asked = LoanFilter(family=head, per_page=_MOST_NEAR, order="-worst_severity")
    whole = source.loan_totals(asked).loans
    bad: dict[str, Mapping[str, Any]] = {}
    for query in (
        asked.model_copy(update={"severity": SEVERE_OR_WORSE}),
        asked.model_copy(update={"special_servicing": True}),
    ):
        for one in source.loans_found(query, _COLUMNS).items:
            if one.loan_number != found.loan_number:
                bad[one.loan_number] = one.values
    cited = _of_book(of, "family", f"Loans of the family of {head}")
    if whole == 1:
        return Section(title, [of.cited(cited, f"It is the only loan of the family of {head}.")])
    said = of.cited(cited, f"Family of {head}: {loan_count(whole)}.")
    rows = [
        (
            of.cited(cited, number),
            of.cited(cited, str(values["property_name"] or MISSING)),
            of.cited(cited, severity.label(values["worst_severity"])),
            of.cited(cited, money(values["book_value"])),
            Said("yes" if values["special_servicing"] else "no"),
        )
        for number, values in list(bad.items())[:_MOST_NEAR]
    ]
    if not rows:
        return Section(title, [said, Said("None of the others.")])
    heads = ("Loan", "Property", "Worst signal", "Book value", "Special servicing")
    return Section(title, [said], tables=[Table(heads, rows, (3,))])


def among_peers(of: Sources, source: Analytics, loan: LoanDetail) -> Section:
    """Where the loan lies among loans of its type, vintage and state."""
    if loan.property_type is None:
        return Section("Peers", [Said("Its property type is not known, so its peers are not.")])
    query, words_of = peers.group(loan, lambda asked: source.loan_totals(asked).loans)
    total = source.loan_totals(query).loans
    cited = _of_book(of, "peers", f"Standings among {words_of}")
    rows = []
    for one in source.standings(query, loan.loan_number, peers.FIGURES):
        place = of.cited(cited, peers.place(one)) if one.percentile is not None else NOTHING
        median = of.stated(cited, one.median, partial(plotted.written, one.figure))
        own = of.fact(one.figure, plotted.written(one.figure, one.value))
        rows.append((Said(plotted.label(one.figure)), own, place, median))
    heads = ("Figure", "This loan", "Its place", "Median")
    said = of.cited(cited, f"Among {count(total)} {words_of} that owe.")
    return Section("Peers", [said], tables=[Table(heads, rows, (1, 2, 3))])


def _of_book(of: Sources, key: str, label: str) -> Citation:
    """A figure that is counted over the snapshot."""
    known = of.known["book_value"]
    return Citation(
        key=f"book:{key}",
        label=label,
        kind="text",
        value=label,
        basis="computed",
        as_of=known.as_of,
        source="all sources of the snapshot",
        rule="counted over the loans of the snapshot",
        limit="Recomputed from the records that it counts, not from one file",
    )

"""What is compared of a watched loan or party, as the snapshot of this run has it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from components.frame import licence, session
from services.contract.aggregates import EntityDossier
from services.contract.desk import Seen, SeenFact, Subject, SubjectKind
from services.contract.errors import NotFound
from services.contract.loan_filter import LoanFilter
from services.contract.source import Dossiers
from services.contract.vocabulary import SEVERITIES

#: Of a loan.
COMPARED: Final = ("worst_severity", "payment_status", "disposition", "book_value", "dscr",
                   "maturity_date", "borrower", "sponsor")  # fmt: skip
#: Owners of a party that are named.
_NAMED: Final = 5


def subject(kind: SubjectKind, name: str) -> Subject:
    """A loan or a party of the source that this run reads."""
    return Subject(source=session.label(), kind=kind, name=name)


def of_loans(numbers: Sequence[str]) -> dict[str, Seen]:
    """Facts of loans by number, the worst signal and ties by the most urgent first (D61).

    Loans that the snapshot does not hold are left out. Raises MirrorMissing.
    """
    query = LoanFilter(numbers=tuple(sorted(numbers)), order="-worst_severity")
    columns = licence.columns(COMPARED)
    loans = session.ask(Dossiers.loans_watched, query, columns) if numbers else ()
    return {
        loan.loan_number: _seen(
            {name: _plain(loan.values.get(name)) for name in columns}, loan.signals
        )
        for loan in loans
    }


def of_parties(names: Sequence[str]) -> dict[str, Seen]:
    """Facts of parties by name, the largest book value first; parties not there are left out.

    Raises MirrorMissing.
    """
    found = []
    for name in names:
        try:
            found.append(session.ask(Dossiers.entity, name))
        except NotFound:
            continue
    found.sort(key=lambda one: (-one.book.book_value, one.entity_name))
    return {one.entity_name: of_party(one) for one in found}


def of_party(dossier: EntityDossier) -> Seen:
    """Facts of a party: its loans, their worst signal and how many there are of each severity."""
    owners = [one.entity_name for one in dossier.owners if one.level == 1]
    more = f" and {len(owners) - _NAMED} more" if len(owners) > _NAMED else ""
    by_word = dossier.signals_by_severity
    facts: dict[str, SeenFact] = {
        "worst_severity": dossier.worst,
        "loans": dossier.book.loans,
        "book_value": dossier.book.book_value,
        "owners": ", ".join(sorted(owners)[:_NAMED]) + more or None,
        **{f"{word} signals": by_word.get(word, 0) for word in reversed(SEVERITIES)},
    }
    return _seen(facts, {})


def _seen(facts: Mapping[str, SeenFact], signals: Mapping[str, str | None]) -> Seen:
    snapshot = session.analytics().snapshot()
    return Seen(
        snapshot_id=snapshot.snapshot_id, as_of=snapshot.as_of, facts=facts, signals=signals
    )


def _plain(value: object) -> SeenFact:
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int | float) else None

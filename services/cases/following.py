"""What loans are now, for the rule that opens and closes cases: those that it finds, and those that
have a case.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from services.contract.aggregates import WatchedLoan
from services.contract.cases import Case, CaseRule, LoanSeen
from services.contract.loan_filter import MOST_NUMBERS, LoanFilter
from services.contract.vocabulary import or_worse

_COLUMNS: Final = ("worst_severity", "as_of")


def loans_now(
    read: Callable[[LoanFilter, tuple[str, ...]], Sequence[WatchedLoan]],
    cases: Iterable[Case],
    rule: CaseRule,
) -> Mapping[str, LoanSeen]:
    """Worst signal and as-of date of these loans, by number. `read` is Dossiers.loans_watched.

    A loan that is gone from the book is left out, and its case stays as it is.
    """
    return {
        loan.loan_number: LoanSeen(worst=loan.values["worst_severity"], as_of=loan.values["as_of"])
        for query in _queries(cases, rule)
        for loan in read(query, _COLUMNS)
    }


def _queries(cases: Iterable[Case], rule: CaseRule) -> Iterator[LoanFilter]:
    yield LoanFilter(severity=tuple(sorted(or_worse(rule.severity))))
    numbers = sorted(case.loan_number for case in cases)
    for at in range(0, len(numbers), MOST_NUMBERS):
        yield LoanFilter(numbers=tuple(numbers[at : at + MOST_NUMBERS]))

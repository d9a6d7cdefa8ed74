"""The facts of a loan read again from the Exhibit 102 that it came from."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from services.contract.citations import Said
from services.contract.errors import ImportRefused
from services.contract.records import LoanDetail
from services.importers.cmbs.citing import said_of
from services.importers.cmbs.loan import Loan
from services.importers.sec_absee.source import filing_rules, loans_in

#: Filings held at a time: that of the loan on the screen, and those of a pack.
_HELD: Final = 4


def facts(file: Path, loan: LoanDetail) -> Mapping[str, Said]:
    """By fact, what it was made of; empty where the file does not read or lacks the loan."""
    try:
        found = _loans(file).get(loan.loan_number.rpartition(":")[2])
    except (ImportRefused, OSError):
        return {}
    if found is None:
        return {}
    own = {name: getattr(loan, name) for name in type(loan).model_fields}
    return said_of(found, {**loan.extended, **own}, filing_rules())


@lru_cache(maxsize=_HELD)
def _loans(file: Path) -> Mapping[str, Loan]:
    """A file's loans by number; it lies under the hash of its content, so it never changes."""
    return loans_in(file)

"""Whether two sources tell of one trust: by their names, or by the loans in them."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

import pyarrow as pa

from services.contract.errors import ImportRefused
from services.contract.portfolio import Portfolio
from services.contract.rounding import number_of

_YEAR: Final = re.compile(r"\b(?:19|20)(\d\d)\b")
#: Loans that must agree, and the part of the smaller source that they must be.
_LEAST: Final = 3
_PART: Final = 0.5
#: What tells a trust's loan from one of the same number in another trust.
_LENT: Final = ("loan_number", "origination_date", "original_amount")
#: Importers whose sources are trusts.
_OF_TRUSTS: Final = ("sec-absee", "crefc-irp")
_TERMS: Final = ("loan_number", "maturity_date", "interest_rate")


def check_trusts(sources: Sequence[Portfolio]) -> None:
    """Raises ImportRefused where two importers' sources tell of one trust: its loans count once."""
    for one, other in combinations([one for one in sources if one.loans.num_rows], 2):
        if one.info.importer != other.info.importer and same_trust(
            one.info.title, other.info.title, one.loans, other.loans
        ):
            raise ImportRefused(
                f"{one.info.title} ({one.info.importer}) and {other.info.title}"
                f" ({other.info.importer}) are one trust, whose loans would count twice;"
                " keep one of them in this store and name another folder by --store for the other"
            )


def check_replaced(was: Portfolio, comes: Portfolio) -> None:
    """Raises ImportRefused where a trust's filing would take the place of another trust's, whose
    file has the same name: EDGAR calls most of them "exh_102.xml".

    Loans of one trust keep number, origination date and original amount.
    """
    if comes.info.importer not in _OF_TRUSTS:
        return
    left, right = _lent(was.loans), _lent(comes.loans)
    if left and right and not left & right:
        raise ImportRefused(
            f"This store has {_counted(was)} as '{was.info.title}', and none of them is among the "
            f"{_counted(comes)} of {', '.join(comes.info.files)}: if that is another trust, name it"
            " by --deal"
        )


def _counted(of: Portfolio) -> str:
    lenders = dict.fromkeys(filter(None, of.loans["lender_normalized"].to_pylist()))
    shown = next(iter(lenders), "no lender named") + (" and others" if len(lenders) > 1 else "")
    return f"{number_of(of.loans.num_rows, 'loan')} ({shown})"


def _lent(loans: pa.Table) -> set[tuple[Any, ...]]:
    return {
        tuple(row.values())
        for row in loans.select(_LENT).to_pylist()
        if row["origination_date"] and row["original_amount"]
    }


def same_trust(one: str, other: str, loans: pa.Table, others: pa.Table) -> bool:
    """Whether sources of these titles and loans (LOANS) are of one trust.

    Titles alike but for blanks, hyphens and the century of the year are ("WFCM 2017-C42",
    "WFCM17C42"); so are sources of which half of the loans, three or more, have the same number
    within the trust, maturity and coupon.
    """
    if _folded(one) == _folded(other):
        return True
    left, right = _terms(loans), _terms(others)
    alike = len(left & right)
    return alike >= _LEAST and alike >= _PART * min(loans.num_rows, others.num_rows)


def _folded(title: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", _YEAR.sub(r"\1", title.upper()))


def _terms(loans: pa.Table) -> set[tuple[Any, ...]]:
    return {
        (str(row["loan_number"]).rpartition(":")[2], row["maturity_date"], row["interest_rate"])
        for row in loans.select(_TERMS).to_pylist()
        if row["maturity_date"] and row["interest_rate"]
    }

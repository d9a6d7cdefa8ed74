"""Which records are notes of one loan, over all sources of a book, and which only sum their notes.

Only evidence joins records, never a name alone (D151): both are filed as parts of a loan, on one
address, originated and due on the same days, and by one lender or on one underwritten income.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
import pyarrow as pa

from services.contract.schedule_al import JUNIOR_NOTES, PARI_PASSU, SENIOR_NOTES
from services.signals.amortisation import BoolArray

_PARTS: Final = (PARI_PASSU, *SENIOR_NOTES, *JUNIOR_NOTES)
#: What all notes of a loan state alike.
_PLACE_AND_TIME: Final = ("address", "property_state", "origination_date", "maturity_date")
_READ: Final = (
    *("loan_number", "structure", "lender_normalized", "interest_rate", "book_value"),
    *("original_amount", "underwritten_ncf", *_PLACE_AND_TIME),
)
#: What numbers a note after its loan: 10A, 10-B.
_SUFFIX: Final = re.compile(r"[-. ]?[A-Z]")
_Row = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """Aligned to the rows of the loans table."""

    #: Number of the record that stands for the loan; None where the record is alone.
    whole_loan: pa.Array
    #: Whether its amounts are those of other records, which are here too.
    sums_notes: BoolArray


def notes_of(loans: pa.Table) -> Notes:
    """Notes of one loan among the rows of LOANS (contract/portfolio.py)."""
    leads: list[str | None] = [None] * loans.num_rows
    sums = np.zeros(loans.num_rows, dtype=np.bool_)
    for rows in _alike(loans).values():
        for group in _joined(rows):
            total = next((row for row in group if _sums_the_rest(row, group)), None)
            lead = total or min(group, key=lambda row: str(row["loan_number"]))
            for row in group:
                leads[row["at"]] = lead["loan_number"]
            if total is not None:
                sums[total["at"]] = True
    return Notes(pa.array(leads, pa.string()), sums)


def _alike(loans: pa.Table) -> dict[tuple[Any, ...], list[_Row]]:
    """Parts of loans by address and days; those that lack one of these are nobody's note."""
    parts = np.isin(loans["structure"].to_numpy(zero_copy_only=False).astype(str), _PARTS)
    at = np.flatnonzero(parts)
    found = defaultdict(list)
    for place, row in zip(at.tolist(), loans.select(_READ).take(at).to_pylist(), strict=True):
        key = (_folded(row["address"]), *(row[name] for name in _PLACE_AND_TIME[1:]))
        if all(key):
            found[key].append({**row, "at": place})
    return {key: rows for key, rows in found.items() if len(rows) > 1}


def _folded(address: str | None) -> str:
    return "".join(sign for sign in (address or "").casefold() if sign.isalnum())


def _joined(rows: Sequence[_Row]) -> list[list[_Row]]:
    """Rows that evidence joins, directly or over another one; each group has two and more."""
    group = list(range(len(rows)))
    for one, other in combinations(range(len(rows)), 2):
        if _are_notes_of_one(rows[one], rows[other]):
            first, second = group[one], group[other]
            group = [first if number == second else number for number in group]
    listed = [[row for row, of in zip(rows, group, strict=True) if of == at] for at in set(group)]
    return [joined for joined in listed if len(joined) > 1]


def _are_notes_of_one(one: _Row, other: _Row) -> bool:
    of_one_rank = one["structure"] == other["structure"] == PARI_PASSU
    if of_one_rank and one["interest_rate"] != other["interest_rate"]:
        return False
    return _same(one, other, "lender_normalized") or _same(one, other, "underwritten_ncf")


def _same(one: _Row, other: _Row, name: str) -> bool:
    return bool(one[name]) and one[name] == other[name]


def _sums_the_rest(row: _Row, group: Sequence[_Row]) -> bool:
    """Whether a record is the sum of the records numbered after it: 10 of 10A and 10B."""
    number = str(row["loan_number"])
    notes = [
        one
        for one in group
        if str(one["loan_number"]).startswith(number)
        and _SUFFIX.fullmatch(str(one["loan_number"]).removeprefix(number))
    ]
    return len(notes) > 1 and all(
        _is_sum(row[name], [one[name] for one in notes])
        for name in ("original_amount", "book_value")
    )


def _is_sum(amount: int | None, parts: Sequence[int | None]) -> bool:
    """To the rounding of each part to a dollar."""
    known = [part for part in parts if part is not None]
    return (
        amount is not None and len(known) == len(parts) and abs(sum(known) - amount) <= len(known)
    )

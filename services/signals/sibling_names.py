"""Which siblings of a loan are in trouble, by name: what the sentence of contagion says."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from services.contract.vocabulary import SEVERE_OR_WORSE, SEVERITIES
from services.signals.amortisation import DateArray
from services.signals.book_rules import Families, Siblings, of_one_time
from services.signals.figures import day

#: Siblings of one severity that are named; the rest are counted.
_NAMED: Final = 3
_RANKS: Final = {SEVERITIES.index(word): word for word in reversed(SEVERE_OR_WORSE)}


def sibling_names(
    among: Families,
    near: Siblings,
    severity: NDArray[np.int8],
    loans: pa.Table,
    as_of: DateArray,
) -> pa.Array:
    """By loan: "A-1 Elm Plaza is critical, A-2 and A-3 are severe", of the owner that CT-1 is
    about; None where no sibling is severe. `severity` is each loan's worst rank without CT-1,
    `as_of` each loan's date, which is said of a sibling that has another one.
    """
    ill = np.flatnonzero(severity[among.loan] >= min(_RANKS))
    of_owner: dict[int, dict[int, list[int]]] = defaultdict(lambda: {rank: [] for rank in _RANKS})
    for loan, owner in zip(among.loan[ill].tolist(), among.owner[ill].tolist(), strict=True):
        of_owner[owner][int(severity[loan])].append(loan)
    names = _names(loans, np.unique(among.loan[ill]))
    of_time: dict[tuple[int, np.datetime64], dict[int, list[int]]] = {}
    said: list[str | None] = [None] * loans.num_rows
    for loan in np.flatnonzero(near.rank > 0).tolist():
        owner, date = int(near.owner[loan]), as_of[loan]
        groups = of_time.get((owner, date))
        if groups is None:
            groups = of_time[owner, date] = {
                rank: np.array(found, np.int64)[of_one_time(as_of[found], date)].tolist()
                for rank, found in of_owner[owner].items()
            }
        parts = [_said(_RANKS[rank], loan, found, names, as_of) for rank, found in groups.items()]
        said[loan] = ", ".join(part for part in parts if part)
    return pa.array(said, pa.string())


def _said(
    word: str, itself: int, found: list[int], names: Mapping[int, str], as_of: DateArray
) -> str:
    # A family of thousands is not walked for each of its loans.
    listed = [
        names[one] + ("" if as_of[one] == as_of[itself] else f" (as of {day(as_of[one].item())})")
        for one in found[: _NAMED + 1]
        if one != itself
    ][:_NAMED]
    at = int(np.searchsorted(found, itself))
    number = len(found) - (found[at : at + 1] == [itself])
    if number > len(listed):
        listed.append(f"{number - len(listed):,} more")
    if not listed:
        return ""
    return f"{_and(listed)} {'is' if number == 1 else 'are'} {word}"


def _and(listed: list[str]) -> str:
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


def _names(loans: pa.Table, rows: NDArray[np.int64]) -> dict[int, str]:
    """Number and property of some loans."""
    of = loans.select(["loan_number", "property_name"]).take(pa.array(rows)).to_pylist()
    return {
        row: " ".join(part for part in (one["loan_number"], one["property_name"]) if part)
        for row, one in zip(rows.tolist(), of, strict=True)
    }

"""The leases of a snapshot in memory, of loans that owe something: who rents, how much, until when.

Names that differ in case, accents and punctuation are one tenant.
"""

from collections import Counter
from dataclasses import dataclass, fields
from datetime import date
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from services.names.normalise import folded

from . import columns, due
from .columns import Figures, Flags
from .database import Ids
from .reader import Reader

#: Conditions on loans that one lease has to meet, all of them.
ASKED: Final = ("tenant", "leases_within")
_SQL: Final = f"""
SELECT loan_id, tenant, CASE WHEN square_feet > 0 THEN square_feet END::DOUBLE AS square_feet,
    (expires - DATE '1970-01-01')::DOUBLE AS day
FROM leases WHERE loan_id IN (SELECT loan_id FROM loans WHERE {due.LIVE})
ORDER BY loan_id, leases.rowid
"""


@dataclass(frozen=True, slots=True, eq=False)
class Leased:
    """Leases by loan_id, the largest of a loan first."""

    loan: Ids
    #: Place in `names`; -1 where no tenant is named.
    tenant: npt.NDArray[np.int32]
    #: NaN where the area, or the end (days since 1970), is not known.
    square_feet: Figures
    day: Figures
    #: The tenants in order of their names, and the words of each as a search compares them.
    names: pa.Array
    words: pa.Array

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return sum(getattr(self, one.name).nbytes for one in fields(self))


def leased(reader: Reader) -> Leased:
    """The leases of the snapshot."""

    def make() -> Leased:
        found = reader.arrow(_SQL)
        spelt = found["tenant"].combine_chunks().dictionary_encode()
        texts = spelt.dictionary.to_pylist()
        code = spelt.indices.fill_null(-1).to_numpy()
        times = np.bincount(code + 1, minlength=len(texts) + 1)[1:]
        called = _called(Counter(dict(zip(texts, times.tolist(), strict=True))))
        ordered = sorted(called, key=lambda words: (called[words].casefold(), words))
        place = {words: at for at, words in enumerate(ordered)}
        places = np.array([place.get(_words(text), -1) for text in texts] + [-1], np.int32)
        return Leased(
            loan=found["loan_id"].to_numpy(),
            tenant=places[code],
            square_feet=found["square_feet"].to_numpy(),
            day=found["day"].to_numpy(),
            names=pa.array([called[words] for words in ordered], pa.string()),
            words=pa.array(ordered, pa.string()),
        )

    return reader.column("leases", make)


def _called(spellings: Counter[str]) -> dict[str, str]:
    """Words of a name -> its most frequent spelling, of several the first; none without words."""
    called: dict[str, str] = {}
    for text, _ in sorted(spellings.items(), key=lambda one: (-one[1], one[0])):
        if words := _words(text):
            called.setdefault(words, text)
    return called


def _words(text: str) -> str:
    return " ".join(folded(text))


def meeting(
    reader: Reader,
    tenant: str | None = None,
    leases_within: int | None = None,
    expires_after: date | None = None,
    expires_before: date | None = None,
) -> Flags:
    """Which leases meet all of these conditions (contract/tenants.py)."""
    of = leased(reader)
    found: Flags = np.ones(len(of.loan), bool)
    if tenant is not None:
        named = np.ones(len(of.names) + 1, bool)  # the last place stands for none
        named[-1] = False
        named[:-1] = _named(of, tenant)
        found &= named[of.tenant]
    if leases_within is not None:
        found &= due.soon(reader, of.day, leases_within)
    if expires_after is not None:
        found &= of.day > columns.days_since_1970(expires_after)
    if expires_before is not None:
        found &= of.day < columns.days_since_1970(expires_before)
    return found


def _named(of: Leased, asked: str) -> Flags:
    """Which tenants are meant: those with every word in the name, in quotes those of that name."""
    found: Flags = np.ones(len(of.names), bool)
    if len(asked) > 1 and asked[0] == asked[-1] == '"':
        return np.asarray(pc.equal(of.words, _words(asked)))
    for word in folded(asked):
        found &= columns.holding(of.words, word)
    return found


def loan_ids(reader: Reader, tenant: str | None = None, leases_within: int | None = None) -> Ids:
    """Loans with a lease that meets the conditions, each once for every such lease."""
    found: Ids = leased(reader).loan[meeting(reader, tenant, leases_within)]
    return found

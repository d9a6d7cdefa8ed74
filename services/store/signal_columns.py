"""The signals of a snapshot as arrays by signal_id: what they are filtered, ordered, summed by.

As columns.py does it for loans: read when first asked for, and held as long as the snapshot is
open.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from services.contract.loan_filter import LoanFilter
from services.contract.queries import SignalQuery
from services.contract.signal_filter import OF_SIGNAL, SignalFilter, loans_of

from .columns import Flags, Words, coded, urgency
from .database import Ids
from .filters import loan_ids
from .loan_results import key_of
from .ordering import Key
from .reader import Reader

_SIGNALS: Final = "SELECT loan_id, signal_type, severity FROM signals ORDER BY signal_id"
_FIRED: Final = "SELECT signal_id, rule FROM components ORDER BY signal_id, rule"


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """All signals, in the order of loan_number, then type (D3)."""

    loan: Ids
    signal_type: Words
    severity: Words

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return self.loan.nbytes + self.signal_type.nbytes + self.severity.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class Fired:
    """The rules that fired, each with its signal."""

    signal: Ids
    rule: Words

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return self.signal.nbytes + self.rule.nbytes


def signals(reader: Reader) -> Signals:
    """All signals."""

    def make() -> Signals:
        found = reader.arrow(_SIGNALS).combine_chunks()
        return Signals(
            found["loan_id"].to_numpy().astype(np.int32),
            coded(found["signal_type"].combine_chunks(), "text"),
            coded(found["severity"].combine_chunks(), "severity"),
        )

    return reader.column("signals", make)


def fired(reader: Reader) -> Fired:
    """The rules that fired."""

    def make() -> Fired:
        found = reader.arrow(_FIRED).combine_chunks()
        return Fired(
            found["signal_id"].to_numpy().astype(np.int32),
            coded(found["rule"].combine_chunks(), "text"),
        )

    return reader.column("rules of signals", make)


def signal_ids(reader: Reader, query: SignalQuery | SignalFilter) -> Ids:
    """Ids of the signals that match, ascending: loan_number, then signal_type (D3)."""
    asked = ("signals", *sorted(query.filters().items()))
    return reader.remembered(asked, lambda: np.flatnonzero(_matching(reader, query)).astype("i4"))


def _matching(reader: Reader, query: SignalQuery | SignalFilter) -> Flags:
    every = signals(reader)
    of_loans = loans_of(query)
    found = on_loans(reader, of_loans) if of_loans.filters() else np.ones(len(every.loan), bool)
    for name, value in query.filters().items():
        if name in OF_SIGNAL:
            wanted = value if isinstance(value, tuple) else (value,)
            found &= _says(reader, every, name, wanted)
    return found


def _says(reader: Reader, every: Signals, name: str, wanted: tuple[str, ...]) -> Flags:
    """Which signals have one of these words."""
    if name != "rule":
        return _among(getattr(every, name), wanted)
    rules = fired(reader)
    found = np.zeros(len(every.loan), bool)
    found[rules.signal[_among(rules.rule, wanted)]] = True
    return found


def _among(column: Words, wanted: tuple[str, ...]) -> Flags:
    # The last place stands for null.
    chosen: Flags = np.array([*(word in wanted for word in column.words), False])[column.code]
    return chosen


def on_loans(reader: Reader, query: LoanFilter) -> Flags:
    """Which signals are on loans that match."""
    matching = np.zeros(reader.snapshot.loans, bool)
    matching[loan_ids(reader, query)] = True
    found: Flags = matching[signals(reader).loan]
    return found


def key_of_signals(reader: Reader, ids: Ids, order: str) -> tuple[Key, Flags]:
    """What these signals are put in order by, the first smallest, and where it is not known.

    Signals of one severity go by the urgency of their loans.
    """
    every, name = signals(reader), order.removeprefix("-")
    if name not in OF_SIGNAL:
        return key_of(reader, every.loan[ids], order)
    code = getattr(every, name).code[ids]
    key = code.astype(np.int64)
    if name == "severity":
        loans = reader.snapshot.loans
        key = key * loans + urgency(reader)[every.loan[ids]]
    return (-key if order.startswith("-") else key), code < 0

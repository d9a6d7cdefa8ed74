"""Where signals are: by state, by severity, by property type, by city; and their totals.

Sums over the arrays of signals (signal_columns.py) and the columns of their loans (columns.py).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from services.contract.aggregates import MatrixCell, SignalTotals, Slice, StateSignals
from services.contract.loan_filter import CONDITIONS
from services.contract.signal_filter import OF_SIGNAL, SignalFilter
from services.contract.source import MatrixColumn
from services.contract.vocabulary import TIERS

from . import columns, notes, signal_columns
from .columns import Words
from .database import Ids
from .filters import loan_ids
from .reader import Reader

#: What a map shows all of, whatever is chosen.
_WHERE: Final = ("state", "city")
Sums = dict[str, npt.NDArray[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class _Behind:
    """Signals that match, and the loans that they are a part of."""

    reader: Reader
    #: Signals, the loan of each, and the loans behind them.
    signals: Ids
    loan: Ids
    hit: Ids
    #: Loans that meet the conditions on loans.
    of: Ids

    def sums(self, place: Ids, size: int) -> Sums:
        """Sums by place: `place` gives each loan's, by loan_id, from 0 to size - 1."""
        book = notes.dollars(self.reader, "book_value")
        short = notes.dollars(self.reader, "dollars_short")
        return {
            "signals": _count(place[self.loan], size),
            "loans": notes.count(self.reader, self.hit, place[self.hit], size),
            "book_value": _sum(place[self.hit], book[self.hit], size),
            "dollars_short": _sum(place[self.hit], short[self.hit], size),
            "of_loans": notes.count(self.reader, self.of, place[self.of], size),
            "of_book_value": _sum(place[self.of], book[self.of], size),
        }


def _behind(reader: Reader, query: SignalFilter) -> _Behind:
    ids = signal_columns.signal_ids(reader, query)
    loan = signal_columns.signals(reader).loan[ids]
    return _Behind(reader, ids, loan, _distinct(reader, loan), loan_ids(reader, query.of_loans()))


def _distinct(reader: Reader, loan: Ids) -> Ids:
    """These loans, each once, ascending."""
    found = np.zeros(reader.snapshot.loans, bool)
    found[loan] = True
    return np.flatnonzero(found).astype(np.int32)


def _count(place: Ids, size: int) -> npt.NDArray[np.int64]:
    return np.bincount(place, minlength=size)


def _sum(place: Ids, amounts: columns.Figures, size: int) -> npt.NDArray[np.int64]:
    return np.bincount(place, weights=amounts, minlength=size).astype(np.int64)


def _at(sums: Sums, place: int) -> dict[str, int]:
    return {name: int(column[place]) for name, column in sums.items()}


def _places(column: Words) -> tuple[Ids, list[str | None]]:
    """Place of each loan's word among the words in order, nulls last, and the words by place."""
    order = sorted(range(len(column.words)), key=column.words.__getitem__)
    place = np.empty(len(order) + 1, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    place[-1] = len(order)  # that of null, whose code is -1
    return place[column.code], [*(column.words[at] for at in order), None]


def signal_states(reader: Reader, query: SignalFilter) -> list[StateSignals]:
    """Every state with loans, by state code, nulls last."""
    query = query.without(*_WHERE, "order").at(1)

    def make() -> list[StateSignals]:
        place, states = _places(columns.words(reader, "property_state"))
        sums = _behind(reader, query).sums(place, len(states))
        there = _count(place, len(states))
        return [
            StateSignals(state=state, **_at(sums, at))
            for at, state in enumerate(states)
            if there[at]
        ]

    return reader.remembered(("states", *sorted(query.filters().items())), make)


def signal_matrix(reader: Reader, query: SignalFilter, by: MatrixColumn) -> list[MatrixCell]:
    """Signals by state and `by`. A loan counts once in a cell."""
    query = query.without(*_WHERE, "order").at(1)
    make = {"severity": _by_severity, "property_type": _by_type}[by]
    return reader.remembered(
        ("matrix", by, *sorted(query.filters().items())), lambda: make(reader, query)
    )


def _by_type(reader: Reader, query: SignalFilter) -> list[MatrixCell]:
    row, states = _places(columns.words(reader, "property_state"))
    column, types = _places(columns.words(reader, "property_type"))
    sums = _behind(reader, query).sums(row * len(types) + column, len(states) * len(types))
    return [
        MatrixCell(state=states[at // len(types)], column=types[at % len(types)], **_at(sums, at))
        for at in np.flatnonzero(sums["signals"]).tolist()
    ]


def _by_severity(reader: Reader, query: SignalFilter) -> list[MatrixCell]:
    row, states = _places(columns.words(reader, "property_state"))
    whole = _behind(reader, query)
    of, severities = _places(signal_columns.signals(reader).severity)
    cells = []
    for at, severity in enumerate(severities):
        loan = whole.loan[of[whole.signals] == at]
        part = _Behind(reader, loan, loan, _distinct(reader, loan), whole.of)
        sums = part.sums(row, len(states))
        cells += [
            (place, MatrixCell(state=states[place], column=severity, **_at(sums, place)))
            for place in np.flatnonzero(sums["signals"]).tolist()
        ]
    return [cell for _, cell in sorted(cells, key=lambda found: found[0])]


def signal_totals(reader: Reader, query: SignalFilter) -> SignalTotals:
    """Totals of the signals that match."""
    query = query.without("order").at(1)

    def make() -> SignalTotals:
        whole = _behind(reader, query)
        everywhere = np.zeros(reader.snapshot.loans, np.int32)
        return SignalTotals(
            **_at(whole.sums(everywhere, 1), 0), by_tier=tuple(_tiers(reader, whole.hit))
        )

    return reader.remembered(("signal totals", *sorted(query.filters().items())), make)


def _tiers(reader: Reader, hit: Ids) -> list[Slice]:
    place, tiers = _places(columns.words(reader, "confidence_tier"))
    loans = notes.count(reader, hit, place[hit], len(tiers))
    worth = _sum(place[hit], notes.dollars(reader, "book_value")[hit], len(tiers))
    found = [
        Slice(word=tier, loans=int(loans[at]), book_value=int(worth[at]))
        for at, tier in enumerate(tiers)
        if loans[at]
    ]
    surest = {word: at for at, word in enumerate(reversed(TIERS))}
    return sorted(found, key=lambda one: (one.word is None, surest.get(one.word or "", 99)))


def signal_counts(reader: Reader, query: SignalFilter, name: str) -> dict[str, int]:
    """How many signals each value of one filter would find, most first, then by word."""
    rest = query.without(name, "order").at(1)

    def make() -> dict[str, int]:
        ids = signal_columns.signal_ids(reader, rest)
        every = signal_columns.signals(reader)
        if name == "rule":
            fired = signal_columns.fired(reader)
            chosen = np.zeros(len(every.loan), bool)
            chosen[ids] = True
            return _tally(fired.rule, fired.rule.code[chosen[fired.signal]])
        if name in OF_SIGNAL:
            column = getattr(every, name)
            return _tally(column, column.code[ids])
        column = columns.words(reader, CONDITIONS[name].column)
        return _tally(column, column.code[every.loan[ids]])

    return reader.remembered(("signal counts", name, *sorted(rest.filters().items())), make)


def _tally(column: Words, code: Ids) -> dict[str, int]:
    found = _count(code[code >= 0], len(column.words)).tolist()
    counts = {word: number for word, number in zip(column.words, found, strict=True) if number}
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))

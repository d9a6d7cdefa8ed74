"""What signals say (spec 2.6, description): a sentence a component, worst first, and the date.

Sentences are made when a book is scored, for all loans on which a rule fired at once: each word is
worded once for every distinct combination of the facts that it reads. That takes 2 microseconds a
component; loan by loan it took 20, half a minute for a million loans.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from string import Formatter
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from services.contract.vocabulary import SEVERITIES
from services.signals.figures import day
from services.signals.grading import Grading
from services.signals.wording import WORDS

#: Loans that are worded at a time: bounds the memory, and the text that one Arrow array holds.
_AT_A_TIME: Final = 250_000
#: Arguments of words that are the same for all loans.
_ABOUT: Final = ("rule", "limits", "sizings", "quotes")
#: Names of all that words read of a loan or of a component.
READ: Final = frozenset(
    name for word in WORDS.values() for name in signature(word).parameters if name not in _ABOUT
)


def descriptions(
    gradings: Sequence[Grading], facts: pa.Table, about: Mapping[str, object]
) -> pa.ChunkedArray:
    """The description of each signal that `gradings` make, by loan, then signal type.

    `facts` are the loans' columns by LOANS names, their features by those of `Scores.features`,
    and `as_of`; `about` holds the limits, sizings and quotes that sentences name, quotes by as-of
    date and series. Raises ValueError where a sentence needs a fact that its loan lacks.
    """
    dates = facts["as_of"].combine_chunks().dictionary_encode()
    closings = pa.array([f". As of {day(one)}." for one in dates.dictionary.to_pylist()])
    chunks = []
    for first in range(0, facts.num_rows, _AT_A_TIME):
        fired = [_Fired.within(one, first, first + _AT_A_TIME, facts) for one in gradings]
        said = pa.concat_arrays([one.sentences(about) for one in fired])
        texts, loans = _joined(said, fired)
        closing = closings.take(dates.indices.take(loans))
        chunks.append(pc.binary_join_element_wise(texts, closing, ""))
    return pa.chunked_array(chunks, pa.string())


@dataclass(frozen=True, slots=True, eq=False)
class _Fired:
    """Some of the loans on which a rule fired, with what its sentences are made of."""

    grading: Grading
    #: Row numbers of the loans, ascending.
    loans: NDArray[np.int64]
    facts: pa.Table

    @classmethod
    def within(cls, grading: Grading, first: int, end: int, facts: pa.Table) -> "_Fired":
        """Those from row `first` up to `end`."""
        return cls(grading, first + np.flatnonzero(grading.severity[first:end] > 0), facts)

    def column(self, name: str) -> pa.Array:
        """What a word reads under this name, for each of the loans."""
        if name == "severity":
            ranks = pa.array(self.grading.severity[self.loans])
            return pa.array(SEVERITIES, pa.string()).take(ranks)
        if name in {"measure", "limit", "held"}:
            figures: NDArray[np.float64] = getattr(self.grading, name)[self.loans]
            return pa.array(figures.astype(np.float64))
        found = self.facts[name].take(pa.array(self.loans)).combine_chunks()
        return found.dictionary_decode() if pa.types.is_dictionary(found.type) else found

    def sentences(self, about: Mapping[str, object]) -> pa.Array:
        """What the rule says of each of the loans, without a full stop."""
        pieces = [pa.nulls(len(self.loans), pa.string()).fill_null("")]
        for text, name, _, _ in Formatter().parse(self.grading.rule.because):
            pieces += [pa.scalar(text)] if text else []
            pieces += [self._words(name, about)] if name else []
        return pc.binary_join_element_wise(*pieces, "")

    def _words(self, name: str, about: Mapping[str, object]) -> pa.Array:
        """One word of the sentence, for each of the loans."""
        rule = self.grading.rule
        given = {"rule": rule, **about}
        parameters = signature(WORDS[name]).parameters
        constants = [given[known] for known in _ABOUT if known in parameters]
        word: Callable[..., str] = partial(WORDS[name], *constants)
        read = [one for known, one in parameters.items() if known not in _ABOUT]
        columns = [self.column(one.name) for one in read]
        code, examples = _combinations(columns, len(self.loans))
        values = [_values(column.take(examples)) for column in columns]
        for one, found in zip(read, values, strict=True):
            if one.default is Parameter.empty and None in found:
                raise ValueError(f"the sentence of {rule.id} needs the loan's {one.name}")
        return pa.array(map(word, *values), pa.string()).take(code)


def _combinations(columns: Sequence[pa.Array], rows: int) -> tuple[pa.Array, pa.Array]:
    """Which combination of values each row has, by number, and for each number a row with it."""
    code = np.zeros(rows, np.int64)
    for column in columns:
        own = column.dictionary_encode(null_encoding="encode")
        code = code * len(own.dictionary) + own.indices.to_numpy()
        code = pa.array(code).dictionary_encode().indices.to_numpy().astype(np.int64)
    examples = np.empty(code.max(initial=-1) + 1, np.int64)
    examples[code] = np.arange(len(code))
    return pa.array(code), pa.array(examples)


def _values(column: pa.Array) -> list[Any]:
    """Values as words take them: text stripped, numbers as floats; None where missing."""
    values: list[Any] = column.to_pylist()
    if pa.types.is_string(column.type):
        return [(text or "").strip() for text in values]
    if pa.types.is_date(column.type):
        return values
    return [None if figure is None or math.isnan(figure) else float(figure) for figure in values]


def _joined(said: pa.Array, fired: Sequence[_Fired]) -> tuple[pa.Array, pa.Array]:
    """Sentences of one loan and signal type in one text, the worst first, then by rule.

    `said` are the sentences of each of `fired` in turn; the texts come by loan, then type, with
    the loan of each.
    """
    types = sorted({one.grading.rule.signal_type for one in fired})
    signal = [one.loans * len(types) + types.index(one.grading.rule.signal_type) for one in fired]
    severity = np.concatenate([one.grading.severity[one.loans] for one in fired])
    rules = np.argsort(np.argsort([one.grading.rule.id for one in fired]))
    rule = np.repeat(rules, [len(one.loans) for one in fired])
    of = np.concatenate(signal)
    order = np.lexsort((rule, -severity, of))
    begins = np.flatnonzero(np.diff(of[order], prepend=-1))
    offsets = pa.array(np.append(begins, len(order)).astype(np.int32))
    listed = pa.ListArray.from_arrays(offsets, said.take(pa.array(order)))
    return pc.binary_join(listed, ". "), pa.array(of[order][begins] // len(types))

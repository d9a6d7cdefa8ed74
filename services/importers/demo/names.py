"""Made-up names and other words, whole columns at a time; what tells namesakes apart (D30)."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.importers.demo.assumptions import Bools, Ints
from services.importers.demo.days import Days
from services.importers.demo.draws import Generator, distinct

Words = dict[str, pa.Array]


def joined(*parts: pa.Array | str) -> pa.Array:
    """Strings put together row by row, without anything between them; None where a part is."""
    return pc.binary_join_element_wise(*parts, "")


def figures(values: Ints) -> pa.Array:
    """Whole numbers as strings."""
    return pa.array(values).cast(pa.string())


def picked(words: pa.Array, rows: Ints) -> pa.Array:
    """The words in these rows."""
    return words.take(pa.array(rows))


def picked_or_null(words: Sequence[str], rows: Ints, none: Bools) -> pa.Array:
    """The words in these rows, None where `none`."""
    return pa.array(words).take(pa.array(rows, mask=none))


def dated(days: Days, none: Bools) -> pa.Array:
    """A date column, None where `none` and where there is no day."""
    return pa.array(days, type=pa.date32(), mask=none | np.isnat(days))


def drawn(rng: Generator, words: pa.Array, rows: int) -> pa.Array:
    """Any words, with repeats."""
    return picked(words, rng.integers(0, len(words), rows))


def one_of(which: Bools, yes: pa.Array, no: pa.Array) -> pa.Array:
    """Row by row `yes` or `no`."""
    return pc.if_else(pa.array(which), yes, no)


def named_by(style: Ints, names: Sequence[pa.Array]) -> pa.Array:
    """Row by row the name of that style."""
    return pc.choose(pa.array(style), *names)


def combined(rng: Generator, rows: int, *words: pa.Array) -> list[pa.Array]:
    """One column per word list; no combination twice while there are enough of them."""
    code = distinct(rng, int(np.prod([len(column) for column in words])), rows)
    columns = []
    for column in words:
        code, place = np.divmod(code, len(column))
        columns.append(picked(column, place))
    return columns


def coined(words: Words) -> pa.Array:
    """Stems that are no English words: lenders', so that none reads like a real one."""
    return pa.array([f"{a}{b}" for a in words["head"].tolist() for b in words["tail"].tolist()])


def told_apart(names: pa.Array, states: pa.Array) -> pa.Array:
    """Unique names (D30): who shares a name gets the state in brackets, else a number.

    `names` hold no brackets themselves, so a suffix can only meet others of the same base
    name, within which states are given once and numbers are places in the group.
    """
    coded = pc.dictionary_encode(names)
    code = coded.indices.to_numpy()
    shared = np.flatnonzero(np.bincount(code, minlength=1)[code] > 1)
    if not len(shared):
        return names
    group = code[shared]
    home = states.take(pa.array(shared))
    place = _place_within(group)
    state = pc.dictionary_encode(home, null_encoding="encode").indices.to_numpy()
    of_state = _place_within(group * (int(state.max()) + 1) + state)
    use_state = (of_state == 0) & home.is_valid().to_numpy(zero_copy_only=False)
    suffix = one_of(use_state, pc.fill_null(home, ""), figures(place + 1))
    marked = np.zeros(len(names), dtype=np.bool_)
    marked[shared] = True
    renamed = joined(names.take(pa.array(shared)), " (", suffix, ")")
    return pc.replace_with_mask(names, pa.array(marked), renamed)


def _place_within(group: Ints) -> Ints:
    """0 for the first row of each group, 1 for the second, ..."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    counts = np.diff(np.r_[starts, len(ordered)])
    place = np.empty(len(group), dtype=np.int64)
    place[order] = np.arange(len(group)) - np.repeat(starts, counts)
    return place

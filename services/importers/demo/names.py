"""Made-up names and other words, whole columns at a time; what tells namesakes apart (D30)."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.importers.demo.assumptions import Bools, Ints
from services.importers.demo.dates import Days
from services.importers.demo.draws import Generator, distinct

Words = dict[str, pa.Array]
BY_NOUN, BY_PLACE = 0.50, 0.70  # borrowers named by place and noun; by place at all
NUMBERS = 999  # of borrowers, as in "Harbor Point Tower 214 LLC"
FIRST_HOUSE, HOUSES = 100, 9800


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


def combined(rng: Generator, rows: int, *words: pa.Array) -> list[pa.Array]:
    """One column per word list; no combination twice while there are enough of them."""
    code = distinct(rng, int(np.prod([len(column) for column in words])), rows)
    columns = []
    for column in words:
        code, place = np.divmod(code, len(column))
        columns.append(picked(column, place))
    return columns


def stems(words: Words) -> pa.Array:
    """Names without a form: "Alder Ridge" and, one in six, coined ones such as "Calderholt"."""
    coined = [f"{head}{tail}" for head in words["head"].tolist() for tail in words["tail"].tolist()]
    pairs = [f"{a} {b}" for a in words["first"].tolist() for b in words["second"].tolist()]
    return pa.array(pairs + coined)


def coined(words: Words) -> pa.Array:
    """Stems that are no English words: lenders', so that none reads like a real one."""
    return pa.array([f"{a}{b}" for a in words["head"].tolist() for b in words["tail"].tolist()])


def addresses(rng: Generator, words: Words, rows: int) -> pa.Array:
    """Street addresses such as "1420 Lakeshore Drive", no two alike."""
    houses = pa.array(np.arange(FIRST_HOUSE, FIRST_HOUSE + HOUSES)).cast(pa.string())
    house, street, kind = combined(rng, rows, houses, words["street"], words["street_kind"])
    return joined(house, " ", street, " ", kind)


def places_of_interest(rng: Generator, words: Words, rows: int) -> tuple[pa.Array, pa.Array]:
    """Two-word names and numbers, no pair of them twice: ("Harbor Point", "214")."""
    numbers = pa.array(np.arange(1, NUMBERS + 1)).cast(pa.string())
    first, second, number = combined(rng, rows, words["first"], words["second"], numbers)
    return joined(first, " ", second), number


def persons(rng: Generator, words: Words, rows: int) -> pa.Array:
    """Fictional people, "Maria K. Delgado"; some share a name, as people do."""
    initials = pa.array([" "] * 12 + [f" {chr(code)}. " for code in range(ord("A"), ord("Y"))])
    return joined(
        drawn(rng, words["given"], rows),
        drawn(rng, initials, rows),
        drawn(rng, words["surname"], rows),
    )


def borrowers(
    rng: Generator,
    words: Words,
    *,
    place: pa.Array,
    noun: pa.Array,
    number: pa.Array,
    address: pa.Array,
) -> pa.Array:
    """Single-purpose entities, named for the property, its address, or neither."""
    rows = len(place)
    style = rng.random(rows)
    legal = drawn(rng, words["legal_form"], rows)
    form = one_of(style < BY_NOUN, noun, drawn(rng, words["borrower_form"], rows))
    by_place = joined(place, " ", form, " ", number, " ", legal)
    return one_of(style < BY_PLACE, by_place, joined(address, " Owner ", legal))


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

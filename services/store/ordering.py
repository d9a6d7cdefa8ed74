"""Puts results in order, and picks pages out of them: arithmetic over keys, no question asked."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .columns import Flags

Places = npt.NDArray[np.intp]
Numbers = npt.NDArray[np.signedinteger[Any]]
Key = npt.NDArray[Any]
#: From so many records on a page is picked out of a result before it is put in order.
MANY: Final = 20_000


def ordered(key: Key, missing: Flags) -> Places:
    """Places in order of `key`, those without one last; ties in the order given."""
    known = np.flatnonzero(~missing)
    return np.concatenate([known[np.argsort(key[known], kind="stable")], np.flatnonzero(missing)])


def first(key: Key, missing: Flags, count: int) -> Places:
    """The `count` places that come first, in order: as the beginning of `ordered`.

    Picking them takes a tenth of the time of putting all of them in order.
    """
    chosen = among_first(key, missing, count)
    return chosen[ordered(key[chosen], missing[chosen])]


def among_first(key: Key, missing: Flags, count: int) -> Places:
    """Places, ascending, of the `count` that come first by `key`, ties by place,
    those without a key last.
    """
    known, unknown = np.flatnonzero(~missing), np.flatnonzero(missing)
    if len(known) <= count:
        return np.sort(np.concatenate([known, unknown[: count - len(known)]]))
    values = key[known]
    last = np.partition(values, count - 1)[count - 1]
    before = known[values < last]
    level = known[values == last][: count - len(before)]
    return np.sort(np.concatenate([before, level]))


def in_order(keys: Sequence[Key], places: Numbers, count: int | None = None) -> Numbers:
    """Places in order of several keys, the first before the next, the smallest first; of many the
    first `count` alone.
    """
    chosen = places if count is None else _picked(keys, places, count)
    found: Numbers = chosen[np.lexsort([key[chosen] for key in reversed(keys)])]
    return found


def _picked(keys: Sequence[Key], places: Numbers, count: int) -> Numbers:
    """Of these places the `count` that come first, in no order: putting all of them in order
    takes ten times as long.
    """
    if len(places) <= count or not keys:
        return places[:count]
    key = keys[0][places]
    last = np.partition(key, count - 1)[count - 1]
    before, level = places[key < last], places[key == last]
    return np.concatenate([before, _picked(keys[1:], level, count - len(before))])

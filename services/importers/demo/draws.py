"""Draws of whole columns: by weight, evenly, by group, heavy-tailed, without repeats."""

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints

Generator = np.random.Generator


def shares(weights: Floats) -> Floats:
    """Running shares of `weights`, the last one left out: what `searchsorted` wants."""
    return np.asarray(np.cumsum(weights) / weights.sum())[:-1]


def weighted(rng: Generator, weights: Floats, rows: int) -> Ints:
    """Row numbers of `weights`, each row drawn by its weight."""
    return np.asarray(np.searchsorted(shares(weights), rng.random(rows), side="right"))


def evenly(rng: Generator, weights: Floats, rows: int) -> Ints:
    """As `weighted`, but every share of at least 1 / `rows` is drawn at least once."""
    points = (np.arange(rows) + rng.random()) / rows
    return rng.permutation(np.searchsorted(shares(weights), points, side="right"))


def by_group(rng: Generator, weights: Floats, group: Ints) -> Ints:
    """Column numbers of `weights` (groups by columns), drawn by the row that `group` names."""
    running = np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True)
    groups, columns = weights.shape
    flat = (running + np.arange(groups)[:, None]).ravel()
    found = np.searchsorted(flat, group + rng.random(len(group)), side="right")
    return np.asarray(np.clip(found - group * columns, 0, columns - 1))


def zipf(rows: int, *, power: float, offset: float) -> Floats:
    """Weights of `rows` parties, largest first: 1 / (rank + offset) ** power."""
    return np.asarray((np.arange(rows) + 1.0 + offset) ** -power)


def distinct(rng: Generator, space: int, rows: int) -> Ints:
    """`rows` numbers below `space`, none twice while there are enough of them."""
    rounds = [
        rng.choice(space, size=min(space, rows - start), replace=False)
        for start in range(0, rows, space)
    ]
    return np.concatenate([np.zeros(0, dtype=np.int64), *rounds])


def chance(rng: Generator, probability: float | Floats, rows: int) -> Bools:
    """True with `probability`, row by row."""
    return np.asarray(rng.random(rows) < probability)


def hundredths(rng: Generator, low: int | Ints, high: int | Ints, rows: int) -> Ints:
    """Whole hundredths from `low` to `high`, both included, leaning to the high end."""
    span = np.asarray(high) - np.asarray(low) + 1
    return np.asarray(high - np.floor(span * rng.random(rows) ** 1.5).astype(np.int64))


def runs(counts: Ints) -> tuple[Ints, Ints]:
    """For `counts` rows each: the owner of every row, and its place within its owner, from 0."""
    owner = np.repeat(np.arange(len(counts)), counts)
    first = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - first[owner]


def scaled(data: Assumptions, what: str, loans: int) -> int:
    """Number of parties of a kind in a portfolio of this size (demo.toml, [counts]), at least 1."""
    grown: float = (loans / 5000) ** data.counts["growth"]
    return max(1, round(data.counts[what] * grown))

"""Gaps of a line over time: where a filing is missing, so that nothing is drawn between."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from statistics import multimode


def _apart(before: date, after: date) -> int:
    """Calendar months from one date to another."""
    return (after.year - before.year) * 12 + after.month - before.month


def usual(days: Sequence[date]) -> int:
    """Months from one filing to the next, as most of them are apart; 1 of a single one."""
    apart = [_apart(*pair) for pair in pairwise(days)]
    return max(1, min(multimode(apart))) if apart else 1


def gaps(days: Sequence[date]) -> list[tuple[date, date]]:
    """Neighbours between which a filing is missing: further apart than is usual."""
    step = usual(days)
    return [pair for pair in pairwise(days) if _apart(*pair) > step]

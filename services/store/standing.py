"""Answers that never change within a snapshot: computed when it is written, then only read."""

from pathlib import Path
from typing import Final

from services.contract.aggregates import Standing, StressedLoan

from . import analytics, coverage
from .reader import Reader
from .snapshot import STANDING

#: Largest stressed loans that are kept; more are asked of the database.
STRESSED_KEPT: Final = 100


def write(folder: Path) -> None:
    """Computes the standing answers of a snapshot that is otherwise complete, beside it."""
    reader = Reader(folder, complete=False)
    try:
        found = Standing(
            totals=analytics.totals(reader),
            maturity_wall=tuple(analytics.maturity_wall(reader)),
            largest_stressed=tuple(analytics.largest_stressed(reader, STRESSED_KEPT)),
            fill_rates=tuple(coverage.fill_rates(reader)),
            unranked_words=coverage.unranked_words(reader),
        )
    finally:
        reader.close()
    (folder / STANDING).write_text(found.model_dump_json(), encoding="utf-8")


def standing(reader: Reader) -> Standing:
    """The standing answers of an open snapshot."""
    assert reader.standing is not None  # noqa: S101 - every published snapshot has them
    return reader.standing


def largest_stressed(reader: Reader, limit: int) -> list[StressedLoan]:
    """Loans with a severe or critical signal, largest first."""
    if limit <= STRESSED_KEPT:
        return list(standing(reader).largest_stressed[:limit])
    return analytics.largest_stressed(reader, limit)

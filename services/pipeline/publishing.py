"""From portfolios to a published snapshot: join the sources, score the loans, write, swap."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from services.contract.errors import StoreMissing
from services.contract.loaded import Snapshot
from services.contract.portfolio import Portfolio
from services.pipeline.given import Given, as_given
from services.pipeline.joining import check_sources, joined_book
from services.pipeline.summary import summary
from services.rates.reference import ReferenceRates
from services.signals.assumptions import Assumptions
from services.signals.rule import Rule
from services.store import parts, standing, writer
from services.store.snapshot import PARTS, SUMMARY, current_id, folder_of, publish, writing

Progress = Callable[[str, float], None]


def silent(stage: str, fraction: float) -> None:
    """Progress that nobody watches."""
    del stage, fraction


def load(
    store: Path,
    portfolios: Sequence[Portfolio],
    *,
    given: Given | None = None,
    keep: int = 2,
    assumptions: Assumptions | None = None,
    rates: ReferenceRates | None = None,
    rules: Sequence[Rule] | None = None,
    progress: Progress = silent,
) -> Snapshot:
    """Publishes a snapshot of `portfolios` and of the reported sources already there (D27).

    A source replaces itself by its key; the first reported one replaces made-up data, and made-up
    data replaces everything. Whatever fails, or is killed, leaves the old snapshot as it was.
    Raises ImportRefused when loan numbers collide, or made-up and reported sources are given
    together; StoreBusy, StoreDamaged.
    """
    with writing(store) as (snapshot_id, build):
        joined = [*_kept(store, portfolios), *portfolios]
        check_sources(joined)
        progress("joining sources", 0.0)
        resting = assumptions or Assumptions.packaged()
        if rates is not None:
            resting = replace(resting, rates=rates)
        book, as_of = joined_book(joined, resting, rules)
        if given is not None:
            book = as_given(book, given)
        writer.write(build, book, lambda stage, part: progress(stage, 0.1 + 0.85 * part))
        parts.save(build / PARTS, joined)
        snapshot = summary(snapshot_id, as_of, book, joined)
        if given is not None:
            snapshot = snapshot.model_copy(update={"told": dict(given.told)})
        (build / SUMMARY).write_text(snapshot.model_dump_json(indent=1), encoding="utf-8")
        progress("adding up", 0.95)
        standing.write(build)
        progress("publishing", 0.97)
        publish(store, snapshot_id, build, keep=keep)
        progress("done", 1.0)
        return snapshot


def _kept(store: Path, portfolios: Sequence[Portfolio]) -> list[Portfolio]:
    """The sources already there that stay."""
    if any(one.info.provenance == "synthetic" for one in portfolios):
        return []
    try:
        folder = folder_of(store, current_id(store))
    except StoreMissing:
        return []
    new = {one.info.key for one in portfolios}
    return [one for one in parts.load(folder / PARTS) if one.info.key not in new]

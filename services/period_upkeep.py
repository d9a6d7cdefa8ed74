"""Periods that are there already: scored again by today's rules and tables, or dropped."""

from collections.abc import Collection
from pathlib import Path

from services.contract.book import Build, Progress
from services.contract.errors import InvalidRequest
from services.contract.period import KeptPeriod, ScoredPeriod
from services.pipeline import Scoring, silent
from services.signals.assumptions import Assumptions
from services.store.publisher import SnapshotPublisher


def rescore(
    store: Path, *, keep: int, assumptions: Assumptions, progress: Progress = silent
) -> tuple[int, tuple[str, ...]]:
    """Scores every period again that other rules, limits, spreads or rates scored: how many, and
    which stay because what their source said is not kept. Today's book stays as it is.

    Raises StoreMissing, StoreBusy, StoreDamaged, StoreFull.
    """
    scoring = Scoring(assumptions)
    with SnapshotPublisher(store, keep=keep).build() as build:
        old = [
            one
            for one in build.periods()
            if one.mark != scoring.by(one.source, one.as_of).mark and one.importer != "mirror"
        ]
        done, left = 0, []
        for at, one in enumerate(old):
            progress(f"scoring {one.title} as of {one.as_of}", 0.9 * at / len(old))
            new = _scored(build, one, scoring)
            if new is None:
                left.append(f"{one.title} as of {one.as_of:%-d %b %Y}")
            else:
                build.replace(one, new)
                done += 1
        if done:
            build.publish(None, lambda stage, part: progress(stage, 0.9 + 0.1 * part))
    return done, tuple(left)


def _scored(build: Build, period: KeptPeriod, scoring: Scoring) -> ScoredPeriod | KeptPeriod | None:
    """The same filing as it is scored now; from an earlier run that was stopped, or scored here."""
    mark = scoring.by(period.source, period.as_of).mark
    for one in build.staged():
        if one.filed == period.filed and one.sha256 == period.sha256 and one.mark == mark:
            return one
    said = build.portfolio(period)
    return None if said is None else scoring.period(said)[0]


def drop(store: Path, names: Collection[str], *, keep: int) -> None:
    """Drops periods by name. Raises InvalidRequest for one that today's book rests on; as above."""
    with SnapshotPublisher(store, keep=keep).build() as build:
        kept = build.periods()
        today = {one.source: one for one in sorted(kept, key=lambda one: one.as_of)}
        for one in kept:
            if one.name in names:
                if one.filed == today[one.source].filed and one.name == today[one.source].name:
                    raise InvalidRequest(
                        f"{one.title} as of {one.as_of:%-d %b %Y} is what today's figures rest on;"
                        " import a newer filing first"
                    )
                build.drop(one)
        build.publish(None, silent)

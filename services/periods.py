"""The command `periods`, and what an import says of the periods that came."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from services.contract.errors import InvalidRequest, NotFound
from services.contract.history import Period
from services.contract.period import Arrival, Filing
from services.contract.queries import shortened
from services.contract.rounding import number_of
from services.settings import Settings, load
from services.terminal import StoreFolder, progress_bar

if TYPE_CHECKING:
    from services.contract.portfolio import Portfolio

periods = typer.Typer(no_args_is_help=True, help="Periods of the store: list, drop, rescore.")

#: What became of a filing, after its name and date; of a new one nothing is to be said.
_SAID: Final = {
    "replaced": "was there, and was replaced",
    "corrected": "counts from now on; the earlier filing of that date is kept and listed",
    "there": "was there as it is",
}
Source = Annotated[
    str, typer.Argument(help="Title or key of the source, as 'periods list' has it.")
]
Day = Annotated[str, typer.Argument(metavar="DATE", help="As-of date, YYYY-MM-DD.")]


@dataclass(slots=True)
class Arrivals:
    """What became of the filings of an import; says it when all of them came."""

    _said: list[str] = field(default_factory=list)
    _dates: dict[str, list[date]] = field(default_factory=dict)
    #: The newest of each source that was read.
    _read: dict[str, "Portfolio"] = field(default_factory=dict)

    def __call__(
        self, filing: Filing, as_of: date, arrival: Arrival, source: "Portfolio | None"
    ) -> None:
        """Hears of one filing; `source` is what was read of it, None where it was read before."""
        self._dates.setdefault(filing.source, []).append(as_of)
        if as_of == max(self._dates[filing.source]) and source is not None:
            self._read[filing.source] = source
        if arrival in _SAID:
            self._said.append(f"{filing.name}, as of {as_of:%-d %b %Y}, {_SAID[arrival]}")

    def lines(self) -> Iterator[str]:
        """What is to be said, source by source."""
        for key, days in self._dates.items():
            source = self._read.get(key)
            title = source.info.title if source else key
            if len(days) > 1:
                first, last = f"{min(days):%-d %b %Y}", f"{max(days):%-d %b %Y}"
                yield f"{title}: {number_of(len(days), 'filing')}, as of {first} to {last}"
            if source is None:
                continue
            yield (
                f"{title}: {number_of(source.loans.num_rows, 'loan')},"
                f" {number_of(source.properties.num_rows, 'property', 'properties')},"
                f" as of {source.info.as_of:%-d %b %Y}"
            )
            for reject in source.rejects.to_pylist():
                yield f"rejected {reject['record']}: {reject['reason']}"
            for name, count in source.info.unmapped.items():
                yield f"not mapped: {name} ({number_of(count, 'time')})"
        yield from self._said


def load_and_say(filings: Sequence[Filing], settings: Settings) -> None:
    """Loads filings into the store, and says what became of each."""
    from services.desk.opening import verdicts
    from services.pipeline import Scoring, load_filings
    from services.startup_checks import assumptions
    from services.store.publisher import SnapshotPublisher

    heard = Arrivals()
    with progress_bar() as report:
        snapshot = load_filings(
            filings,
            into=SnapshotPublisher(settings.store, keep=settings.keep_snapshots),
            scoring=Scoring(assumptions(settings)),
            verdicts=verdicts(settings),
            arrived=heard,
            progress=report,
        )
    for line in heard.lines():
        typer.echo(line)
    typer.echo(f"The store {settings.store} now holds {number_of(snapshot.loans, 'loan')}")


@periods.command("list")
def listed(store: StoreFolder = None) -> None:
    """Say which periods the store keeps: source, as-of date, loans, what scored them."""
    found = _periods(load(store=store))
    table = Table("as of", "source", "loans", "balance, USD", "files", "scored by", "")
    for one in found:
        table.add_row(
            f"{one.as_of}",
            one.title,
            f"{one.loans:,}",
            f"{one.balance:,}",
            ", ".join(one.files),
            one.rules_version,
            "" if one.counts else "a later filing counts",
        )
    Console().print(table)
    counted = sum(one.counts for one in found)
    typer.echo(f"{number_of(len(found), 'period')}, {counted:,} counted today")


@periods.command()
def drop(
    source: Source,
    day: Day,
    store: StoreFolder = None,
    *,
    earlier: Annotated[
        bool,
        typer.Option("--earlier", help="Only earlier filings of that date, which do not count."),
    ] = False,
) -> None:
    """Drop the periods of a source and date; today's stays, for the book rests on it."""
    from services.period_upkeep import drop as dropped

    settings = load(store=store)
    chosen = [
        one
        for one in _periods(settings)
        if source in {one.title, one.source}
        and one.as_of == _day(day)
        and not (earlier and one.counts)
    ]
    if not chosen:
        raise NotFound(
            f"The store has no {'earlier filing' if earlier else 'period'} of"
            f" '{shortened(source)}' as of {day}; 'creditatlas periods list' says what it has"
        )
    dropped(settings.store, {one.name for one in chosen}, keep=settings.keep_snapshots)
    typer.echo(f"Dropped {len(chosen)} of {chosen[0].title} as of {chosen[0].as_of:%-d %b %Y}")


@periods.command()
def rescore(store: StoreFolder = None) -> None:
    """Score again, by today's rules, limits and spreads, what others scored; today's book by
    'creditatlas rebuild'. A run that was stopped goes on where it was.
    """
    from services.period_upkeep import rescore as rescored
    from services.startup_checks import assumptions

    settings = load(store=store)
    with progress_bar() as report:
        done, left = rescored(
            settings.store,
            keep=settings.keep_snapshots,
            assumptions=assumptions(settings),
            progress=report,
        )
    typer.echo(
        f"{number_of(done, 'period')} scored again" if done else "Every period is as it would be"
    )
    for title in left:
        typer.echo(f"{title} stays as it was: what its source said is not kept")


def _periods(settings: Settings) -> list[Period]:
    from services.store.leases import Store as Snapshots

    with closing(Snapshots(settings.store)) as snapshots, snapshots.lease() as source:
        return source.periods()


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(
            f"'{shortened(text)}' must be a day written as YYYY-MM-DD", parameter="DATE"
        ) from None

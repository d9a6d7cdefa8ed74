"""What changed in a loan or a party between what a user last saw of it and now, in words.

Of a loan it is the events between the two dates, as on Changes, where the store keeps periods of
both; else, and of a party, the facts that were seen are compared with those of now.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from components.frame import licence, session
from components.kit import severity
from components.kit.fields import label, written
from components.kit.formatting import MISSING, count, words
from services.contract.columns import COLUMN
from services.contract.desk import Seen, SeenFact, Watch
from services.contract.endpoints import ENTITIES
from services.contract.errors import NoHistory
from services.contract.events import Event
from services.contract.facts import FACT
from services.contract.history import Histories, SeenQuery

GONE = "Gone from the book"


#: Events of loans by number; a loan that is not among them is compared by its facts.
Events = Mapping[str, tuple[Event, ...]]


def events(watches: Iterable[Watch]) -> Events:
    """What happened to watched loans since each was last seen, as far as periods tell.

    Raises MirrorMissing.
    """
    days: dict[str, date] = {
        one.subject.name: one.seen.as_of
        for one in watches
        if one.seen and one.subject.kind == "loan"
    }
    if not days:
        return {}
    sponsors = True if licence.opens(ENTITIES) else None
    try:
        return session.ask(
            Histories.events_since, SeenQuery(seen=tuple(sorted(days.items())), sponsors=sponsors)
        )
    except NoHistory:
        return {}


def of_watch(watch: Watch, now: Seen | None, known: Events) -> tuple[str, ...]:
    """What changed in what is watched, each as a sentence or as words."""
    if now is not None and (found := known.get(watch.subject.name)) is not None:
        return tuple(one.sentence for one in found)
    return changes(watch.seen, now)


def changes(seen: Seen | None, now: Seen | None) -> tuple[str, ...]:
    """Each fact that changed in words, signals first: "DSCR 1.31x → 1.12x"; "Rate pressure ▲ low →
    ◆ severe".

    Figures are compared as they are written. `now` is None for what the book no longer holds;
    where nothing was seen before, nothing has changed.
    """
    if now is None:
        return (GONE,)
    if seen is None:
        return ()
    found = list(_facts(seen.facts, now.facts))
    # Signals come straight after the worst of them: a long list of changes is cut short on screen.
    after = sum(one.startswith(_label("worst_severity")) for one in found)
    return (*found[:after], *_signals(seen.signals, now.signals), *found[after:])


def _facts(before: Mapping[str, SeenFact], after: Mapping[str, SeenFact]) -> Iterator[str]:
    for name in after:
        # A fact that was not compared then has not changed since.
        if name in before and (was := shown(name, before[name])) != (
            has := shown(name, after[name])
        ):
            yield f"{_label(name)} {was} → {has}"


def _signals(before: Mapping[str, str | None], after: Mapping[str, str | None]) -> Iterator[str]:
    for kind in sorted(before.keys() | after.keys()):
        if kind not in before:
            yield f"New signal: {words(kind)} {severity.label(after[kind])}"
        elif kind not in after:
            yield f"Signal cleared: {words(kind)}, was {severity.label(before[kind])}"
        elif before[kind] != after[kind]:
            was, has = severity.label(before[kind]), severity.label(after[kind])
            yield f"{words(kind)} {was} → {has}"


def shown(name: str, value: SeenFact) -> str:
    """A compared fact as it is written."""
    if value is None:
        return MISSING
    if name == "worst_severity":
        return severity.label(str(value))
    if name in FACT:
        return written(name, value)
    return count(value) if isinstance(value, int) else str(value)


def _label(name: str) -> str:
    return COLUMN[name].label if name in COLUMN else label(name)

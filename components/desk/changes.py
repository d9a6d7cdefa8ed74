"""What changed in a loan or a party between what a user last saw of it and now, in words. Pure."""

from collections.abc import Iterator, Mapping

from components.kit import severity
from components.kit.fields import label, written
from components.kit.formatting import MISSING, count, words
from services.contract.columns import COLUMN
from services.contract.desk import Seen, SeenFact
from services.contract.facts import FACT

GONE = "Gone from the book"


def changes(seen: Seen | None, now: Seen | None) -> tuple[str, ...]:
    """Each change as words, signals first: "DSCR 1.31x → 1.12x", "Rate pressure ▲ low → ◆ severe".

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

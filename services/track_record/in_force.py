"""The run that is shown, and the rules that grade now, to be compared with those of the run."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from services.contract.snapshot_info import RuleCard, Snapshot, TableUsed
from services.contract.track_record import RuleUsed, ShownRun
from services.track_record import saved

if TYPE_CHECKING:  # pages import this module, and scoring needs more than they do
    from services.signals.assumptions import Assumptions


def of_cards(cards: Iterable[RuleCard]) -> tuple[RuleUsed, ...]:
    """The rules that scored a snapshot."""
    return tuple(
        RuleUsed(id=one.id, version=one.version, limits_version=one.limits_version) for one in cards
    )


def of_assumptions(assumptions: "Assumptions") -> tuple[RuleUsed, ...]:
    """The rules at these limits, in their order."""
    from services.signals.cards import rule_cards
    from services.signals.rules import rules

    return of_cards(rule_cards(rules(assumptions.limits), assumptions.limits))


def packaged() -> tuple[tuple[RuleUsed, ...], tuple[TableUsed, ...]]:
    """The rules and tables that ship with the program."""
    from services.signals.assumptions import Assumptions

    assumptions = Assumptions.packaged()
    return of_assumptions(assumptions), assumptions.tables()


def shown(store: Path, snapshot: Snapshot | None) -> ShownRun:
    """The last run of a store's folder, else the packaged one, beside the rules that scored the
    snapshot, else the packaged ones. Raises StoreDamaged.
    """
    own = saved.last_run(store)
    if snapshot is not None and snapshot.rules:
        rules, rests_on = of_cards(snapshot.rules), snapshot.rests_on
    else:
        rules, rests_on = packaged()
    return ShownRun(
        run=own or saved.packaged_run(), packaged=own is None, rules=rules, rests_on=rests_on
    )

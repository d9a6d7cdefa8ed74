"""A signal in words, from the rules' sentences (spec 2.6, description)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.contract.vocabulary import SEVERITIES
from services.rates.reference import Quote
from services.signals.figures import day
from services.signals.rules import RULE_OF
from services.signals.wording import Reading, Words


@dataclass(frozen=True, slots=True)
class ComponentReading:
    """One row of a loan's components (engine.Scored.components)."""

    rule: str
    severity: str
    #: In the rule's unit; None for codes.
    value: float | None
    limit: float | None


def describe(
    signal_type: str,
    components: Sequence[ComponentReading],
    facts: Mapping[str, object],
    as_of: date,
    rates_used: Mapping[str, Quote],
) -> str:
    """The description of a loan's signal: a sentence a component, worst first, and the date.

    `facts` are the loan's columns by LOANS names and its features by the names of
    `Scored.features`; `rates_used` is `Scored.rates_used` (or `ReferenceRates.refi_quotes`).
    Raises ValueError for no component, one of another signal type or of no known rule, and for a
    fact that a rule fired on but `facts` does not hold.
    """
    if not components:
        raise ValueError(f"a {signal_type} signal without components cannot be described")
    worst_first = sorted(components, key=lambda c: (-SEVERITIES.index(c.severity), c.rule))
    sentences = []
    for component in worst_first:
        rule = RULE_OF.get(component.rule)
        if rule is None or rule.signal_type != signal_type:
            raise ValueError(f"{component.rule} is no rule of {signal_type}")
        reading = Reading(
            rule, component.severity, component.value, component.limit, facts, as_of, rates_used
        )
        sentences.append(rule.because.format_map(Words(reading)))
    return ". ".join([*sentences, f"As of {day(as_of)}."])

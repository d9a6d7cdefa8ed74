"""Rule cards: what each rule reads, where its limits lie and where they come from, in words."""

from collections.abc import Iterable
from typing import Final

from services.contract.facts import FACT
from services.contract.loaded import RuleCard
from services.signals.figures import figure
from services.signals.limits import GRADED, PAYMENT_RANKS, WORKOUT_RANKS, Ladder
from services.signals.rules import RULES, Rule

#: Inputs that are made of a fact of another name, and which.
_MADE_OF: Final = {
    "months_to_maturity": "maturity_date",
    "overdue_balance": "book_value",
    "payment_rank": "workout",
}
#: What an input's name does not say.
_REMARKS: Final = {
    "refi_rate": " (Treasury of the tenor + spread of the property type)",
    "overdue_balance": ", past maturity",
    "whole_loan_debt": " (implied by the DSCR where the record is a note)",
}
_SIGNS: Final = {">": "over", ">=": "at or over", "<": "under", "<=": "at or under"}


def rule_cards(rules: Iterable[Rule] = RULES) -> list[RuleCard]:
    """A card for each of `rules`, in their order."""
    return [
        RuleCard(
            id=rule.id,
            version=rule.version,
            limits_version=rule.ladder.version,
            title=rule.title,
            signal_type=rule.signal_type,
            inputs=tuple(_input(name) for name in rule.reads),
            ladder=tuple((word, _rung(rule, word)) for word in GRADED),
            remark=rule.remark,
            clears_when=rule.clears_when,
            source=rule.source,
        )
        for rule in rules
    ]


def _input(name: str) -> str:
    return FACT[_MADE_OF.get(name, name)].in_a_sentence + _REMARKS.get(name, "")


def _rung(rule: Rule, severity: str) -> str:
    ladder = rule.ladder
    if ladder.unit == "code":
        return _codes(GRADED.index(severity) + 1)
    limit = ladder.limits[severity]
    sign = _SIGNS[limit.sign]
    if ladder.relative_to:
        below = f" less {figure(-limit.figure, ladder.unit)}" if limit.figure else ""
        return f"{sign} the minimum of the property type{below}"
    return f"{sign} {figure(limit.figure, ladder.unit)}{_exceptions(ladder, severity)}"


def _exceptions(ladder: Ladder, severity: str) -> str:
    """Types with a limit of their own, e.g. " (lodging, health care 1.35x)"."""
    types: dict[str, list[str]] = {}
    for word, row in ladder.by_type.items():
        if severity in row:
            types.setdefault(figure(row[severity].figure, ladder.unit), []).append(word)
    said = [f"{', '.join(words)} {limit}" for limit, words in types.items()]
    return f" ({'; '.join(said)})" if said else ""


def _codes(rank: int) -> str:
    payment = [code for code, of in PAYMENT_RANKS.items() if of == rank]
    workout = [code for code, of in WORKOUT_RANKS.items() if of == rank]
    said = f"payment status {', '.join(payment)}"
    return f"{said}; workout {', '.join(workout)}" if workout else said

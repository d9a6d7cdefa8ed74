"""Rule cards: what each rule reads, where its limits lie and where they come from, in words."""

from collections.abc import Iterable
from typing import Final

from services.contract.loaded import RuleCard
from services.signals.figures import figure
from services.signals.limits import GRADED, PAYMENT_RANKS, WORKOUT_RANKS, Ladder
from services.signals.rules import RULES, Rule

_INPUTS: Final = {
    "interest_rate": "coupon",
    "property_type": "property type",
    "refi_rate": "refi rate (Treasury of the tenor + spread of the property type)",
    "months_to_maturity": "maturity date",
    "overdue_balance": "book value, past maturity",
    "book_value": "book value",
    "value": "appraised value",
    "noi": "NOI",
    "dscr": "DSCR",
    "whole_loan_debt": "whole-loan debt (implied by the DSCR where the record is a note)",
    "payment_status": "payment status",
    "payment_rank": "workout strategy",
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
            inputs=tuple(_INPUTS[name] for name in rule.reads),
            ladder=tuple((word, _rung(rule, word)) for word in GRADED),
            remark=rule.remark,
            clears_when=rule.clears_when,
            source=rule.source,
        )
        for rule in rules
    ]


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

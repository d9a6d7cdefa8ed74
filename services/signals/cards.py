"""Rule cards: what each rule reads, where its limits lie and where they come from, in words."""

from collections.abc import Iterable, Iterator
from typing import Final

from services.contract.facts import FACT
from services.contract.snapshot_info import RuleCard, RuleLimit
from services.contract.vocabulary import GRADED
from services.signals.figures import figure
from services.signals.limits import Ladder, Limit, Limits
from services.signals.rule import Rule
from services.signals.servicing import RECENT_MONTHS

#: Inputs that are no fact of a loan by that name, in words.
_INPUTS: Final = {
    "overdue_balance": "book value, past maturity",
    "months_to_maturity": "maturity or anticipated repayment date",
    "status_rank": "workout, modification and special servicing",
    "income_fall": "NOI and DSCR of the latest filed period, the underwritten ones",
    "underwritten_markup": "NOI of the latest filed period, the underwritten one",
    "lease_rollover": "leases of the three largest tenants",
    "family_share": "ownership chain",
    "sibling_rank": "ownership chain, signals of its other loans",
}
#: What an input's name does not say.
_REMARKS: Final = {
    "refi_rate": " (Treasury of the tenor + spread of the property type)",
    "whole_loan_debt": " (implied by underwriting where the record is a note)",
}
_WHEN: Final = {
    "recent": f" within {RECENT_MONTHS} months",
    "before": f" over {RECENT_MONTHS} months ago, or undated",
}
_SIGNS: Final = {">": "over", ">=": "at or over", "<": "under", "<=": "at or under"}
_RANKS_OF_SIBLINGS: Final = {
    1: "one sibling severe",
    2: "one critical, or two severe",
    3: "two critical",
}


def rule_cards(rules: Iterable[Rule], limits: Limits) -> list[RuleCard]:
    """A card for each of `rules`, in their order."""
    return [
        RuleCard(
            id=rule.id,
            version=rule.version,
            limits_version=rule.ladder.version,
            title=rule.title,
            signal_type=rule.signal_type,
            inputs=tuple(_input(name) for name in rule.reads),
            ladder=tuple(
                (word, _rung(rule, word, limits)) for word in GRADED if word in rule.ladder.limits
            ),
            limits=tuple(_figures(rule, limits)),
            remark=rule.remark,
            clears_when=rule.clears_when,
            source=rule.source,
        )
        for rule in rules
    ]


def _figures(rule: Rule, limits: Limits) -> Iterator[RuleLimit]:
    ladder = rule.ladder
    for word, limit in ladder.limits.items() if ladder.unit != "code" else ():
        relative = ladder.relative_to is not None
        yield RuleLimit(severity=word, sign=limit.sign, figure=limit.figure, of_minimum=relative)
        own: dict[Limit, list[str]] = {}
        for kind, row in ladder.by_type.items():
            if word in row:
                own.setdefault(row[word], []).append(kind)
        for one, kinds in own.items():
            yield RuleLimit(
                severity=word,
                sign=one.sign,
                figure=one.figure,
                property_types=tuple(kinds),
                of_minimum=relative,
            )
    for word, level in limits.sections.get(rule.id, {}).get("levels", {}).items():
        yield RuleLimit(severity=word, sign="<", figure=level, level=True)


def _input(name: str) -> str:
    known = _INPUTS.get(name) or FACT[name].in_a_sentence
    return f"{known}{_REMARKS.get(name, '')}"


def _rung(rule: Rule, severity: str, limits: Limits) -> str:
    ladder = rule.ladder
    if ladder.unit == "code":
        rank = GRADED.index(severity) + 1
        return _RANKS_OF_SIBLINGS[rank] if rule.of_siblings else _codes(rank, limits)
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


def _codes(rank: int, limits: Limits) -> str:
    payment = [code for code, of in limits.payment_ranks.items() if of == rank]
    workout = [code for code, of in limits.workout_ranks.items() if of == rank]
    said = [f"payment status {', '.join(payment)}"] if payment else []
    said += [f"workout {', '.join(workout)}"] if workout else []
    said += [
        f"modified{_WHEN[when]}" for when, of in limits.modification_ranks.items() if of == rank
    ]
    said += ["in special servicing"] if rank == limits.special_servicing_rank else []
    return "; ".join(said)

"""The signals of one loan, a row a rule: what it found, its limit, and a bar of both.

Rows open on the rule as it was when the loan was scored. One piece of HTML: it is found by Ctrl+F
and printed whole, and opening a row asks nothing of the server.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from components.frame import states
from components.kit import severity, text
from components.kit.fields import written
from components.kit.formatting import basis_points, fixed, multiple, percent, words
from components.kit.text import Markup, element
from services.contract.loan_figures import SETTLED, Exemption
from services.contract.records import LoanDetail, Signal, SignalComponent
from services.contract.schedule_al import MODIFICATIONS, PAYMENT_STATUSES, WORKOUTS
from services.contract.snapshot_info import RuleCard
from services.contract.vocabulary import CONTAGION

HEADING: Final = "Signals and the rules behind them"


def _share(part: float) -> str:
    return percent(100 * part, 1).replace(".0%", "%")


def _months(months: float) -> str:
    size = f"{fixed(abs(months), 0 if months == int(months) else 1)} months"
    return f"{size} past" if months < 0 else size


#: How the measure of a rule is written; other rules measure nothing.
_MEASURES: Final[Mapping[str, Callable[[float], str]]] = {
    "CV-1": multiple,
    "LV-1": _share,
    "DY-1": percent,
    "NI-1": lambda part: f"−{_share(part)}",
    "UW-1": lambda part: f"+{_share(part)}",
    "OC-1": lambda part: f"−{fixed(100 * part)} pts",
    "LR-1": _share,
    "RG-1": _share,
    "MT-1": _months,
    "RP-1": basis_points,
    "CN-1": _share,
}
#: Workouts that say nothing of where a loan is: resolved, representations, undetermined, other.
_IDLE: Final = frozenset({"8", "12", "13", "98"})
#: What the larger of measure and limit takes of the width of a bar.
_FULL: Final = 0.8


def panel(
    loan: LoanDetail,
    signals: Sequence[Signal],
    rules: Sequence[RuleCard],
    exempt: Sequence[Exemption] = (),
) -> None:
    """The signals, the worst first. `exempt` is why rules are not about the loan."""
    if not signals:
        states.nothing(without(exempt))
        return
    cards = {card.id: card for card in rules}
    text.show(
        element(
            "div",
            *(
                row
                for signal in severity.worst_first(signals)
                for row in _rows(loan, signal, cards)
            ),
            class_="atlas-folded atlas-rules",
        )
    )


def without(exempt: Sequence[Exemption]) -> str:
    """What is said of a loan on which no rule fired, or that rules are not about."""
    settled = next((why for why in exempt if why in SETTLED), None)
    if settled == "without a balance":
        return "No rule tests a loan that owes nothing."
    return f"No rule tests a loan that is {settled}." if settled else "No rule fired on this loan."


def _rows(loan: LoanDetail, signal: Signal, cards: Mapping[str, RuleCard]) -> Iterator[Markup]:
    """The signal, which opens on its sentence, then its rules, the worst first."""
    parts = severity.worst_first(signal.components)
    head = element(
        "summary",
        severity.chip(severity.label(signal.severity)),
        Markup(" "),
        element("strong", called(signal)),
    )
    # A service that names no rules has nothing but the sentence: then it is open.
    opened = {} if parts else {"open": "open"}
    yield element("details", head, element("p", signal.description or "—"), **opened)
    for part in parts:
        yield _rule(loan, part, cards.get(part.rule))


def called(signal: Signal) -> str:
    """What a signal is about, and whether it is a lead alone."""
    lead = ", a lead" if signal.components and not signal.of_itself else ""
    return f"{words(signal.signal_type)}{lead}"


def _rule(loan: LoanDetail, part: SignalComponent, card: RuleCard | None) -> Markup:
    head = element(
        "summary",
        element("span", severity.label(part.severity), class_="word"),
        element("span", part.title or (card.title if card else part.rule), class_="what"),
        _bar(part),
        element("span", found(loan, part), class_="found"),
        element("span", _limit(part), class_="limit"),
        class_=part.severity if severity.rank(part.severity) >= 0 else "unranked",
    )
    return element("details", head, *(element("p", one) for one in _read(card)))


def _read(card: RuleCard | None) -> Iterator[str]:
    """The rule in words, as it was when the loan was scored."""
    if card is None:
        yield "The service does not describe this rule."
        return
    yield f"{card.id} reads {', '.join(card.inputs)}."
    yield f"{' · '.join(f'{word}: {limit}' for word, limit in card.ladder)}."
    yield f"Clears when: {card.clears_when}"
    if card.remark:
        yield card.remark
    yield (
        f"Source: {card.source} Rule version {card.version}, limits version {card.limits_version}."
    )


def limited(part: SignalComponent) -> str:
    """The limit that a rule's measure passed; blank of a rule about codes."""
    if part.rule == CONTAGION:
        return "a lead"
    write = _MEASURES.get(part.rule)
    return write(part.limit) if part.limit is not None and write else ""


def _limit(part: SignalComponent) -> str:
    said = limited(part)
    return f"limit {said}" if said and part.rule != CONTAGION else said


def found(loan: LoanDetail, part: SignalComponent) -> str:
    """What a rule measured; of the rule about codes what these mean."""
    return _measured(part) or (_status(loan) if part.rule == "ST-1" else "")


def _status(loan: LoanDetail) -> str:
    """The status or the workout of a loan, else its modification with its date."""
    return standing(loan) or modified(loan)


def modified(loan: LoanDetail) -> str:
    """How and when the terms of a loan were changed: "maturity date extension, 21 Jul 2026"; blank
    of one that was not.
    """
    kind = MODIFICATIONS.get(str(loan.extended.get("modification") or ""))
    on = loan.extended.get("modified_on")
    return ", ".join(filter(None, (kind, on and written("modified_on", on))))


def _measured(part: SignalComponent) -> str:
    """The measure of a rule, blank of one that measures nothing."""
    write = _MEASURES.get(part.rule)
    if part.value is not None and write:
        found = write(part.value)
        if part.limit is not None and part.value != part.limit and found == write(part.limit):
            return f"just {'under' if part.value < part.limit else 'over'} {found}"
        return found
    return ""


def why(signals: Sequence[Signal], longest: int) -> str:
    """What the rules found, the worst first, as many of them as so many characters hold: "DSCR
    0.87x (limit 1.00x); NOI −40.3% (limit −40%); Contagion (a lead)".
    """
    parts = [part for signal in signals for part in signal.components]
    said = ""
    for part in severity.worst_first(parts):
        limit = f"({said_limit})" if (said_limit := _limit(part)) else ""
        one = " ".join(filter(None, (part.title or part.rule, _measured(part), limit)))
        longer = f"{said}; {one}" if said else one
        if said and len(longer) > longest:
            break
        said = longer
    return said


def standing(loan: LoanDetail) -> str:
    """How far behind its payments a loan is, else what is done about it; empty where neither is
    known, and of one that pays.
    """
    status = str(loan.extended.get("payment_status") or "")
    if status not in {"", "0", "A"} and status in PAYMENT_STATUSES:
        return PAYMENT_STATUSES[status]
    workout = str(loan.extended.get("workout") or "")
    return "" if workout in _IDLE else WORKOUTS.get(workout, "")


def _bar(part: SignalComponent) -> Markup:
    """The measure as a bar with a tick at its limit; nothing where one of them is not above 0."""
    value, limit = part.value, part.limit
    if value is None or limit is None or limit <= 0:
        return element("span", class_="bar none")
    most = max(value, limit)
    drawn = text.shares(part=max(value, 0) / most * _FULL, tick=limit / most * _FULL)
    return element("span", class_="bar", style=drawn)

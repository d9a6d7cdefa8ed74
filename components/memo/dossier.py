"""The parts of a memo that a loan's own figures make: terms, income, refinance, stack, signals."""

from collections.abc import Sequence
from typing import Final

from components.kit import severity
from components.kit.fields import label
from components.kit.formatting import MISSING, words
from components.loans import exposure, income, rule_rows
from components.memo.document import NOTHING, Said, Section, Sources, Table
from services.contract.citations import Citation
from services.contract.loan_figures import CONSTRAINTS, Exemption, LoanFigures
from services.contract.records import LoanDetail, Signal, SignalComponent
from services.contract.snapshot_info import RuleCard

_TERMS: Final = (
    "book_value", "original_amount", "interest_rate", "rate_type", "rate_index", "rate_margin",
    "rate_floor", "rate_cap", "cap_strike", "cap_expires", "origination_date", "maturity_date",
    "ard_date", "payment_type", "interest_only_months", "amortization_months", "accrual_method",
    "structure", "payment_status", "workout", "special_servicing_since", "paid_through",
    "modification", "modified_on", "disposition", "disposition_date", "owed_before",
    "principal_received", "realized_loss", "loss_of_owed", "loss_of_original", "last_value",
    "last_value_date",
)  # fmt: skip
_INCOME: Final = ("noi", "ncf", "dscr", "noi_room", "occupancy", "value")
_NOT_TESTABLE: Final = "not testable"
#: Of these the ones that are of a period.
_OF_PERIOD: Final = frozenset({"noi", "ncf", "dscr", "noi_room"})
_REFINANCE: Final = (
    ("Refi debt service, a year", "refi_debt_service"),
    (label("proforma_dscr"), "proforma_dscr"),
    ("Income required", "required_noi"),
    ("Break-even rate", "break_even"),
)
_BESIDE: Final = (
    "refi_rate", "rate_gap_bp", "balance_at_maturity", "debt_due_at_maturity", "max_proceeds",
    "gap_usd", "own_dollars_short", "refinance_gap", "payment_shock", "whole_loan_debt", "ltv",
    "debt_yield", "own_debt_service",
)  # fmt: skip
#: Of these the ones of a loan that is not all that is due with it.
_OF_A_PART: Final = frozenset({"whole_loan_debt", "own_dollars_short"})
#: Negative where a new loan repays more than is due.
_SHORT: Final = frozenset({"gap_usd", "refinance_gap", "own_dollars_short"})
_EXPOSED: Final = (
    "paid_through", "scheduled_balance", "payment_advances", "tax_advances", "other_advances",
    "exposure", "value", "ltv", "computed_reduction", "expected_loss",
)  # fmt: skip


def terms(of: Sources) -> Section:
    """What the loan is."""
    rows = [(Said(label(key)), of.fact(key)) for key in _TERMS if of.knows(key)]
    table = _paired("Term", rows)
    return Section("Terms", tables=[table] if rows else [])


def _paired(head: str, rows: Sequence[tuple[Said, Said]]) -> Table:
    """Names and figures in two columns of pairs."""
    half = (len(rows) + 1) // 2
    nothing = (Said(""), Said(""))
    pairs = [
        (*left, *(rows[half + at] if half + at < len(rows) else nothing))
        for at, left in enumerate(rows[:half])
    ]
    return Table((head, "", head, ""), pairs, widths=(1.2, 1.3, 1.2, 1.3))


def earned(of: Sources, found: LoanFigures) -> Section:
    """Underwriting beside the latest filed period."""
    filed, ended = found.income.filed is not None, bool(found.ended)
    rows = []
    for key in _INCOME:
        if key == "noi_room" and not of.knows(key):
            continue  # of income that is not in place, which a sentence says
        now = of.fact(key) if not ended and (filed or key not in _OF_PERIOD) else NOTHING
        then = of.fact(f"underwritten_{key}")
        if key in _OF_PERIOD and not filed and then == NOTHING:
            then = of.fact(key)
        if key == "value" and now != NOTHING and not found.income.reappraised:
            now = Said("not reappraised")
        if (then, now) != (NOTHING, NOTHING):
            rows.append((Said(label(key)), then, now))
    heads = ("Figure", "Underwritten", income.period(found.income.filed))
    rests = [of.known[key] for key in ("income_basis", "value_date") if of.knows(key)]
    said = [
        Said(one, tuple(map(of.number, rests))) for one in ([] if ended else income.remarks(found))
    ]
    return Section("Income and value", said, tables=[Table(heads, rows, (1, 2), (1.4, 1, 1))])


def exposed(of: Sources, found: LoanFigures) -> Section:
    """What the trust has out on a loan in trouble, against the value."""
    rows = [(Said(label(key)), of.fact(key)) for key in _EXPOSED if of.knows(key)]
    late = exposure.unpaid(found.exposure)
    said = [Said(f"{words(late)}.")] if late else []
    return Section("Exposure", [*said, Said(exposure.CAVEAT)], tables=[_paired("Figure", rows)])


def refinanced(of: Sources, found: LoanFigures) -> Section:
    """What refinancing would take, in both conventions, and what a new lender would lend."""
    both = [(Said(words), of.fact(f"{key}_io"), of.fact(f"{key}_am")) for words, key in _REFINANCE]
    lent = [
        (Said(f"New loan by {name}"), of.fact(f"proceeds_{at}"))
        for at, name in enumerate(CONSTRAINTS)
    ]
    part = found.debt.part or found.debt.behind
    beside = [
        (Said(of.known[key].label), _spare(of, key))
        for key in _BESIDE
        if key in of.known and (part or key not in _OF_A_PART)
    ]
    refi = found.refinance
    how = "interest only" if refi.interest_only_graded else "amortising"
    return Section(
        "Refinance",
        [Said(f"Graded as the loan pays now: {how}.")],
        tables=[
            Table(("At the refi rate", "Interest only", "Amortising"), both, (1, 2), (1.4, 1, 1)),
            _paired("Figure", [*beside, *lent]),
        ],
    )


def _spare(of: Sources, key: str) -> Said:
    """A figure; of what is short of nothing, that it is to spare."""
    said = of.fact(key)
    negative = key in _SHORT and said.text.startswith("−")
    return Said(f"{said.text.removeprefix('−')} to spare", said.sources) if negative else said


def signals(
    of: Sources,
    loan: LoanDetail,
    found: Sequence[Signal],
    rules: Sequence[RuleCard],
    exempt: Sequence[Exemption],
) -> Section:
    """Each signal with the rule behind it, what it measured and the limit that it passed; without
    one, whether rules are about the loan.
    """
    if not found:
        return Section("Signals", [Said(rule_rows.without(exempt))])
    cards = {card.id: card for card in rules}
    said, rows = [], []
    for one in severity.worst_first(found):
        parts = [_component(of, part, cards.get(part.rule)) for part in one.components]
        numbers = tuple(dict.fromkeys(of.number(part) for part in parts))
        said.append(Said(f"{severity.label(one.severity)} {rule_rows.called(one)}: "
                         f"{one.description or MISSING}", numbers))  # fmt: skip
        for part, cited in zip(one.components, parts, strict=True):
            card = cards.get(part.rule)
            reads = ", ".join(card.inputs) if card else MISSING
            rows.append((
                of.cited(cited, f"{part.rule} {part.title or ''}".strip()),
                Said(severity.label(part.severity)),
                of.cited(cited, words(rule_rows.found(loan, part) or MISSING)),
                of.cited(cited, rule_rows.limited(part) or MISSING),
                of.cited(cited, reads),
            ))  # fmt: skip
    heads = ("Rule", "Severity", "Measured", "Limit", "What it reads")
    return Section("Signals", said, tables=[Table(heads, rows, (2, 3), (1.6, 0.8, 0.8, 0.7, 3))])


def _component(of: Sources, part: SignalComponent, card: RuleCard | None) -> Citation:
    known = of.known["book_value"]
    versions = f"version {part.rule_version}, limits version {part.limits_version}"
    return Citation(
        key=f"rule:{part.rule}",
        label=f"Rule {part.rule}" + (f" {card.title}" if card else ""),
        kind="text",
        value=part.severity,
        basis="computed",
        source=known.source,
        as_of=known.as_of,
        provenance=known.provenance,
        rule=f"rule {part.rule}, {versions}",
        limit="" if card is None else f"{card.source}",
    )


def untested(of: Sources, found: LoanFigures) -> Section:
    """What this memo asked for and could not be tested, by what it lacks. Comes last."""
    said = []
    if found.exempt:
        said.append(f"Maturity, rate and refinance do not concern it: {found.exempt[0]}.")
    lacking: dict[str, list[str]] = {}
    for one in of.missed.values():
        if one.why.startswith(_NOT_TESTABLE):
            lacking.setdefault(one.why.replace(": ", ", "), []).append(one.label)
    said += [f"{'; '.join(labels)}: {why}." for why, labels in lacking.items()]
    none = "Every figure of this memo could be tested."
    return Section("What could not be tested", [Said(one) for one in said or [none]])

"""The parts of a memo that a loan's own figures make: terms, income, refinance, stack, signals."""

from collections.abc import Sequence
from typing import Final

from components.kit import severity
from components.kit.fields import label
from components.kit.formatting import MISSING, dollars, fixed, percent, words
from components.loans import exposure, income, rule_rows
from components.memo.document import NOTHING, Said, Section, Sources, Table
from services.contract.citations import Citation
from services.contract.loan_figures import CONSTRAINTS, Exemption, Layer, LoanFigures
from services.contract.records import LoanDetail, Signal, SignalComponent
from services.contract.snapshot_info import RuleCard

_TERMS: Final = (
    "book_value", "original_amount", "interest_rate", "rate_type", "origination_date",
    "maturity_date", "ard_date", "payment_type", "interest_only_months", "amortization_months",
    "accrual_method", "structure", "payment_status", "workout", "special_servicing_since",
    "paid_through", "modified_on", "disposition", "disposition_date", "realized_loss",
)  # fmt: skip
_INCOME: Final = ("noi", "ncf", "dscr", "noi_room", "occupancy", "value")
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
    "gap_usd", "refinance_gap", "payment_shock", "ltv", "debt_yield", "own_debt_service",
)  # fmt: skip
_EXPOSED: Final = (
    "paid_through", "scheduled_balance", "payment_advances", "tax_advances", "other_advances",
    "exposure", "value", "ltv", "computed_reduction", "expected_loss",
)  # fmt: skip


def terms(of: Sources) -> Section:
    """What the loan is."""
    rows = [(Said(label(key)), of.fact(key)) for key in _TERMS if _is_known(of, key)]
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


def _is_known(of: Sources, key: str) -> bool:
    return key in of.known and of.known[key].value is not None


def earned(of: Sources, found: LoanFigures) -> Section:
    """Underwriting beside the latest filed period."""
    filed = found.income.filed is not None
    rows = []
    for key in _INCOME:
        now = of.fact(key) if filed or key not in _OF_PERIOD else NOTHING
        then = of.fact(f"underwritten_{key}")
        if key in _OF_PERIOD and not filed and then == NOTHING:
            then = of.fact(key)
        if (then, now) != (NOTHING, NOTHING):
            rows.append((Said(label(key)), then, now))
    heads = ("Figure", "Underwritten", income.period(found.income.filed))
    said = []
    if found.income.in_place is not None and found.income.in_place.said:
        said.append(of.fact("income_basis"))
    return Section("Income and value", said, tables=[Table(heads, rows, (1, 2), (1.4, 1, 1))])


def exposed(of: Sources, found: LoanFigures) -> Section:
    """What the trust has out on a loan in trouble, against the value."""
    rows = [(Said(label(key)), of.fact(key)) for key in _EXPOSED if _is_known(of, key)]
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
    beside = [(Said(of.known[key].label), of.fact(key)) for key in _BESIDE if key in of.known]
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


def stack(of: Sources, loan: LoanDetail, found: LoanFigures) -> Section:
    """The layers, paid first to last."""
    rows = []
    for at, layer in enumerate(found.stack, 1):
        stated = _of_layer(of, loan, at, layer)
        amount = of.cited(stated, dollars(layer.amount)) if layer.amount else NOTHING
        own = of.known.get("interest_rate") if stated.key == "book_value" else None
        rate = of.stated(own or stated, layer.rate, percent)
        kind = words(layer.kind).replace("Cmbs", "CMBS") if layer.kind else ""
        named = f"{words(layer.position)}{kind and f', {kind}'}"
        ltv = of.fact(f"layer_ltv_{at}")
        rows.append((Said(named), amount, rate, ltv, Said(layer.lender or MISSING)))
    if not rows:
        return Section("Capital stack", [Said("The source gives no debt layers for this loan.")])
    heads = ("Layer", "Amount", "Rate", "LTV to its rank", "Lender")
    return Section("Capital stack", tables=[Table(heads, rows, (1, 2, 3))])


def _of_layer(of: Sources, loan: LoanDetail, at: int, layer: Layer) -> Citation:
    """Where the amount of a layer comes from: the loan's own is its balance."""
    known = of.known["book_value"]
    if layer.amount == loan.book_value and len(loan.extended.get("debt_layers") or ()) == 1:
        return known
    return Citation(
        key=f"layer:{at}",
        label=f"Layer {at}, {layer.position}",
        kind="dollars",
        value=layer.amount,
        basis="filed",
        source=known.source,
        file=known.file,
        sha256=known.sha256,
        as_of=known.as_of,
        provenance=known.provenance,
        limit="A layer of the capital stack as its source states or implies it",
    )


def signals(
    of: Sources,
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
                of.stated(cited, part.value, _measure),
                of.stated(cited, part.limit, _measure),
                of.cited(cited, reads),
            ))  # fmt: skip
    heads = ("Rule", "Severity", "Measured", "Limit", "What it reads")
    return Section("Signals", said, tables=[Table(heads, rows, (2, 3), (1.6, 0.8, 0.8, 0.7, 3))])


def _measure(value: float) -> str:
    return fixed(value, 0) if abs(value) >= 1_000 else f"{value:.4g}"  # noqa: PLR2004


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
    """What could not be tested or said, and why."""
    missing = [
        f"{one.label}: {one.why}" for one in of.known.values() if one.value is None and one.why
    ]
    if found.exempt:
        missing.insert(0, f"Maturity, rate and refinance do not concern it: {found.exempt[0]}")
    known = list(dict.fromkeys(missing))
    said = [Said(f"{one}.") for one in known] or [
        Said("Every figure of this memo could be tested.")
    ]
    return Section("What could not be tested", said)

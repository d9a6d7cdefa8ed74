"""The capital stack of a memo: its layers, paid first to last."""

from typing import Final

from components.kit.formatting import MISSING, dollars, percent
from components.loans import capital_stack
from components.memo.document import NOTHING, Said, Section, Sources, Table
from services.contract.citations import Citation
from services.contract.loan_figures import (
    ADVANCES,
    NOTES_AFTER,
    NOTES_BEFORE,
    OTHER_NOTES,
    Layer,
    LoanFigures,
)
from services.contract.records import LoanDetail

#: How layers are known that no source states.
_IMPLIED: Final = {
    ADVANCES: "What the exposure of the whole loan is over its debt",
    OTHER_NOTES: "Debt of its rank less the balance",
    NOTES_BEFORE: "Debt of its rank and before less the balance",
    NOTES_AFTER: "Whole-loan debt less the debt of its rank",
}


def stack(of: Sources, loan: LoanDetail, found: LoanFigures) -> Section:
    """The layers, paid first to last."""
    rows = []
    for at, layer in enumerate(found.stack, 1):
        stated = _of_layer(of, loan, at, layer)
        amount = of.cited(stated, dollars(layer.amount)) if layer.amount else NOTHING
        own = of.known.get("interest_rate") if stated.key == "book_value" else None
        rate = of.stated(own or stated, layer.rate, percent)
        named = Said(capital_stack.named(layer, ", "))
        ltv = of.fact(f"layer_ltv_{at}")
        rows.append((named, amount, rate, ltv, Said(layer.lender or MISSING)))
    if not rows:
        return Section("Capital stack", [Said("The source gives no debt layers for this loan.")])
    heads = ("Layer", "Amount", "Rate", "LTV to its rank", "Lender")
    said = [Said(one, _of_ltv(of)) for one in capital_stack.remarks(found)]
    return Section("Capital stack", said, tables=[Table(heads, rows, (1, 2, 3))])


def _of_ltv(of: Sources) -> tuple[int, ...]:
    return (of.number(of.known["ltv"]),) if of.knows("ltv") else ()


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
        basis="computed" if layer.position in _IMPLIED else "filed",
        source=known.source,
        file=known.file,
        sha256=known.sha256,
        as_of=known.as_of,
        provenance=known.provenance,
        limit=_IMPLIED.get(layer.position, "A layer of the capital stack as its source states it"),
    )

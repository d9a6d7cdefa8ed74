"""The capital stack of one loan: its layers, paid first to last, each with the LTV up to it."""

from services.contract.loan_figures import OTHER_NOTES, Debt, Figure, Income, Layer
from services.signals.one_loan.record import Facts


def stack_of(facts: Facts, debt: Debt, income: Income) -> tuple[Layer, ...]:
    """Layers by rank. Of a note of a larger loan the other notes follow the first layer, as large
    as underwriting implies: income and value are those of the whole property.
    """
    rows = facts.rows("debt_layers")
    rows.sort(key=lambda row: row.figure("rank") or 0)
    if rows and debt.part:
        others = None if debt.whole.value is None else debt.whole.value - (debt.balance or 0)
        if others != 0:
            rows.insert(1, Facts({"position": OTHER_NOTES, "amount": others}))
    layers: list[Layer] = []
    total: float | None = 0.0
    for row in rows:
        amount = row.figure("amount", above=0)
        total = None if total is None or amount is None else total + amount
        layers.append(
            Layer(
                position=row.word("position") or "layer",
                kind=row.word("layer"),
                lender=row.word("lender"),
                servicer=row.word("servicer"),
                amount=amount,
                rate=row.figure("interest_rate"),
                cumulative=Figure(total, "" if total is not None else _unknown(debt)),
                ltv=_ltv(total, income.value, debt),
            )
        )
    return tuple(layers)


def _ltv(total: float | None, value: float | None, debt: Debt) -> Figure:
    if total is None:
        return Figure(None, _unknown(debt))
    if value is None:
        return Figure(None, "not testable: no appraised value")
    return Figure(total / value)


def _unknown(debt: Debt) -> str:
    return debt.whole.why if debt.part and debt.whole.why else "not testable: no amount of a layer"

"""The capital stack of one loan: its layers, paid first to last, each with the LTV of its rank."""

from services.contract.loan_figures import (
    ADVANCES,
    NOTES_AFTER,
    NOTES_BEFORE,
    OTHER_NOTES,
    Debt,
    Figure,
    Income,
    Layer,
)
from services.signals.one_loan.record import Facts

_Row = tuple[Facts, float | None]


def stack_of(facts: Facts, debt: Debt, income: Income) -> tuple[Layer, ...]:
    """Layers by rank, empty where the source gives none.

    On a loan in trouble what was advanced on it comes first, as far as it is over its debt (D276).
    Beside a note of a larger loan stand the notes that the record does not hold, as large as
    underwriting or the debt service filed implies. Notes of one rank are paid together, so that
    they have one LTV.
    """
    rows = facts.rows("debt_layers")
    rows.sort(key=lambda row: row.figure("rank") or 0)
    ranked = _advanced(_first(rows[0], debt), debt) if rows else []
    total = ranked[-1][1] if ranked else None
    for row in rows[1:]:
        amount = row.figure("amount", above=0)
        total = None if total is None or amount is None else total + amount
        ranked.append((row, total))
    return tuple(_layer(row, through, debt, income) for row, through in ranked)


def _advanced(ranked: list[_Row], debt: Debt) -> list[_Row]:
    """The same after what was advanced."""
    due, whole = debt.due.value, debt.whole.value
    over = 0.0 if due is None or whole is None else due - whole - debt.behind
    if not over:
        return ranked
    later = [(row, None if through is None else over + through) for row, through in ranked]
    return [(_notes(ADVANCES, over), over), *later]


def _first(row: Facts, debt: Debt) -> list[_Row]:
    """The record's own layer and the other notes of its loan, each with the debt up to its rank."""
    if not debt.part:
        return [(row, row.figure("amount", above=0))]
    own, rank, whole = debt.balance or 0.0, debt.rank.value, debt.whole.value
    if rank is None or whole is None:
        return [(row, None), (_notes(OTHER_NOTES, None), None)]
    others = rank - own
    if debt.junior:
        return [*([(_notes(NOTES_BEFORE, others), others)] if others else []), (row, rank)]
    found: list[_Row] = [(row, rank)]
    if others:
        found.append((_notes(OTHER_NOTES, others), rank))
    if whole > rank:
        found.append((_notes(NOTES_AFTER, whole - rank), whole))
    return found


def _notes(position: str, amount: float | None) -> Facts:
    return Facts({"position": position, "amount": amount})


def _layer(row: Facts, through: float | None, debt: Debt, income: Income) -> Layer:
    return Layer(
        position=row.word("position") or "layer",
        kind=row.word("layer"),
        lender=row.word("lender"),
        servicer=row.word("servicer"),
        amount=row.figure("amount", above=0),
        rate=row.figure("interest_rate"),
        cumulative=Figure(through, "" if through is not None else _unknown(debt)),
        ltv=_ltv(through, income.value, debt),
    )


def _ltv(total: float | None, value: float | None, debt: Debt) -> Figure:
    if total is None:
        return Figure(None, _unknown(debt))
    if value is None:
        return Figure(None, "not testable: no appraised value")
    return Figure(total / value)


def _unknown(debt: Debt) -> str:
    return debt.whole.why if debt.part and debt.whole.why else "not testable: no amount of a layer"

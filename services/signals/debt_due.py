"""The debt due with a loan: that of every rank that must be repaid when it matures.

Notes of one rank, notes behind them, and mezzanine debt are due on one day, and a new loan repays
them in the order of their ranks. Preferred equity is no debt: it stands behind all of it and is not
due (D154).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.signals.amortisation import BoolArray, FloatArray
from services.signals.whole_loan_debt import debt_at_maturity

#: Layers of a capital stack that are debt behind the loan and mature with it.
DUE_BEHIND: Final = frozenset({"mezzanine"})
#: Rank of the layer that is the record itself.
_OWN_RANK: Final = 1


@dataclass(frozen=True, slots=True, eq=False)
class Behind:
    """Debt behind each loan that is due with it, as its layers state it."""

    #: Dollars; 0 where there is none.
    amount: FloatArray
    #: Where a layer states no amount, so that `amount` is a lower bound.
    at_least: BoolArray


def behind_loans(layers: pa.Table | None, loans: int) -> Behind:
    """What stands behind each of so many loans; `layers` as in contract/portfolio.py."""
    amount, unknown = np.zeros(loans), np.zeros(loans, dtype=np.bool_)
    if layers is not None and layers.num_rows:
        due = pc.is_in(layers["position"], value_set=pa.array(sorted(DUE_BEHIND)))
        chosen = layers.filter(pc.and_(due, pc.greater(layers["rank"], _OWN_RANK)))
        rows = chosen["loan"].to_numpy()
        dollars = pc.cast(chosen["amount"], pa.float64()).to_numpy()
        np.add.at(amount, rows, np.nan_to_num(dollars))
        unknown[rows[np.isnan(dollars)]] = True
    return Behind(amount, unknown)


@dataclass(frozen=True, slots=True, eq=False)
class DebtDue:
    """Dollars, aligned to the loans; NaN is missing."""

    #: Of all ranks today: what value stands against, with what was advanced on a loan in trouble.
    today: FloatArray
    #: Of all ranks at effective maturity: what new proceeds must repay.
    at_maturity: FloatArray
    #: Of the record alone at effective maturity.
    own: FloatArray
    #: The debt of ranks before the record's, and of those up to it, at effective maturity.
    before: FloatArray
    through: FloatArray
    #: Behind the loan, in this record: its mezzanine debt.
    behind: FloatArray

    def own_short(self, proceeds: FloatArray) -> FloatArray:
        """The record's share of what new proceeds leave uncovered (`short_of`)."""
        return short_of(self.own, before=self.before, through=self.through, proceeds=proceeds)

    def short(self, proceeds: FloatArray) -> FloatArray:
        """`own_short` and what is left uncovered of the debt behind the record: each dollar that
        the record stands for, once.
        """
        last = np.maximum(self.at_maturity - self.behind, proceeds)
        behind = np.maximum(self.at_maturity - last, 0.0)
        return self.own_short(proceeds) + np.where(self.own == 0, 0.0, behind)


@np.errstate(all="ignore")
def short_of(
    own: FloatArray, *, before: FloatArray, through: FloatArray, proceeds: FloatArray
) -> FloatArray:
    """What `proceeds` leave uncovered of `own`, its share of the debt from `before` to `through`:
    ranks before it are repaid first, notes of its rank share alike. 0 where nothing is owed.
    """
    of_rank = np.maximum(through - np.maximum(proceeds, before), 0.0)
    share = own / (through - before)
    return np.where(own == 0, 0.0, of_rank * share)


def is_due_behind(position: str | None, rank: float | None) -> bool:
    """Whether a layer is debt behind the record that is due with it."""
    return position in DUE_BEHIND and (rank or 0) > _OWN_RANK


def debt_due(
    *,
    balance: FloatArray,
    balance_at_maturity: FloatArray,
    whole_loan_debt: FloatArray,
    rank_debt: FloatArray,
    junior: BoolArray,
    behind: FloatArray,
    advanced: FloatArray | float = 0.0,
) -> DebtDue:
    """The debt due with each loan.

    `whole_loan_debt` and `rank_debt` as in `WholeLoanDebt`, `behind` as in `Behind`, `advanced` as
    `TrustExposure.over_debt`. Notes of one loan amortise alike; mezzanine debt is interest only.
    """
    left = np.where(balance == 0, 0.0, behind)
    whole = debt_at_maturity(whole_loan_debt, balance, balance_at_maturity)
    through = debt_at_maturity(rank_debt, balance, balance_at_maturity)
    return DebtDue(
        today=whole_loan_debt + left + advanced,
        at_maturity=whole + left,
        own=balance_at_maturity,
        before=np.where(junior, np.maximum(through - balance_at_maturity, 0.0), 0.0),
        through=through,
        behind=left,
    )

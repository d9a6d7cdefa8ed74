"""What trusts report of loans in serious arrears: paid through, advances, appraisal reductions."""

import json

import numpy as np
import pyarrow as pa

from services.contract.loan_figures import LENT_ON_VALUE
from services.importers.demo.arrears import DAYS_30, DAYS_60, DAYS_90, MATURED_UNPAID
from services.importers.demo.assumptions import Bools, Ints
from services.importers.demo.draws import Generator
from services.importers.demo.income import Appraisals
from services.importers.demo.market import Debt
from services.importers.demo.names import dated
from services.importers.demo.securitisations import CMBS
from services.importers.demo.servicing import Servicing

DETERMINED_DAYS = (10, 60)  # after the appraisal
TAXES_A_MONTH = 0.001  # of the value; servicers pay them from 60 days on
EXPENSES_A_MONTH = 0.0008  # of the balance: counsel, receivers, repairs


def reports(
    rng: Generator,
    debt: Debt,
    served: Servicing,
    worth: Appraisals,
    *,
    monthly: Ints,
    no_value: Bools,
    no_status: Bools,
    today: np.datetime64,
) -> dict[str, pa.Array]:
    """Columns of LOANS: paid through, scheduled balance and advances of securitised loans, and in
    `further` the appraisal reduction of those that are 30 days late or more.

    `monthly` is the payment that falls due, dollars. An appraisal reduction is what is owed, with
    the advances, above nine tenths of an appraisal that was made since the loan fell behind: of
    the part of the loan that the trust holds.
    """
    rows = len(debt.kind)
    told = (debt.layer == CMBS) & ~no_status
    late = told & (served.status >= DAYS_30)
    late &= (served.status <= DAYS_90) | (served.status == MATURED_UNPAID)
    wait = rng.integers(*DETERMINED_DAYS, rows)
    behind = served.behind * late
    protecting = behind * (served.status >= DAYS_60)
    held = worth.value * debt.part
    payments = behind * monthly
    taxes = np.rint(TAXES_A_MONTH * held * protecting).astype(np.int64)
    other = np.rint(EXPENSES_A_MONTH * debt.balance * protecting).astype(np.int64)
    owed = debt.balance + payments + taxes + other
    short = np.maximum(np.rint(owed - LENT_ON_VALUE * held), 0).astype(np.int64)
    determined = worth.day + wait
    reduced = worth.since_trouble & ~no_value & (determined <= today)
    said: list[str | None] = [None] * rows
    for row in np.flatnonzero(late & reduced & (short > 0)).tolist():
        said[row] = json.dumps(
            {
                "appraisal_reduction": int(short[row]),
                "appraisal_reduction_determined": str(determined[row]),
            }
        )
    return {
        "paid_through": dated(served.paid_through, ~told),
        "scheduled_balance": pa.array(debt.balance, mask=~told),
        "payment_advances": pa.array(payments, mask=~told),
        "tax_advances": pa.array(taxes, mask=~told),
        "other_advances": pa.array(other, mask=~told),
        "further": pa.array(said, type=pa.string()),
    }

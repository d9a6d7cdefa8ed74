"""What trusts report of loans in serious arrears: paid through, advances, appraisal reductions."""

import json

import numpy as np
import pyarrow as pa

from services.importers.demo.arrears import DAYS_30, DAYS_90, MATURED_UNPAID
from services.importers.demo.assumptions import Bools, Ints
from services.importers.demo.draws import Generator
from services.importers.demo.income import Appraisals
from services.importers.demo.market import Debt
from services.importers.demo.securitisations import CMBS
from services.importers.demo.servicing import Servicing

OF_VALUE = 0.90  # a trust lends on; what is owed above it is the reduction
DETERMINED_DAYS = (10, 60)  # after the appraisal


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
) -> pa.Array:
    """The `further` column: JSON of securitised loans that are 30 days late or more, else None.

    `monthly` is the payment that falls due, dollars. An appraisal reduction is what is owed, with
    the advances, above nine tenths of an appraisal that was made since the loan fell behind: of
    the part of the loan that the trust holds.
    """
    rows = len(debt.kind)
    late = (debt.layer == CMBS) & (served.status >= DAYS_30) & ~no_status
    late &= (served.status <= DAYS_90) | (served.status == MATURED_UNPAID)
    wait = rng.integers(*DETERMINED_DAYS, rows)
    advanced = served.behind * monthly
    owed = debt.balance + advanced
    short = np.maximum(np.rint(owed - OF_VALUE * worth.value * debt.part), 0).astype(np.int64)
    determined = worth.day + wait
    reduced = worth.since_trouble & ~no_value & (determined <= today)
    said: list[str | None] = [None] * rows
    for row in np.flatnonzero(late).tolist():
        report = {
            "paid_through": str(served.paid_through[row]),
            "principal_and_interest_advances_outstanding": int(advanced[row]),
        }
        if reduced[row] and short[row]:
            report["appraisal_reduction"] = int(short[row])
            report["appraisal_reduction_determined"] = str(determined[row])
        said[row] = json.dumps(report)
    return pa.array(said, type=pa.string())

"""What the properties of new securitised loans earned before they were made: the statement that a
trust files of a loan until it has one of its own.
"""

from dataclasses import replace
from datetime import date

import numpy as np

from services.importers.demo.days import month_of
from services.importers.demo.draws import Generator, weighted
from services.importers.demo.income import Income
from services.importers.demo.market import Debt
from services.importers.demo.securitisations import CMBS
from services.importers.demo.statements import twelve_months
from services.importers.demo.underwriting import Underwriting

# Underwritten NOI above that of the twelve months before, in a deal of 2025: of 34 loans 27 by less
# than 10 %, four up to 25 %, three by more.
MIX = np.array([0.79, 0.12, 0.09])
LEAST, MOST = np.array([-0.02, 0.10, 0.25]), np.array([0.10, 0.25, 0.70])


def with_trailing(
    rng: Generator, debt: Debt, then: Underwriting, now: Income, *, as_of: date
) -> Income:
    """`now`, and of securitised loans that have filed nothing yet the twelve months to the last
    quarter that was over when they were made. A loan keeps that statement until it files its own.
    """
    rows = len(debt.kind)
    kind = weighted(rng, MIX, rows)
    trailing = np.rint(then.noi / (1 + rng.uniform(LEAST[kind], MOST[kind], rows)))
    ended = twelve_months(as_of)
    lasts = np.array([period.last for period in ended], dtype="datetime64[D]")
    which = np.count_nonzero(lasts[:, np.newaxis] >= debt.dates.origination, axis=0)
    young = debt.dates.month >= month_of(now.listed[0].first)
    before = young & ~now.filed & (debt.layer == CMBS) & (which < len(ended))
    noi = np.where(before, trailing, now.noi).astype(np.int64)
    ncf = np.where(before, noi - then.reserves, now.ncf)
    # Of the same debt service, which a floating rate does not move: it is that of underwriting.
    kept = np.where(then.on_noi, noi / then.noi, ncf / then.ncf)
    return replace(
        now,
        listed=(*now.listed, *ended),
        period=np.where(before, len(now.listed) + which, now.period),
        noi=noi,
        ncf=ncf,
        dscr=np.where(before, np.round(then.dscr * kept, 2), now.dscr),
        service=np.where(before, np.nan, now.service),
    )

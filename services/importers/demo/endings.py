"""How the loans of the demonstration portfolio stand, and how those ended that owe nothing."""

from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.disposition import DEFEASED, DISCOUNTED, LIQUIDATED, OUTSTANDING, PREPAID
from services.contract.schedule_al import FULL_DEFEASANCE
from services.importers.demo.assumptions import Bools, Floats
from services.importers.demo.days import Days
from services.importers.demo.draws import Generator, weighted
from services.importers.demo.market import Debt
from services.importers.demo.names import dated

#: Ways to end since the last report, and how often each is of those that ended.
_WAYS: Final = {PREPAID: 0.75, LIQUIDATED: 0.18, DISCOUNTED: 0.07}
#: Share of what was owed that is lost, from and to.
_LOST: Final = {LIQUIDATED: (0.15, 0.75), DISCOUNTED: (0.05, 0.30)}
_DAYS: Final = 90


@dataclass(frozen=True, slots=True)
class Endings:
    """Of each loan how it would end; only of those that are paid off does it count."""

    way: np.ndarray[tuple[int], np.dtype[np.str_]]
    share: Floats  # of what was owed that is lost
    on: Days

    @property
    def bad(self) -> Bools:
        """Whether lenders lose a part."""
        return self.share > 0


def endings(rng: Generator, debt: Debt, *, as_of: date) -> Endings:
    """Of every loan, within the last quarter."""
    rows = len(debt.kind)
    way = np.array(list(_WAYS))[weighted(rng, np.array(list(_WAYS.values())), rows)]
    share = np.select([way == one for one in _LOST], [_between(rng, *_LOST[one], rows)
                      for one in _LOST], 0.0)  # fmt: skip
    days = rng.integers(0, _DAYS, rows).astype("timedelta64[D]")
    ended = np.maximum(np.datetime64(as_of) - days, debt.dates.origination)
    return Endings(way, share, ended)


def with_endings(loans: pa.Table, debt: Debt, end: Endings) -> pa.Table:
    """The LOANS table with its disposition columns."""
    gone = debt.paid_off
    before = np.rint(debt.original * debt.repayment.left).astype(np.int64)
    loss = np.rint(before * end.share).astype(np.int64)
    owing = pc.if_else(
        pc.fill_null(pc.equal(loans["defeasance"], FULL_DEFEASANCE), False), DEFEASED, OUTSTANDING
    )
    no_loss = ~gone | (loss == 0)
    columns = {
        "disposition": pc.if_else(pa.array(gone), pa.array(end.way), owing),
        "disposition_date": dated(end.on, ~gone),
        "realized_loss": pa.array(loss, mask=no_loss),
        "owed_before": pa.array(before, mask=~gone),
        "loss_of_owed": pa.array(_of(loss, before), mask=no_loss),
        "loss_of_original": pa.array(_of(loss, debt.original), mask=no_loss),
        "principal_received": pa.array(before - loss, mask=~gone),
    }
    for name, column in columns.items():
        at = loans.schema.get_field_index(name)
        loans = loans.set_column(at, loans.schema.field(at), column)
    return loans


def _between(rng: Generator, low: float, high: float, rows: int) -> Floats:
    return np.asarray(low + (high - low) * rng.random(rows))


def _of(part: np.ndarray, whole: np.ndarray) -> Floats:
    return np.asarray(np.round(part / np.maximum(whole, 1), 9))

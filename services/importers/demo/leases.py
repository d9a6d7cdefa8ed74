"""Leases of the three largest tenants, as far as they are known."""

from datetime import date

import numpy as np
import pyarrow as pa

from services.contract.portfolio import LEASES, shaped
from services.importers.demo.assumptions import Assumptions, Ints
from services.importers.demo.days import month_of, on
from services.importers.demo.draws import Generator, chance
from services.importers.demo.income import Income
from services.importers.demo.market import Debt
from services.importers.demo.names import coined, picked

LARGEST = (0.10, 0.38)  # of the let area, where there are several tenants
NEXT = (0.30, 0.85)  # of the area of the one before
LONGEST_MONTHS, LONGER = 132, 0.85  # leases run on for up to; the larger, the more end soon
OVERDUE_MONTHS = 2  # tenants who hold over
UNDATED = 0.04  # of leases
LET_BY_AREA = ("retail", "office", "industrial", "warehouse", "mixed use", "other")


def leases(
    rng: Generator, data: Assumptions, debt: Debt, earned: Income, *, area: Ints, as_of: date
) -> pa.Table:
    """LEASES rows by loan, the largest first. `area` by loan, 0 where it is not known."""
    let = np.isin(debt.kind, [data.types.index(name) for name in LET_BY_AREA])
    told = chance(rng, data.of_layer["tenants"][debt.layer], len(area))
    loan = np.flatnonzero(let & told & (area > 0))
    rows = len(loan)
    single = chance(rng, data.of_type["single"][debt.kind[loan]], rows)
    first = np.where(single, 1.0, rng.uniform(*LARGEST, rows))
    second = np.where(single, 0.0, first * rng.uniform(*NEXT, rows))
    part = np.stack([first, second, second * rng.uniform(*NEXT, rows)], axis=1)
    feet = np.rint(part * (area[loan] * earned.occupancy[loan])[:, None]).astype(np.int64)
    there = feet > 0
    owner = np.broadcast_to(loan[:, None], feet.shape)[there]
    count = len(owner)
    months = LONGEST_MONTHS * rng.random(count) ** LONGER
    end = month_of(as_of) - OVERDUE_MONTHS + np.floor(months).astype(np.int64)
    names = _tenants(data)
    return shaped(
        LEASES,
        {
            "loan": pa.array(owner, type=pa.int32()),
            "tenant": picked(names, rng.integers(0, len(names), count)),
            "square_feet": pa.array(feet[there]),
            "expires": pa.array(on(end + 1, 1) - 1, mask=chance(rng, UNDATED, count)),
        },
    )


def _tenants(data: Assumptions) -> pa.Array:
    """Every name that a tenant can have: "Calderholt Foods"."""
    forms = data.words["tenant_form"].tolist()
    return pa.array([f"{stem} {form}" for stem in coined(data.words).tolist() for form in forms])

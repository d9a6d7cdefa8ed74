"""Which triggers of a servicer's watchlist hold of each loan, by CREFC's codes.

A trigger is no signal: it tells what a servicer has to look at, and says nothing of how bad it is.
services/signals/README.md has the triggers with their sources.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from services.contract.schedule_al import (
    COOPERATIVE,
    DELINQUENT,
    PAYMENT_STATUSES,
    PROPERTY_TYPES,
    SEASONAL,
)
from services.contract.vocabulary import SEVERITIES
from services.contract.watch_triggers import (
    BETWEEN,
    EACH_TENANT,
    LARGE_LOAN,
    LARGE_SOON,
    OF_AREA,
    SOON,
)
from services.signals.amortisation import BoolArray, FloatArray
from services.signals.features import Features
from services.signals.loan_columns import LoanColumns
from services.signals.maturity import months_between
from services.signals.refinance_features import rounded

#: 1E: DSCR by property type, and of all others. 1F: DSCR, and part of the underwritten one. 1G:
#: DSCR, and NOI as a part of the underwritten one.
_DSCR_BY_TYPE: Final = dict.fromkeys((*SEASONAL, PROPERTY_TYPES["HC"]), 1.20)
_DSCR, _AMPLE_DSCR, _FALLEN_TO = 1.10, 1.40, 0.75
_FLOATING_DSCR, _FLOATING_NOI = 1.00, 0.90
#: 4A: part of the underwritten occupancy.
_LET, _FLOATING_LET = 0.80, 0.90
#: 4D: tenants of a loan.
_LARGEST: Final = 3
#: 5A: days to effective maturity.
_DAYS: Final = 90
#: Let by the home, the night or the box: without a lease on file there is none to end.
_WITHOUT_TENANTS: Final = frozenset({
    *SEASONAL, COOPERATIVE, *(PROPERTY_TYPES[code] for code in ("MF", "SS", "MH")),
})  # fmt: skip
#: Income that carries no more than this is of a part of a year, or of before the loan.
_LITTLE: Final = SEVERITIES.index("elevated")


@np.errstate(all="ignore")  # what is divided by nothing is missing
def watch_triggers(of: Features, tables: Mapping[str, pa.Table]) -> dict[str, pa.Array]:
    """Two facts of each loan: the codes that hold, and those that cannot be tested.

    None of a loan that has ended, is defeased in full or REO. Codes in their order, as a servicer
    writes them: "1E | 4A".
    """
    column = LoanColumns(tables["loans"])
    answers = {
        "1A": _late(column),
        **_of_income(of),
        "4A": _under(
            rounded(of.occupancy / of.underwritten_occupancy),
            np.where(of.floats, _FLOATING_LET, _LET),
        ),
        **_of_leases(of, column, tables.get("leases")),
        "5A": np.where(of.repays_itself, 0.0, _due(of)),
    }
    about = of.pays_from_property
    return {
        "computed_triggers": _listed({code: about & (one == 1) for code, one in answers.items()}),
        "untested_triggers": _listed(
            {code: about & np.isnan(one) for code, one in answers.items()}
        ),
    }


def _late(column: LoanColumns) -> FloatArray:
    ranks = {code: float(code in DELINQUENT) for code in PAYMENT_STATUSES}
    return column.coded("payment_status", ranks)


def _due(of: Features) -> FloatArray:
    days = (of.effective_maturity - of.as_of).astype(np.float64)
    return np.where(np.isnat(of.effective_maturity), np.nan, days <= _DAYS)


def _of_income(of: Features) -> dict[str, FloatArray]:
    """By a DSCR of half a year at least, of a full one where the trade earns by the season; of no
    cooperative, whose rent is imputed.
    """
    dscr = np.where(of.worst_by_income <= _LITTLE, np.nan, of.dscr)
    fallen = _under(rounded(dscr / of.underwritten_dscr), _FALLEN_TO)
    noi = np.where(np.isnan(dscr), np.nan, rounded(of.noi / of.underwritten_noi))
    floating = _both(_under(dscr, _FLOATING_DSCR), _under(noi, _FLOATING_NOI))
    found = {
        "1E": _under(dscr, of.of_type(_DSCR_BY_TYPE, _DSCR)),
        "1F": _both(_under(dscr, _AMPLE_DSCR), fallen),
        "1G": np.where(of.floats, floating, 0.0),
    }
    return {code: np.where(of.imputed, 0.0, one) for code, one in found.items()}


def _of_leases(of: Features, column: LoanColumns, leases: pa.Table | None) -> dict[str, FloatArray]:
    """By the leases that state area and end, those of one name as one tenant's; a lease that has
    ended counts, for its tenant is still named.
    """
    area = column.figures("rentable_area", above=0)
    let_alone = of.of_type(dict.fromkeys(_WITHOUT_TENANTS, 1.0), 0.0) == 1
    whole = np.where(np.isnan(of.whole_loan_debt), of.book_value, of.whole_loan_debt)
    dated, listed, largest, together = np.zeros((4, len(area)))
    if leases is not None and leases.num_rows:
        rows = leases["loan"].to_numpy()
        ends = leases["expires"].to_numpy().astype("datetime64[D]")
        part = pc.cast(leases["square_feet"], pa.float64()).to_numpy() / area[rows]
        months = months_between(of.as_of[rows], ends)
        np.add.at(listed, rows, 1)
        np.add.at(dated, rows[~np.isnan(part) & ~np.isnat(ends)], 1)
        tenant, loan = _tenants(rows, leases["tenant"])
        part = np.nan_to_num(part)
        until = np.where(whole >= LARGE_LOAN, LARGE_SOON, SOON)[rows]
        let, soon, ending = (
            np.bincount(tenant, np.where(counts, part, 0.0)).astype(np.float64)
            for counts in (True, months <= SOON, months <= until)
        )
        np.maximum.at(largest, loan, ending)
        counts = _among_largest(loan, let, soon) & (soon >= EACH_TENANT)
        np.add.at(together, loan[counts], soon[counts])
    untold = (dated == 0) & ~((listed == 0) & let_alone)
    found = {"4C": largest, "4D": together}
    return {code: np.where(untold, np.nan, rounded(one) > OF_AREA) for code, one in found.items()}


def _tenants(
    rows: NDArray[np.integer], names: pa.ChunkedArray
) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """The tenant of each lease, one a name and loan, a lease without a name its own; and the loan
    of each tenant.
    """
    code = pc.utf8_lower(names).combine_chunks().dictionary_encode().indices
    unnamed = code.is_null().to_numpy(zero_copy_only=False)
    size = 2 * len(rows)
    of = np.where(unnamed, len(rows) + np.arange(len(rows)), code.fill_null(0).to_numpy())
    listed, tenant = np.unique(rows.astype(np.int64) * size + of, return_inverse=True)
    return tenant, listed // size


def _among_largest(loan: NDArray[np.integer], let: FloatArray, soon: FloatArray) -> BoolArray:
    """Which tenants are the largest of their loan; of two as large the one whose leases end."""
    order = np.lexsort((-soon, -let, loan))
    _, first, size = np.unique(loan[order], return_index=True, return_counts=True)
    among = np.zeros(len(loan), bool)
    among[order] = np.arange(len(loan)) - np.repeat(first, size) < _LARGEST
    return among


def _under(figure: FloatArray, limit: float | FloatArray) -> FloatArray:
    """1 where the figure is under the limit, 0 where it is not, NaN where it is missing."""
    return np.where(np.isnan(figure), np.nan, figure < limit)


def _both(one: FloatArray, other: FloatArray) -> FloatArray:
    """1 where both hold; NaN where one is missing and the other does not settle it."""
    return np.where((one == 0) | (other == 0), 0.0, one * other)


def _listed(holding: Mapping[str, BoolArray]) -> pa.Array:
    """The codes that hold of each loan, in their order; None where none does."""
    bits = sum(one.astype(np.int64) << at for at, one in enumerate(holding.values()))
    sets, of_loan = np.unique(bits, return_inverse=True)
    words = [
        BETWEEN.join(code for at, code in enumerate(holding) if one >> at & 1) or None
        for one in sets.tolist()
    ]
    return pa.array(words, pa.string()).take(pa.array(of_loan))

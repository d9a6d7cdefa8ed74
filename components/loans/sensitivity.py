"""DSCR and proceeds of a refinancing if rates and NOI move, as two tables."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from components.frame import states
from components.kit import tables, text
from components.kit.formatting import (
    MISSING,
    basis_points,
    change,
    money,
    multiple,
    percent,
)
from services.contract.loan_figures import FloatArray, Refinance, Sensitivity


def grids(refi: Refinance, *, at_least: bool = False) -> None:
    """A row a fall of NOI, a column a refi rate: DSCR on the left, proceeds on the right.

    `at_least`: more is due than is known, so that both are at most what they say.
    """
    grid = refi.sensitivity
    if grid is None:
        states.nothing("Sensitivity: not testable without income, refi rate and what is due.")
        return
    left, right = st.columns(2, gap="medium")
    how = "interest only" if refi.interest_only_graded else "amortising"
    most = ", at most" if at_least else ""
    with left:
        text.lead("DSCR", f"at the refi rate, {how}, if rates and NOI move{most}")
        tables.sheet(_grid(grid, grid.dscr, multiple), "DSCR by refi rate and NOI")
    with right:
        text.lead(
            "Proceeds less what is due",
            f"if rates and NOI move, NCF by the same dollars; minus is short{most}",
        )
        rows = _grid(grid, -grid.gap_usd, signed)
        tables.sheet(rows, "Proceeds less what is due by refi rate and NOI")


def signed(
    amount: float | None,
    write: Callable[[float | None], str] = money,
    *,
    at_most: bool = False,
) -> str:
    """+$0.4M, −$2.7M: the sign always. `at_most`: more is due than is known."""
    if amount is None:
        return write(amount)
    return f"{'≤ ' if at_most else ''}{'+' if amount > 0 else ''}{write(amount)}"


def _grid(
    grid: Sensitivity, cells: FloatArray, write: Callable[[float | None], str]
) -> list[dict[str, str]]:
    """A row a fall of NOI, a column a refi rate."""
    heads = _heads(grid)
    rows = []
    for fall, row in zip(grid.income_falls.tolist(), cells, strict=True):
        named = "NOI as it is" if fall == 0 else f"NOI {change(-fall)}"
        known = [MISSING if np.isnan(cell) else write(float(cell)) for cell in row]
        rows.append({"Refi rate": named, **dict(zip(heads, known, strict=True))})
    return rows


def _heads(grid: Sensitivity) -> Sequence[str]:
    """Refi rates of the columns; the middle one is today's."""
    shifts = zip(grid.rate_shifts_bp, grid.rates.tolist(), strict=True)
    return [
        f"{basis_points(shift)}: none"
        if math.isnan(rate)
        else f"{percent(rate)}{'' if shift else ' now'}"
        for shift, rate in shifts
    ]

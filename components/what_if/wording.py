"""A scenario, and what its figures rest on, in words."""

from typing import Final

from components.kit.formatting import basis_points, day, days, money, percent
from components.loans import spreads
from services.contract.rounding import number_of
from services.contract.scenario import TENORS, Scenario, WhatIf
from services.contract.snapshot_info import Snapshot

#: Reference rates in a heading.
_SHORT: Final = {"DGS5": "5-year", "DGS7": "7-year", "DGS10": "10-year", "SOFR": "index"}


def said(scenario: Scenario) -> str:
    """Rates +100 bp, NOI −10%, cap rate +50 bp."""
    shifts = {series: getattr(scenario, name) for series, name in TENORS.items()}
    parts = []
    if len(set(shifts.values())) > 1:
        parts = [f"{_SHORT[one]} {basis_points(bp)}" for one, bp in shifts.items() if bp]
    elif scenario.rate_10:
        parts = [f"rates {basis_points(scenario.rate_10)}"]
    if scenario.noi:
        parts.append(f"NOI {'+' if scenario.noi > 0 else ''}{_plain(scenario.noi)}")
    if scenario.cap:
        parts.append(f"cap rate {basis_points(scenario.cap)}")
    whole = ", ".join(parts) or "nothing changed"
    return whole[:1].upper() + whole[1:]


def _plain(value: float) -> str:
    return percent(value, 0 if float(value).is_integer() else 2)


def convention(snapshot: Snapshot) -> str:
    """Date, basis and convention of every figure of a scenario."""
    rates = ", ".join(
        f"{_SHORT.get(series, series)} {percent(of)} of {day(on)}"
        for series, of, on in dict.fromkeys(
            (one.series, one.percent, one.day) for one in snapshot.rates
        )
    )
    aged = spreads.of_all(snapshot.spreads)
    dated = days(snapshot.oldest, snapshot.as_of)
    return (
        f"As of {dated}; loans are rescored by the rules, limits and spreads of "
        f"this snapshot (reference rates: {rates or 'none'}). Refi rates move with the Treasury "
        "that they rest on. Coupons of floating loans move with their index between floor and cap; "
        "debt service rises by the interest that this adds. NOI is that in place; net cash "
        "flow loses the same dollars, DSCR moves as net cash flow, income below zero falls "
        "further. Value is NOI over cap rate: NOI over appraised value implies today's, the "
        "scenario adds to it, so that value falls with NOI too. Balances, occupancy, payment "
        "status, leases and the calendar stay. A severity is an order, never a probability of "
        "default."
        f"{f' {aged}' if aged else ''}"
    )


def out_of_reach(found: WhatIf) -> str:
    """Which loans the scenario does not reach, and why; empty where it reaches all."""
    parts = [
        f"{number_of(share.loans, 'loan')} ({money(share.book_value)}) {why}"
        for why, share in found.out_of_reach
    ]
    return f"Not reached in full: {'; '.join(parts)}." if parts else ""

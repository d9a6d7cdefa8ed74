"""Why a loan is, or belongs, on a servicer's watchlist: what the servicer writes, and the triggers
that hold by what is filed.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from components.kit import fields, tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, day, distance, fraction, multiple, share
from services.contract.loan_figures import Debt, Income, LoanFigures, TenantLease
from services.contract.months import months_after
from services.contract.records import LoanDetail
from services.contract.watch_triggers import (
    EACH_TENANT,
    LARGE_LOAN,
    LARGE_SOON,
    OF_AREA,
    SOON,
    TRIGGERS,
    codes_of,
    named,
)

#: The facts of a loan.
_Said = Mapping[str, Any]


def panel(loan: LoanDetail, found: LoanFigures) -> None:
    """Nothing of a loan that is on no watchlist as far as its source says, and on which no trigger
    holds.
    """
    said = loan.extended
    holding = codes_of(said.get("computed_triggers"))
    listed = any(said.get(f"watchlist_{name}") for name in ("since", "triggers", "comment"))
    if not holding and not listed:
        return
    with card("Servicer's watchlist" if listed else "Watchlist triggers"):
        if listed:
            _of_servicer(said)
        tables.plain(_rows(said, found, holding), "Watchlist triggers")
        text.caption(" ".join(_remarks(said, found)))


def _rows(said: _Said, found: LoanFigures, holding: list[str]) -> list[dict[str, str]]:
    """A trigger a row, of those that hold and those that the servicer lists."""
    listed, untested = (
        codes_of(said.get(name)) for name in ("watchlist_triggers", "untested_triggers")
    )

    def by_facts(code: str) -> str:
        if code in holding:
            return _FOUND[code](said, found)
        if code not in TRIGGERS:
            return "not computed"
        return "not testable" if code in untested else "does not hold"

    return [
        {
            "Trigger": named(code),
            **({"Servicer": "listed" if code in listed else "not listed"} if listed else {}),
            "By what is filed": by_facts(code),
        }
        for code in sorted({*holding, *listed})
    ]


def _of_servicer(said: _Said) -> None:
    since, triggers = said.get("watchlist_since"), said.get("watchlist_triggers")
    facts = [("On it since", fields.written("watchlist_since", since))] if since else []
    if triggers:
        facts.append(("trigger codes", str(triggers)))
    text.lead("; ".join(f"{name} {value}" for name, value in facts))
    if comment := said.get("watchlist_comment"):
        text.sentence(str(comment))
    else:
        text.caption("No file with the servicer's comment is loaded.")
    text.caption(f"Source: {said.get('source', '—')}, as of {_when(said)}.")


def _when(said: _Said) -> str:
    """The date of the watchlist; of a loan without a comment that of its source."""
    found = said.get("watchlist_as_of") or said.get("as_of")
    return day(date.fromisoformat(found)) if isinstance(found, str) else "—"


def _remarks(said: _Said, found: LoanFigures) -> list[str]:
    untested = codes_of(said.get("untested_triggers"))
    needs = {code: meaning.needs for code, meaning in TRIGGERS.items() if code in untested}
    missing = [
        f"Not testable without {need}: {', '.join(c for c, one in needs.items() if one == need)}."
        for need in dict.fromkeys(needs.values())
    ]
    off = ["In special servicing, so off the watchlist: the special servicer reports on it."]
    return [
        "CREFC's codes, computed from what is filed; the servicer's own list may differ.",
        *missing,
        *(off if found.special_servicing_since else []),
    ]


# What each trigger was found by


def _against_underwriting(said: _Said, found: LoanFigures) -> str:
    """On other debt than was underwritten DSCR is not compared, but its income is."""
    now, then = found.income.in_place, found.income.underwritten
    if found.debt.by_service and now and then and now.cash is not None and then.cash:
        return f"{_dscr(said)}; income {share(now.cash, then.cash)} of the underwritten"
    return f"{_dscr(said)}; underwritten {multiple(said.get('underwritten_dscr'))}"


def _dscr(said: _Said) -> str:
    return f"DSCR {multiple(said.get('dscr'))}"


def _noi(said: _Said) -> str:
    return f"{_dscr(said)}; NOI {share(said['noi'], said['underwritten_noi'])} of the underwritten"


def _occupancy(of: Income) -> str:
    return f"{fraction(of.occupancy)}; underwritten {fraction(of.underwritten_occupancy)}"


def _tenants(found: LoanFigures, months: int, part: float) -> str:
    """The tenants whose leases of a part of the area or more end within so many months."""
    area, last = found.income.rentable_area or 0, months_after(found.as_of, months)
    tenants = defaultdict[object, list[TenantLease]](list)
    for at, one in enumerate(found.income.leases):
        if one.expires and one.expires <= last:
            tenants[(one.tenant or "").lower() or at].append(one)
    parts = []
    for leases in tenants.values():
        feet = sum(one.square_feet or 0 for one in leases)
        if feet >= part * area:
            ends = dict.fromkeys(day(leases[at].expires) for at in (0, -1))  # in their order
            name = leases[0].tenant or MISSING
            parts.append(f"{name}, {share(feet, area)} of the area, {' to '.join(ends)}")
    return "; ".join(parts)


def _months(debt: Debt) -> int:
    return LARGE_SOON if (debt.whole.value or debt.balance or 0) >= LARGE_LOAN else SOON


def _maturity(said: _Said, today: date) -> str:
    due = date.fromisoformat(said["effective_maturity"])
    return f"{day(due)}, {distance(due, today)}"


_FOUND: Final[Mapping[str, Callable[[_Said, LoanFigures], str]]] = {
    "1A": lambda said, _: fields.written("payment_status", said.get("payment_status")),
    "1E": lambda said, _: _dscr(said),
    "1F": _against_underwriting,
    "1G": lambda said, _: _noi(said),
    "4A": lambda _, found: _occupancy(found.income),
    "4C": lambda _, found: _tenants(found, _months(found.debt), OF_AREA),
    "4D": lambda _, found: _tenants(found, SOON, EACH_TENANT),
    "5A": lambda said, found: _maturity(said, found.as_of),
}

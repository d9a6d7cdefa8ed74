"""What the property earns and is worth: the latest filed period beside underwriting."""

from collections.abc import Mapping
from datetime import date
from typing import Final

import numpy as np

from services.contract.income_basis import IncomeBasis
from services.contract.loan_figures import Figure, Income, Statement, TenantLease
from services.contract.schedule_al import COOPERATIVE, SEASONAL
from services.signals.income_periods import (
    before_loan,
    covers_a_year,
    income_is_stale,
    is_before_reserves,
    markup,
    period_days,
    period_months,
    room_to_fall,
)
from services.signals.one_loan.record import IMPUTED, Facts, days, figure, one
from services.signals.whole_loan_debt import appraisal_is_stale

_AMOUNTS: Final = ("noi", "ncf", "dscr")
_NOT_SAID: Final = IncomeBasis(None)
_OF_BEFORE: Final = Figure(None, "none: the income is of before the loan")
_OF_NOW: Final = Figure(None, "none: the income is not of before the loan")


def income_of(facts: Facts, property_type: str | None, as_of: date) -> Income:
    """Income from the facts of a loan on a day."""
    said = IncomeBasis.read(facts.word("income_basis") or "")
    stated = {name: facts.figure(name) for name in _AMOUNTS}
    underwritten = {name: facts.figure(f"underwritten_{name}") for name in _AMOUNTS}
    start, end = facts.day("income_from"), facts.day("income_to")
    # A source that gives neither days nor a basis is taken at its word: these are its figures.
    is_filed = end is not None or not said.underwritten
    in_place = _statement(stated, start, end, said)
    if not is_filed:
        underwritten = {
            n: stated[n] if known is None else known for n, known in underwritten.items()
        }
    at_signing = _statement(underwritten, said=_NOT_SAID if is_filed else said)
    value_date = facts.day("value_date")
    imputed = property_type == COOPERATIVE
    before = bool(before_loan(days(end), days(facts.day("origination_date")))[0])
    return Income(
        filed=in_place if is_filed and _any(stated) else None,
        underwritten=at_signing if _any(underwritten) else None,
        in_place=in_place if _any(stated) else None,
        seasonal=is_filed and in_place.annualised and property_type in SEASONAL,
        imputed=imputed,
        old=is_filed and bool(income_is_stale(as_of, days(in_place.end))[0]),
        before_loan=before,
        room=IMPUTED if imputed else _OF_BEFORE if before else _room(in_place),
        markup=_markup(underwritten["noi"], stated["noi"]) if before else _OF_NOW,
        occupancy=facts.figure("occupancy", at_least=0),
        underwritten_occupancy=facts.figure("underwritten_occupancy", above=0),
        value=facts.figure("value", above=0),
        value_date=value_date,
        stale=bool(appraisal_is_stale(as_of, days(value_date))[0]),
        reappraised=_reappraised(facts),
        underwritten_value=facts.figure("underwritten_value", above=0),
        rentable_area=facts.figure("rentable_area", above=0),
        leases=_leases(facts),
    )


def _statement(
    amounts: Mapping[str, float | None],
    start: date | None = None,
    end: date | None = None,
    said: IncomeBasis = _NOT_SAID,
) -> Statement:
    noi, ncf = amounts["noi"], amounts["ncf"]
    length = float(period_days(days(start), days(end))[0])
    dated = length > 0
    without_reserves = bool(is_before_reserves(one(noi), one(ncf))[0])
    on_noi = ncf is None or without_reserves or said.measure == "NOI"
    basis = "NOI" if noi is not None and on_noi else "NCF"
    cash = noi if basis == "NOI" else ncf
    return Statement(
        noi=noi,
        ncf=ncf,
        dscr=amounts["dscr"],
        start=start,
        end=end,
        said=said.words or None,
        months=max(int(period_months(one(length))[0]), 1) if dated else None,
        annualised=dated
        and not said.of_a_year
        and cash is not None
        and not covers_a_year(one(length))[0],
        without_reserves=without_reserves,
        basis=basis,
    )


@np.errstate(divide="ignore", invalid="ignore")  # of a DSCR of 0
def _room(of: Statement) -> Figure:
    noi, cash, dscr = one(of.noi), one(of.cash), one(of.dscr)
    earned = ("NOI above zero", np.where(noi > 0, noi, np.nan))
    return figure(
        room_to_fall(noi, cash, dscr), earned, ("DSCR", np.where(dscr == 0, np.nan, dscr))
    )


def _markup(then: float | None, now: float | None) -> Figure:
    found = markup(one(then), one(now))
    return figure(found, ("underwritten and trailing NOI above zero", found))


def _reappraised(facts: Facts) -> bool:
    """Whether a value is of after the loan was made; one that is not dated is taken to be."""
    valued, made = facts.day("value_date"), facts.day("origination_date")
    before = valued is not None and made is not None and valued <= made
    return not before or facts.figure("value") != facts.figure("underwritten_value")


def _leases(facts: Facts) -> tuple[TenantLease, ...]:
    found = [
        TenantLease(row.word("tenant"), row.figure("square_feet", above=0), row.day("expires"))
        for row in facts.rows("leases")
    ]
    return tuple(sorted(found, key=lambda lease: lease.expires or date.max))


def _any(amounts: Mapping[str, float | None]) -> bool:
    return any(amount is not None for amount in amounts.values())

"""Loans in a scenario the slow way: each loan's own inputs are shifted, then the book is scored as
ever; of before the loan was made nothing can change. Nothing of services/signals/rescoring.py or
floating_rate.py is used.
"""

from dataclasses import replace

import numpy as np
import pyarrow as pa

from services.contract.vocabulary import SEVERITIES
from services.signals.assumptions import Assumptions
from services.signals.features import features
from services.signals.grading import grade
from services.signals.rule import Scene
from services.signals.rules import rules
from tests.oracle_notes import GRADES, ungraded

PACKAGED = Assumptions.packaged()
#: Worst severities, mildest first, and what loans without one are counted as.
ORDER = tuple(word for word in GRADES if word != "low")
#: Indexes of Schedule AL of which SOFR tells the level, and how far quotes may be apart.
SOFR = set("KLMNOPQRS")
STALE_DAYS = 45
#: A coupon so near a floor or cap is at it, percent.
AT = 0.005
DAY_COUNT = {"3": 365 / 360, "5": 365 / 366}


def floats(row):
    """Whether the rate floats: it is said so, or a margin is stated and no type."""
    stated = row["rate_type"] in {"1", "2", "3", "4"}
    return row["rate_type"] == "2" or (not stated and row["rate_margin"] is not None)


def sofr_of(rates, day):
    """The SOFR in use on a day, None where none is or it is far older than the 10-year."""
    newest = {}
    for one in sorted(rates.quotes, key=lambda quote: quote.date):
        if one.date <= day:
            newest[one.series] = one
    sofr, ten = newest.get("SOFR"), newest.get("DGS10")
    if sofr is None or (ten and (ten.date - sofr.date).days > STALE_DAYS):
        return None
    return sofr.percent


def paid(row, as_of, sofr, shift=0.0, *, bought=True):
    """What the borrower of a floating loan pays with its index `shift` bp higher, percent; without
    `bought` once the cap that it has bought has expired. None where nobody can tell.
    """
    coupon, margin = row["interest_rate"], row["rate_margin"]
    floor, own = (
        row[name] if (row[name] or 0) > 0 else None for name in ("rate_floor", "rate_cap")
    )
    if not floats(row) or coupon is None or coupon <= 0:
        return None
    ends, strike = row["cap_expires"], row["cap_strike"]
    there = None not in (strike, margin) and not (ends and ends < as_of)
    pays_from = max(strike + margin, floor or 0) if there else None
    now = [cap for cap in (own, pays_from) if cap is not None]
    rate = coupon
    at_cap = any(abs(coupon - cap) < AT for cap in ([min(now)] if now else []))
    at_floor = floor is not None and abs(coupon - floor) < AT
    if at_cap or at_floor:
        if row["rate_index"] not in SOFR or None in (sofr, margin):
            return None
        rate = sofr + margin
        if not (at_cap and at_floor):
            rate = max(rate, coupon) if at_cap else min(rate, coupon)
    caps = now if bought else [own] if own is not None else []
    if floor is not None and caps and floor > min(caps):
        return None
    rate = max([rate + shift / 100, *([] if floor is None else [floor])])
    return min([rate, *caps])


def rise(row, as_of, sofr, scenario, *, bought=True):
    """Percentage points that a scenario adds to the coupon."""
    before = paid(row, as_of, sofr)
    after = paid(row, as_of, sofr, scenario.rate_short, bought=bought)
    return 0.0 if None in (before, after) else after - before


def shifted(row, scenario, higher=0.0, debt=None):
    """NOI, net cash flow, DSCR and value of one loan in a scenario that adds `higher` percentage
    points to its coupon; `debt` is that of the whole loan.
    """
    share = scenario.noi / 100
    noi, ncf, dscr, value = (row[name] for name in ("noi", "ncf", "dscr", "value"))
    on_noi = ncf is None or (row["income_basis"] or "").startswith("NOI")
    income = noi if on_noi and noi is not None else ncf
    base = noi if noi is not None else income
    gained = share * abs(base) if base is not None else None
    if value is not None and noi is not None and noi > 0 and value > 0:
        cap_rate = noi / value
        value = noi * (1 + share) / (cap_rate + scenario.cap / 10_000)
    if dscr is not None and (share or higher):
        service = income / dscr if income is not None and dscr else 0
        if share:
            dscr += gained / service if service > 0 else share * abs(dscr)
        if higher:
            grown = higher / row["interest_rate"]
            if service > 0 and debt is not None:
                added = higher / 100 * debt * DAY_COUNT.get(row["accrual_method"], 1) / service
                grown = added if added > -1 else grown
            dscr /= 1 + grown if grown > -1 else 1
        dscr = round(dscr, 9)
    return {
        "noi": None if noi is None else noi + share * abs(noi),
        "ncf": None if ncf is None else ncf + gained,
        "dscr": dscr,
        "value": value,
    }


def rescored(tables, as_of, scenario, assumptions=PACKAGED):
    """Worst severity of all rules but contagion (D279) and dollars short of each loan by number."""
    loans = tables["loans"]
    rows = loans.to_pylist()
    before = scene_of(tables, as_of, assumptions)
    debts = before.features.whole_loan_debt
    higher = rises(rows, as_of, scenario, assumptions)
    changed = [
        shifted(row, scenario, more, None if np.isnan(debt) else debt)
        for row, more, debt in zip(rows, higher, debts.tolist(), strict=True)
    ]
    for name in ("noi", "ncf", "dscr", "value"):
        at = loans.schema.get_field_index(name)
        column = pa.array([row[name] for row in changed], pa.float64())
        loans = loans.set_column(at, name, column)
    shifts = {"DGS5": scenario.rate_5, "DGS7": scenario.rate_7, "DGS10": scenario.rate_10}
    quotes = tuple(
        replace(one, percent=one.percent + shifts.get(one.series, 0) / 100)
        for one in assumptions.rates.quotes
    )
    resting = replace(assumptions, rates=replace(assumptions.rates, quotes=quotes))
    after = scene_of({**tables, "loans": loans}, as_of, resting)
    # The schedule and the debt of the whole loan stay: of the coupon the gap alone moves. What
    # underwriting was stays too, where it follows from the DSCR in place.
    found, then = after.features, before.features.underwritten_dscr
    with np.errstate(all="ignore"):
        falls = [1 - found.noi / found.underwritten_noi, 1 - found.dscr / then]
    after = Scene(
        replace(
            found,
            rate_gap_bp=np.round(found.rate_gap_bp - 100 * np.array(higher), 9),
            income_fall=np.round(np.fmax(*falls), 9),
        ),
        after.limits,
    )
    every = {rule.id: rule for rule in rules(assumptions.limits) if rule.id != "CT-1"}
    ranks = [grade(every.pop("UW-1"), before).severity]
    ranks += [grade(rule, after).severity for rule in every.values()]
    worst = [ungraded(row) for row in rows]
    for at, rank in enumerate(np.max(ranks, axis=0).tolist()):
        if rank > 0:
            worst[at] = SEVERITIES[rank]
    short = [None if np.isnan(one) else int(one) for one in found.dollars_short.tolist()]
    numbers = loans["loan_number"].to_pylist()
    return {number: list(one) for number, *one in zip(numbers, worst, short, strict=True)}


def rises(rows, as_of, scenario, assumptions=PACKAGED, *, bought=True):
    """Of each loan, at its own date."""
    days = np.broadcast_to(np.asarray(as_of, "datetime64[D]"), len(rows)).tolist()
    known = {day: sofr_of(assumptions.rates, day) for day in set(days)}
    return [
        rise(row, day, known[day], scenario, bought=bought)
        for row, day in zip(rows, days, strict=True)
    ]


def scene_of(tables, as_of, assumptions):
    """Features of a book with the limits that grade them."""
    given = (assumptions.rates, assumptions.sizings, assumptions.limits)
    return Scene(features(tables, as_of, *given), assumptions.limits)


def stays(row):
    """Whether no scenario moves it: paid off, or defeased in full."""
    return row["book_value"] == 0 or row["defeasance"] == "F"

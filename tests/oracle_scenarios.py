"""Loans in a scenario the slow way: each loan's own inputs are shifted, then the engine scores the
book as ever; of before the loan was made nothing can change. Nothing of
services/signals/rescoring.py is used.
"""

from dataclasses import replace

import pyarrow as pa

from services.signals.assumptions import Assumptions
from services.signals.engine import evaluate
from services.signals.rules import RULE_OF
from tests.oracle_notes import GRADES, ungraded

PACKAGED = Assumptions.packaged()
#: Worst severities, mildest first, and what loans without one are counted as.
ORDER = tuple(word for word in GRADES if word != "low")


def shifted(row, scenario):
    """NOI, net cash flow, DSCR and value of one loan in a scenario."""
    share = scenario.noi / 100
    noi, ncf, dscr, value = (row[name] for name in ("noi", "ncf", "dscr", "value"))
    on_noi = ncf is None or (row["income_basis"] or "").startswith("NOI")
    income = noi if on_noi and noi is not None else ncf
    base = noi if noi is not None else income
    gained = share * abs(base) if base is not None else None
    if value is not None and noi is not None and noi > 0 and value > 0:
        cap_rate = noi / value
        value = noi * (1 + share) / (cap_rate + scenario.cap / 10_000)
    if dscr is not None and share:
        service = income / dscr if income is not None and dscr else 0
        dscr += gained / service if service > 0 else share * abs(dscr)
        dscr = round(dscr, 9)
    return {
        "noi": None if noi is None else noi + share * abs(noi),
        "ncf": None if ncf is None else ncf + gained,
        "dscr": dscr,
        "value": value,
    }


def rescored(tables, as_of, scenario, assumptions=PACKAGED):
    """Worst severity of all rules but contagion (D279) and dollars short of each loan by number, by
    `engine.evaluate`.
    """
    loans = tables["loans"]
    changed = [shifted(row, scenario) for row in loans.to_pylist()]
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
    scored = evaluate({**tables, "loans": loans}, as_of, resting)
    history = evaluate(tables, as_of, assumptions, [RULE_OF["UW-1"]])
    worst = [ungraded(row) for row in tables["loans"].to_pylist()]
    for loan, severity in (*_found(scored, "UW-1", "CT-1"), *_found(history)):
        worst[loan] = max(worst[loan], severity, key=ORDER.index)
    numbers = loans["loan_number"].to_pylist()
    short = scored.features["dollars_short"].to_pylist()
    return {number: one for number, *one in zip(numbers, worst, short, strict=True)}


def _found(scored, *left_out):
    """(Loan, severity) of every component of other rules."""
    of = [signal["loan"] for signal in scored.signals.to_pylist()]
    return [
        (of[part["signal"]], part["severity"])
        for part in scored.components.to_pylist()
        if part["rule"] not in left_out
    ]


def stays(row):
    """Whether no scenario moves it: paid off, or defeased in full."""
    return row["book_value"] == 0 or row["defeasance"] == "F"

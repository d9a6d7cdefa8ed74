"""Trusts: each securitises the loans of one quarter, so its loans are of one age."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from services.contract.vocabulary import LAYER_KINDS
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.days import month_of
from services.importers.demo.draws import Generator, by_group, evenly, scaled, weighted

CMBS = LAYER_KINDS.index("cmbs servicer")
NO_TRUST = -1
MONTHS = 3  # of a quarter
# Of loans that fall due within so many months, so many are repaid already: they may be, then.
OPEN_MONTHS, REPAID_EARLY = 9, 0.6
TAIL = 8  # one trust in so many has only loans that are past their maturity


@dataclass(frozen=True, slots=True)
class Pooled:
    """Trusts, oldest first, and the loans that they hold."""

    quarters: Ints  # by trust: first month of its quarter, since January 1970
    trust: Ints  # by loan: row of `quarters`, NO_TRUST where the loan is not securitised
    month: Ints  # by loan, of origination; as given where it is not securitised
    term: Ints  # by loan, months; as given where it is not securitised
    past: Bools  # by loan: its term is over


def pooled(
    rng: Generator,
    data: Assumptions,
    *,
    layer: Ints,
    month: Ints,
    term: Ints,
    past: Bools,
    fade: float,
    longest_past: int,
    as_of: date,
) -> Pooled:
    """Give each securitised loan a trust, then a month of its quarter and a term that fits.

    Loans past their maturity fade with the months since; after `longest_past` none is left.
    """
    rows = np.flatnonzero(layer == CMBS)
    now = month_of(as_of)
    weights, terms = data.term_by_layer[CMBS], data.terms_months
    quarters = _quarters(rng, data, weights, loans=len(layer), as_of=as_of)
    youngest, oldest = now - quarters - (MONTHS - 1), now - quarters
    alive = weights * _left(terms, oldest)
    since = youngest[:, None] - terms
    over = (since > 0) & (oldest[:, None] - terms <= longest_past)
    late = np.where(over, weights * np.exp(-since / fade), 0.0)
    living = np.flatnonzero(alive.any(axis=1))
    trust = living[rng.integers(0, len(living), len(rows))]
    which = by_group(rng, np.where(alive.any(axis=1, keepdims=True), alive, 1.0), trust)
    due = past[rows] & late.any()
    if late.any():
        found, found_term = np.divmod(weighted(rng, late.ravel(), len(rows)), len(terms))
        trust, which = np.where(due, found, trust), np.where(due, found_term, which)
    held = np.full(len(layer), NO_TRUST)
    month, term, past = month.copy(), term.copy(), past.copy()
    held[rows], term[rows], past[rows] = trust, terms[which], due
    month[rows] = quarters[trust] + rng.integers(0, MONTHS, len(rows))
    return Pooled(quarters=quarters, trust=held, month=month, term=term, past=past)


def _quarters(
    rng: Generator, data: Assumptions, weights: Floats, *, loans: int, as_of: date
) -> Ints:
    """Quarters that are over by the as-of date, as often as there are loans of them left."""
    first = (data.first_year - 1970) * 12
    quarters = np.arange(first, month_of(as_of + timedelta(1)) - MONTHS + 1, MONTHS)
    age = month_of(as_of) - quarters
    year = np.minimum(quarters // 12 + 1970 - data.first_year, len(data.vintage) - 1)
    left = data.vintage[year] * (weights * _left(data.terms_months, age)).sum(axis=1)
    count = scaled(data, "trusts", loans)
    longest = data.terms_months[weights > 0].max()
    old = quarters[(age - MONTHS >= longest) & (age - longest <= 2 * MONTHS * MONTHS)]
    tail = count // TAIL if len(old) else 0
    made = quarters[evenly(rng, left, count - tail)]
    return np.sort(np.concatenate([made, old[rng.integers(0, max(len(old), 1), tail)]]))


def _left(terms: Ints, age: Ints) -> Floats:
    """Part of the loans of these terms (columns) that is left at these ages (rows), months."""
    months = terms - age[:, None]
    return np.where(months > OPEN_MONTHS, 1.0, np.where(months > 0, 1 - REPAID_EARLY, 0.0))

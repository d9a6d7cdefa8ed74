"""What the properties are worth and earn, and how the loans are paid."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, chance, shares, weighted
from services.importers.demo.market import Debt

TURN_OF_VALUES = 2022.5  # when rates rose and values turned
SIZED_TO_DSCR = 1.22  # the least coverage a lender lent against
SEASONED_YEARS = 3.0  # until then a property earns what it was underwritten to
LATE_CODES = np.array(["A", "B", "1", "2", "3"])
# Chance of being late below each coverage; else USUALLY_LATE.
LATE_BELOW = ((0.90, 0.28), (1.00, 0.18), (1.10, 0.08))
USUALLY_LATE = 0.022
# Mix of LATE_CODES for loans above and below the last of these coverages.
SOUND_MIX = np.array([0.52, 0.27, 0.10, 0.05, 0.06])
AILING_MIX = np.array([0.18, 0.20, 0.20, 0.15, 0.27])
UNPAID_AT_MATURITY = (0.32, 0.75)  # of sound and of ailing loans: 5, else 4
WORKOUTS = np.array(["1", "2", "4", "6", "7", "13"])
WORKOUT_MIX = np.array([0.25, 0.20, 0.25, 0.06, 0.12, 0.12])
ROUNDED_TO_USD = ((10e6, 10e3), (np.inf, 100e3))  # appraisals, below a value


@dataclass(frozen=True, slots=True)
class Income:
    """Of all properties of the whole loan (D22), before anything is left out."""

    value: Ints
    noi: Ints
    ncf: Ints
    on_noi: Bools  # NCF is not reported
    dscr: Floats  # on NCF, on NOI where `on_noi`
    basis_date: NDArray[np.datetime64]  # what most recent figures run to
    underwritten: Bools
    occupancy: Floats
    payment_status: NDArray[np.str_]
    workout: NDArray[np.str_]  # "": none


def income(rng: Generator, data: Assumptions, debt: Debt, *, as_of: date) -> Income:
    """Values from loan-to-value at origination and the market since; income from cap rates."""
    rows = len(debt.kind)
    figures, kind = data.of_type, debt.kind
    seasoned = np.clip(_age_years(debt, as_of) / SEASONED_YEARS, 0, 1)
    weak = chance(rng, figures["weak"][kind] * seasoned, rows)
    hurt = np.where(weak, rng.uniform(0.35, 0.85, rows), 1.0)
    then, cap = _values_at_origination(rng, data, debt)
    market = _growth(data, debt, as_of=as_of) * np.exp(seasoned * rng.normal(0, 0.12, rows))
    earned = then * market * cap * np.exp(seasoned * rng.normal(0, 0.08, rows))
    noi = np.rint(earned * hurt).astype(np.int64)
    ncf_part = np.clip(figures["ncf"][kind] + rng.normal(0, 0.012, rows), 0.70, 0.995)
    ncf = np.rint(noi * ncf_part).astype(np.int64)
    on_noi = chance(rng, data.chances["noi_basis"], rows)
    dscr = np.round(np.where(on_noi, noi, ncf) / debt.annual_service, 2)
    status, workout = _payment(rng, debt, dscr=dscr)
    return Income(
        value=_appraised(then * market * np.sqrt(hurt)),  # appraisals lag income
        noi=noi,
        ncf=ncf,
        on_noi=on_noi,
        dscr=dscr,
        basis_date=_basis_dates(rng, rows, as_of=as_of),
        underwritten=debt.origination > np.datetime64(as_of - timedelta(days=270)),
        occupancy=_occupancy(rng, figures["occupancy"][kind], weak=weak),
        payment_status=status,
        workout=workout,
    )


def _appraised(value: Floats) -> Ints:
    limits = [value < below for below, _ in ROUNDED_TO_USD]
    step = np.select(limits, [step for _, step in ROUNDED_TO_USD])
    return np.asarray(np.rint(value / step) * step).astype(np.int64)


def _age_years(debt: Debt, as_of: date) -> Floats:
    days = (np.datetime64(as_of) - debt.origination).astype(np.int64)
    return np.asarray(days / 365.25)


def _values_at_origination(rng: Generator, data: Assumptions, debt: Debt) -> tuple[Floats, Floats]:
    """Value of the whole loan's properties when it was made, and their cap rate now."""
    rows = len(debt.kind)
    price = data.places.price[debt.state]
    cap = data.of_type["cap"][debt.kind] * price**-0.18 * np.exp(rng.normal(0, 0.07, rows))
    wanted = (
        data.of_type["ltv"][debt.kind]
        + data.of_layer["ltv"][debt.layer]
        + rng.normal(0, 0.07, rows)
    )
    whole = debt.original / debt.part
    constant = debt.annual_service / whole
    carried = cap * data.of_type["ncf"][debt.kind] / (constant * SIZED_TO_DSCR)
    return whole / np.clip(np.minimum(wanted, carried), 0.12, 0.80), cap


def _growth(data: Assumptions, debt: Debt, *, as_of: date) -> Floats:
    """Value now per dollar then: growth to mid-2022, then the type's repricing."""
    now = as_of.year + (as_of.month - 0.5) / 12
    then = debt.origination.astype("datetime64[M]").astype(np.int64) / 12 + 1970
    risen = np.maximum(np.minimum(now, TURN_OF_VALUES) - then, 0)
    repriced = np.clip((now - np.maximum(then, TURN_OF_VALUES)) / 3, 0, 1)
    figures = data.of_type
    return np.asarray(
        (1 + figures["growth"][debt.kind]) ** risen * (1 + figures["shift"][debt.kind] * repriced)
    )


def _occupancy(rng: Generator, usual: Floats, *, weak: Bools) -> Floats:
    """Fractions to two places, never 0, at most 1."""
    empty = (1 - usual) * rng.gamma(4, 0.25, len(usual)) + weak * rng.uniform(
        0.02, 0.30, len(usual)
    )
    return np.asarray(np.round(np.clip(1 - empty, 0.20, 1.0), 2))


def _basis_dates(rng: Generator, rows: int, *, as_of: date) -> NDArray[np.datetime64]:
    """Ends of the two newest quarters and the newest year before `as_of`."""
    month = np.datetime64(as_of).astype("datetime64[M]").astype(np.int64)
    quarter = (month // 3) * 3  # first month of the running quarter
    ends = np.array([quarter, quarter - 3, (month // 12) * 12]).astype("datetime64[M]")
    days = ends.astype("datetime64[D]") - 1
    return np.asarray(days[np.searchsorted([0.25, 0.60], rng.random(rows))])


def _payment(
    rng: Generator, debt: Debt, *, dscr: Floats
) -> tuple[NDArray[np.str_], NDArray[np.str_]]:
    """Payment status (Schedule AL) by coverage and maturity, and workout of the worst."""
    rows = len(dscr)
    low = [dscr < below for below, _ in LATE_BELOW]
    ailing = low[-1]
    late = chance(rng, np.select(low, [share for _, share in LATE_BELOW], USUALLY_LATE), rows)
    draw = rng.random(rows)
    code = np.where(
        ailing,
        np.searchsorted(shares(AILING_MIX), draw),
        np.searchsorted(shares(SOUND_MIX), draw),
    )
    status = np.where(late, LATE_CODES[code], "0")
    unpaid = chance(rng, np.where(ailing, UNPAID_AT_MATURITY[1], UNPAID_AT_MATURITY[0]), rows)
    status = np.where(debt.past_maturity, np.where(unpaid, "5", "4"), status)
    worst = (status == "3") | (status == "5")
    chosen = WORKOUTS[weighted(rng, WORKOUT_MIX, rows)]
    # No foreclosure while it pays: the others are modified or extended.
    chosen = np.where(worst, chosen, np.where(chosen == "1", "1", "4"))
    worked = chance(rng, np.select([worst, status == "4"], [0.55, 0.30], 0.002), rows)
    return status, np.where(worked, chosen, "")

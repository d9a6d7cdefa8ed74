"""What the properties were worth and earned when the loans were made: what lenders lent on."""

from dataclasses import dataclass

import numpy as np

from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, chance
from services.importers.demo.market import Debt

LTV_RANGE = (0.12, 0.75)
LENT_MORE = 0.04  # of the value, on loans that are not repaid when due; less on those that are
# Cap rates follow the reference rate a part of the way: this, plus so much for each point.
CAP_BASE, CAP_SLOPE = 0.86, 0.04
ROUNDED_TO_USD = ((10e6, 10e3), (np.inf, 100e3))  # appraisals, below a value


@dataclass(frozen=True, slots=True)
class Underwriting:
    """Of all properties of the whole loan (D22), before anything is left out."""

    value: Ints
    noi: Ints
    ncf: Ints
    on_noi: Bools  # NCF is not reported
    dscr: Floats  # on NCF, on NOI where `on_noi`
    occupancy: Floats
    cap: Floats  # NOI / value

    @property
    def reserves(self) -> Ints:
        """What a year's NCF is below NOI, dollars."""
        return self.noi - self.ncf


def underwriting(rng: Generator, data: Assumptions, debt: Debt) -> Underwriting:
    """Lent to the least of a loan-to-value and of what the income carries."""
    rows = len(debt.kind)
    figures = data.of_type
    price = data.places.price[debt.state]
    cap = figures["cap"][debt.kind] * price**-0.18 * np.exp(rng.normal(0, 0.07, rows))
    cap *= cap_level(debt.reference)
    wanted = (
        figures["ltv"][debt.kind] + data.of_layer["ltv"][debt.layer] + rng.normal(0, 0.07, rows)
    )
    wanted += LENT_MORE * np.sign(debt.exposed - 1)
    after_reserves = np.clip(figures["ncf"][debt.kind] + rng.normal(0, 0.012, rows), 0.70, 0.995)
    constant = debt.as_made(data).repayment.constant
    carried = cap * after_reserves / (constant * data.of_layer["least_dscr"][debt.layer])
    value = appraised(debt.whole / np.clip(np.minimum(wanted, carried), *LTV_RANGE))
    noi = np.rint(value * cap).astype(np.int64)
    ncf = np.rint(noi * after_reserves).astype(np.int64)
    on_noi = chance(rng, data.chances["noi_basis"], rows)
    usual = figures["occupancy"][debt.kind]
    empty = (1 - usual) * np.exp(rng.normal(-0.06, 0.35, rows))
    return Underwriting(
        value=value,
        noi=noi,
        ncf=ncf,
        on_noi=on_noi,
        dscr=np.round(np.where(on_noi, noi, ncf) / (constant * debt.whole), 2),
        occupancy=np.asarray(np.round(np.clip(1 - empty, 0.20, 1.0), 2), dtype=np.float64),
        cap=cap,
    )


def cap_level(reference: Floats | float) -> Floats:
    """Factor on cap rates at this reference rate, percent."""
    return np.asarray(CAP_BASE + CAP_SLOPE * reference)


def appraised(value: Floats) -> Ints:
    """Dollars as round as appraisals are."""
    limits = [value < below for below, _ in ROUNDED_TO_USD]
    step = np.select(limits, [step for _, step in ROUNDED_TO_USD])
    return np.asarray(np.rint(value / step) * step).astype(np.int64)

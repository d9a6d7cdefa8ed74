"""Who lends, services and originates: the capital stack of each loan and its capital sources."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from services.contract.portfolio import LAYERS, shaped
from services.contract.vocabulary import LAYER_KINDS, POSITIONS
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, chance, hundredths, runs, weighted, zipf
from services.importers.demo.lenders import INSURANCE, PRIVATE, Lenders, lenders, parties, trusts
from services.importers.demo.market import Debt
from services.importers.demo.names import picked
from services.importers.demo.register import NONE, Register
from services.importers.demo.securitisations import CMBS

SENIOR, MEZZANINE, PREFERRED = range(len(POSITIONS))
TYPICAL_USD = 8e6


@dataclass(frozen=True, slots=True)
class Stack:
    """One element a layer, by loan and rank. Parties are rows of the register."""

    loan: Ints
    rank: Ints  # from 1
    position: Ints  # row of POSITIONS
    kind: Ints  # row of LAYER_KINDS
    lender: Ints
    servicer: Ints  # NONE where there is none
    amount: Ints
    rate: Floats


def stack(rng: Generator, data: Assumptions, debt: Debt, register: Register) -> Stack:
    """Layers of every loan; enters lenders, trusts and servicers and ties them to the loans."""
    loans = len(debt.kind)
    known = lenders(rng, data, register, loans=loans)
    loan, position, kind, lender = _layers(rng, data, debt, known, register)
    first = np.flatnonzero(position == SENIOR)
    _, place = runs(np.bincount(loan, minlength=loans))
    serviced = chance(rng, data.of_layer["servicer"][debt.layer], loans)
    served = _party(rng, data, register, "servicer", loans=loans)
    servicer: Ints = np.full(len(loan), NONE)
    servicer[first] = np.where(serviced, served, NONE)
    amount, rate = _terms(rng, debt, loan, position)
    made = Stack(loan, place + 1, position, kind, lender, servicer, amount, rate)
    _tie(rng, data, register, made, debt, known)
    return made


def _layers(
    rng: Generator, data: Assumptions, debt: Debt, known: Lenders, register: Register
) -> tuple[Ints, Ints, Ints, Ints]:
    """Loan, position, layer kind and lender of each layer; no lender twice in one stack."""
    loans = len(debt.kind)
    senior = np.empty(loans, dtype=np.int64)
    for number in range(len(LAYER_KINDS)):
        rows = np.flatnonzero(debt.layer == number)
        senior[rows] = (
            trusts(rng, data, register, debt.dates.quarters, debt.dates.trust[rows])
            if number == CMBS
            else _lender(rng, known, np.full(len(rows), number))
        )
    larger = np.clip(np.sqrt(debt.original / TYPICAL_USD), 0.5, 3.0)
    mezzanine = np.flatnonzero(chance(rng, data.chances["mezzanine"] * larger, loans))
    preferred = np.flatnonzero(chance(rng, data.chances["preferred"] * larger, loans))
    mezzanine_kind = np.where(chance(rng, 0.78, len(mezzanine)), PRIVATE, INSURANCE)
    preferred_kind = np.full(len(preferred), PRIVATE)
    kind = np.concatenate([debt.layer, mezzanine_kind, preferred_kind])
    loan = np.concatenate([np.arange(loans), mezzanine, preferred])
    lender = np.concatenate(
        [senior, _lender(rng, known, mezzanine_kind), _lender(rng, known, preferred_kind)]
    )
    sizes = np.array([loans, len(mezzanine), len(preferred)])
    position = np.repeat([SENIOR, MEZZANINE, PREFERRED], sizes)
    order = np.lexsort((position, loan))
    loan, position, kind, lender = loan[order], position[order], kind[order], lender[order]
    keep = ~_repeated(loan, lender)
    return loan[keep], position[keep], kind[keep], lender[keep]


def _repeated(loan: Ints, lender: Ints) -> Bools:
    """True where an earlier layer of the same loan has the same lender; rows stand by loan."""
    seen = np.zeros(len(loan), dtype=np.bool_)
    for back in range(1, len(POSITIONS)):
        seen[back:] |= (loan[back:] == loan[:-back]) & (lender[back:] == lender[:-back])
    return seen


def _lender(rng: Generator, known: Lenders, kind: Ints) -> Ints:
    """A lender of each layer kind, the largest most often."""
    found = np.empty(len(kind), dtype=np.int64)
    for number in np.unique(kind):
        rows = np.flatnonzero(kind == number)
        weights = zipf(int(known.count[number]), power=0.8, offset=1)
        found[rows] = known.first[number] + weighted(rng, weights, len(rows))
    return found


def _party(rng: Generator, data: Assumptions, register: Register, kind: str, *, loans: int) -> Ints:
    """A servicer or an originator for every loan, the largest most often."""
    first, count = parties(rng, data, register, kind, loans=loans)
    return first + weighted(rng, zipf(count, power=0.7, offset=1), loans)


def _terms(rng: Generator, debt: Debt, loan: Ints, position: Ints) -> tuple[Ints, Floats]:
    """Amounts, whole thousands above the senior layer, and coupons, dearer up the stack."""
    rows = len(loan)
    share = np.where(
        position == MEZZANINE, rng.uniform(0.08, 0.20, rows), rng.uniform(0.05, 0.14, rows)
    )
    above = np.maximum(np.rint(debt.original[loan] * share / 50e3), 1) * 50e3
    margin = np.where(position == MEZZANINE, 3.5, 6.0) + rng.uniform(0, 2.5, rows)
    rate = debt.coupon[loan] + np.rint(margin / 0.25) * 0.25
    senior = position == SENIOR
    amount = np.where(senior, debt.balance[loan], above).astype(np.int64)
    return amount, np.where(senior, debt.coupon[loan], rate).round(3).astype(np.float64)


def _tie(
    rng: Generator, data: Assumptions, register: Register, made: Stack, debt: Debt, known: Lenders
) -> None:
    """Edges from the loans to their lenders, funds, servicers and originators (D28)."""
    rows = len(made.loan)
    register.tie("capital_source", made.lender, hundredths(rng, 90, 100, rows), loan=made.loan)
    private = np.flatnonzero((made.kind == PRIVATE) & chance(rng, 0.7, rows))
    own = made.lender[private] - known.first[PRIVATE]
    choice = np.floor(rng.random(len(private)) * known.funds[own]).astype(np.int64)
    fund = known.first_fund[own] + choice
    sure = hundredths(rng, 70, 98, len(private))
    register.tie("capital_source", fund, sure, loan=made.loan[private])
    served = np.flatnonzero(made.servicer != NONE)
    sure = hundredths(rng, 90, 100, len(served))
    register.tie("servicer", made.servicer[served], sure, loan=made.loan[served])
    loans = len(debt.kind)
    originator = _party(rng, data, register, "originator", loans=loans)
    made_by = np.flatnonzero(chance(rng, data.of_layer["originator"][debt.layer], loans))
    sure = hundredths(rng, 80, 99, len(made_by))
    register.tie("originator", originator[made_by], sure, loan=made_by)


def layers(made: Stack, names: pa.Array, *, no_coupon: Bools) -> pa.Table:
    """LAYERS rows. `no_coupon` by loan: the senior coupon is not known."""
    unknown = no_coupon[made.loan] & (made.position == SENIOR)
    served = pa.array(made.servicer, mask=made.servicer == NONE)
    return shaped(
        LAYERS,
        {
            "loan": pa.array(made.loan, type=pa.int32()),
            "rank": pa.array(made.rank, type=pa.int8()),
            "position": picked(pa.array(POSITIONS), made.position),
            "layer": picked(pa.array(LAYER_KINDS), made.kind),
            "lender": picked(names, made.lender),
            "servicer": names.take(served),
            "amount": pa.array(made.amount),
            "interest_rate": pa.array(made.rate, mask=unknown),
        },
    )


def senior_lenders(made: Stack) -> Ints:
    """Row of the register, by loan."""
    return np.asarray(made.lender[made.position == SENIOR])

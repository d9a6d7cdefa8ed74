"""The lending parties: insurers, banks, private lenders and their funds, trusts, servicers."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from services.contract.vocabulary import LAYER_KINDS
from services.importers.demo.assumptions import Assumptions, Ints
from services.importers.demo.draws import (
    Generator,
    chance,
    hundredths,
    runs,
    scaled,
    weighted,
    zipf,
)
from services.importers.demo.names import coined, combined, drawn, figures, joined, picked
from services.importers.demo.register import Register

INSURANCE, PRIVATE = LAYER_KINDS.index("insurance"), LAYER_KINDS.index("private credit")
SHELVES = 8  # names that trusts are issued under
FUND_WEIGHTS = np.array([0.45, 0.35, 0.20])  # one, two or three funds to a private lender


@dataclass(frozen=True, slots=True)
class Lenders:
    """Rows of the register by layer kind (none for trusts), and the private lenders' funds."""

    first: Ints
    count: Ints
    first_fund: Ints  # by private lender
    funds: Ints


def lenders(rng: Generator, data: Assumptions, register: Register, *, loans: int) -> Lenders:
    """Enter insurers, banks and private lenders, then the funds and what stands behind them."""
    total = scaled(data, "lenders", loans)
    count = np.rint(total * data.of_layer["share"]).astype(np.int64)
    count = np.where(data.of_layer["share"] > 0, np.maximum(count, 1), 0)
    first = np.zeros(len(LAYER_KINDS), dtype=np.int64)
    stems = []
    for kind, forms in enumerate(data.lender_forms):
        rows = int(count[kind])
        stem, form = combined(rng, rows, coined(data.words), pa.array(forms))
        stems.append(stem)
        sure = hundredths(rng, 93, 100, rows)
        first[kind] = register.enter("lender", joined(stem, " ", form), sure)
    funds = 1 + weighted(rng, FUND_WEIGHTS, int(count[PRIVATE]))
    first_fund = _funds(rng, data, register, stems[PRIVATE], funds)
    _sources(
        rng,
        data,
        register,
        funds=first_fund + np.arange(funds.sum()),
        insurers=first[INSURANCE] + np.arange(count[INSURANCE]),
    )
    return Lenders(first, count, first_fund + np.cumsum(funds) - funds, funds)


def _funds(
    rng: Generator, data: Assumptions, register: Register, stems: pa.Array, funds: Ints
) -> int:
    """Funds named for their lender, "Wexendale Senior Loan Fund II LP"."""
    owner, place = runs(funds)
    form = drawn(rng, data.words["debt_fund_form"], len(funds))
    numeral = picked(data.words["numeral"], place)
    names = joined(picked(stems, owner), " ", picked(form, owner), numeral, " LP")
    return register.enter("fund", names, hundredths(rng, 85, 99, len(owner)))


def _sources(
    rng: Generator, data: Assumptions, register: Register, *, funds: Ints, insurers: Ints
) -> None:
    """An institution, an insurer or both behind each fund (D28)."""
    rows = len(funds)
    count = max(2, rows // 3)
    stem, form = combined(rng, count, coined(data.words), data.words["source_form"])
    first = register.enter("fund", joined(stem, " ", form), hundredths(rng, 85, 99, count))
    insured = chance(rng, 0.4, rows)
    backed = np.flatnonzero(~insured | chance(rng, 0.6, rows))
    backer = first + weighted(rng, zipf(count, power=0.7, offset=1), len(backed))
    sure = hundredths(rng, 58, 96, len(backed))
    register.tie("capital_source", backer, sure, entity=funds[backed])
    covered = np.flatnonzero(insured)
    insurer = insurers[rng.integers(0, len(insurers), len(covered))]
    sure = hundredths(rng, 60, 96, len(covered))
    register.tie("capital_source", insurer, sure, entity=funds[covered])


def trusts(
    rng: Generator, data: Assumptions, register: Register, year: Ints, *, loans: int
) -> Ints:
    """A trust of the loan's year for each securitised loan, "Norrenkeld ... Trust 2019-C3"."""
    years, of_year, made = np.unique(year, return_inverse=True, return_counts=True)
    total = scaled(data, "trusts", loans)
    count = np.maximum(np.rint(total * made / max(len(year), 1)), 1).astype(np.int64)
    vintage, place = runs(count)
    (shelf,) = combined(rng, SHELVES, coined(data.words))
    turn = rng.integers(0, SHELVES, len(years))[vintage]  # each year begins with another shelf
    form = data.lender_forms[LAYER_KINDS.index("cmbs servicer")][0]
    names = joined(
        picked(shelf, (place + turn) % SHELVES),
        f" {form} ",
        figures(years[vintage]),
        "-C",
        figures(place // SHELVES + 1),
    )
    first = register.enter("trust", names, hundredths(rng, 96, 100, len(vintage)))
    choice = np.floor(rng.random(len(year)) * count[of_year]).astype(np.int64)
    return first + (np.cumsum(count) - count)[of_year] + choice


def parties(
    rng: Generator, data: Assumptions, register: Register, kind: str, *, loans: int
) -> tuple[int, int]:
    """Enter servicers or originators; row of the first, and how many."""
    count = scaled(data, f"{kind}s", loans)
    stem, form = combined(rng, count, coined(data.words), data.words[f"{kind}_form"])
    return register.enter(kind, joined(stem, " ", form), hundredths(rng, 92, 100, count)), count
